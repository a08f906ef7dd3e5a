import AssetLibrary
import CProcess
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// tpick as the first program in the sandbox, which becomes the command.
///
/// bubblewrap itself ignores the signals that end programs, so that it outlives a Ctrl-C which the command handles; here
/// they do again what they did outside.
enum SandboxLauncher {
  /// The first argument, followed by the signals that stay ignored, with commas, and the words of the command.
  static let word = "--sandbox-launch"

  /// The arguments of this program for a command.
  static func arguments(_ command: [[UInt8]], ignored: [Int32]) -> [[UInt8]] {
    [Array(word.utf8), Array(ignored.map(String.init).joined(separator: ",").utf8)] + command
  }

  /// The signals that end programs and are ignored by this process, as `nohup` has it.
  static var ignoredSignals: [Int32] {
    SignalInbox.ending.filter { number in
      var action = sigaction()
      // SIG_IGN is the function at address 1: Swift can't import the macro, and compares no C functions.
      return sigaction(number, nil, &action) == 0
        && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
  }

  /// Becomes the command, if that is what the program's arguments say; returns otherwise.
  static func launchIfAsked() {
    guard process_argument_count() >= 4, let first = process_argument(1), strcmp(first, word) == 0 else {
      return
    }
    let arguments = ArgumentBytes.ofProcess
    let kept = String(decoding: arguments[1], as: UTF8.self).split(separator: ",").compactMap { Int32($0) }
    for number in SignalInbox.ending where !kept.contains(number) { signal(number, SIG_DFL) }
    let command = Array(arguments[2...])
    let error = ByteStrings.withPointers(command) { words in
      guard let name = words[0] else { return EINVAL }
      execvp(name, words)
      return errno
    }
    Messages.warn(
      "run: \(Wording.name(String(decoding: command[0], as: UTF8.self))): \(Errno(rawValue: error))")
    exit(error == ENOENT ? 127 : 126)
  }
}
