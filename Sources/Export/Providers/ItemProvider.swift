public import AssetLibrary
import MediaFormats
import System
public import SystemPackage

/// Loads the content of a picked asset in the available types, as Foundation's `NSItemProvider` does.
///
/// Each content can be loaded in three ways: asynchronously (`loadFile`, `loadData`), with a completion handler,
/// or on the calling thread, which blocks. Files are temporary: they exist until the closure that receives them
/// returns. Safe to use from several threads.
///
///     let size = try await provider.loadFile(for: "public.image") { path in try upload(path) }
public struct ItemProvider: Sendable {
  /// A type in which the content is available, and how to make it.
  struct Representation: Hashable, Sendable {
    var typeIdentifier: String
    var plan: RepresentationPlan
  }

  private let asset: Asset
  private let store: any OriginalAccess
  private let maker: (any RepresentationMaker)?
  private let options: RepresentationOptions
  private let temporaryFolder: FilePath
  private let maximumPartByteCount: Int64?
  /// Reads the content identifier that the files of a Live Photo share; nil if they don't.
  private let contentIdentifier: (@Sendable () -> String?)?
  let representations: [Representation]

  /// Creates a provider.
  /// - Parameters:
  ///   - maker: converts content; without it, only files are available.
  ///   - options: the preferred type, and how images are converted.
  ///   - temporaryFolder: the folder for temporary files.
  ///   - maximumPartByteCount: the maximum size of a part of a video; nil = no maximum.
  ///   - contentIdentifier: reads the identifier that the files of a Live Photo share, if its files are exported.
  package init(
    _ asset: Asset, in store: any OriginalAccess, maker: (any RepresentationMaker)?,
    options: RepresentationOptions = RepresentationOptions(), temporaryFolder: FilePath,
    maximumPartByteCount: Int64? = nil,
    contentIdentifier: (@Sendable () -> String?)? = nil
  ) {
    self.asset = asset
    self.store = store
    self.maker = maker
    self.options = options
    self.temporaryFolder = temporaryFolder
    self.maximumPartByteCount = maximumPartByteCount
    self.contentIdentifier = contentIdentifier
    representations = Self.representations(of: asset, options, converts: maker != nil)
  }

  /// The types in which the content is available, the preferred one first.
  ///
  /// Each of them can be loaded as a file, and as data unless it is `com.apple.live-photo-bundle`, which is
  /// two files.
  public var registeredTypeIdentifiers: [String] {
    (canLoadLivePhoto ? [TypeIdentifier.livePhoto] : []) + representations.map(\.typeIdentifier)
  }

  /// A name for a copy, without its extension; nil if the file name is not valid UTF-8.
  public var suggestedName: String? {
    String(validating: ExportName(asset.nameBytes).stem, as: UTF8.self)
  }

  /// Whether the content is available as a Live Photo: a still image with a clip.
  ///
  /// It is not if metadata is to be removed, because the metadata of the two files makes them a pair.
  public var canLoadLivePhoto: Bool { livePhotoResources != nil }

  /// Returns whether the content is available in a type, or in a subtype of it: "public.image" includes
  /// "public.jpeg".
  public func canLoad(_ typeIdentifier: String) -> Bool {
    registeredTypeIdentifiers.contains { TypeIdentifier.conforms($0, to: typeIdentifier) }
  }

  // MARK: Loading

  /// Returns whether the content is available in a type, under the name of Foundation's `NSItemProvider`.
  public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool { canLoad(typeIdentifier) }

  /// Calls `body` with a temporary file that contains the content in a type; copy it there to keep it.
  ///
  /// The type `com.apple.live-photo-bundle` is a folder with the still image and the clip.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype, which selects the first matching registered type.
  ///   - cancellation: stops loading, from any thread.
  ///   - progress: receives the completed fraction, from 0 to 1.
  ///   - body: receives the path of the file, which is removed when the closure returns.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if the type is not available, or the content can't be loaded; `.cancelled`.
  public func loadFileRepresentation<Value>(
    for typeIdentifier: String, cancellation: Cancellation = Cancellation(),
    progress: (Double) -> Void = { _ in }, body: (FilePath) -> Value
  ) throws(AssetError) -> Value {
    let (path, folder) = try lend(typeIdentifier, cancellation, progress)
    return withExtendedLifetime(folder) { body(path) }
  }

