import CSessionBus
import FileChooser

extension BusMessage {
  /// Appends a value; `.other` can't be written and is left out.
  func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .boolean(let flag):
      var flag: Int32 = flag ? 1 : 0
      try check(sd_bus_message_append_basic(pointer, Self.letter("b"), &flag))
    case .number(var number): try check(sd_bus_message_append_basic(pointer, Self.letter("u"), &number))
    case .string(let text): try check(sd_bus_message_append_basic(pointer, Self.letter("s"), text))
    case .objectPath(let path): try check(sd_bus_message_append_basic(pointer, Self.letter("o"), path))
    case .bytes(let bytes):
      try check(sd_bus_message_append_array(pointer, Self.letter("y"), bytes, bytes.count))
    case .array(let element, let values):
      try container("a", element) { () throws(BusError) in for value in values { try append(value) } }
    case .structure(let fields):
      let signature = fields.map(\.signature).joined()
      try container("r", signature) { () throws(BusError) in for field in fields { try append(field) } }
    case .options(let options):
      try container("a", "{sv}") { () throws(BusError) in
        for (key, value) in options.sorted(by: { $0.key < $1.key }) {
          try container("e", "sv") { () throws(BusError) in
            try append(.string(key))
            try append(.variant(value))
          }
        }
      }
    case .variant(let value):
      try container("v", value.signature) { () throws(BusError) in try append(value) }
    case .other: break
    }
  }

  private func container(
    _ type: Unicode.Scalar, _ signature: String, _ write: () throws(BusError) -> Void
  ) throws(BusError) {
    try check(sd_bus_message_open_container(pointer, Self.letter(type), signature))
    try write()
    try check(sd_bus_message_close_container(pointer))
  }

  private static func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

  private func check(_ result: Int32) throws(BusError) {
    try BusError.check(result, "writing a message")
  }
}
