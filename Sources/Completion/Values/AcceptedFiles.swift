import MediaFormats

/// The types that `--accept` can list.
enum AcceptedFiles {
  /// Kinds first, then the types of the formats.
  static var types: [String] {
    var types = ["image/*", "video/*"]
    for type in FileFormat.allCases.compactMap(\.mimeType) where !types.contains(type) { types.append(type) }
    return types
  }
}