  /// Calls a `body` that may throw with a temporary file; otherwise as the method whose body does not throw.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype, which selects the first matching registered type.
  ///   - cancellation: stops loading, from any thread.
  ///   - progress: receives the completed fraction, from 0 to 1.
  ///   - body: receives the path of the file, which is removed when the closure returns or throws.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if the type is not available, or the content can't be loaded; errors of `body`.
  public func loadFileRepresentation<Value>(
    for typeIdentifier: String, cancellation: Cancellation = Cancellation(),
    progress: (Double) -> Void = { _ in }, body: (FilePath) throws -> Value
  ) throws -> Value {
    let (path, folder) = try lend(typeIdentifier, cancellation, progress)
    return try withExtendedLifetime(folder) { try body(path) }
  }

  /// Makes a temporary file, which exists as long as its folder.
  private func lend(
    _ typeIdentifier: String, _ cancellation: Cancellation, _ progress: (Double) -> Void
  ) throws(AssetError) -> (path: FilePath, folder: LentFolder) {
    if typeIdentifier == TypeIdentifier.livePhoto, canLoadLivePhoto {
      let (_, folder) = try lendLivePhoto(cancellation, progress)
      return (folder.target.path, folder)
    }
    guard let representation = representation(for: typeIdentifier) else {
      throw AssetError(displayName, "is not available as \(typeIdentifier)", code: .noSuchType)
    }
    let folder = try LentFolder(in: temporaryFolder)
    let resource = try load(representation.plan, into: folder, cancellation, progress)
    guard resource.has(representation.typeIdentifier) else {
      throw AssetError(
        displayName, "can't be converted to \(representation.typeIdentifier)", code: .unsupported)
    }
    return (resource.path, folder)
  }

  /// Loads the content in a type into memory.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype.
  ///   - cancellation: stops loading, from any thread.
  ///   - progress: receives the completed fraction, from 0 to 1.
  /// - Throws: the same errors as for a file, and `AssetError` if the content is larger than 1 GiB.
  public func loadDataRepresentation(
    for typeIdentifier: String, cancellation: Cancellation = Cancellation(),
    progress: (Double) -> Void = { _ in }
  ) throws(AssetError) -> [UInt8] {
    if typeIdentifier == TypeIdentifier.livePhoto, canLoadLivePhoto {
      throw AssetError(displayName, "consists of two files: load them as a file", code: .noSuchType)
    }
    let loaded: Result<[UInt8], AssetError> = try loadFileRepresentation(
      for: typeIdentifier, cancellation: cancellation, progress: progress
    ) { path in
      do {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        return try .success(file.closeAfter { try bytes(of: file) })
      } catch let error as AssetError {
        return .failure(error)
      } catch {
        return .failure(AssetError(displayName, "\(error)"))
      }
    }
    return try loaded.get()
  }

  /// Calls `body` with temporary files of a Live Photo's still image and clip, in the version that was picked.
  /// - Parameters:
  ///   - cancellation: stops loading, from any thread.
  ///   - progress: receives the completed fraction, from 0 to 1.
  ///   - body: receives the paths of the files, which are removed when the closure returns.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if `canLoadLivePhoto` is false, or the files can't be loaded; `.cancelled`.
  public func loadLivePhoto<Value>(
    cancellation: Cancellation = Cancellation(), progress: (Double) -> Void = { _ in },
    body: (LivePhoto) -> Value
  ) throws(AssetError) -> Value {
    let (photo, folder) = try lendLivePhoto(cancellation, progress)
    return withExtendedLifetime(folder) { body(photo) }
  }

  /// Calls a `body` that may throw with the files of a Live Photo; otherwise as the method whose body does not
  /// throw.
  /// - Parameters:
  ///   - cancellation: stops loading, from any thread.
  ///   - progress: receives the completed fraction, from 0 to 1.
  ///   - body: receives the paths of the files, which are removed when the closure returns or throws.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if `canLoadLivePhoto` is false, or the files can't be loaded; errors of `body`.
  public func loadLivePhoto<Value>(
    cancellation: Cancellation = Cancellation(), progress: (Double) -> Void = { _ in },
    body: (LivePhoto) throws -> Value
  ) throws -> Value {
    let (photo, folder) = try lendLivePhoto(cancellation, progress)
    return try withExtendedLifetime(folder) { try body(photo) }
  }

