import Dispatch
import PickerRuntime

#if canImport(Glibc)
  import Glibc
#endif

/// Waits for keys on a thread of its own, so that a key is noticed while a frame is being written.
enum KeyReader {
  /// How long after an escape character the rest of a sequence may take, in milliseconds.
  ///
  /// Links over SSH deliver a key's bytes together nearly always.
  private static let escapePatience: Int32 = 40
  /// How long the rest of a late answer may take; cut short, it would come out as keys.
  private static let answerPatience: Int32 = 500
  /// How long the rest of a paste may take; then its last bracket is taken for lost.
  private static let pastePatience: Int32 = 1000

  /// Reads from `descriptor`, after the bytes in `typed`, until it ends or fails; then `ended` is called once.
  static func start(
    on descriptor: Int32, after typed: [UInt8], deliver: @escaping @Sendable (TerminalEvent) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    DispatchQueue(label: "tpick.keys").async {
      var decoder = KeyDecoder()
      decoder.feed(typed).forEach(deliver)
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&wait, 1, patience(with: decoder))
        if ready == 0 {
          decoder.timeOut().forEach(deliver)
        } else if ready > 0 {
          let n = read(descriptor, &buffer, buffer.count)
          if n > 0 {
            decoder.feed(buffer[..<n]).forEach(deliver)
          } else if n == 0 || (errno != EINTR && errno != EAGAIN) {
            return ended()
          }
        }
      }
    }
  }

  private static func patience(with decoder: KeyDecoder) -> Int32 {
    if decoder.isPasting { return pastePatience }
    if decoder.isAwaitingAnswer { return answerPatience }
    return decoder.isPending ? escapePatience : -1
  }
}
