import System

/// tmux's information about the terminal that it is attached to.
package struct TmuxClient: Hashable, Sendable {
  /// Format for `display-message`: the terminal's XTVERSION, the option, tmux's own version, what tmux found that the
  /// terminal can do, and the size of a character cell.
  package static let format =
    "#{client_termtype}\n#{allow-passthrough}\n#{version}\n#{client_termfeatures}\n"
    + "#{client_cell_width}x#{client_cell_height}"

  /// The name that the terminal reported to tmux.
  package var name: String
  /// Whether tmux passes wrapped sequences on to it.
  var allowsPassthrough: Bool

  /// Whether the terminal draws sixels; nil if tmux does not say it, which counts as no.
  ///
  /// Without them tmux prints a text in the place of each picture.
  var hasSixel: Bool?

  /// Whether tmux knows the size of the terminal's character cells; false if it does not say it.
  ///
  /// Without it tmux prints the text too, although it reports made-up cells to programs.
  var hasCellSize: Bool

  /// tmux's own name in XTVERSION's form; nil if it does not report its version.
  var tmuxName: String?

  package init(
    name: String, allowsPassthrough: Bool, version: String = "", hasSixel: Bool? = nil,
    hasCellSize: Bool = false
  ) {
    self.name = name
    self.allowsPassthrough = allowsPassthrough
    self.hasSixel = hasSixel
    self.hasCellSize = hasCellSize
    tmuxName = version.isEmpty ? nil : "tmux \(version)"
  }

  /// Parses the answer to `format`.
  package init(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    self.init(
      name: String(lines.first ?? ""),
      allowsPassthrough: ["on", "all", "1"].contains(lines.dropFirst().first ?? ""),
      version: String(lines.dropFirst(2).first ?? ""),
      hasSixel: lines.dropFirst(3).first.flatMap { features in
        features.isEmpty ? nil : features.split(separator: ",").contains("sixel")
      },
      hasCellSize: lines.dropFirst(4).first.map { size in
        let sides = size.split(separator: "x").compactMap { Int($0) }
        return sides.count == 2 && sides.allSatisfy { $0 > 0 }
      } ?? false)
  }
}

extension TmuxClient {
  /// How long tmux may take.
  private static let patience: Duration = .milliseconds(500)

  /// Asks tmux about the terminal that shows this pane; nil without an answer.
  ///
  /// That terminal's answers end in tmux itself, so it cannot be queried from inside.
  static func ask() -> TmuxClient? {
    guard getenv("TMUX") != nil else { return nil }
    guard let ends = try? ChildProcess.pipe() else { return nil }
    let readEnd = ends.readEnd
    defer { close(readEnd) }
    let command = ["tmux", "display-message", "-p", format]
    let child = try? ChildProcess(
      command.map { Array($0.utf8) }, input: .null, output: .descriptor(ends.writeEnd), errors: .null)
    close(ends.writeEnd)
    guard let child else { return nil }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    var wait = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    let deadline = ContinuousClock.now + patience
    while answer.count < 4096 {
      let left = ContinuousClock.now.duration(to: deadline)
      let ready = poll(&wait, 1, Int32(max(.zero, left) / .milliseconds(1)))
      // A signal, for example for a resized window, says nothing about tmux.
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      let n = read(readEnd, &buffer, buffer.count)
      if n < 0, errno == EINTR { continue }
      if n <= 0 { break }
      answer += buffer[..<n]
    }
    // Do not wait for a hanging process.
    kill(child.identifier, SIGKILL)
    child.wait()
    let client = TmuxClient(answer: String(decoding: answer, as: UTF8.self))
    return client.name.isEmpty && client.tmuxName == nil ? nil : client
  }
}

/// Wraps sequences so that tmux passes them on to the terminal around it.
///
/// Form: DCS `tmux;`, the sequence with every ESC doubled, ST (tmux(1), allow-passthrough).
enum TmuxPassthrough {
  static func wrap(_ sequence: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sequence.count + 16)
    bytes += "\u{1B}Ptmux;".utf8
    for byte in sequence {
      if byte == 0x1B { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes += "\u{1B}\\".utf8
    return bytes
  }
}
