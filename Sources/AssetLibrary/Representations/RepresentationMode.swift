/// Which representation of an asset a result gives.
///
/// PhotoKit's `PHPickerConfiguration.AssetRepresentationMode`.
public enum RepresentationMode: String, CaseIterable, Hashable, Sendable {
  /// Ours: the file as it is for videos, a compatible one only for a consumer that can't take the type.
  case automatic
  /// The file as it is.
  case current
  /// JPEG for stills of other formats.
  case compatible
}
