import AssetLibrary
import FolderLibrary
import Permissions
import PhotoPicker
import Synchronization
import Results

/// Stores the user's decisions about a client while a library is open.
///
/// Calls may come from any thread, and may block on disk access.
final class AccessKeeper: Sendable {
  private let permissions: PermissionStore
  private let client: String
  private let purpose: String?
  private let failure = Mutex<PermissionError?>(nil)
  private let stored = OwnDecisions()

  init(_ permissions: PermissionStore, client: String, purpose: String?) {
    self.permissions = permissions
    self.client = client
    self.purpose = purpose
  }

  /// The stored decision.
  func decision() throws(PermissionError) -> AccessDecision {
    try permissions.permission(of: client)?.decision ?? AccessDecision(readWrite: .notDetermined)
  }

  /// Stores a decision.
  ///
  /// If that fails, the decision still applies to this run, and `report` warns about it.
  func record(_ decision: AccessDecision, in library: any AssetStore) {
    stored.add(decision)
    do throws(PermissionError) {
      try StoredClient(client, purpose: purpose).record(decision, in: library, permissions)
    } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Calls `handler` with decisions made in other processes, until the returned watch is released.
  func follow(_ handler: @escaping @Sendable (AccessDecision) -> Void) -> PermissionWatch? {
    PermissionWatch(permissions) { [self] in
      // An unreadable file changes nothing.
      if let decision = try? decision(), stored.isForeign(decision) { handler(decision) }
    }
  }

  /// Removes allowed photos whose files were deleted, and updates the paths of the others.
  /// - Parameter library: must be completely known.
  func cleanUp(in library: any AssetStore) {
    guard library.status.isComplete, !library.status.isStopped,
      let stored = try? permissions.permission(of: client), !stored.allowed.isEmpty
    else { return }
    let current = AllowedFiles.current(stored.allowed, in: library)
    guard current != stored.allowed else { return }
    do throws(PermissionError) {
      try permissions.update(client) { $0.setAllowed(AllowedFiles.current($0.allowed, in: library)) }
    } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Why the last change could not be stored; nil if it was.
  var lastFailure: PermissionError? { failure.withLock { $0 } }

  /// Warns if a change could not be stored.
  func report() {
    if let failure = lastFailure { Messages.warn("permissions: \(failure)") }
  }
}
