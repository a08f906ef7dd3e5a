import CSessionBus
import System

/// The connection to the user's session bus, which it owns.
final class SessionBus {
  private static let portalPath = "/org/freedesktop/portal/desktop"

  private let pointer: OpaquePointer

  init() throws(BusError) {
    var bus: OpaquePointer?
    try BusError.check(sd_bus_open_user(&bus), "the session bus")
    guard let bus else { throw BusError(operation: "the session bus", code: ENOTCONN) }
    pointer = bus
  }

  /// Sends pending messages and closes the connection.
  deinit { sd_bus_flush_close_unref(pointer) }

  // MARK: Waiting

  /// What to poll for.
  var poll: pollfd {
    pollfd(
      fd: sd_bus_get_fd(pointer), events: Int16(truncatingIfNeeded: sd_bus_get_events(pointer)), revents: 0)
  }

  /// When `process` must be called even without messages, on the monotonic clock in microseconds; nil for never.
  var deadline: UInt64? {
    var time: UInt64 = 0
    return sd_bus_get_timeout(pointer, &time) >= 0 && time != .max ? time : nil
  }

  /// Processes all received messages, calling their handlers.
  /// - Returns: whether there were any.
  @discardableResult
  func process() throws(BusError) -> Bool {
    var hasNews = false
    while try BusError.check(sd_bus_process(pointer, nil), "the session bus") > 0 { hasNews = true }
    return hasNews
  }

  // MARK: Serving

  func own(_ name: String) throws(BusError) {
    try BusError.check(sd_bus_request_name(pointer, name, 0), name)
  }

  func giveUp(_ name: String) throws(BusError) {
    try BusError.check(sd_bus_release_name(pointer, name), name)
  }

  /// Serves the file chooser interface.
  func serveChooser(_ handler: @escaping BusSlot.Handler) throws(BusError) -> BusSlot {
    try BusSlot.make("the file chooser", handler: handler) { [pointer] in
      session_bus_serve_chooser(pointer, &$0, Self.portalPath, $1, $2)
    }
  }

  /// Serves the object through which a request can be closed.
  func serveRequest(at path: String, _ handler: @escaping BusSlot.Handler) throws(BusError) -> BusSlot {
    try BusSlot.make(path, handler: handler) { [pointer] in
      session_bus_serve_request(pointer, &$0, path, $1, $2)
    }
  }

  // MARK: Calling

  /// Forwards a call to another service, and waits for the reply without a timeout, because the user may take long.
  func forward(
    _ call: BusMessage, to service: String, handler: @escaping BusSlot.Handler
  ) throws(BusError) -> BusSlot {
    let copy = try makeCall(
      service, Self.portalPath, "org.freedesktop.impl.portal.FileChooser", call.member)
    try copy.copy(from: call)
    return try BusSlot.make(service, handler: handler) { [pointer] in
      sd_bus_call_async(pointer, &$0, copy.pointer, $1, $2, .max)
    }
  }

  /// Closes a request of another service without waiting for a reply.
  func close(_ request: String, of service: String) throws(BusError) {
    try makeCall(service, request, "org.freedesktop.impl.portal.Request", "Close").sendWithoutReply()
  }

  private func makeCall(
    _ service: String, _ path: String, _ interface: String, _ member: String
  ) throws(BusError) -> BusMessage {
    var call: OpaquePointer?
    try BusError.check(
      sd_bus_message_new_method_call(pointer, &call, service, path, interface, member), member)
    guard let call else { throw BusError(operation: member, code: ENOMEM) }
    return BusMessage(owning: call)
  }
}

extension BusMessage {
  /// Sends a call without expecting a reply.
  fileprivate func sendWithoutReply() throws(BusError) {
    try BusError.check(sd_bus_message_set_expect_reply(pointer, 0), "sending a message")
    try send()
  }
}

/// A failed call of sd-bus.
struct BusError: Error, CustomStringConvertible {
  var operation: String
  /// An errno value.
  var code: Int32

  var description: String { "\(operation): \(String(cString: strerror(code)))" }

  /// Throws an error for a negative result.
  @discardableResult
  static func check(_ result: Int32, _ operation: String) throws(BusError) -> Int32 {
    guard result < 0 else { return result }
    throw BusError(operation: operation, code: -result)
  }
}

/// A registration with the bus, for an object or a pending reply; it ends with the last reference.
final class BusSlot {
  /// Called with a borrowed message.
  typealias Handler = (BusMessage) -> Void

  private let handler: Handler
  private var slot: OpaquePointer?

  private init(_ handler: @escaping Handler) { self.handler = handler }

  deinit { if let slot { sd_bus_slot_unref(slot) } }

  /// - Parameter register: registers the function with the context, and returns the slot.
  static func make(
    _ operation: String, handler: @escaping Handler,
    register: (inout OpaquePointer?, sd_bus_message_handler_t, UnsafeMutableRawPointer) -> Int32
  ) throws(BusError) -> BusSlot {
    let made = BusSlot(handler)
    let context = Unmanaged.passUnretained(made).toOpaque()
    try BusError.check(register(&made.slot, Self.receive, context), operation)
    return made
  }

  /// The slot is released with its owner, so the context is valid whenever this is called.
  private static let receive: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let owner = Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue()
    owner.handler(BusMessage(message))
    return 1
  }
}
