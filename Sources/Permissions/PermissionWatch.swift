// Dispatch sources may be used from any thread (dispatch_source_create(3)); the module does not say so.
@preconcurrency import Dispatch
import SystemPackage
import System

/// Tells of changes of the stored permissions, by inotify(7): another tpick, in which the user decided something.
package final class PermissionWatch: Sendable {
  private let source: any DispatchSourceRead

  /// - Parameter handler: called on a thread of the watch's own, from now until the watch goes.
  /// - Returns: nil where the system gives no watch, or there is no folder yet.
  package init?(_ store: PermissionStore, _ handler: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // A file that is written appears under its name with a rename.
    let watch = store.path.removingLastComponent().withPlatformString {
      inotify_add_watch(descriptor, $0, UInt32(IN_MOVED_TO | IN_DELETE))
    }
    guard watch >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "tpick.permissions"))
    source.setEventHandler {
      // Whatever it was: the file is read again.
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
      handler()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit {
    source.cancel()
  }
}