  /// - Parameters:
  ///   - cancellation: stops loading.
  ///   - isKept: whether the files exist as long as the object; otherwise, as long as the folder.
  ///   - progress: receives the completed fraction.
  private func lendLivePhoto(
    _ cancellation: Cancellation, isKept: Bool = false, _ progress: (Double) -> Void
  ) throws(AssetError) -> (photo: LivePhoto, folder: LentFolder) {
    guard let (still, clip) = livePhotoResources else {
      throw AssetError(displayName, "is not a Live Photo", code: .noSuchType)
    }
    let folder = try LentFolder(in: temporaryFolder)
    let plan =
      asset.keyPhotoTime.map { RepresentationPlan.keyPhoto(still, clip: clip, at: $0, [.jpeg]) }
      ?? .file(still)
    let stillPath = try load(plan, into: folder, cancellation) { progress($0 / 2) }.path
    let clipPath = try load(.file(clip), into: folder, cancellation) { progress(0.5 + $0 / 2) }.path
    return (livePhoto(stillPath, clipPath, keeping: isKept ? folder : nil), folder)
  }

  /// The maximum size in bytes of content that is loaded into memory.
  private static let longestData = 1 << 30

  private func bytes(of file: FileDescriptor) throws -> [UInt8] {
    let count = try Int(file.seek(offset: 0, from: .end))
    guard count <= Self.longestData else {
      throw AssetError(displayName, "is too large to be held in memory")
    }
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized..<count])
        let read = try file.read(fromAbsoluteOffset: Int64(initialized), into: rest)
        if read == 0 { break }
        initialized += read
      }
    }
  }

  private func load(
    _ plan: RepresentationPlan, into folder: LentFolder, _ cancellation: Cancellation,
    _ progress: (Double) -> Void
  ) throws(AssetError) -> AssetResource {
    var job = ExportJob(asset, ExportOptions())
    job.plan = plan
    var exportOptions = ExportOptions(representation: options)
    exportOptions.namesTypes = true
    exportOptions.maximumPartByteCount = maximumPartByteCount
    let exporter = Exporter(store, into: folder.target, exportOptions, maker: maker)
    let count = Double(max(1, plan.resource?.byteCount ?? 1))
    // If a download is necessary, it counts as half of the progress.
    var share = 1.0
    try exporter.check(job, cancellation)
    func made(_ fraction: Double) { progress(1 - share + fraction * share) }
    var copied = 0
    let prepared = try exporter.make(
      job, cancellation,
      downloaded: { bytes, byteCount in
        share = 0.5
        progress(Exporter.fraction(bytes, of: byteCount) / 2)
      },
      copied: { bytes in
        copied += bytes
        made(min(1, Double(copied) / count))
      }, made)
    var places = ExportPlaces(folder.target)
    let handed = try exporter.place(
      prepared, of: job, name: ExportName(asset.nameBytes), &places, cancellation)
    progress(1)
    guard let resource = handed.primaryResource else { throw AssetError(displayName, "it has no file") }
    return resource
  }

  private func livePhoto(_ still: FilePath, _ clip: FilePath, keeping folder: LentFolder?) -> LivePhoto {
    LivePhoto(still: still, clip: clip, folder: folder) { [self] format throws(AssetError) in
      guard let maker = maker as? any LivePhotoMaker else {
        throw AssetError(displayName, "can't be converted here", code: .helperMissing)
      }
      return try ExportSession(
        asset, as: format, options, isNetworkAccessAllowed: true, fallsBackToResource: true,
        identifier: { [contentIdentifier] in contentIdentifier?() }, store: store, maker: maker)
    }
  }

  private var displayName: String { String(decoding: asset.nameBytes, as: UTF8.self) }

  // MARK: Types

  private func representation(for typeIdentifier: String) -> Representation? {
    representations.first { $0.typeIdentifier == typeIdentifier }
      ?? representations.first { TypeIdentifier.conforms($0.typeIdentifier, to: typeIdentifier) }
  }

  private var livePhotoResources: (still: AssetResource, clip: AssetResource)? {
    // Another still image must be made.
    if asset.keyPhotoTime != nil, maker == nil { return nil }
    guard asset.mediaSubtypes.contains(.livePhoto), !asset.isBroken, options.keepsMetadata,
      let still = asset.primaryResource, let clip = asset.clip()
    else { return nil }
    return (still, clip)
  }

  private static func representations(
    of asset: Asset, _ options: RepresentationOptions, converts: Bool
  ) -> [Representation] {
    guard let primary = asset.primaryResource, !asset.isBroken else { return [] }
    var found: [Representation] = []
    func add(_ type: String, _ plan: RepresentationPlan) {
      if !found.contains(where: { $0.typeIdentifier == type }) {
        found.append(Representation(typeIdentifier: type, plan: plan))
      }
    }
    let preferred = RepresentationPlan(asset, options)
    switch preferred {
    case .picture(let resource, let formats) where converts:
      // The format is determined only when the pixels are known.
      for format in formats { add(format.typeIdentifier, .picture(resource, [format])) }
    // The rest of the video is not offered.
    case .videoPart:
      if converts { add(FileFormat.mp4.uniformTypeIdentifier, preferred) }
      return found
    case .keyPhoto(let still, let clip, let time, let formats) where converts:
      // The preferred format first.
      for format in formats + [.jpeg, .png] {
        add(format.typeIdentifier, .keyPhoto(still, clip: clip, at: time, [format]))
      }
    case .video where converts: add(FileFormat.mp4.uniformTypeIdentifier, preferred)
    case .stripped(let resource) where converts: add(resource.uniformTypeIdentifier, preferred)
    // With metadata removal, don't offer an original file, except one of a format without captions.
    case .file(let resource) where options.stripping == .nothing && resource.byteRange == nil:
      add(resource.uniformTypeIdentifier, preferred)
    default: break
    }
    // The library's still image is not offered beside the frame that was chosen.
    if asset.keyPhotoTime == nil {
      if options.keepsMetadata { add(primary.uniformTypeIdentifier, .file(primary)) }
      let format = FileFormat(uniformTypeIdentifier: primary.uniformTypeIdentifier)
      if converts, let format, !format.isVideo {
        add(FileFormat.jpeg.uniformTypeIdentifier, .picture(primary, [.jpeg]))
        add(FileFormat.png.uniformTypeIdentifier, .picture(primary, [.png]))
      } else if converts, format != nil {
        add(FileFormat.mp4.uniformTypeIdentifier, .video(primary))
      }
    }
    if let clip = asset.clip(), clip != primary {
      if clip.byteRange == nil, options.keepsMetadata {
        add(clip.uniformTypeIdentifier, .file(clip))
      }
      if converts { add(FileFormat.mp4.uniformTypeIdentifier, .video(clip)) }
    }
    return found
  }
}

