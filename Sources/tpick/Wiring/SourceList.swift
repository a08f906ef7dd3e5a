import AssetLibrary
import FolderLibrary
import SystemPackage

/// The sources that a call names, as far as they are there.
struct SourceList {
  private(set) var paths: [FilePath] = []
  /// Those that are not.
  private(set) var missing: [AssetError] = []

  /// - Throws: `Failure` if standard input can't be read, or if sources were named and none of them is there.
  init(_ request: LibraryRequest) throws(Failure) {
    if request.isDemo {
      paths = [try DemoLibrary.folder()]
      return
    }
    guard !request.sources.isEmpty else {
      paths = [try Self.pictures()]
      return
    }
    for word in request.sources {
      if word == "-" {
        for path in try Self.pathsFromInput(isNulSeparated: request.isNulSeparated) { add(path, hint: "") }
      } else {
        let isCommand = CommandName.words.contains(word)
        add(
          PathArgument.path(word),
          hint: isCommand ? "; a subcommand comes before the sources" : "")
      }
    }
    guard paths.isEmpty, let last = missing.popLast() else { return }
    request.verbosity.report(missing)
    throw .error(last.description)
  }

  /// Lets a source pass that does not answer: the library says so, while the others go on.
  /// - Parameter hint: follows the reason why it is not there.
  private mutating func add(_ path: FilePath, hint: String) {
    if MountProbes.shared.answers(path, within: MountProbes.shortPatience) {
      do {
        _ = try path.stat()
      } catch {
        missing.append(AssetError(String(decoding: path.bytes, as: UTF8.self), "\(error)\(hint)"))
        return
      }
    }
    paths.append(path)
  }

  private static func pictures() throws(Failure) -> FilePath {
    let pictures = UserDirectories.pictures
    guard
      !MountProbes.shared.answers(pictures, within: MountProbes.shortPatience)
        || (try? pictures.stat()) != nil
    else {
      throw .error("\(pictures.string): no such folder; name one: tpick FOLDER, or try tpick --demo")
    }
    return pictures
  }

  private static func pathsFromInput(isNulSeparated: Bool) throws(Failure) -> [FilePath] {
    let bytes: [UInt8]
    do {
      bytes = try FileText.bytes(of: .standardInput)
    } catch {
      throw .error("standard input: \(error)")
    }
    if !isNulSeparated, bytes.contains(0) {
      throw .usage("standard input: holds NUL bytes; --read0 reads paths that are separated by them")
    }
    return bytes.split(separator: isNulSeparated ? 0 : 0x0A).map { PathArgument.path($0) }
  }
}
