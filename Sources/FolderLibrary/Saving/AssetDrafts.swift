import AssetLibrary
import CPlatform
import CodecProtocol
import Export
import MediaFormats
import Synchronization
import System
import SystemPackage

/// The new assets that were prepared but not created yet.
///
/// Their files are complete in the target folders but have no names, so they vanish with the process, however that ends.
/// Any thread may call.
final class AssetDrafts: Sendable {
  private struct Entry {
    var draft: AssetDraft
    /// How often it was prepared: each call may be discarded on its own.
    var uses = 1
  }

  private let drafts = Mutex<[LocalIdentifier: Entry]>([:])

  deinit {
    for entry in drafts.withLock({ $0.values }) { entry.draft.discard() }
  }

  /// Adds a draft.
  func add(_ draft: AssetDraft) { drafts.withLock { $0[draft.identifier] = Entry(draft: draft) } }

  /// Returns the draft with the same files, byte for byte, which then is prepared once more; nil if there is none.
  func reuse(for staged: StagedAsset) -> LocalIdentifier? {
    // Under the lock, so that the files stay open and unnamed meanwhile.
    drafts.withLock { drafts in
      guard let same = drafts.first(where: { $0.value.draft.isSame(as: staged) })?.key else { return nil }
      drafts[same]?.uses += 1
      return same
    }
  }

  /// Whether an asset is prepared.
  func contains(_ asset: LocalIdentifier) -> Bool { drafts.withLock { $0[asset] != nil } }

  /// Discards a draft with its files, once it was discarded as often as it was prepared.
  func discard(_ asset: LocalIdentifier) {
    let last = drafts.withLock { drafts -> AssetDraft? in
      drafts[asset]?.uses -= 1
      return drafts[asset]?.uses == 0 ? drafts.removeValue(forKey: asset)?.draft : nil
    }
    last?.discard()
  }

  /// Gives the files of assets their names; all of them or none.
  /// - Returns: the placed drafts, with the paths of their files.
  /// - Throws: `AssetError` that names the file.
  func place(_ assets: [LocalIdentifier]) throws(AssetError) -> [(draft: AssetDraft, files: [FilePath])] {
    var placed: [(draft: AssetDraft, files: [FilePath])] = []
    for asset in assets {
      guard let draft = drafts.withLock({ $0.removeValue(forKey: asset)?.draft }) else { continue }
      do throws(AssetError) {
        placed.append((draft, try draft.place()))
      } catch {
        draft.discard()
        for other in placed { other.draft.discard() }
        throw error
      }
    }
    return placed
  }
}

/// A new asset whose files wait for their names.
struct AssetDraft: Sendable {
  /// The identifier that the asset has as soon as its files have names.
  let identifier: LocalIdentifier
  /// The folder of its files.
  let folder: FilePath
  private let files: ExportDraft
  /// The folders that were created for it.
  private let newFolders: MissingFolders

  /// Copies the files of a new asset.
  /// - Parameters:
  ///   - staged: the asset as it will be.
  ///   - folder: the folder to save into, which is created if it does not exist.
  /// - Throws: `AssetError` if a file can't be copied.
  init(of staged: StagedAsset, into folder: FilePath) throws(AssetError) {
    self.folder = folder
    newFolders = MissingFolders(of: folder)
    do throws(AssetError) {
      let target = try TargetFolder(
        folder,
        look: { (path, isCancelled) throws(AssetError) in
          try MountProbes.shared.checkWriting(path, isCancelled: isCancelled)
        })
      var options = ExportOptions(resources: .all, existing: .number)
      options.representation.mode = .current
      let exporter = Exporter(staged, into: target, options)
      files = try exporter.draft(staged.asset)
      var status = file_status()
      guard let descriptor = files.descriptor, file_status_of(descriptor, &status) == 0 else {
        throw AssetError(staged.asset.subject, "can't be copied to \(folder.displayString)")
      }
      // A name changes neither inode nor birth time.
      identifier = LocalIdentifier(number: IdentityRegistry.key(of: status, linkHash: nil))
    } catch {
      newFolders.remove()
      throw error
    }
  }

  /// Whether it consists of the same files, byte for byte.
  func isSame(as staged: StagedAsset) -> Bool {
    let (own, others) = (files.descriptors, staged.asset.resources)
    guard own.count == others.count else { return false }
    return zip(own, others).allSatisfy { descriptor, resource in
      guard let reader = try? staged.reader(for: resource), let other = reader.descriptor else {
        return false
      }
      return withExtendedLifetime(reader) { FileContent.isSame(descriptor, other) }
    }
  }

  /// Gives the files their names.
  /// - Returns: the paths of the files.
  func place() throws(AssetError) -> [FilePath] { try files.place().resources.map(\.path) }

