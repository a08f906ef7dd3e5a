import Synchronization

/// Whether files may be given to helpers that the kernel does not confine.
///
/// One for the process, as the user's configuration is: whoever starts a helper anywhere in it keeps to it.
package enum ConfinementPolicy {
  private static let isRelaxed = Atomic(false)

  /// Whether helpers and converters may work unconfined; false unless the user says so.
  package static var allowsUnconfined: Bool {
    get { isRelaxed.load(ordering: .relaxed) }
    set { isRelaxed.store(newValue, ordering: .relaxed) }
  }

  /// The setting of the configuration with which users allow it, as messages name it.
  package static let setting = "unconfined-decoding = true"
}
