import CSessionBus
import FileChooser

/// A D-Bus message; owns one reference to it.
final class BusMessage {
  let pointer: OpaquePointer

  /// Takes ownership of a reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Retains a borrowed message.
  init(_ lent: OpaquePointer) { pointer = sd_bus_message_ref(lent) }

  deinit { sd_bus_message_unref(pointer) }

  var member: String { sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? "" }
  var sender: String { sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? "" }
  /// Whether it is an error reply.
  var isError: Bool { sd_bus_message_is_method_error(pointer, nil) > 0 }

  /// Name and message of the error.
  var failure: (name: String, message: String) {
    guard let error = sd_bus_message_get_error(pointer) else { return ("", "") }
    let (name, message) = (error.pointee.name, error.pointee.message)
    return (name.map { String(cString: $0) } ?? "", message.map { String(cString: $0) } ?? "")
  }

  /// Copies the content of another message.
  func copy(from other: BusMessage) throws(BusError) {
    try BusError.check(sd_bus_message_rewind(other.pointer, 1), "reading a message")
    try BusError.check(sd_bus_message_copy(pointer, other.pointer, 1), "copying a message")
  }

  /// Creates an empty reply to this call.
  func makeReply() throws(BusError) -> BusMessage {
    var reply: OpaquePointer?
    try BusError.check(sd_bus_message_new_method_return(pointer, &reply), "creating a reply")
    guard let reply else { throw BusError(operation: "creating a reply", code: 0) }
    return BusMessage(owning: reply)
  }

  func send() throws(BusError) {
    try BusError.check(sd_bus_send(nil, pointer, nil), "sending a message")
  }

  /// Replies to this call with an error.
  func refuse(_ name: String, _ message: String) {
    _ = session_bus_refuse(pointer, name, message)
  }

  /// Replies to this call of the file chooser.
  func answer(_ answer: ChooserAnswer) throws(BusError) {
    let reply = try makeReply()
    try reply.append(.number(answer.response.rawValue))
    try reply.append(.options(answer.results))
    try reply.send()
  }
}

extension BusMessage {
  /// Upper bound of nesting, more than any option of the interface has, against hostile messages.
  private static let depth = 16

  /// Returns all values of the message.
  func read() throws(BusError) -> [BusValue] {
    try BusError.check(sd_bus_message_rewind(pointer, 1), "reading a message")
    return try values(Self.depth)
  }

  /// Returns the values up to the end of the container.
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

extension BusMessage {
  /// Appends a value; `.other` cannot be written and is skipped.
  func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .boolean(let flag):
      var flag: Int32 = flag ? 1 : 0
      try written(sd_bus_message_append_basic(pointer, Self.letter("b"), &flag))
    case .number(var number):
      try written(sd_bus_message_append_basic(pointer, Self.letter("u"), &number))
    case .string(let text): try written(sd_bus_message_append_basic(pointer, Self.letter("s"), text))
    case .objectPath(let path): try written(sd_bus_message_append_basic(pointer, Self.letter("o"), path))
    case .bytes(let bytes):
      try written(sd_bus_message_append_array(pointer, Self.letter("y"), bytes, bytes.count))
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
    try written(sd_bus_message_open_container(pointer, Self.letter(type), signature))
    try write()
    try written(sd_bus_message_close_container(pointer))
  }

  private static func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

  private func written(_ result: Int32) throws(BusError) {
    try BusError.check(result, "writing a message")
  }
}