  /// Removes the files, and the folders that were created for them.
  func discard() {
    files.remove()
    newFolders.remove()
  }
}

/// The files of a new asset, read and named as they will be in the library.
struct StagedAsset: OriginalAccess {
  /// The asset; the paths of its resources are names only.
  private(set) var asset: Asset
  private var places: [FilePath: FilePath] = [:]
  /// The files with the bytes that were in memory.
  private var spooled: [SpooledFile] = []

  /// Reads the files' metadata.
  /// - Parameters:
  ///   - creation: the content of the asset.
  ///   - folders: where bytes in memory are stored meanwhile.
  ///   - codecs: the path of the codec helper.
  ///   - reader: the client of the reader helper.
  /// - Throws: `AssetError` if a file can't be read, or is not a photo or video as its role requires.
  init(
    _ creation: AssetCreation, folders: [FilePath], codecs: String?, reader: MetadataClient
  ) throws(AssetError) {
    try creation.check()
    var paths: [FilePath] = []
    for resource in creation.resources {
      switch resource.content {
      case .file(let path): paths.append(path)
      case .data(let bytes):
        let file = try SpooledFile(bytes, folders: folders)
        spooled.append(file)
        paths.append(file.path)
      }
    }
    // Each file on its own: those that are named alike in different folders don't belong together by themselves.
    let files = FolderAssetStore(sources: paths, following: nil, codecs: codecs, reader: reader)
    files.start()
    files.waitUntilComplete()
    var found: [(asset: Asset, resource: AssetResource)] = []
    for (resource, path) in zip(creation.resources, paths) {
      found.append(try Self.file(at: path, as: resource, in: files))
    }
    try Self.check(zip(creation.resources, found.map(\.resource)).map { ($0.type, $1) })
    asset = found[0].asset
    let stem = creation.stem(for: asset.creationDate)
    asset.resources = []
    for (index, (resource, path)) in zip(creation.resources, paths).enumerated() {
      var file = found[index].resource
      let own = path.nameBytes
      var suffix = Array(own[...].fileExtension ?? [])
      if case .data = resource.content { suffix = [] }
      if suffix.isEmpty, let format = FileFormat(uniformTypeIdentifier: file.uniformTypeIdentifier) {
        suffix = Array((format.suffixes.first ?? "").utf8)
      }
      file.type = resource.type
      file.path = FilePath(bytes: stem + [UInt8(ascii: ".")] + suffix)
      places[file.path] = path
      asset.resources.append(file)
    }
    guard places.count == paths.count else {
      throw AssetError(asset.subject, "two of its files have the same name")
    }
  }

  /// Checks that the scan of the library will join the files: a JPEG or HEIC with a raw file and a QuickTime movie.
  private static func check(
    _ files: [(type: AssetResource.Kind, resource: AssetResource)]
  ) throws(AssetError) {
    let formats = files.map { FileFormat(uniformTypeIdentifier: $0.resource.uniformTypeIdentifier) }
    for (file, format) in zip(files, formats).dropFirst() {
      let isJoined = file.type == .pairedVideo ? format == .quickTime : format?.isRaw ?? false
      guard isJoined, formats[0] == .jpeg || formats[0] == .heic else {
        throw AssetError(
          "asset",
          "a JPEG or HEIC picture can have a QuickTime movie and a raw file, and nothing else can have any",
          code: .unsupported)
      }
    }
  }

  private static func file(
    at path: FilePath, as resource: AssetCreation.Resource, in store: FolderAssetStore
  ) throws(AssetError) -> (asset: Asset, resource: AssetResource) {
    let subject = if case .file(let path) = resource.content { path.displayString } else { "data" }
    let kind = resource.type == .photo || resource.type == .alternatePhoto ? MediaType.image : .video
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = try store.identifiers(at: path)
    let assets = store.assets(withLocalIdentifiers: Array(found), options: options)
    let isHere = { (file: AssetResource) in file.filename == path.nameBytes && file.byteRange == nil }
    guard let asset = assets.first(where: { $0.resources.contains(where: isHere) }),
      let file = asset.resources.first(where: isHere)
    else { throw AssetError(subject, "not a picture or video") }
    let format = FileFormat(uniformTypeIdentifier: file.uniformTypeIdentifier)
    guard !asset.isBroken, let format, format.isVideo == (kind == .video) else {
      throw AssetError(subject, kind == .video ? "not a video" : "not a picture")
    }
    return (asset, file)
  }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let path = places[resource.path] else {
      throw AssetError(resource.subject, "no such file", code: .notFound)
    }
    return try OpenFile(path)
  }

  func isLocal(_ resource: AssetResource) -> Bool { true }
}
