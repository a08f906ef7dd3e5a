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
  var representation: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the consumer takes, such as image/jpeg,image/*,.heic,video/mp4: other files are converted, and what can't be is not picked.",
      valueName: "types"))
  var accept: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The quality of JPEGs from 1 to 100. Default: 85 for those that are made.", valueName: "number"))
  var quality: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most pixels of the longer side, such as 2048, or bytes of a picture, such as 2MB; or both with a comma.",
      valueName: "size"))
  var maxSize: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Hand over files without location, or without all metadata that is not needed to show them: location or all.",
      valueName: "what"))
  var strip: String?

  /// The parsed values.
  /// - Throws: `Failure` for what is none, and what contradicts itself.
  func options() throws(Failure) -> RepresentationOptions {
    var options = RepresentationOptions()
    if let representation {
      let all = PickerConfiguration.AssetRepresentationMode.allCases
      guard let mode = all.first(where: { $0.rawValue == representation.lowercased() }) else {
        let names = all.map(\.rawValue).joined(separator: ", ")
        throw .usage("--representation: unknown word '\(representation)'; expected one of \(names)")
      }
      options.mode = mode
    }
    if let accept {
      do {
        options.acceptedTypes = try AcceptedTypes(parsing: accept)
      } catch {
        throw .usage("--accept: \(error)")
      }
    }
    if let quality {
      guard let number = Int(quality), (1...100).contains(number) else {
        throw .usage("--quality: '\(quality)' is no number from 1 to 100")
      }
      options.quality = number
    }
    if let maxSize { try Self.read(maxSize, into: &options) }
    if let strip {
      let all = RepresentationOptions.Stripping.allCases.filter { $0 != .nothing }
      guard let stripping = all.first(where: { $0.rawValue == strip.lowercased() }) else {
        throw .usage("--strip: unknown word '\(strip)'; expected location or all")
      }
      options.stripping = stripping
    }
    if options.mode == .current {
      for (option, value) in [("--quality", quality), ("--max-size", maxSize)] where value != nil {
        throw .usage("\(option): not together with --representation current, which converts nothing")
      }
    }
    return options
  }

  private static func read(_ text: String, into options: inout RepresentationOptions) throws(Failure) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.filter { !$0.isWhitespace }.lowercased()
      let digits = word.hasSuffix("px") ? word.dropLast(2) : word[...]
      if let side = Int(digits), (1...1 << 20).contains(side), digits.allSatisfy(\.isASCII) {
        options.longestSide = side
      } else if word.contains(where: \.isLetter), let bytes = MeasureText.bytes(of: word),
        let count = Int64(exactly: bytes.rounded(.down)), count > 0
      {
        options.byteCount = count
      } else {
        throw .usage(
          "--max-size: '\(part)' is neither a number of pixels such as 2048 nor a size such as 2MB")
      }
    }
  }
}
