import ArgumentParser
import AssetLibrary
import Results

/// The options for the shape in which results are handed over.
struct RepresentationArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "current (files as they are), compatible (JPEG, PNG or GIF, and MP4), or automatic (converted only where other options ask for it). Without --export what is made lies in the cache folder for a day. Default: automatic.",
      valueName: "which"))
  var representation: PickerConfiguration.AssetRepresentationMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the consumer takes, such as image/jpeg,image/*,.heic,video/mp4: other files are converted, and what can't be is refused.",
      valueName: "types"),
    transform: AcceptedTypes.init(argument:))
  var accept: AcceptedTypes?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of JPEGs from 1 to 100. Default: 85 for those that are made.", valueName: "number"),
    transform: NumberArguments.quality)
  var quality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most pixels of the longer side, such as 2048, or bytes of a picture, such as 2MB; or both with a comma.",
      valueName: "size"),
    transform: MaximumSize.init)
  var maxSize: MaximumSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Hand over files without location, or without all metadata that is not needed to show them.",
      valueName: "what"))
  var strip: RepresentationOptions.Stripping?

  /// What they say together.
  /// - Throws: `Failure` for what contradicts itself.
  func options() throws(Failure) -> RepresentationOptions {
    var options = RepresentationOptions()
    if let representation { options.mode = representation }
    if let accept { options.acceptedTypes = accept }
    options.quality = quality
    options.longestSide = maxSize?.longestSide
    options.byteCount = maxSize?.byteCount
    if let strip { options.stripping = strip }
    if options.mode == .current {
      for (option, isGiven) in [("--quality", quality != nil), ("--max-size", maxSize != nil)] where isGiven {
        throw .usage("\(option): not together with --representation current, which converts nothing")
      }
    }
    return options
  }
}
