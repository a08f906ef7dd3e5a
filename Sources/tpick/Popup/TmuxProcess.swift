import System
import SystemPackage

/// A command of tmux that runs, and what it says on standard error.
final class TmuxProcess {
  /// Where it says what is wrong; ends with it.
  let errors: Int32
  private let process: ChildProcess
  private var said: [UInt8] = []

  /// - Throws: `Failure` if there is no tmux.
  init(_ arguments: [[UInt8]]) throws(Failure) {
    do throws(Errno) {
      let ends = try ChildProcess.pipe()
      defer { close(ends.writeEnd) }
      do throws(Errno) {
        process = try ChildProcess(
          [Array("tmux".utf8)] + arguments, input: .null, output: .null, errors: .descriptor(ends.writeEnd))
      } catch {
        close(ends.readEnd)
        throw error
      }
      errors = ends.readEnd
    } catch {
      throw .error("--tmux: tmux: \(error)")
    }
  }

  /// Reads what it says.
  /// - Returns: false once it has ended.
  func readErrors() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let n = read(errors, &buffer, buffer.count)
    if n > 0, said.count < 4096 { said += buffer[..<n] }
    return n > 0 || n < 0 && errno == EINTR
  }

  /// Why it has opened no popup.
  var reason: String {
    let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).joined(
      separator: " ")
    let status = wait()
    if words.contains("unknown command") { return "popups need tmux 3.2 or later: \(words)" }
    if !words.isEmpty { return "tmux opens no popup: \(words)" }
    return "tmux opens no popup" + (status == 0 ? ": another one, or a menu, is open" : "")
  }

  /// Waits for its end.
  /// - Returns: its exit status.
  @discardableResult
  func wait() -> Int32 {
    while readErrors() {}
    return process.wait() ?? 0
  }

  deinit { close(errors) }
}