// The asynchronous ways and those with completion handlers.
extension ItemProvider {
  /// Calls `body` with a temporary file that contains the content in a type, without blocking the caller's
  /// thread; copy it there to keep it.
  ///
  /// Cancelling the task stops loading.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype, which selects the first matching registered type.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - body: receives the path of the file, which is removed when the closure returns.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if the type is not available, or the content can't be loaded, or with the code
  ///   `cancelled`; errors of `body`.
  public func loadFile<Value: Sendable>(
    for typeIdentifier: String, progressHandler: (@Sendable (Double) -> Void)? = nil,
    body: @Sendable (FilePath) async throws -> Value
  ) async throws -> Value {
    let (path, folder) = try await loading { cancellation throws(AssetError) in
      try lend(typeIdentifier, cancellation) { progressHandler?($0) }
    }
    defer { withExtendedLifetime(folder) {} }
    return try await body(path)
  }

  /// Loads the content in a type into memory, without blocking the caller's thread.
  ///
  /// Cancelling the task stops loading.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  /// - Throws: `AssetError`, as for a file, and if the content is larger than 1 GiB.
  public func loadData(
    for typeIdentifier: String, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) -> [UInt8] {
    try await loading { cancellation throws(AssetError) in
      try loadDataRepresentation(for: typeIdentifier, cancellation: cancellation) { progressHandler?($0) }
    }
  }

