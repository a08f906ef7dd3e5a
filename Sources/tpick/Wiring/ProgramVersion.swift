/// The version that `--version` prints, and that tpick's thumbnails and failures on disk are marked with.
enum ProgramVersion {
  static let current = "0.1.0"
}
