import ArgumentParser

/// The limits of the selection: options of `pick` and `run`.
struct LimitArguments: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: Self.limitHelp,
    transform: NumberArguments.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: Self.limitImagesHelp,
    transform: NumberArguments.count)
  var limitImages: Int?

  @Option(
    parsing: .unconditional,
    help: Self.limitVideosHelp,
    transform: NumberArguments.count)
  var limitVideos: Int?

  // `pick` and `list` declare these options themselves: each option group costs a tenth of a millisecond at startup.
  static var limitHelp: ArgumentHelp {
    ArgumentHelp(
      "The maximum number of photos to pick; 0 = no limit. Default: 1.", valueName: "number")
  }

  static var limitImagesHelp: ArgumentHelp {
    ArgumentHelp(
      "The maximum number of images among them; 0 = no limit. Default: 0.", valueName: "number")
  }

  static var limitVideosHelp: ArgumentHelp {
    ArgumentHelp(
      "The maximum number of videos among them; 0 = no limit. Default: 0.", valueName: "number")
  }
}
