import CZlib
import Glibc

/// The pixels of a picture sent with kitty's graphics protocol.
package struct KittyPixels: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// Bytes per pixel: 3 or 4.
  package let depth: Int
  package let bytes: [UInt8]

  /// The color of a pixel, without its alpha.
  package func color(x: Int, y: Int) -> TerminalRGB {
    let base = (y * width + x) * depth
    return TerminalRGB(bytes[base], bytes[base + 1], bytes[base + 2])
  }
}

/// A displayed picture of kitty's protocol.
package struct KittyPlacement: Equatable, Sendable {
  package struct Corner: Equatable, Sendable {
    package let x, y: Int
  }

  /// The number of its picture.
  package let image: UInt32
  /// The number of the placement.
  package let placement: UInt32
  /// The cells that it touches.
  package let area: TerminalRectangle
  /// The pixel of the picture at its top left corner.
  package let corner: Corner
  /// The pixels of the picture.
  package let pixels: KittyPixels
}

/// The stored and the displayed pictures of kitty's protocol.
struct KittyLayer {
  private(set) var images: [UInt32: KittyPixels] = [:]
  private(set) var placements: [KittyPlacement] = []
  /// Commands that a terminal would have refused, as text.
  private(set) var faults: [String] = []
  /// How many pictures were sent with their data.
  private(set) var transmissions = 0
  private var pending: (command: KittyCommand, payload: [UInt8])?

  mutating func take(_ command: KittyCommand, cell: (width: Int, height: Int)) {
    if command.payload.count > 4096 { faults.append("a chunk of \(command.payload.count) bytes") }
    if let waiting = pending {
      pending = (waiting.command, waiting.payload + command.payload)
      if command["m"] != "1" { finish(cell: cell) }
      return
    }
    switch command.action {
    case "t", "T":
      pending = (command, command.payload)
      if command["m"] != "1" { finish(cell: cell) }
    case "p": place(command, cell: cell)
    case "d": delete(command)
    case "q": break
    default: faults.append("action \(command.action)")
    }
  }

  /// Drops everything after the screen was cleared or switched.
  mutating func removeAll() {
    images = [:]
    placements = []
    pending = nil
  }

  private mutating func finish(cell: (width: Int, height: Int)) {
    guard let (command, base64) = pending else { return }
    pending = nil
    if command["f"] == "100" { return finishFile(command, base64, cell: cell) }
    let size = (width: Self.number(command, "s"), height: Self.number(command, "v"))
    let depth = Self.number(command, "f") / 8
    guard let number = UInt32(command["i"] ?? ""), [3, 4].contains(depth), size.width > 0, size.height > 0,
      var bytes = Self.decoded(base64)
    else { return faults.append("data without sense") }
    let count = size.width * size.height * depth
    if command["t"] == "s" {
      guard let shared = Self.shared(name: String(decoding: bytes, as: UTF8.self)) else {
        return faults.append("no shared memory of this name")
      }
      bytes = shared
    } else if command["t"] == "t" {
      guard let file = Self.temporary(path: String(decoding: bytes, as: UTF8.self)) else {
        return faults.append("no temporary file of this name")
      }
      bytes = file
    }
    if command["o"] == "z" { bytes = Self.inflated(bytes, count: count) }
    guard bytes.count == count else { return faults.append("\(bytes.count) bytes in place of \(count)") }
    transmissions += 1
    placements.removeAll { $0.image == number }
    images[number] = KittyPixels(width: size.width, height: size.height, depth: depth, bytes: bytes)
    if command.action == "T" { place(command, cell: cell) }
  }

  /// Stores a picture sent as a file.
  private mutating func finishFile(
    _ command: KittyCommand, _ base64: [UInt8], cell: (width: Int, height: Int)
  ) {
    guard let number = UInt32(command["i"] ?? ""), command["t"] == "d", command["o"] == nil,
      let pixels = Self.decoded(base64).flatMap({ KittyPixels(png: $0) })
    else { return faults.append("a file without sense") }
    transmissions += 1
    placements.removeAll { $0.image == number }
    images[number] = pixels
    if command.action == "T" { place(command, cell: cell) }
  }

  private mutating func place(_ command: KittyCommand, cell: (width: Int, height: Int)) {
    guard let number = UInt32(command["i"] ?? ""), let pixels = images[number] else {
      return faults.append("no picture \(command["i"] ?? "") to place")
    }
    let placement = UInt32(command["p"] ?? "") ?? 0
    placements.removeAll { $0.image == number && $0.placement == placement }
    // A part of the picture, by its first pixel and its size.
    let (left, top) = (Self.number(command, "x"), Self.number(command, "y"))
    let width = command["w"] == nil ? pixels.width - left : Self.number(command, "w")
    let height = command["h"] == nil ? pixels.height - top : Self.number(command, "h")
    guard width > 0, height > 0, left + width <= pixels.width, top + height <= pixels.height else {
      return faults.append("a part outside of the picture")
    }
    // Without a box of cells it has its own size.
    let rows = command["r"] == nil ? (height + cell.height - 1) / cell.height : Self.number(command, "r")
    let columns = command["c"] == nil ? (width + cell.width - 1) / cell.width : Self.number(command, "c")
    let area = TerminalRectangle(
      row: command.position.row, column: command.position.column, rows: rows, columns: columns)
    placements.append(
      KittyPlacement(
        image: number, placement: placement, area: area, corner: KittyPlacement.Corner(x: left, y: top),
        pixels: pixels))
  }

  private mutating func delete(_ command: KittyCommand) {
    let kind = command["d"] ?? "a"
    guard kind.lowercased() == "i" else { return removeAll() }
    let number = UInt32(command["i"] ?? "") ?? 0
    let placement = command["p"].flatMap { UInt32($0) }
    placements.removeAll { $0.image == number && (placement == nil || $0.placement == placement) }
    if kind == "I", !placements.contains(where: { $0.image == number }) { images[number] = nil }
  }

  private static func number(_ command: KittyCommand, _ key: Character) -> Int {
    command[key].flatMap { Int($0) } ?? 0
  }

  static func inflated(_ bytes: [UInt8], count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count + 1) { output, filled in
      var length = uLongf(count + 1)
      let status = uncompress(output.baseAddress, &length, bytes, uLong(bytes.count))
      filled = status == Z_OK ? Int(length) : 0
    }
  }

  /// The contents of a shared memory object, which is removed.
  private static func shared(name: String) -> [UInt8]? {
    let number = shm_open(name, O_RDONLY, 0)
    guard let file = try? FileDescriptor(number, "shm_open") else { return nil }
    shm_unlink(name)
    return content(of: file)
  }

  /// The contents of a temporary file, which is removed; the protocol allows only such files.
  private static func temporary(path: String) -> [UInt8]? {
    guard path.hasPrefix("/tmp/"), path.contains("tty-graphics-protocol"),
      let file = try? FileDescriptor(open(path, O_RDONLY | O_CLOEXEC), "open")
    else { return nil }
    unlink(path)
    return content(of: file)
  }

  private static func content(of file: FileDescriptor) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let (new, closed) = file.readAvailable(), !new.isEmpty || !closed { bytes += new }
    return bytes
  }

  /// Decodes base64; `nil` for anything else.
  static func decoded(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var padding = 0
    for (index, character) in text.enumerated() {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "=") where index >= text.count - 2:
        value = 0
        padding += 1
      default: return nil
      }
      group = group << 6 | UInt32(value)
      guard index % 4 == 3 else { continue }
      bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
    }
    return bytes.dropLast(padding)
  }
}
