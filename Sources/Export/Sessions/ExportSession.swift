public import AssetLibrary
import MediaFormats
import Synchronization
import System
public import SystemPackage

/// Writes an asset into a folder in one format, with progress and cancellation: AVFoundation's
/// `AVAssetExportSession`, also for photos and Live Photos.
///
/// Files appear completely under their names or not at all, and never replace others. A session exports once. If the
/// conversion fails, the files of the library are written instead, unless `fallsBackToResource` is false; the output
/// says which of the two was done. Safe to use from several threads.
///
///     let session = try library.exportSession(for: asset, as: .motionPhoto)
///     let output = try await session.export(to: "/tmp/out")
///     print(output.files, output.method)
public final class ExportSession: Sendable {
  /// The form in which an asset is written.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// The unchanged file of the version.
    case resource
    /// A widely supported file: JPEG or PNG, or MP4.
    case compatible
    /// The two files of a Live Photo, a still image and a QuickTime movie, with the same content identifier.
    case livePhoto
    /// One JPEG that ends with an MP4: Google's Motion Photo.
    case motionPhoto
    /// An animated GIF of a video, or of the clip of a Live Photo.
    case gif
    /// An MP4 of a video, or of the clip of a Live Photo.
    case mp4
  }

  /// How the files were made.
  public enum Method: Hashable, Sendable {
    /// The library's files already were what was asked for, and were copied.
    case copied
    /// They were converted; the details name the method, such as "remuxed".
    case converted(String?)
    /// The conversion failed for this reason, and the library's files were copied instead.
    case resource(reason: String)
  }

  /// The files that were written.
  public struct Output: Hashable, Sendable {
    /// The paths, the still image of a Live Photo first.
    public var files: [FilePath]
    /// The types of the files, as "public.jpeg".
    public var uniformTypeIdentifiers: [String]
    /// How they were made.
    public var method: Method
    /// What was lost, as text to follow the name of the photo and a colon; nil if nothing was.
    public var remark: String?
  }

  /// The state of a session.
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// Not started.
    case unknown
    /// Downloading, converting or copying.
    case exporting
    /// All files are in place.
    case completed
    /// Nothing was written.
    case failed
    /// Nothing was written.
    case cancelled
  }

  private struct State {
    var status = Status.unknown
    var progress = 0.0
    var observers: [AsyncStream<Double>.Continuation] = []
  }

  /// The asset, with the version to export as its current one.
  private let asset: Asset
  /// The form in which it is written.
  public let format: Format
  /// Whether the library's files are written if the conversion fails.
  public let fallsBackToResource: Bool
  private let isNetworkAccessAllowed: Bool
  private let identifier: @Sendable () -> String?
  private let options: RepresentationOptions
  private let store: any OriginalAccess
  private let maker: any LivePhotoMaker
  private let cancellation = Cancellation()
  private let state = Mutex(State())

  /// Creates a session.
  /// - Parameters:
  ///   - asset: the asset, with the version to export as its current one.
  ///   - format: the form in which it is written.
  ///   - options: how pictures are converted.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - fallsBackToResource: whether the library's files are written if the conversion fails.
  ///   - identifier: returns the content identifier that the still image and the clip share; nil if they don't.
  ///     Called on another thread once the files are on this machine; may wait for a disk.
  ///   - store: reads the files.
  ///   - maker: converts them.
  /// - Throws: `AssetError` with the code `unsupported` if the asset has no such form.
  package init(
    _ asset: Asset, as format: Format, _ options: RepresentationOptions, isNetworkAccessAllowed: Bool,
    fallsBackToResource: Bool, identifier: @escaping @Sendable () -> String?, store: any OriginalAccess,
    maker: any LivePhotoMaker
  ) throws(AssetError) {
    (self.asset, self.format, self.options) = (asset, format, options)
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    let hasStill = ![.gif, .mp4].contains(format)
    let isChanged = asset.trim != nil || hasStill && asset.keyPhotoTime != nil
    // The unchanged file would have what is to be removed, the rest of a trimmed video, or the other still image.
    self.fallsBackToResource = fallsBackToResource && options.keepsMetadata && !isChanged
    (self.identifier, self.store, self.maker) = (identifier, store, maker)
    if let defect = asset.defect { throw AssetError(asset.subject, defect, code: .damaged) }
    let keepsMetadata = [.resource, .livePhoto, .motionPhoto].contains(format)
    if keepsMetadata, !options.keepsMetadata {
      throw AssetError(
        asset.subject, "metadata can't be removed from the form \(format.rawValue)", code: .unsupported)
    }
    if format == .resource, isChanged {
      let subject = asset.trim == nil ? "its new key photo" : "a part of it"
      throw AssetError(
        asset.subject, "\(subject) is a new file, and has no form \(format.rawValue)", code: .unsupported)
    }
    guard !sources.isEmpty else {
      throw AssetError(asset.subject, "has no form \(format.rawValue)", code: .unsupported)
    }
  }

  // MARK: State

  /// The state of the session.
  public var status: Status { state.withLock { $0.status } }

  /// The completed fraction, from 0 to 1; a download counts as half of it.
  public var progress: Double { state.withLock { $0.progress } }

  /// The completed fractions from now on; ends with the export.
  public var progressUpdates: AsyncStream<Double> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let isOver = state.withLock { state in
        continuation.yield(state.progress)
        if [.completed, .failed, .cancelled].contains(state.status) { return true }
        state.observers.append(continuation)
        return false
      }
      if isOver { continuation.finish() }
    }
  }

  /// Stops the export, which then throws `cancelled` and leaves nothing; ignored if all files are in place already.
  public func cancel() { cancellation.cancel() }

  private func report(_ fraction: Double) {
    state.withLock { state in
      state.progress = max(state.progress, min(1, fraction))
      for observer in state.observers { observer.yield(state.progress) }
    }
  }

  private func end(_ status: Status) {
    let observers = state.withLock { state in
      state.status = status
      defer { state.observers = [] }
      return state.observers
    }
    observers.forEach { $0.finish() }
  }

  // MARK: Export

  /// Writes the files into a folder, without blocking the caller's thread.
  ///
  /// Cancelling the task cancels the export.
  /// - Parameter folder: the folder, which is created if it does not exist.
  /// - Throws: `AssetError` if the files can't be read or written, if nothing can convert them and there is no
  ///   fallback, or if the session was already used; with the codes `networkRequired` and `cancelled`.
  public func export(to folder: FilePath) async throws(AssetError) -> Output {
    let result = await withTaskCancellationHandler {
      await WorkerThread.value { Result { () throws(AssetError) in try self.run(folder) } }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  /// Writes the files into a folder on another thread.
  /// - Parameters:
  ///   - folder: the folder, which is created if it does not exist.
  ///   - completionHandler: receives the output or the error; called once, on any thread.
  public func export(
    to folder: FilePath, completionHandler: @escaping @Sendable (Result<Output, AssetError>) -> Void
  ) {
    WorkerThread.run {
      completionHandler(Result { () throws(AssetError) in try self.run(folder) })
    }
  }

  private func run(_ path: FilePath) throws(AssetError) -> Output {
    let isFirst = state.withLock { state in
      defer { if state.status == .unknown { state.status = .exporting } }
      return state.status == .unknown
    }
    guard isFirst else { throw AssetError(asset.subject, "this session was already used") }
    let missing = MissingFolders(of: path)
    do throws(AssetError) {
      let output = try write(into: try TargetFolder(path))
      report(1)
      end(.completed)
      return output
    } catch {
      missing.remove()
      end(error.code == .cancelled ? .cancelled : .failed)
      throw error
    }
  }

  private func write(into folder: TargetFolder) throws(AssetError) -> Output {
    let held = asset.resources.filter { $0.remoteVersion != nil }
    held.forEach(store.hold)
    defer { held.forEach(store.release) }
    let share = try download()
    func progress(_ fraction: Double) { report(1 - share + share * fraction) }
    if cancellation.isCancelled { throw .cancelled }
    var made: Made
    do throws(AssetError) {
      made = try make(in: folder, progress)
    } catch {
      // A full disk or a folder without access is no failure of the conversion.
      guard fallsBackToResource, error.code != .cancelled, !error.isWriteFailure, format != .resource else {
        throw error
      }
      made = Made(method: .resource(reason: error.reason))
      try copy(sources, in: folder, into: &made, progress)
    }
    return try place(made, in: folder)
  }

  /// Files without names.
  private struct Made {
    var files: [NewFile] = []
    var types: [String] = []
    /// The extensions, without their dots.
    var suffixes: [String?] = []
    var method: Method
    var remark: String?

    mutating func add(_ file: NewFile, _ facts: MadeRepresentation.Facts) {
      files.append(file)
      types.append(facts.uniformTypeIdentifier)
      suffixes.append(facts.suffix)
      remark = remark ?? facts.remark
    }

    mutating func add(_ file: NewFile, of resource: AssetResource) {
      files.append(file)
      types.append(resource.uniformTypeIdentifier)
      let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
      // A part of a file has the name of the whole.
      suffixes.append(
        resource.byteRange == nil
          ? String(decoding: ExportName(resource.filename).suffix.dropFirst(), as: UTF8.self)
          : format?.suffixes.first)
    }
  }

  /// The files that the format consists of; empty if the asset has no such form.
  private var sources: [AssetResource] {
    guard let primary = asset.primaryResource else { return [] }
    switch format {
    case .resource: return [primary]
    case .compatible: return [primary] + (asset.keyPhotoTime == nil ? [] : [asset.clip()].compactMap(\.self))
    case .livePhoto, .motionPhoto:
      guard let clip = asset.clip(), clip != primary,
        let format = FileFormat(uniformTypeIdentifier: primary.uniformTypeIdentifier), !format.isVideo
      else { return [] }
      return [primary, clip]
    case .gif, .mp4:
      guard let video = asset.playableResource(),
        FileFormat(uniformTypeIdentifier: video.uniformTypeIdentifier)?.isVideo ?? false
      else { return [] }
      return [video]
    }
  }

  /// Downloads what is missing.
  /// - Returns: the share of the remaining work in the progress.
  private func download() throws(AssetError) -> Double {
    let missing = sources.filter { !store.isLocal($0) }
    if missing.isEmpty { return 1 }
    guard isNetworkAccessAllowed else {
      throw AssetError(
        asset.subject, "its original is not on this machine, and the network may not be used",
        code: .networkRequired)
    }
    for (index, resource) in missing.enumerated() {
      // The video inside a photo's file comes with the photo.
      if store.isLocal(resource) { continue }
      try store.download(resource) { fraction in
        report((Double(index) + fraction) / Double(missing.count) / 2)
        return cancellation.isCancelled ? .stop : .proceed
      }
    }
    return 0.5
  }

  private func make(in folder: TargetFolder, _ progress: (Double) -> Void) throws(AssetError) -> Made {
    let sources = sources
    switch format {
    case .resource:
      var made = Made(method: .copied)
      try copy(sources, in: folder, into: &made, progress)
      return made
    case .compatible:
      var options = options
      options.mode = .compatible
      return try converted(RepresentationPlan(asset, options), in: folder, progress)
    case .mp4:
      let plan = asset.trim.map { RepresentationPlan.videoPart(sources[0], $0) } ?? .video(sources[0])
      return try converted(plan, in: folder, progress)
    case .gif:
      let file = try newFile(in: folder)
      let facts = try maker.makeGIF(
        sources[0], part: asset.trim, longestSide: options.longestSide ?? Self.gifSide, into: file.descriptor,
        cancellation: cancellation, progress: progress)
      var made = Made(method: .converted(facts.method))
      made.add(try finished(file, like: sources[0]), facts)
      return made
    case .livePhoto: return try pair(sources[0], sources[1], in: folder, progress)
    case .motionPhoto: return try motionPhoto(sources[0], sources[1], in: folder, progress)
    }
  }

  /// The length of the longer side of a GIF in pixels, which has no compression that is worth the name.
  private static let gifSide = 480

  private func newFile(in folder: TargetFolder) throws(AssetError) -> NewFile {
    try NewFile(in: folder, for: asset.subject)
  }

  private func finished(_ file: NewFile, like resource: AssetResource) throws(AssetError) -> NewFile {
    try file.finish(like: try AssetResourceManager(store).traits(of: resource))
    return file
  }

  /// Copies files.
  /// - Parameter progress: receives the completed fraction of all bytes.
  private func copy(
    _ resources: [AssetResource], in folder: TargetFolder, into made: inout Made, _ progress: (Double) -> Void
  ) throws(AssetError) {
    let total = resources.lazy.map { max(0, $0.byteCount) }.saturatedSum()
    var done: Int64 = 0
    for resource in resources {
      let file = try AssetResourceManager(store).newFile(
        with: resource, in: folder, cancellation: cancellation
      ) { count in
        done = done.addingSaturated(Int64(count))
        if total > 0 { progress(min(1, Double(done) / Double(total))) }
      }
      made.add(file, of: resource)
    }
  }

  private func converted(
    _ plan: RepresentationPlan, in folder: TargetFolder, _ progress: (Double) -> Void
  ) throws(AssetError) -> Made {
    guard let resource = plan.resource else {
      throw AssetError(asset.subject, plan.unavailability ?? "has no file", code: .unsupported)
    }
    var made = Made(method: .copied)
    if case .file = plan {
      try copy([resource], in: folder, into: &made, progress)
      return made
    }
    let file = try newFile(in: folder)
    let result = try maker.make(
      plan, options, into: file.descriptor, cancellation: cancellation, progress: progress)
    switch result {
    case .file(let facts):
      // If the video can't be converted, the maker copies it without captions, in its own container.
      if case .video = plan,
        ![.mp4, .m4v].contains(FileFormat(uniformTypeIdentifier: facts.uniformTypeIdentifier))
      {
        throw AssetError(asset.subject, facts.remark ?? "can't be converted")
      }
      made.method = .converted(facts.method)
      made.add(try finished(file, like: resource), facts)
    case .resource(let reason):
      if let reason {
        guard fallsBackToResource else { throw AssetError(asset.subject, reason) }
        made.method = .resource(reason: reason)
      }
      try copy([resource], in: folder, into: &made, progress)
    }
    return made
  }

  // MARK: Live Photos

  private func pair(
    _ still: AssetResource, _ clip: AssetResource, in folder: TargetFolder, _ progress: (Double) -> Void
  ) throws(AssetError) -> Made {
    let isMovie = clip.uniformTypeIdentifier == FileFormat.quickTime.uniformTypeIdentifier
    let shared = identifier()
    if shared != nil, clip.byteRange == nil, isMovie, asset.keyPhotoTime == nil {
      // They name each other already.
      var made = Made(method: .copied)
      try copy([still, clip], in: folder, into: &made, progress)
      return made
    }
    // Only a damaged file has a longer one, which would not be transmitted completely.
    let known = shared.flatMap { $0.utf8.count <= Self.longestIdentifier ? $0 : nil }
    let identifier = known ?? Self.newIdentifier()
    let image = try newFile(in: folder)
    let stillFacts = try maker.makeStill(
      still, keyPhoto(in: clip), .identifier(identifier), into: image.descriptor, cancellation: cancellation)
    progress(0.5)
    if known != nil, clip.byteRange == nil, isMovie {
      // The clip has the identifier already.
      var made = Made(method: .converted(stillFacts.method))
      made.add(try finished(image, like: still), stillFacts)
      try copy([clip], in: folder, into: &made) { progress(0.5 + $0 / 2) }
      return made
    }
    let movie = try newFile(in: folder)
    let clipFacts = try maker.makeClip(
      clip, identifier: identifier, into: movie.descriptor, cancellation: cancellation
    ) { progress(0.5 + $0 / 2) }
    var made = Made(method: .converted(clipFacts.method))
    made.add(try finished(image, like: still), stillFacts)
    made.add(try finished(movie, like: clip), clipFacts)
    if shared != nil, known == nil {
      let words =
        "has a new content identifier, because its own is longer than \(Self.longestIdentifier) bytes"
      made.remark = [made.remark, words].compactMap { $0 }.joined(separator: "; ")
    }
    return made
  }

  /// The frame that takes the place of the still image; nil = none does.
  private func keyPhoto(in clip: AssetResource) -> KeyPhoto? {
    asset.keyPhotoTime.map { KeyPhoto(of: clip, at: $0) }
  }

  /// The maximum length of an identifier in bytes; a UUID has 36.
  private static let longestIdentifier = 128

  /// A random UUID (RFC 9562, version 4) in the notation of Apple's cameras.
  private static func newIdentifier() -> String {
    var digits = (0..<32).map { _ in Array("0123456789ABCDEF")[Int.random(in: 0..<16)] }
    digits[12] = "4"
    digits[16] = Array("89AB")[Int.random(in: 0..<4)]
    let lengths = [8, 4, 4, 4, 12]
    var start = 0
    return lengths.map { length in
      defer { start += length }
      return String(digits[start..<start + length])
    }.joined(separator: "-")
  }

  private func motionPhoto(
    _ still: AssetResource, _ clip: AssetResource, in folder: TargetFolder, _ progress: (Double) -> Void
  ) throws(AssetError) -> Made {
    let isJPEG = still.uniformTypeIdentifier == FileFormat.jpeg.uniformTypeIdentifier
    if isJPEG, clip.byteRange != nil, clip.path == still.path, asset.keyPhotoTime == nil {
      // It is one already.
      var made = Made(method: .copied)
      try copy([still], in: folder, into: &made, progress)
      return made
    }
    let video = try newFile(in: folder)
    let result = try maker.make(
      .video(clip), RepresentationOptions(), into: video.descriptor, cancellation: cancellation
    ) { progress($0 * 0.9) }
    var remark: String?
    if case .file(let facts) = result {
      remark = facts.remark
    } else {
      if case .resource(let reason?) = result { throw AssetError(asset.subject, reason) }
      // It is an MP4 already.
      try AssetResourceManager(store).readData(for: clip, cancellation: cancellation) {
        bytes throws(AssetError) in try video.write(bytes)
      }
    }
    let byteCount = Int(lseek(video.descriptor, 0, SEEK_END))
    guard byteCount > 0 else { throw AssetError(asset.subject, "its clip has no content") }
    let file = try newFile(in: folder)
    var facts = try maker.makeStill(
      still, keyPhoto(in: clip), .appendedVideo(byteCount: byteCount), into: file.descriptor,
      cancellation: cancellation)
    guard lseek(file.descriptor, 0, SEEK_END) > 0 else {
      throw AssetError(asset.subject, "its still image has no content")
    }
    try append(video, byteCount, to: file)
    facts.remark = facts.remark ?? remark
    var made = Made(method: .converted(facts.method))
    made.add(try finished(file, like: still), facts)
    return made
  }

  private func append(_ source: NewFile, _ byteCount: Int, to file: NewFile) throws(AssetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < byteCount {
      if cancellation.isCancelled { throw .cancelled }
      let count = pread(source.descriptor, buffer.baseAddress, min(buffer.count, byteCount - offset), offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw AssetError(asset.subject, count < 0 ? "\(Errno(rawValue: errno))" : "its clip has ended early")
      }
      try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  // MARK: Names

  /// Gives all files the same stem, with a number if one of the names is taken.
  private func place(_ made: Made, in folder: TargetFolder) throws(AssetError) -> Output {
    let own = ExportName(asset.nameBytes)
    let names = made.suffixes.map { suffix in
      var name = own
      if let suffix { name.take(suffix: suffix) }
      return name
    }
    var number = 1
    while !cancellation.isCancelled {
      let numbered = names.map { $0.bytes(number: number) }
      if try place(made.files, as: numbered, in: folder) {
        folder.synchronize()
        let files = numbered.map { folder.path.appending(FilePath(bytes: $0).components) }
        return Output(
          files: files, uniformTypeIdentifiers: made.types, method: made.method, remark: made.remark)
      }
      number += 1
    }
    // Of a pair, the first may have its name already.
    made.files.forEach { $0.remove() }
    throw .cancelled
  }

  /// - Returns: false if a name is taken: files that were already named get another name with the next number.
  private func place(
    _ files: [NewFile], as names: [[UInt8]], in folder: TargetFolder
  ) throws(AssetError) -> Bool {
    if names.contains(where: { folder.entry($0) != nil }) { return false }
    do throws(AssetError) {
      for (file, name) in zip(files, names) {
        guard try file.place(as: name, in: folder) else { return false }
      }
      return true
    } catch {
      files.forEach { $0.remove() }
      throw error
    }
  }
}
