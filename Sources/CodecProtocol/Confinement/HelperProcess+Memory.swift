import CPlatform

extension HelperProcess {
  /// What a helper may have that waits for its next file, in bytes of memory and of addresses: it keeps them.
  private static let idleMemory = 512 << 20
  private static let idleAddresses = 2 << 30
  /// What it may take meanwhile, for the end of its last work.
  private static let idleGrowth = 64 << 20
  /// Pixels in bytes that one helper is handed memory for in its life: one that was taken over can keep it.
  private static let mostHanded = 2 << 30

  /// Sees to it that a helper does not grow while nobody waits for it.
  /// - Returns: false where it has too much to be kept.
  func rest() -> Bool {
    let memory = ProcessMemory(of: identifier)
    guard memory.resident <= Self.idleMemory, handedBytes <= Self.mostHanded, !budget.hasEnded(identifier)
    else { return false }
    guard hasAddressLimit else { return true }
    guard memory.addresses <= Self.idleAddresses else { return false }
    address_limit_set(identifier, UInt64(memory.addresses + Self.idleGrowth))
    return true
  }

  /// Gives it back what it may have while somebody waits for it.
  func wake() {
    if hasAddressLimit { address_limit_set(identifier, .max) }
  }

  /// Whether it has set itself a limit: one that is built with a sanitizer has none.
  private var hasAddressLimit: Bool { (1..<UInt64.max).contains(address_limit(identifier)) }
}
