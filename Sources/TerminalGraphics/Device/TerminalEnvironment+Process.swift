import System

extension TerminalEnvironment {
  /// The environment of this process.
  package static var ofProcess: TerminalEnvironment {
    TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
  }
}
