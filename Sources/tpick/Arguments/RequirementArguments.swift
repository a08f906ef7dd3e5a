import ArgumentParser
import AssetLibrary

/// Requirements of assets.
///
/// Others are shown but can't be picked, and are not listed.
struct RequirementArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only videos of at least this duration, such as 3s or 1:30.",
      valueName: "time"),
    transform: NumberArguments.seconds)
  var minDuration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only videos of at most this duration, such as 60s or 1m30s. In the picker, a part of a longer one can be chosen.",
      valueName: "time"),
    transform: NumberArguments.seconds)
  var maxDuration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only files of at most this size, such as 500kB or 10MB.", valueName: "size"),
    transform: NumberArguments.bytes)
  var maxBytes: Int64?

  /// The combined requirements.
  /// - Throws: `Failure` for contradictory options.
  func requirements() throws(Failure) -> PickerRequirements {
    if let minDuration, let maxDuration, minDuration > maxDuration {
      throw .usage("--min-duration: longer than --max-duration")
    }
    var requirements = PickerRequirements()
    requirements.minimumDuration = minDuration
    requirements.maximumDuration = maxDuration
    requirements.maximumByteCount = maxBytes
    return requirements
  }
}
