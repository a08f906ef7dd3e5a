import ArgumentParser

/// How much may be picked: the options of `pick` and `run`.
struct LimitArguments: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of photos to pick; 0 = no limit. Default: 1.", valueName: "number"),
    transform: NumberArguments.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of images among them; 0 = no limit. Default: 0.", valueName: "number"),
    transform: NumberArguments.count)
  var limitImages: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of videos among them; 0 = no limit. Default: 0.", valueName: "number"),
    transform: NumberArguments.count)
  var limitVideos: Int?
}
