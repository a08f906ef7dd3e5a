public import Pixels

/// What a photograph's file says about itself, before anyone interprets it.
///
/// Every field that the file does not carry, or carries damaged, is nil: metadata never makes a picture
/// unusable.
public struct PhotoFacts: Hashable, Sendable {
  /// The size of the stored pixels, before any orientation.
  public var storedSize: PixelSize
  /// How the stored pixels have to be turned to stand upright (EXIF 0x0112).
  public var orientation: Orientation = .topLeft
  /// When the shutter opened: DateTimeOriginal (0x9003), else CreateDate (0x9004), else ModifyDate (0x0132).
  public var captureTime: CivilTime?
  /// Camera maker, as "Canon" (0x010F).
  public var make: String?
  /// Camera model, as "EOS 90D" (0x0110).
  public var model: String?
  /// Lens model (0xA434).
  public var lens: String?
  /// Sensitivity by ISO 12232 (0x8827).
  public var isoSpeed: Int?
  /// Aperture as the f-number (0x829D).
  public var fNumber: Double?
  /// Exposure time in seconds (0x829A).
  public var exposureTime: Double?
  /// Focal length in millimetres (0x920A).
  public var focalLength: Double?
  /// Where it was taken, in degrees of WGS 84 (GPS tags 1 to 4).
  public var coordinate: Coordinate?
  /// What the camera made of several exposures or a depth map (0xA401): Apple's values beyond EXIF's two are
  /// 2 and 3 HDR, 6 panorama, 7 and 8 portrait.
  public var customRendered: Int?
  /// What the camera or the system wrote as comment (0x9286), "Screenshot" among it.
  public var userComment: String?
  /// The series that the photograph belongs to (Apple MakerNote 0x000B).
  public var burstIdentifier: String?
  /// What ties a Live Photo's still to its video (Apple MakerNote 0x0011).
  public var contentIdentifier: String?
  /// Apple MakerNote 0x000A: 3 = HDR, 4 = the original of one.
  public var hdrImageType: Int?
  /// Where in the file the embedded JPEG thumbnail lies, in bytes from the file's start.
  public var thumbnail: Range<Int>?

  public init(storedSize: PixelSize = .zero) {
    self.storedSize = storedSize
  }
}

/// A place on the earth in degrees, north and east positive.
public struct Coordinate: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A date and time as a clock on the wall showed it, with the clock's offset from UTC where it is known.
public struct CivilTime: Hashable, Sendable {
  public var year: Int
  public var month: Int
  public var day: Int
  public var hour: Int
  public var minute: Int
  public var second: Int
  public var nanosecond = 0
  /// Seconds east of UTC; nil where the camera did not record it.
  public var utcOffset: Int?

  /// Reads "YYYY:MM:DD HH:MM:SS" (EXIF 2.32, 4.6.5); nil for blanks, zeros and impossible dates.
  public init?(exif text: String, subseconds: String? = nil, offset: String? = nil) {
    let fields = text.split(whereSeparator: { ": -/T".contains($0) }).map { Int($0) }
    guard fields.count >= 6, let year = fields[0], let month = fields[1], let day = fields[2],
      let hour = fields[3], let minute = fields[4], let second = fields[5],
      (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    if let digits = subseconds?.prefix(while: { $0.isASCII && $0.isNumber }).prefix(9), !digits.isEmpty {
      nanosecond = Int(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
    }
    utcOffset = offset.flatMap(Self.seconds(fromOffset:))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Reads "+01:00" as 3600; nil for anything else.
  static func seconds(fromOffset text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace && $0 != "\0" }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hours = parts[0], let minutes = parts[1],
      (0...15).contains(hours), (0...59).contains(minutes)
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
