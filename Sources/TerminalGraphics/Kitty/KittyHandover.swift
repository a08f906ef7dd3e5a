/// Where a terminal on the same machine finds the pixels of a picture.
///
/// It removes what it has read (kitty's documentation, "The transmission medium").
package enum KittyHandover: Hashable, Sendable {
  /// The name of a POSIX shared memory object.
  case sharedMemory(String)
  /// The path of a file in a folder for temporary files, with `tty-graphics-protocol` in it: the terminal
  /// removes no other.
  case temporaryFile(String)

  /// The value of the key `t`.
  var medium: String {
    switch self {
    case .sharedMemory: "s"
    case .temporaryFile: "t"
    }
  }

  package var name: String {
    switch self {
    case .sharedMemory(let name), .temporaryFile(let name): name
    }
  }
}
