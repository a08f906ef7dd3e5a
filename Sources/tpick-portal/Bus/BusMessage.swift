import CSessionBus
import FileChooser

/// A message of D-Bus: the one owner of a reference to it.
final class BusMessage {
  let pointer: OpaquePointer

  /// Takes over a reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference to a message that is lent.
  init(_ lent: OpaquePointer) { pointer = sd_bus_message_ref(lent) }

  deinit { sd_bus_message_unref(pointer) }

  var member: String { sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? "" }
  var sender: String { sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? "" }
  /// Whether it is an answer that tells a failure.
  var isError: Bool { sd_bus_message_is_method_error(pointer, nil) > 0 }

  /// The name of the error and its words.
  var failure: (name: String, message: String) {
    guard let error = sd_bus_message_get_error(pointer) else { return ("", "") }
    let (name, message) = (error.pointee.name, error.pointee.message)
    return (name.map { String(cString: $0) } ?? "", message.map { String(cString: $0) } ?? "")
  }

  /// Copies everything that a message says.
  func copy(from other: BusMessage) throws(BusError) {
    try BusError.check(sd_bus_message_rewind(other.pointer, 1), "reading a message")
    try BusError.check(sd_bus_message_copy(pointer, other.pointer, 1), "copying a message")
  }

  /// An answer to this call, still empty.
  func makeReply() throws(BusError) -> BusMessage {
    var reply: OpaquePointer?
    try BusError.check(sd_bus_message_new_method_return(pointer, &reply), "making an answer")
    guard let reply else { throw BusError(operation: "making an answer", code: 0) }
    return BusMessage(owning: reply)
  }

  func send() throws(BusError) {
    try BusError.check(sd_bus_send(nil, pointer, nil), "sending a message")
  }

  /// Answers this call with an error.
  func refuse(_ name: String, _ message: String) {
    _ = session_bus_refuse(pointer, name, message)
  }

  /// Answers this call of the file chooser.
  func answer(_ answer: ChooserAnswer) throws(BusError) {
    let reply = try makeReply()
    try reply.append(.number(answer.response.rawValue))
    try reply.append(.options(answer.results))
    try reply.send()
  }
}
