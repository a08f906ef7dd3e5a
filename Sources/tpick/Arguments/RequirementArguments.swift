import ArgumentParser
import AssetLibrary

/// What assets have to be to be picked or listed.
struct RequirementArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only videos that last at least so long, such as 3s or 1:30; others are shown and can't be picked.",
      valueName: "time"))
  var minDuration: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only videos that last at most so long, such as 60s or 5min.", valueName: "time"))
  var maxDuration: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only files of at most this size, such as 500kB or 10MB.", valueName: "size"))
  var maxBytes: String?

  /// The parsed values.
  /// - Throws: `Failure` for what is no duration and no size.
  func requirements() throws(Failure) -> PickerRequirements {
    var requirements = PickerRequirements()
    requirements.minimumDuration = try Self.seconds(minDuration, option: "--min-duration")
    requirements.maximumDuration = try Self.seconds(maxDuration, option: "--max-duration")
    if let minimum = requirements.minimumDuration, let maximum = requirements.maximumDuration,
      minimum > maximum
    {
      throw .usage(
        "--min-duration: '\(minDuration ?? "")' is more than --max-duration '\(maxDuration ?? "")'")
    }
    if let maxBytes {
      guard let bytes = MeasureText.bytes(of: maxBytes).flatMap({ Int64(exactly: $0.rounded(.down)) }) else {
        throw .usage("--max-bytes: '\(maxBytes)' is no size of a file; write one such as 500kB or 10MB")
      }
      requirements.maximumByteCount = bytes
    }
    return requirements
  }

  private static func seconds(_ text: String?, option: String) throws(Failure) -> Double? {
    guard let text else { return nil }
    guard let seconds = MeasureText.seconds(of: text) else {
      throw .usage("\(option): '\(text)' is no duration; write one such as 60s, 5min or 1:30")
    }
    return seconds
  }
}
