import AssetLibrary
import CFileStatus
import MediaFormats
import Metadata
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// What a look into one file told.
struct FileFinding {
  enum Content {
    /// A medium. The facts are nil where only the codec helper can tell them.
    case media(FileFormat, MediaFacts?)
    /// It promises a medium, by its first bytes or its name, and is none; the reason as words after a colon.
    case broken(String)
    /// An XMP sidecar's facts.
    case sidecar(MediaFacts)
    /// A companion that is known by its name alone.
    case adjustment
    case nothing
  }

  var name: FileName
  /// The index of the file among the names of its folder.
  var index: Int
  var status: file_status
  var content: Content
  /// In how many runs the codec helper stalled on the file.
  var stalledRuns: UInt8 = 0

  /// Looks into a file of an open folder.
  /// - Parameter room: memory for the file's head, used again from file to file.
  /// - Throws: `AssetError` when the file can't be read.
  /// - Returns: nil when the file is gone.
  static func read(
    _ index: Int, named name: FileName, in names: NameTable, of folder: OpenFolder,
    room: inout MediaReader.Room
  ) throws(AssetError) -> FileFinding? {
    let descriptor = names.withCString(index) { name in
      DescriptorLimit.waiting { openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }
    guard descriptor >= 0 else {
      let failure = Errno(rawValue: errno)
      if failure == .noSuchFileOrDirectory { return nil }
      throw AssetError(path: folder.path(of: names[index]), failure)
    }
    defer { close(descriptor) }
    var status = file_status()
    let failure = file_status_of(descriptor, &status)
    guard failure == 0 else {
      throw AssetError(path: folder.path(of: names[index]), Errno(rawValue: failure))
    }
    guard status.mode & S_IFMT == S_IFREG else {
      throw AssetError(folder.path(of: names[index]).displayString, "not a file")
    }
    do throws(AssetError) {
      return FileFinding(
        name: name, index: index, status: status,
        content: try content(
          of: DescriptorSource(descriptor: descriptor), name: name, status: status, room: &room))
    } catch {
      throw AssetError(folder.path(of: names[index]).displayString, error.reason)
    }
  }

  private static func content(
    of source: DescriptorSource, name: FileName, status: file_status, room: inout MediaReader.Room
  ) throws(AssetError) -> Content {
    switch name.part {
    case .adjustment, .cameraAdjustment: return .adjustment
    case .sidecar:
      var facts = MediaFacts()
      facts.merge(sidecar: try source.read(at: 0, count: min(Int(status.size), Self.longestSidecar)))
      return .sidecar(facts)
    case .plain, .edited: break
    }
    switch try MediaReader.read(from: source, byteCount: Int(status.size), room: &room) {
    case .media(let format, let facts): return .media(format, facts)
    case .damaged(_, let reason): return .broken(reason)
    case .nothing:
      guard FileName.promisesMedium(name.suffix) else { return .nothing }
      return .broken(status.size == 0 ? "the file is empty" : "its content is no picture or video")
    }
  }

  /// Sidecars are a few kilobytes; what is longer is cut, and then no XMP.
  static let longestSidecar = 1 << 20

  /// Whether facts are still to come from the codec helper.
  var needsHelper: Bool { if case .media(_, nil) = content { true } else { false } }
}
