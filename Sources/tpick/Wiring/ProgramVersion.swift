import PhotoPicker

/// The version that `--version` prints.
enum ProgramVersion {
  static let current = PackageVersion.current
}
