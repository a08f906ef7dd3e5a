import Results

/// The words of `--fields`.
enum FieldWords {
  /// Stands for every field, and alone.
  static let all = "all"
}

extension FieldSelection {
  /// What a list of fields can begin with.
  static var names: [String] { [FieldWords.all] + AssetField.allCases.map(\.rawValue) }
}
