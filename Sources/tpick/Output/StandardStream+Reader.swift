import System

extension StandardStream {
  /// F_SETPIPE_SZ, which is not in Swift's view of the C library.
  private static let setPipeSize: Int32 = 1031

  /// Waits until the reader at the other end of a pipe has taken everything, or is gone.
  ///
  /// A pipe holds 64 KiB, a thousand paths that a slow reader would go through long after they count. One of a
  /// single page takes no more before it is empty (pipe(7), F_SETPIPE_SZ). What is no pipe is only waited for as
  /// long as it takes nothing.
  func waitUntilTaken() {
    // Refused while more is in it than fits a page: by somebody who wrote before.
    _ = fcntl(descriptor, Self.setPipeSize, 1)
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&room, 1, -1) < 0, errno == EINTR {}
  }
}
