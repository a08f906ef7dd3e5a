import SystemPackage

/// A path that was named and leads somewhere.
struct Candidate: Sendable {
  enum Kind: Sendable {
    /// A file of the folder with this identity.
    case file(folder: FileIdentity)
    case folder(FileIdentity)
    /// What does not answer is taken for a folder, as which it is looked for again.
    case silent
  }

  var path: FilePath
  var kind: Kind
}
