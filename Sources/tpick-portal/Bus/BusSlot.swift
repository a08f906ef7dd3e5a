import CSessionBus

/// Something that the bus calls as long as this is there: an object, or whoever waits for an answer.
final class BusSlot {
  /// Called with a message, which is lent.
  typealias Handler = (BusMessage) -> Void

  private let handler: Handler
  private var slot: OpaquePointer?

  private init(_ handler: @escaping Handler) { self.handler = handler }

  deinit { if let slot { sd_bus_slot_unref(slot) } }

  /// - Parameter register: registers the function with the context, and gives the slot.
  static func make(
    _ operation: String, handler: @escaping Handler,
    register: (inout OpaquePointer?, sd_bus_message_handler_t, UnsafeMutableRawPointer) -> Int32
  ) throws(BusError) -> BusSlot {
    let made = BusSlot(handler)
    let context = Unmanaged.passUnretained(made).toOpaque()
    try BusError.check(register(&made.slot, Self.receive, context), operation)
    return made
  }

  /// The slot is released with its owner, so the context is there whenever this is called.
  private static let receive: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let owner = Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue()
    owner.handler(BusMessage(message))
    return 1
  }
}
