public import AssetLibrary
import FolderLibrary
package import Permissions
import Results
import Synchronization
import SystemPackage

/// A program about which tpick asks the user once, and stores the answer.
///
/// The user sees and changes the decisions with `tpick access`. They are in `permissions.toml` in tpick's state folder,
/// shared by all programs of the user.
public struct StoredClient: Hashable, Sendable {
  /// The name under which the user knows the program.
  public let name: String
  /// The reason for the request, in the program's words; nil if none is given.
  public let purpose: String?

  /// Creates a client.
  /// - Parameters:
  ///   - name: the name under which the decision is stored, such as the program's; not empty, without control
  ///     characters.
  ///   - purpose: why it wants to see photos, as "to attach photos to messages".
  public init(_ name: String, purpose: String? = nil) {
    (self.name, self.purpose) = (name, purpose)
  }

  /// The stored decision; `notDetermined` if the user was not asked yet.
  ///
  /// Reads a file.
  /// - Throws: `AssetError` if the stored decisions can't be read: then nothing is known, and nothing is granted.
  public func loadDecision() throws(AssetError) -> AccessDecision {
    do throws(PermissionError) {
      return try Self.permissions.permission(of: name)?.decision ?? AccessDecision(readWrite: .notDetermined)
    } catch {
      throw AssetError("permissions", "\(error)")
    }
  }

  /// Stores a decision, as a `ConsentPresenter` of your own may have got it.
  ///
  /// Writes a file.
  /// - Parameters:
  ///   - decision: the user's decision.
  ///   - store: the library with the allowed photos: their paths are stored for `tpick access show`.
  /// - Throws: `AssetError` if it can't be written.
  public func storeDecision(_ decision: AccessDecision, in store: any AssetStore) throws(AssetError) {
    do throws(PermissionError) {
      try record(decision, in: store, Self.permissions)
    } catch {
      throw AssetError("permissions", "\(error)")
    }
  }

  /// Stores a decision in a file of permissions.
  package func record(
    _ decision: AccessDecision, in store: any AssetFetching, _ permissions: PermissionStore
  ) throws(PermissionError) {
    try permissions.update(name) { permission in
      permission.purpose = purpose ?? permission.purpose
      permission.decided = .nowInUTC
      permission.take(decision) { Self.places(of: $0, in: store) }
    }
  }

  static var permissions: PermissionStore { PermissionStore(in: UserDirectories.state) }

  private static func places(
    of identifiers: [LocalIdentifier], in store: any AssetFetching
  ) -> [LocalIdentifier: AllowedAsset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = store.assets(withLocalIdentifiers: identifiers, options: options)
    return Dictionary(
      found.map { ($0.id, AllowedAsset($0.id, path: $0.primaryResource?.path.absolute)) }
    ) { first, _ in first }
  }
}

/// The decisions that this run stored since the last one of another program: reading them again, perhaps after the next
/// one was made, must not undo that.
package final class OwnDecisions: Sendable {
  private let decisions = Mutex<[AccessDecision]>([])

  package init() {}

  /// Remembers a decision that is about to be stored.
  package func add(_ decision: AccessDecision) { decisions.withLock { $0.append(decision) } }

  /// Whether a decision in the file was made elsewhere; the own ones before it no longer count then.
  package func isForeign(_ decision: AccessDecision) -> Bool {
    decisions.withLock { decisions in
      if decisions.contains(decision) { return false }
      decisions = []
      return true
    }
  }
}

extension PhotoLibrary {
  /// Opens folders for a client that needs the user's permission, which is stored as `tpick` does it.
  ///
  /// `manager` shows nothing until the user has granted access: call `requestAuthorization(for:)`. A decision that the
  /// user makes elsewhere, as with `tpick access`, counts at once.
  /// - Parameters:
  ///   - folders: the paths of folders or files.
  ///   - client: the program that wants to see photos.
  ///   - consent: asks the user if there is no decision; by default, the picker does when it is presented.
  ///   - reader: the path of the helper, as for folders.
  ///   - codecs: the path of the helper, as for folders.
  /// - Throws: as for folders, and if the stored decisions can't be read.
  public init(
    folders: [FilePath], client: StoredClient, consent: any ConsentPresenter = PickerConsent(),
    reader: String? = nil, codecs: String? = nil
  ) throws(AssetError) {
    let library = try PhotoLibrary(folders: folders, reader: reader, codecs: codecs)
    try self.init(library.store, client: client, consent: consent, reader: reader, codecs: codecs)
  }

  /// Creates a library with a store of your own, for a client that needs the user's permission, and starts the store.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - client: the program that wants to see photos.
  ///   - consent: asks the user if there is no decision; by default, the picker does when it is presented.
  ///   - failed: called on any thread if a decision can't be stored; it counts for this run then. Also called if the
  ///     file with the decisions can't be opened: those that the user makes elsewhere are then unknown to this run.
  ///   - reader: the path of the helper, as for folders.
  ///   - codecs: the path of the helper, as for folders.
  /// - Throws: `AssetError` if the stored decisions can't be read.
  public init(
    _ store: any AssetStore, client: StoredClient, consent: any ConsentPresenter = PickerConsent(),
    failed: (@Sendable (AssetError) -> Void)? = nil, reader: String? = nil, codecs: String? = nil
  ) throws(AssetError) {
    let decision = try client.loadDecision()
    let stored = OwnDecisions()
    self.init(
      store, decision: decision, consentRequest: ConsentRequest(client: client.name, purpose: client.purpose),
      consent: consent,
      record: { decision in
        stored.add(decision)
        do throws(AssetError) {
          try client.storeDecision(decision, in: store)
        } catch {
          failed?(error)
        }
      }, reader: reader, codecs: codecs)
    let permissions = StoredClient.permissions
    do throws(PermissionError) {
      // Only an existing folder can be watched.
      try permissions.makeFolder()
    } catch {
      failed?(AssetError("permissions", "\(error)"))
    }
    let follow = { @Sendable [access] in
      // A file that can't be read changes nothing.
      guard let decision = try? client.loadDecision(), stored.isForeign(decision) else { return }
      access.apply(decision)
    }
    permissionWatch = PermissionWatch(permissions, follow)
    // What was decided between the first look and the beginning of the watch.
    follow()
  }
}