  /// Calls `body` with temporary files of a Live Photo's still image and clip, without blocking the caller's
  /// thread; copy them there to keep them.
  ///
  /// Cancelling the task stops loading.
  /// - Parameters:
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - body: receives the paths of the files, which are removed when the closure returns.
  /// - Returns: the result of `body`.
  /// - Throws: `AssetError` if it is not a Live Photo, or its files can't be loaded; errors of `body`.
  public func loadLivePhotoFiles<Value: Sendable>(
    progressHandler: (@Sendable (Double) -> Void)? = nil,
    body: @Sendable (LivePhoto) async throws -> Value
  ) async throws -> Value {
    let (photo, folder) = try await loading { cancellation throws(AssetError) in
      try lendLivePhoto(cancellation) { progressHandler?($0) }
    }
    defer { withExtendedLifetime(folder) {} }
    return try await body(photo)
  }

  /// Loads a Live Photo as one object, without blocking the caller's thread; its files exist as long as the object.
  ///
  /// Cancelling the task stops loading.
  ///
  ///     let photo = try await provider.loadLivePhotoObject()
  ///     let output = try await photo.exportSession(as: .motionPhoto).export(to: folder)
  ///
  /// - Parameter progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if it is not a Live Photo, or its files can't be loaded, or with the code `cancelled`.
  public func loadLivePhotoObject(
    progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) -> LivePhoto {
    try await loading { cancellation throws(AssetError) in
      try lendLivePhoto(cancellation, isKept: true) { progressHandler?($0) }.photo
    }
  }

  /// Loads a temporary file on another thread: the method of Foundation's `NSItemProvider`.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - completionHandler: receives the path of the file, which is removed when the handler returns, or the
  ///     error; called once, on any thread.
  /// - Returns: stops loading.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier typeIdentifier: String, progressHandler: (@Sendable (Double) -> Void)? = nil,
    completionHandler: @escaping @Sendable (FilePath?, AssetError?) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    WorkerThread.run {
      do throws(AssetError) {
        try loadFileRepresentation(
          for: typeIdentifier, cancellation: cancellation, progress: { progressHandler?($0) }
        ) { completionHandler($0, nil) }
      } catch {
        completionHandler(nil, error)
      }
    }
    return cancellation
  }

  /// Loads the content into memory on another thread: the method of Foundation's `NSItemProvider`.
  /// - Parameters:
  ///   - typeIdentifier: a registered type, or a supertype.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - completionHandler: receives the content or the error; called once, on any thread.
  /// - Returns: stops loading.
  @discardableResult
  public func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String, progressHandler: (@Sendable (Double) -> Void)? = nil,
    completionHandler: @escaping @Sendable ([UInt8]?, AssetError?) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    WorkerThread.run {
      do throws(AssetError) {
        let bytes = try loadDataRepresentation(for: typeIdentifier, cancellation: cancellation) {
          progressHandler?($0)
        }
        completionHandler(bytes, nil)
      } catch {
        completionHandler(nil, error)
      }
    }
    return cancellation
  }

  /// Runs work that blocks on another thread, and cancels it with the task.
  private func loading<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(AssetError) -> Value
  ) async throws(AssetError) -> Value {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await WorkerThread.value { Result { () throws(AssetError) in try work(cancellation) } }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}

extension RepresentationPlan.PictureFormat {
  fileprivate var typeIdentifier: String {
    switch self {
    case .jpeg: FileFormat.jpeg.uniformTypeIdentifier
    case .png: FileFormat.png.uniformTypeIdentifier
    }
  }
}

/// A private folder for temporary files; removed with its contents when the last reference is released.
private final class LentFolder: Sendable {
  let target: TargetFolder

  /// Creates a folder below another one.
  init(in parent: FilePath) throws(AssetError) {
    let path = parent.appending("tpick-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    _ = try TargetFolder(parent)
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
      throw AssetError(path.string, "\(Errno(rawValue: errno))")
    }
    target = try TargetFolder(path)
  }

  deinit {
    for name in names { _ = (name + [0]).withUnsafeBufferPointer(unlink) }
    _ = target.path.withPlatformString { rmdir($0) }
  }

