import AssetLibrary
import Metadata

#if canImport(Glibc)
  import Glibc
#endif

extension AssetDate {
  /// A file's date as the clock on this machine's wall showed it.
  /// - Parameter fileTime: nanoseconds since 1970, UTC.
  init(fileTime: Int64) {
    var seconds = Int(fileTime >= 0 ? fileTime / 1_000_000_000 : (fileTime - 999_999_999) / 1_000_000_000)
    let nanoseconds = Int32(fileTime - Int64(seconds) * 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    self.init(
      wallSeconds: Int64(seconds) + Int64(local.tm_gmtoff), nanoseconds: nanoseconds,
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// This moment by the clock of UTC.
  package static var nowInUTC: AssetDate {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return AssetDate(wallSeconds: Int64(now.tv_sec), nanoseconds: Int32(now.tv_nsec), utcOffset: 0)
  }

  init(_ time: CivilTime) {
    self.init(
      year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
      second: time.second, nanosecond: time.nanosecond, utcOffset: time.utcOffset)
  }
}
