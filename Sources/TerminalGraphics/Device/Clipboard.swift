import CPlatform
import System

/// The clipboard of the user's desktop, reached through the terminal.
///
/// Format: OSC 52 (xterm's ctlseqs, "Manipulate Selection Data"): `c` is the clipboard, the text is Base64. The
/// terminal may be on another machine, at the end of an SSH connection; it does not report whether it accepted the
/// text.
package enum Clipboard {
  /// Returns the sequence that copies a text to the clipboard.
  package static func sequence(_ text: [UInt8]) -> [UInt8] {
    Array("\u{1B}]52;c;".utf8) + Base64.encode(text) + [0x1B, 0x5C]
  }

  /// Makes tmux copy a text to the clipboard of the terminal around it, if this process runs in tmux.
  ///
  /// By default tmux rejects the sequence from programs inside it (`set-clipboard external`), but does the same for
  /// a buffer that is loaded with `-w`, since tmux 3.2. Returns at once.
  package static func loadIntoTmux(_ text: [UInt8], environment: TerminalEnvironment = .ofProcess) {
    guard environment.isInTmuxPane else { return }
    let file = memory_file_create()
    guard file >= 0 else { return }
    defer { close(file) }
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    let words = ["tmux", "load-buffer", "-w", "-"].map { Array($0.utf8) }
    guard let child = try? ChildProcess(words, input: .descriptor(file), output: .null, errors: .null) else {
      return
    }
    WorkerThread.run { child.wait() }
  }
}
