import AssetLibrary
import Metadata
import System

extension AssetDate {
  /// Creates a date from a file time, in this machine's time zone.
  /// - Parameter fileTime: nanoseconds since 1970, UTC.
  init(fileTime: Int64) {
    let seconds = Int(fileTime >= 0 ? fileTime / 1_000_000_000 : (fileTime - 999_999_999) / 1_000_000_000)
    let nanoseconds = Int32(fileTime - Int64(seconds) * 1_000_000_000)
    let offset = SystemZone.offset(at: seconds)
    self.init(
      wallSeconds: Int64(seconds) + Int64(offset), nanoseconds: nanoseconds, utcOffset: offset)
  }

  /// The same moment in this machine's time zone with the offset valid at that moment.
  ///
  /// A date without an offset is returned unchanged.
  var inSystemZone: AssetDate {
    guard let seconds = utcSeconds else { return self }
    return AssetDate(utcSeconds: seconds, nanoseconds, offset: SystemZone.offset(at: Int(seconds)))
  }

  /// Returns the same moment in the time zone of a location; nil if the zone is unknown.
  func inZone(ofLatitude latitude: Double, longitude: Double) -> AssetDate? {
    guard let seconds = utcSeconds,
      let offset = PlaceZones.system.offset(latitude: latitude, longitude: longitude, at: seconds)
    else { return nil }
    return AssetDate(utcSeconds: seconds, nanoseconds, offset: offset)
  }

  private var utcSeconds: Int64? { utcOffset.map { wallSeconds - Int64($0) } }

  private init(utcSeconds: Int64, _ nanoseconds: Int32, offset: Int32) {
    self.init(
      wallSeconds: utcSeconds + Int64(offset), nanoseconds: nanoseconds, utcOffset: offset)
  }

  /// The current time in UTC.
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

/// This machine's time zone.
enum SystemZone {
  /// Seconds east of UTC at a moment, which is in seconds since 1970.
  static func offset(at seconds: Int) -> Int32 {
    var seconds = seconds
    var local = tm()
    localtime_r(&seconds, &local)
    return Int32(local.tm_gmtoff)
  }

  /// A fingerprint of the time zone: its offsets in the summers and winters of some years.
  static let key = stride(from: 1990, through: 2030, by: 5).reduce(into: UInt64(0)) { key, year in
    let winter = (year - 1970) * 31_556_952 + 1_296_000
    for moment in [winter, winter + 15_778_476] {
      key = IdentityRegistry.mix(key, UInt64(bitPattern: Int64(offset(at: moment))))
    }
  }
}
