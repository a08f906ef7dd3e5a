import AssetLibrary
import FolderLibrary
import Permissions

/// The stored permissions, with errors for the command line.
enum AccessStore {
  static func all() throws(Failure) -> [ClientPermission] {
    do throws(PermissionError) {
      return try ClientAccess.store.all()
    } catch {
      throw .error("permissions: \(error)")
    }
  }

  /// Changes the permission of a client.
  /// - Returns: the new permission.
  static func update(
    _ client: String, _ change: (inout ClientPermission) -> Void
  ) throws(Failure) -> ClientPermission {
    var result = ClientPermission(client: client)
    do throws(PermissionError) {
      try ClientAccess.store.update(client) { permission in
        let before = permission
        change(&permission)
        if permission != before { permission.decided = .nowInUTC }
        result = permission
      }
    } catch {
      throw .error("permissions: \(error)")
    }
    return result
  }
}
