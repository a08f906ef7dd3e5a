public import AssetLibrary
public import TerminalGraphics

/// Why a picker came to no answer.
public enum PhotoPickerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no terminal that it can be shown on, or the terminal went away.
  case terminal(TerminalError)
  /// The library gives no access.
  case access(AuthorizationStatus)
  /// Nothing can be made of the library, for this reason.
  case library(AssetError)

  /// The thing and the cause, in words for the user.
  public var description: String {
    switch self {
    case .terminal(let error): error.description
    case .access(let status): "photos: access \(status.word)"
    case .library(let error): error.description
    }
  }
}
