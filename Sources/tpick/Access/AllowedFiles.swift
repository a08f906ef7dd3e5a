import AssetLibrary
import FolderLibrary
import Permissions
import PhotoPicker
import Results
import SystemPackage
import System

/// The files of allowed photos.
enum AllowedFiles {
  /// The photos at paths, in the form in which they are stored; a folder stands for all photos below it.
  /// - Throws: `Failure` for a path that does not exist or is not a photo.
  static func assets(at paths: [FilePath]) throws(Failure) -> [AllowedAsset] {
    if paths.isEmpty { return [] }
    for path in paths where (try? path.stat()) == nil {
      let name = Wording.name(String(decoding: path.bytes, as: UTF8.self))
      throw .error("--allow: \(name): no such file or folder")
    }
    let library = LibraryBackend.open(paths, isKept: true)
    library.waitUntilComplete()
    var identifiers: Set<LocalIdentifier> = []
    for (path, found) in zip(paths, library.identifiers(at: paths)) {
      let name = String(decoding: path.bytes, as: UTF8.self)
      switch found {
      case .success(let assets) where assets.isEmpty: throw .error("--allow: \(name): no photo here")
      case .success(let assets): identifiers.formUnion(assets)
      case .failure(let error): throw .error("--allow: \(error)")
      }
    }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let files = library.successorFiles(of: identifiers)
    return library.assets(withLocalIdentifiers: identifiers.sorted(), options: options).map {
      AllowedAsset($0.id, successorFile: files[$0.id], path: $0.primaryResource?.path.absolute)
    }
  }

  /// The photos that still exist, each with the current path of its file.
  ///
  /// A photo that the library does not know is dropped only if its file was deleted: its folder exists and is not
  /// empty, unlike the mount point of an unmounted disk.
  static func current(_ allowed: [AllowedAsset], in library: any AssetFetching) -> [AllowedAsset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = library.assets(withLocalIdentifiers: allowed.map(\.identifier), options: options)
    let paths = Dictionary(found.map { ($0.id, $0.primaryResource?.path.absolute) }) { first, _ in first }
    return allowed.compactMap { asset in
      guard let known = paths[asset.identifier] else { return isDeleted(asset.path) ? nil : asset }
      var asset = asset
      asset.path = known ?? asset.path
      return asset
    }
  }

  private static func isDeleted(_ path: FilePath?) -> Bool {
    guard let path, MountProbes.shared.answers(path) else { return false }
    do {
      _ = try path.stat(followTargetSymlink: false)
      return false
    } catch {
      guard error == .noSuchFileOrDirectory else { return false }
      return hasEntries(path.removingLastComponent())
    }
  }

  private static func hasEntries(_ folder: FilePath) -> Bool {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return false }
    defer { closedir(stream) }
    var count = 0
    // "." and ".." always exist.
    while count < 3, readdir(stream) != nil { count += 1 }
    return count > 2
  }
}
