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
