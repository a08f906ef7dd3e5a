/// The facts that a file may lack, by their bits in the mask that says which of them travel.
struct FactsField: OptionSet {
  let rawValue: UInt32

  static let captureTime = FactsField(rawValue: 1 << 0)
  static let nanosecond = FactsField(rawValue: 1 << 1)
  static let utcOffset = FactsField(rawValue: 1 << 2)
  static let make = FactsField(rawValue: 1 << 3)
  static let model = FactsField(rawValue: 1 << 4)
  static let lens = FactsField(rawValue: 1 << 5)
  static let isoSpeed = FactsField(rawValue: 1 << 6)
  static let fNumber = FactsField(rawValue: 1 << 7)
  static let exposureTime = FactsField(rawValue: 1 << 8)
  static let focalLength = FactsField(rawValue: 1 << 9)
  static let coordinate = FactsField(rawValue: 1 << 10)
  static let altitude = FactsField(rawValue: 1 << 11)
  static let customRendered = FactsField(rawValue: 1 << 12)
  static let userComment = FactsField(rawValue: 1 << 13)
  static let burstIdentifier = FactsField(rawValue: 1 << 14)
  static let contentIdentifier = FactsField(rawValue: 1 << 15)
  static let hdrImageType = FactsField(rawValue: 1 << 16)
  static let rating = FactsField(rawValue: 1 << 17)
  static let keywords = FactsField(rawValue: 1 << 18)
  static let title = FactsField(rawValue: 1 << 19)
  static let caption = FactsField(rawValue: 1 << 20)
  static let people = FactsField(rawValue: 1 << 21)
  static let hints = FactsField(rawValue: 1 << 22)
  static let duration = FactsField(rawValue: 1 << 23)
  static let frameRate = FactsField(rawValue: 1 << 24)
  static let motionVideo = FactsField(rawValue: 1 << 25)
  static let thumbnail = FactsField(rawValue: 1 << 26)

  static let all = FactsField(rawValue: (1 << 27) - 1)
}
