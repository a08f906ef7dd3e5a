import AssetLibrary
import FolderLibrary
import Permissions
import Synchronization
import Results
import SystemPackage

/// Keeps what the user decides on one client while a library is open.
///
/// Calls may come from any thread, and wait for a disk.
final class AccessKeeper: Sendable {
  private let permissions: PermissionStore
  private let client: String
  private let purpose: String?
  private let failure = Mutex<PermissionError?>(nil)

  init(_ permissions: PermissionStore, client: String, purpose: String?) {
    self.permissions = permissions
    self.client = client
    self.purpose = purpose
  }

  /// What was decided before.
  func decision() throws(PermissionError) -> AccessDecision {
    try permissions.permission(of: client)?.decision ?? AccessDecision(readWrite: .notDetermined)
  }

  /// Keeps a decision; where it can't be kept, the run goes on with it, and `report` tells.
  func record(_ decision: AccessDecision, in library: any AssetStore) {
    do throws(PermissionError) {
      try permissions.update(client) { permission in
        permission.purpose = purpose ?? permission.purpose
        permission.decided = .nowInUTC
        permission.take(decision) { Self.places(of: $0, in: library) }
      }
    } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Calls `handler` with what the user decides in another process, until the answer goes.
  func follow(_ handler: @escaping @Sendable (AccessDecision) -> Void) -> PermissionWatch? {
    PermissionWatch(permissions) { [self] in
      // A file that can't be read now decides nothing.
      if let decision = try? decision() { handler(decision) }
    }
  }

  /// Forgets allowed photos whose files were deleted, and notes where the others are now.
  /// - Parameter library: one that is wholly known.
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

  /// Why the last change could not be kept; nil where it was.
  var lastFailure: PermissionError? { failure.withLock { $0 } }

  /// Tells what could not be kept.
  func report() {
    if let failure = lastFailure { Messages.warn("permissions: \(failure)") }
  }

  private static func places(
    of identifiers: [LocalIdentifier], in library: any AssetStore
  ) -> [LocalIdentifier: AllowedAsset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = library.assets(withLocalIdentifiers: identifiers, options: options)
    return Dictionary(
      found.map { ($0.id, AllowedAsset($0.id, path: $0.primaryResource?.path.absolute)) }
    ) { first, _ in first }
  }
}
