import ArgumentParser

/// Who asks for photos, and why: the options of what shows or prints a library.
struct ClientArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The program that requests access to photos, as the prompt names it. What you decide on it is remembered (tpick access).",
      valueName: "name"))
  var client: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --client: why it requests access, as the prompt says it.", valueName: "text"))
  var purpose: String?
}
