package import AssetLibrary
package import Results

/// What is copied of an asset, and what the copies are called.
package struct ExportOptions: Sendable {
  /// Which files of an asset are copied.
  package enum Resources: String, CaseIterable, Sendable {
    /// The one that stands for it.
    case primary
    /// All that belong to it: the clip of a Live Photo, the raw file, the original of an edit, sidecars.
    case all
  }

  /// What becomes of a copy whose name is taken.
  package enum Existing: String, CaseIterable, Sendable {
    /// It gets a number.
    case number
    /// It is not made where that file has the same content; else it gets a number.
    case skip
    /// It takes the place of that file, all at once; of no other copy of the same run, and of no original.
    case replace
  }

  package var resources: Resources
  /// What copies are called, without extension; nil = as their files are.
  package var name: ResultTemplate?
  /// In which shape assets are handed over.
  package var representation: RepresentationOptions
  /// Whether files that are handed over as they are are copied; else they stay where they are.
  package var copiesFiles: Bool
  /// Whether a copy that would have a line break in its name is not made.
  package var refusesLineBreaks: Bool
  package var existing: Existing
  /// Whether files get the extension of what they are, even where the representation asks for no type.
  package var namesTypes = false

  package init(
    resources: Resources = .primary, name: ResultTemplate? = nil,
    representation: RepresentationOptions = RepresentationOptions(), copiesFiles: Bool = true,
    refusesLineBreaks: Bool = false, existing: Existing = .number
  ) {
    self.resources = resources
    self.name = name
    self.representation = representation
    self.copiesFiles = copiesFiles
    self.refusesLineBreaks = refusesLineBreaks
    self.existing = existing
  }
}
