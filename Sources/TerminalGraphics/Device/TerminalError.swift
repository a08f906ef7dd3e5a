/// Why the terminal can't be had, or is gone.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is none that what is wanted can be shown on; in words.
  case unusable(String)
  /// There is no controlling terminal; in words of the system.
  case absent(String)
  /// The terminal went away; in words of the system.
  case lost(String)
  /// A signal is to end the process, and the terminal takes nothing: no more is sent to it.
  case interrupted

  public var description: String {
    switch self {
    case .unusable(let reason): reason
    case .absent(let reason): "no terminal: \(reason)"
    case .lost(let reason): "the terminal is gone: \(reason)"
    case .interrupted: "the terminal: a signal came while it took nothing"
    }
  }
}
