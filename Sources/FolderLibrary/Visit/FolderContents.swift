import CPlatform
import SystemPackage

/// The files of a folder as a visit asks about them: on a disk, or in a listing of a server.
protocol FolderContents: AnyObject, Sendable {
  /// Where the files are; those of a server once they are brought.
  var path: FilePath { get }

  /// What a file is called in messages.
  func subject(of name: ArraySlice<UInt8>) -> String

  /// What is known of a file; nil when it is gone.
  func status(of name: UnsafePointer<CChar>) -> file_status?

  /// The folder on a disk, whose files can be opened; nil where they are on a server.
  var onDisk: OpenFolder? { get }
}

extension FolderContents {
  /// The path of an entry.
  func path(of name: some Collection<UInt8>) -> FilePath { path.appendingName(name) }
}

extension OpenFolder: FolderContents {
  func subject(of name: ArraySlice<UInt8>) -> String { path(of: name).displayString }

  var onDisk: OpenFolder? { self }
}
