import Dispatch

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
    on descriptor: Int32, after typed: [UInt8], deliver: @escaping @Sendable ([KeyDecoder.Input]) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    DispatchQueue(label: "tpick.keys").async {
      var decoder = KeyDecoder()
      let early = decoder.feed(typed)
      if !early.isEmpty { deliver(early) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&wait, 1, patience(with: decoder))
        var inputs: [KeyDecoder.Input] = []
        if ready == 0 {
          inputs = decoder.timeOut()
        } else if ready > 0 {
          let n = read(descriptor, &buffer, buffer.count)
          if n > 0 {
            inputs = decoder.feed(buffer[..<n])
          } else if n == 0 || (errno != EINTR && errno != EAGAIN) {
            return ended()
          }
        }
        if !inputs.isEmpty { deliver(inputs) }
      }
    }
  }

  private static func patience(with decoder: KeyDecoder) -> Int32 {
    if decoder.isPasting { return pastePatience }
    if decoder.isAwaitingAnswer { return answerPatience }
    return decoder.isPending ? escapePatience : -1
  }
}
