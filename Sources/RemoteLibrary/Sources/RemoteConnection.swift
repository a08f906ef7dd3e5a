package import Rclone
import Synchronization

/// The way to a remote, which is found out when it is asked for the first time: rclone may have to be asked which certificate
/// its server may show.
///
/// Calls may come from any thread; the first one waits.
package final class RemoteConnection: Sendable {
  private let make: @Sendable () throws(RcloneError) -> RcloneRemote
  private let known = Mutex<RcloneRemote?>(nil)

  package init(_ make: @escaping @Sendable () throws(RcloneError) -> RcloneRemote) {
    self.make = make
  }

  /// Has the server asked again, if it was given up.
  func revive() { known.withLock { $0 }?.revive() }

  /// What speaks to the remote.
  func remote() throws(RcloneError) -> RcloneRemote {
    try known.withLock { known throws(RcloneError) in
      if let known { return known }
      let made = try make()
      known = made
      return made
    }
  }
}
