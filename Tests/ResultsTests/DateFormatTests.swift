import AssetLibrary
import Glibc
import Results
import Testing

/// Dates by the conversions of `strftime`.
@Suite struct DateFormatTests {
  private static func text(_ format: String, _ date: AssetDate) throws -> String {
    var asset = SampleAssets.asset()
    asset.creationDate = date
    return String(try SampleAssets.text("{date:\(format)}", of: AssetRecord(asset)).dropLast())
  }

  static let formats = [
    "%Y-%m-%d", "%y%C", "%B %b %h", "%e|%d|%j", "%H:%M:%S", "%I%p%P", "%k|%l", "%A %a", "%u%w", "%V %G %g",
    "%U %W", "%F %T %D %R", "%r|%c|%x|%X", "%z", "%t%%", "%-d.%-m.%Y", "%_d|%_m|%0e|%-j|%_H",
  ]

  /// The C library's result in the POSIX locale.
  private static func reference(_ format: String, _ date: AssetDate) -> String {
    var seconds = time_t(date.wallSeconds)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    fields.tm_gmtoff = Int(date.utcOffset ?? 0)
    var buffer = [CChar](repeating: 0, count: 256)
    let length = withUnsafePointer(to: &fields) { strftime(&buffer, buffer.count, format, $0) }
    return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test(arguments: formats)
  func `Every day is formatted as by the C library`(format: String) throws {
    // Four years around a leap year, and distant dates; glibc writes years before 1000 with fewer digits.
    let days = Array(0..<1461).map { 19_358 + $0 } + [-354_285, -141_428, -1, 0, 47_482, 2_932_896]
    for (number, day) in days.enumerated() {
      let date = AssetDate(
        wallSeconds: Int64(day) * 86400 + Int64(number * 7919 % 86400),
        utcOffset: Int32([0, 3600, -12_600, 45_900][number % 4]))
      #expect(try Self.text(format, date) == Self.reference(format, date), "\(day)")
    }
  }

  @Test func `A zone is written if it is known`() throws {
    let known = AssetDate(year: 2024, month: 5, day: 2, hour: 14, utcOffset: -12_600)
    #expect(try Self.text("%z %:z %s", known) == "-0330 -03:30 1714671000")
    #expect(try Self.text("[%z%:z%s]", AssetDate(year: 2024, month: 5, day: 2)) == "[]")
  }
}
