// Dispatch sources may be used from any thread (dispatch_source_create(3)), but the module is not annotated
// accordingly.
@preconcurrency import Dispatch
import SystemPackage
import System

/// Watches the stored permissions with inotify(7) and notifies of changes made by another tpick.
package final class PermissionWatch: Sendable {
  private let source: any DispatchSourceRead

  /// - Parameter handler: called on the watch's own queue until the watch is destroyed.
  /// - Returns: nil if the system can't create a watch or the folder does not exist yet.
  package init?(_ store: PermissionStore, _ handler: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // Watch the folder for renames: each write replaces the file by renaming another one.
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
      // Discard the events: whatever changed, the file is read again.
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
