/// One setting as a line of TOML.
struct SettingEntry {
  /// Empty for a key of no table.
  var table: String
  var key: String
  /// In TOML's spelling.
  var value: String
  /// What it does, in one line; nil where the table says it.
  var purpose: String?
  /// Whether the line is written as a comment, because what it says depends on other settings.
  var isFallback = false

  init(_ table: String, _ key: String, _ value: String, _ purpose: String? = nil, isFallback: Bool = false) {
    (self.table, self.key, self.value) = (table, key, value)
    (self.purpose, self.isFallback) = (purpose, isFallback)
  }

  var line: String { "\(key) = \(value)" }
}