  private func unlink(_ name: UnsafeBufferPointer<UInt8>) -> Int32 {
    name.withMemoryRebound(to: CChar.self) { name in
      name.baseAddress.map { unlinkat(target.descriptor, $0, 0) } ?? -1
    }
  }

  private var names: [[UInt8]] {
    guard let stream = target.path.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names.filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}

/// A picked asset, as PhotoKit's `PHPickerResult`: its identifier, and a provider of its content.
///
/// It gives no access to the rest of the library.
public struct PickerResult: Sendable {
  /// The identifier of the asset in its library.
  public var assetIdentifier: LocalIdentifier
  /// Loads the content of the asset.
  public var itemProvider: ItemProvider
  /// The part of a video that the user chose and that the provider loads, from the start of the video; nil = all of it.
  public var trim: Range<Duration>?
  /// The time of the frame of a Live Photo's clip that the user chose and that the provider loads as the still image,
  /// from the start of the clip; nil = the still image of the library.
  public var keyPhotoTime: Duration?

  package init(
    assetIdentifier: LocalIdentifier, itemProvider: ItemProvider, trim: Range<Duration>?,
    keyPhotoTime: Duration? = nil
  ) {
    self.assetIdentifier = assetIdentifier
    self.itemProvider = itemProvider
    self.trim = trim
    self.keyPhotoTime = keyPhotoTime
  }
}

/// A Live Photo: a still image and a clip, as PhotoKit's `PHLivePhoto`.
///
/// The files are temporary: they exist as long as the object or a copy of it, unless the closure that received the
/// object says less. Two objects are equal if their paths are.
public struct LivePhoto: Hashable, Sendable {
  /// The path of the still image.
  public let still: FilePath
  /// The path of the clip.
  public let clip: FilePath
  /// Keeps the files.
  private let folder: LentFolder?
  private let makeSession: @Sendable (ExportSession.Format) throws(AssetError) -> ExportSession

  fileprivate init(
    still: FilePath, clip: FilePath, folder: LentFolder?,
    makeSession: @escaping @Sendable (ExportSession.Format) throws(AssetError) -> ExportSession
  ) {
    (self.still, self.clip, self.folder, self.makeSession) = (still, clip, folder, makeSession)
  }

  /// Returns a session that writes the Live Photo into a folder: as a pair of files, as one Motion Photo, as a GIF or
  /// as an MP4.
  /// - Parameter format: the form in which it is written.
  /// - Throws: `AssetError` with the code `helperMissing` if nothing here can convert it.
  public func exportSession(as format: ExportSession.Format) throws(AssetError) -> ExportSession {
    try makeSession(format)
  }

  /// Compares the paths.
  public static func == (a: LivePhoto, b: LivePhoto) -> Bool { (a.still, a.clip) == (b.still, b.clip) }

  /// Hashes the paths.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(still)
    hasher.combine(clip)
  }
}

extension AssetResource {
  /// Whether a file that was made can be passed on as one of a type: MP4 and M4V differ only in their brand.
  fileprivate func has(_ type: String) -> Bool {
    let family = [FileFormat.mp4, .m4v].map(\.uniformTypeIdentifier)
    return uniformTypeIdentifier == type || family.contains(uniformTypeIdentifier) && family.contains(type)
  }
}

/// Apple's uniform type identifiers, and their hierarchy.
package enum TypeIdentifier {
  /// A Live Photo: a still image and a clip that belong together.
  package static let livePhoto = "com.apple.live-photo-bundle"

  /// Whether a type is a subtype of another one: "public.jpeg" conforms to "public.image".
  package static func conforms(_ type: String, to other: String) -> Bool {
    if type == other { return true }
    var kinds: Set<String> = ["public.item", "public.content"]
    guard let format = FileFormat(uniformTypeIdentifier: type) else { return false }
    kinds.insert("public.data")
    if format.isVideo {
      kinds.formUnion(["public.movie", "public.video", "public.audiovisual-content"])
    } else {
      kinds.insert("public.image")
      if format.isRaw { kinds.insert("public.camera-raw-image") }
    }
    return kinds.contains(other)
  }
}
