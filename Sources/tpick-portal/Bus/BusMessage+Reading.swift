import CSessionBus
import FileChooser

extension BusMessage {
  /// Deeper than any option of the interface, so that nobody has to nest for us.
  private static let depth = 16

  /// All that the message says.
  func read() throws(BusError) -> [BusValue] {
    try BusError.check(sd_bus_message_rewind(pointer, 1), "reading a message")
    return try values(Self.depth)
  }

  /// The values up to the end of the container.
  private func values(_ depth: Int) throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while let value = try next(depth) { values.append(value) }
    return values
  }

  private func next(_ depth: Int) throws(BusError) -> BusValue? {
    var type = CChar(0)
    var contents: UnsafePointer<CChar>?
    guard try check(sd_bus_message_peek_type(pointer, &type, &contents)) > 0 else { return nil }
    let signature = contents.map { String(cString: $0) } ?? ""
    switch UnicodeScalar(UInt8(bitPattern: type)) {
    case "b":
      var flag: Int32 = 0
      try check(sd_bus_message_read_basic(pointer, type, &flag))
      return .boolean(flag != 0)
    case "u":
      var number: UInt32 = 0
      try check(sd_bus_message_read_basic(pointer, type, &number))
      return .number(number)
    case "s": return .string(try text(type))
    case "o": return .objectPath(try text(type))
    case "a" where signature == "y":
      var start: UnsafeRawPointer?
      var count = 0
      try check(sd_bus_message_read_array(pointer, CChar(bitPattern: UInt8(ascii: "y")), &start, &count))
      return .bytes(start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? [])
    case "a" where signature == "{sv}" && depth > 0:
      return .options(try container(type, signature) { () throws(BusError) in try options(depth - 1) })
    case "a" where depth > 0:
      return .array(
        element: signature,
        try container(type, signature) { () throws(BusError) in try values(depth - 1) })
    case "r" where depth > 0:
      return .structure(try container(type, signature) { () throws(BusError) in try values(depth - 1) })
    case "v" where depth > 0:
      let inside = try container(type, signature) { () throws(BusError) in try values(depth - 1) }
      return .variant(inside.first ?? .other)
    default:
      try check(sd_bus_message_skip(pointer, nil))
      return .other
    }
  }

  private func options(_ depth: Int) throws(BusError) -> [String: BusValue] {
    var options: [String: BusValue] = [:]
    let entry = CChar(bitPattern: UInt8(ascii: "e"))
    while try check(sd_bus_message_enter_container(pointer, entry, "sv")) > 0 {
      let fields = try values(depth)
      try check(sd_bus_message_exit_container(pointer))
      if fields.count == 2, case .string(let key) = fields[0], case .variant(let value) = fields[1] {
        options[key] = value
      }
    }
    return options
  }

  private func container<Content>(
    _ type: CChar, _ signature: String, _ read: () throws(BusError) -> Content
  ) throws(BusError) -> Content {
    try check(sd_bus_message_enter_container(pointer, type, signature))
    let content = try read()
    try check(sd_bus_message_exit_container(pointer))
    return content
  }

  private func text(_ type: CChar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try check(sd_bus_message_read_basic(pointer, type, &text))
    return text.map { String(cString: $0) } ?? ""
  }

  @discardableResult
  private func check(_ result: Int32) throws(BusError) -> Int32 {
    try BusError.check(result, "reading a message")
  }
}
