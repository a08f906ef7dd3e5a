import ArgumentParser
import AssetLibrary

/// The sources and filters: the options of `pick`, `list` and `albums`.
struct SourceArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A folder (read recursively), a file, or - for paths on standard input; files may also be file:// URIs or identifiers from --format ids; nas:Photos is a folder of an rclone remote. Default: the sources of the configuration, else your pictures folder.",
      valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only assets that match: images, videos, favorites…, combined with any(a,b), all(a,b), not(a), !a and commas (or). If repeated, all must match.",
      valueName: "expr"))
  var filter: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only assets that match a search: words in names, albums, folders, cameras, lenses, keywords, titles and people, dates (may 2022, last summer), kinds (videos, favorites), or terms such as after:2024-05 before:7d date: type: camera: lens: album: path: person: keyword: title: ext:heic rating:>=4 size:>2MB width:>=1920 height: ratio:portrait duration:<=60s near:LAT,LON,KM; joined with or, not and parentheses.",
      valueName: "text"))
  var query: String?

  @Flag(help: "With - as source: paths on standard input are NUL-separated.")
  var read0 = false

  @Flag(
    help:
      "Don't contact servers: use only what is already known of folders on servers, and originals already downloaded."
  )
  var offline = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds to wait for a server: for the connection, for an answer, and between two parts of a file. Default: 10, 30 and 15.",
      valueName: "seconds"),
    transform: NumberArguments.timeout)
  var timeout: Int?

  @Flag(
    help:
      "Exit with status 2 if anything could not be read; the rest is still printed, and --select-1 and --exit-0 are ignored."
  )
  var strict = false

  @Flag(help: "Use a generated sample library.")
  var demo = false

  @Flag(help: "Don't warn about skipped files.")
  var quiet = false

  @Flag(help: "Name every skipped file, however many there are.")
  var verbose = false
}
