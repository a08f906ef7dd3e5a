package import SystemPackage

/// Why the stored permissions can't be read or written.
///
/// What is stored stays as it is.
package enum PermissionError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(FilePath, String)
  /// Written by a later version of tpick.
  case newer(FilePath, version: Int)
  /// Others than the user can write it: it may not say what the user decided.
  case exposed(FilePath)
  /// Another tpick does not let go of it.
  case locked(FilePath)
  case unwritable(FilePath, String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path.string): \(reason); what was decided can't be read, and nothing was changed. "
        + "Mend the file, or remove it to be asked again"
    case .newer(let path, let version):
      "\(path.string): version \(version) was written by a newer tpick; use that one, or remove the file to be asked again"
    case .exposed(let path):
      "\(path.string): others than you can write it, so it may not say what you decided; look into it, and chmod 600 it or remove it"
    case .locked(let path): "\(path.string): another tpick keeps it locked; try again"
    case .unwritable(let path, let reason): "\(path.string): \(reason); what was decided is not remembered"
    }
  }
}
