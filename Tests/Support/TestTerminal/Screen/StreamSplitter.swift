import Glibc

/// Splits a program's output into text, escape sequences and strings, independent of chunk boundaries.
///
/// It reads UTF-8, so the bytes 0x80 to 0x9F belong to characters and never introduce a sequence.
package struct StreamSplitter: Sendable {
  private enum State: Sendable {
    case ground, escape, csi
    case string(introducer: UInt8)
    case stringEscape(introducer: UInt8)
  }

  private var state = State.ground
  /// The unfinished sequence, from its ESC on.
  private var pending: [UInt8] = []

  /// Creates a splitter at the beginning of a stream.
  package init() {}

  /// Whether the stream so far ends within a sequence.
  package var isInsideSequence: Bool { !pending.isEmpty }

  /// Takes the next bytes and returns the completed pieces.
  ///
  /// Text is returned at once, so the same text may be split into different pieces.
  package mutating func split(_ bytes: [UInt8]) -> [StreamPiece] {
    var pieces: [StreamPiece] = []
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        switch state {
        case .ground: takeText(buffer, &index, &pieces)
        case .string(let introducer): takeString(introducer, buffer, &index, &pieces)
        case .escape, .csi, .stringEscape:
          if take(buffer[index], &pieces) { index += 1 }
        }
      }
    }
    return pieces
  }

  /// Ends the stream; an unfinished sequence counts as aborted.
  package mutating func finish() -> StreamPiece? {
    guard isInsideSequence else { return nil }
    return abort()
  }

  private mutating func abort() -> StreamPiece {
    defer {
      pending = []
      state = .ground
    }
    return .aborted(pending)
  }

  private mutating func takeText(
    _ buffer: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ pieces: inout [StreamPiece]
  ) {
    let end = Self.position(of: 0x1B, in: buffer, from: index, to: buffer.count)
    if end > index { pieces.append(.text(Array(buffer[index..<end]))) }
    index = end
    if end < buffer.count {
      index += 1
      pending = [0x1B]
      state = .escape
    }
  }

  private mutating func takeString(
    _ introducer: UInt8, _ buffer: UnsafeBufferPointer<UInt8>, _ index: inout Int,
    _ pieces: inout [StreamPiece]
  ) {
    var end = Self.position(of: 0x1B, in: buffer, from: index, to: buffer.count)
    for stop: UInt8 in [0x18, 0x1A] {
      end = Self.position(of: stop, in: buffer, from: index, to: end)
    }
    if introducer == UInt8(ascii: "]") { end = Self.position(of: 0x07, in: buffer, from: index, to: end) }
    pending += buffer[index..<end]
    index = end
    guard end < buffer.count else { return }
    index += 1
    switch buffer[end] {
    case 0x1B: state = .stringEscape(introducer: introducer)
    case 0x07: pieces.append(finishString(introducer, bell: true))
    default: pieces.append(abort())
    }
  }

  /// Handles one byte within an escape sequence; `false` if it must be handled again.
  private mutating func take(_ byte: UInt8, _ pieces: inout [StreamPiece]) -> Bool {
    if case .stringEscape(let introducer) = state {
      return takeAfterStringEscape(byte, introducer, &pieces)
    }
    switch byte {
    case 0x18, 0x1A: pieces.append(abort())
    case 0x1B:
      pieces.append(abort())
      return false
    case 0..<0x20: pieces.append(.text([byte]))  // Controls act within a sequence without ending it.
    case 0x7F: break
    case 0x80...:
      pieces.append(abort())
      return false
    default:
      pending.append(byte)
      if case .csi = state { takeControlSequence(byte, &pieces) } else { takeEscape(byte, &pieces) }
    }
    return true
  }

  private mutating func takeControlSequence(_ byte: UInt8, _ pieces: inout [StreamPiece]) {
    guard byte >= 0x40 else { return }
    pieces.append(.csi(ControlSequence(bytes: pending)))
    pending = []
    state = .ground
  }

  private mutating func takeEscape(_ byte: UInt8, _ pieces: inout [StreamPiece]) {
    guard byte >= 0x30 else { return }
    switch (pending.count, byte) {
    case (2, UInt8(ascii: "[")): state = .csi
    case (2, UInt8(ascii: "P")), (2, UInt8(ascii: "]")), (2, UInt8(ascii: "_")), (2, UInt8(ascii: "^")),
      (2, UInt8(ascii: "X")):
      state = .string(introducer: byte)
    default:
      pieces.append(.escape(pending))
      pending = []
      state = .ground
    }
  }

  private mutating func takeAfterStringEscape(
    _ byte: UInt8, _ introducer: UInt8, _ pieces: inout [StreamPiece]
  ) -> Bool {
    if byte == UInt8(ascii: "\\") {
      pieces.append(finishString(introducer, bell: false))
      return true
    }
    // Sequences passed through tmux have doubled escape bytes.
    if byte == 0x1B, pending.dropFirst(2).starts(with: "tmux;".utf8) {
      pending += [0x1B, 0x1B]
      state = .string(introducer: introducer)
      return true
    }
    pieces.append(abort())
    pending = [0x1B]
    state = .escape
    return false
  }

  private mutating func finishString(_ introducer: UInt8, bell: Bool) -> StreamPiece {
    let payload = Array(pending.dropFirst(2))
    pending = []
    state = .ground
    switch introducer {
    case UInt8(ascii: "P"): return .dcs(payload)
    case UInt8(ascii: "_"): return .apc(payload)
    case UInt8(ascii: "]"): return .osc(payload, endedByBell: bell)
    default: return .ignored(payload)
    }
  }

  /// The position of the first such byte, or the end of the range.
  private static func position(
    of byte: UInt8, in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Int {
    guard start < end, let base = buffer.baseAddress else { return end }
    guard let found = memchr(base + start, Int32(byte), end - start) else { return end }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }
}
