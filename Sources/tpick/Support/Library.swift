import AssetLibrary
import FolderLibrary
import Imaging
import SystemPackage

/// The library of a run, put together in one place: store, pictures, permission.
struct Library {
  let store: FolderAssetStore
  let manager: LibraryAssetManager
  let request: LibraryRequest

  /// Opens the sources and starts to read them.
  /// - Throws: `Failure` when a source is not there or an allowed path is no asset.
  init(
    _ request: LibraryRequest, asks: ConsentRequest, consent: any ConsentPresenter
  ) throws(Failure) {
    self.request = request
    let sources = try Self.sources(of: request)
    store = FolderAssetStore(sources: sources)
    store.start()
    manager = LibraryAssetManager(
      store: store, images: ImagePipeline(store: store), status: request.status,
      allowed: try Self.allowed(request.allow, in: store), asks: asks, consent: consent)
  }

  private static func sources(of request: LibraryRequest) throws(Failure) -> [FilePath] {
    if request.isDemo { return [try DemoLibrary.folder()] }
    var sources: [FilePath] = []
    for word in request.sources {
      if word == "-" {
        sources += try pathsFromInput(isNulSeparated: request.isNulSeparated)
      } else {
        let path = FilePath(bytes: ArgumentBytes.bytes(word))
        try check(path)
        sources.append(path)
      }
    }
    if request.sources.isEmpty {
      let pictures = UserDirectories.pictures
      guard (try? pictures.stat()) != nil else {
        throw .error("\(pictures.string): no such folder; name one: tpick FOLDER, or try tpick --demo")
      }
      return [pictures]
    }
    return sources
  }

  private static func check(_ path: FilePath) throws(Failure) {
    do {
      _ = try path.stat()
    } catch {
      throw .error("\(String(decoding: path.bytes, as: UTF8.self)): \(error)")
    }
  }

  /// Paths on standard input; one that is not there is worth a warning, not the end.
  private static func pathsFromInput(isNulSeparated: Bool) throws(Failure) -> [FilePath] {
    let bytes: [UInt8]
    do {
      bytes = try FileText.bytes(of: .standardInput)
    } catch {
      throw .error("standard input: \(error)")
    }
    return bytes.split(separator: isNulSeparated ? 0 : 0x0A).compactMap { line in
      let path = FilePath(bytes: line)
      do throws(Failure) {
        try check(path)
        return path
      } catch {
        Messages.warn(error.message)
        return nil
      }
    }
  }

  /// The identifiers behind `--allow`.
  ///
  /// Only the whole library tells that a path is in it, so that the scan is waited for.
  private static func allowed(
    _ paths: [FilePath], in store: FolderAssetStore
  ) throws(Failure) -> Set<LocalIdentifier> {
    if paths.isEmpty { return [] }
    store.waitUntilComplete()
    let library = Set(store.assets(in: nil, options: FetchOptions()).map(\.id))
    var allowed: Set<LocalIdentifier> = []
    for path in paths {
      let found: Set<LocalIdentifier>
      do {
        found = try FolderAssetStore.identifiers(at: path).intersection(library)
      } catch {
        throw .error("--allow: \(error)")
      }
      guard !found.isEmpty else {
        throw .error(
          "--allow: \(String(decoding: path.bytes, as: UTF8.self)): matches no photo of the library")
      }
      allowed.formUnion(found)
    }
    return allowed
  }

  /// Says on standard error what could not be read; under limited access how much, but not what.
  func reportIssues() {
    let issues = store.status.issues
    if manager.authorizationStatus(for: .readWrite) == .limited {
      if !issues.isEmpty { Messages.warn("\(issues.count) files or folders could not be read") }
    } else {
      for issue in issues { Messages.warn(issue.description) }
    }
  }
}
