import AssetLibrary
import Fixtures
import Results
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import Export
import Glibc

/// Copies of assets in a folder.
@Suite(.onOwnThreads) struct ExporterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var target: FilePath { FilePath("\(folder.path)/out") }

  /// The names in the target folder, including hidden ones.
  private func names() -> [String] {
    guard let stream = opendir("\(folder.path)/out") else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func contents(_ name: String) -> [UInt8] {
    let descriptor = open("\(folder.path)/out/\(name)", O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  private func export(
    _ assets: [Asset], from store: ScriptedStore = ScriptedStore(),
    _ options: ExportOptions = ExportOptions(),
    cancellation: Cancellation = Cancellation(), progress: (ExportProgress) -> Void = { _ in }
  ) throws -> ExportReport {
    try Exporter(store, into: try TargetFolder(target), options)
      .export(assets, record: { AssetRecord($0) }, cancellation: cancellation, progress: progress)
  }

  @Test(arguments: [0, 1, 1000, 1 << 20, 3_000_001])
  func `A copy has the bytes of its file and is reported by path`(count: Int) throws {
    let report = try export([ScriptedStore.asset(("a.jpg", count))])
    #expect(names() == ["a.jpg"] && contents("a.jpg") == Self.bytes(count))
    #expect(
      report.copies.map { String(decoding: $0.pathBytes, as: UTF8.self) } == ["\(folder.path)/out/a.jpg"])
    #expect(report.failures.isEmpty && !report.isCancelled)
  }

  @Test func `Nothing is overwritten: links, folders and files keep their names`() throws {
    try folder.write([1], to: "out/a.jpg")
    try folder.makeFolder("out/b.jpg")
    try folder.link("out/c.jpg", to: "\(folder.path)/elsewhere")
    let assets = ["a.jpg", "b.jpg", "c.jpg", "a.jpg"].map { ScriptedStore.asset(($0, 3)) }
    _ = try export(assets)
    #expect(
      names() == ["a (2).jpg", "a (3).jpg", "a.jpg", "b (2).jpg", "b.jpg", "c (2).jpg", "c.jpg"])
    #expect(contents("a.jpg") == [1])
    #expect(access("\(folder.path)/elsewhere", F_OK) != 0)
  }

  @Test func `The files of one asset have the same number`() throws {
    try folder.write([1], to: "out/a.MOV")
    let report = try export(
      [ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))], ExportOptions(resources: .all))
    #expect(names() == ["a (2).HEIC", "a (2).MOV", "a.MOV"])
    #expect(
      report.copies.flatMap(\.resources).map { String(decoding: $0.filename, as: UTF8.self) }
        == ["a (2).HEIC", "a (2).MOV"])
  }

  @Test func `With a template they share its text, and those with the same format are distinguished`() throws
  {
    let options = ExportOptions(resources: .all, name: try ResultTemplate(Array("x_{stem}".utf8)))
    _ = try export([ScriptedStore.asset(("a.JPG", 3), ("b.JPG", 3), ("a.MOV", 4), ("c.JPG", 1))], options)
    #expect(names() == ["x_a.JPG", "x_a.MOV", "x_a_photo.JPG", "x_a_photo_2.JPG"])
  }

  @Test func `Names of any length are distinguished, also on case-insensitive file systems`() throws {
    let options = ExportOptions(
      resources: .all, name: try ResultTemplate(Array(String(repeating: "y", count: 300).utf8)))
    let asset = ScriptedStore.asset(("a.JPG", 3), ("b.JPG", 3), ("b.jpg", 3), ("c.xmp", 3))
    _ = try export([asset, asset], options)
    #expect(names().count == 8 && Set(names().map { $0.lowercased() }).count == 8)
    #expect(names().allSatisfy { $0.utf8.count <= 255 })
  }

  @Test func `Many equal names are numbered without trying all numbers again`() throws {
    let options = ExportOptions(name: try ResultTemplate(Array("same".utf8)))
    let assets = (0..<2000).map { ScriptedStore.asset(("\($0).jpg", 1)) }
    let report = try export(assets, options)
    #expect(
      report.copies.map { String(decoding: $0.nameBytes, as: UTF8.self) }
        == ["same.jpg"] + (2...2000).map { "same (\($0)).jpg" })
  }

  @Test(.timeLimit(.minutes(120)), arguments: ["\0", "a\0b", "\0\0", "a\0", "\0/../../b", "a\n\0b"])
  func `A NUL in a title does not truncate the name, and the export does not hang`(title: String) throws {
    let options = ExportOptions(name: try ResultTemplate(Array("{title}".utf8)))
    let assets = ["1.jpg", "2.jpg", "3.jpg"].map { ScriptedStore.asset(($0, 3)) }
    var details = AssetDetails()
    details.title = title
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options)
      .export(assets, record: { AssetRecord($0, details: details) })
    #expect(report.failures.isEmpty && names().count == 3)
    #expect(report.copies.map { String(decoding: $0.nameBytes, as: UTF8.self) }.sorted() == names())
  }

  @Test func `A name with a line break is rejected if lines are printed`() throws {
    let assets = [ScriptedStore.asset(("a\nb.jpg", 1)), ScriptedStore.asset(("c.jpg", 1))]
    let report = try export(assets, ExportOptions(refusesLineBreaks: true))
    #expect(names() == ["c.jpg"])
    #expect(report.failures.map(\.reason) == ["has a line break in its copy's name: use --print0"])
    let options = ExportOptions(name: try ResultTemplate(Array("x".utf8)), refusesLineBreaks: true)
    #expect(try export([assets[0]], options).failures.isEmpty)
  }

  @Test func `Only the primary file of an asset is copied unless all are requested`() throws {
    _ = try export([ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))])
    #expect(names() == ["a.HEIC"])
  }

  @Test func `An unreadable file is reported, and the rest continues`() throws {
    let store = ScriptedStore { resource, offset throws(AssetError) in
      if resource.path.string.hasSuffix("b.jpg"), offset > 0 {
        throw AssetError("b.jpg", "Input/output error")
      }
    }
    let assets = ["a.jpg", "b.jpg", "c.jpg"].map { ScriptedStore.asset(($0, 3 << 20)) }
    let report = try export(assets, from: store)
    #expect(names() == ["a.jpg", "c.jpg"])
    #expect(report.failures == [AssetError("b.jpg", "Input/output error")])
    #expect(report.copies.map(\.id.rawValue) == ["a.jpg", "c.jpg"])
  }

  @Test func `If one file of an asset can't be read, none of its copies remains`() throws {
    let store = ScriptedStore { resource, _ throws(AssetError) in
      if resource.path.string.hasSuffix("MOV") { throw AssetError("a.MOV", "gone") }
    }
    let report = try export(
      [ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))], from: store, ExportOptions(resources: .all))
    #expect(names().isEmpty && report.copies.isEmpty && report.failures.count == 1)
  }

  @Test func `A file that shrinks or changes meanwhile is not copied`() throws {
    let original = try folder.write(Self.bytes(3 << 20), to: "a.jpg")
    let path = String(decoding: original, as: UTF8.self)
    let store = ScriptedStore { _, offset throws(AssetError) in
      guard offset > 0 else { return }
      let descriptor = open(path, O_WRONLY | O_APPEND)
      _ = write(descriptor, "x", 1)
      close(descriptor)
    }
    var asset = ScriptedStore.asset(("a.jpg", 3 << 20))
    asset.resources[0].path = FilePath(path)
    let report = try export([asset], from: store)
    #expect(names().isEmpty)
    #expect(report.failures.map(\.reason) == ["changed while it was copied"])
  }

  @Test func `Canceling keeps complete copies and nothing else`() throws {
    let cancellation = Cancellation()
    let store = ScriptedStore { resource, offset throws(AssetError) in
      if resource.path.string.hasSuffix("b.jpg"), offset > 0 { cancellation.cancel() }
    }
    let assets = ["a.jpg", "b.jpg", "c.jpg"].map { ScriptedStore.asset(($0, 3 << 20)) }
    let report = try export(assets, from: store, cancellation: cancellation)
    #expect(names() == ["a.jpg"] && report.isCancelled && report.failures.isEmpty && report.copies.count == 1)
  }

  /// Writes one byte for each photo; for photo "b" it cancels the export on request.
  private struct Maker: RepresentationMaker {
    var cancelled: Cancellation?

    func make(
      _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation {
      if let cancelled, plan.resource?.path.string.hasSuffix("b.heic") == true {
        cancelled.cancel()
        throw .cancelled
      }
      _ = write(descriptor, "x", 1)
      return .file(MadeRepresentation.Facts(uniformTypeIdentifier: "public.jpeg", suffix: "jpg"))
    }
  }

  @Test(arguments: [false, true])
  func `A report says whether conversions were canceled, and lists the completed ones`(cancels: Bool) throws {
    let assets = ["a.heic", "b.heic", "c.heic"].map { name in
      var asset = ScriptedStore.asset((name, 3))
      asset.resources[0].uniformTypeIdentifier = "public.heic"
      return asset
    }
    var options = ExportOptions()
    options.representation.mode = .compatible
    let cancellation = Cancellation()
    let maker = Maker(cancelled: cancels ? cancellation : nil)
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options, maker: maker)
      .export(assets, record: { AssetRecord($0) }, cancellation: cancellation)
    #expect(report.isCancelled == cancels && report.failures.isEmpty)
    #expect(names() == report.copies.map { String(decoding: $0.nameBytes, as: UTF8.self) })
    if cancels {
      #expect(!names().contains("b.jpg"))
    } else {
      #expect(names() == ["a.jpg", "b.jpg", "c.jpg"])
    }
  }

  /// A video of which a part is delivered, which `Maker` writes as one byte.
  private static var trimmed: Asset {
    var asset = ScriptedStore.asset(("a.MOV", 300))
    asset.mediaType = .video
    asset.duration = 10
    asset.resources[0].type = .video
    asset.resources[0].uniformTypeIdentifier = "com.apple.quicktime-movie"
    asset.trim = .seconds(2)..<(.seconds(5))
    return asset
  }

  @Test(arguments: [(nil, nil), (1, nil), (0, nil), (nil, 0)] as [(Int64?, Int64?)])
  func `A part that became larger than allowed is an error with both sizes, and leaves nothing`(
    maximum: Int64?, limit: Int64?
  ) throws {
    var options = ExportOptions()
    options.maximumPartByteCount = maximum
    var asset = Self.trimmed
    // The estimate is not the reason.
    asset.resources[0].byteCount = 0
    options.representation.byteCount = limit
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options, maker: Maker())
      .export([asset], record: { AssetRecord($0) })
    if maximum == 0 || limit == 0 {
      #expect(report.copies.isEmpty && names().isEmpty)
      let words = "the chosen part has 1 B, and the maximum is 0 B: choose a shorter part"
      #expect(report.failures == [AssetError("/none/a.MOV", words)])
    } else {
      #expect(report.copies.count == 1 && report.failures.isEmpty && names() == ["a.jpg"])
    }
  }

  @Test func `The file of a part is a whole video that tells which part it was`() throws {
    let exporter = Exporter(ScriptedStore(), into: try TargetFolder(target), ExportOptions(), maker: Maker())
    let copy = try #require(try exporter.export([Self.trimmed], record: { AssetRecord($0) }).copies.first)
    #expect(copy.trim == nil && copy.duration == 3 && copy.byteCount == 1)
    #expect(copy.deliveredPart == .seconds(2)..<(.seconds(5)))
    // Exported again, it is a file as any other.
    #expect(RepresentationPlan(copy, RepresentationOptions()) == .file(copy.resources[0]))
  }

  @Test(arguments: [ExportOptions.Resources.primary, .all])
  func `The file of a key photo is a photo that tells which frame it was`(
    resources: ExportOptions.Resources
  )
    throws
  {
    var asset = ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))
    asset.resources[0].uniformTypeIdentifier = "public.heic"
    asset.resources[1].uniformTypeIdentifier = "com.apple.quicktime-movie"
    asset.keyPhotoTime = .seconds(1)
    let exporter = Exporter(
      ScriptedStore(), into: try TargetFolder(target), ExportOptions(resources: resources), maker: Maker())
    let copy = try #require(try exporter.export([asset], record: { AssetRecord($0) }).copies.first)
    // The clip is copied as it is.
    #expect(names() == (resources == .all ? ["a.MOV", "a.jpg"] : ["a.jpg"]))
    #expect(contents("a.jpg") == Array("x".utf8))
    if resources == .all { #expect(contents("a.MOV") == Self.bytes(4)) }
    #expect(copy.keyPhotoTime == nil && copy.deliveredKeyPhotoTime == .seconds(1))
    #expect(copy.resources[0].uniformTypeIdentifier == "public.jpeg" && copy.byteCount == 1)
    // Exported again, it is a file as any other.
    #expect(RepresentationPlan(copy, RepresentationOptions()) == .file(copy.resources[0]))
    // The clip alone has no key photo.
    var options = ExportOptions()
    options.representation.acceptedTypes = try AcceptedTypes(parsing: ".mov")
    let clip = try #require(try export([asset], options).copies.first)
    #expect(clip.keyPhotoTime == nil && clip.deliveredKeyPhotoTime == nil && clip.byteCount == 4)
  }

  @Test func `Without a converter a key photo is an error, and no other still is written`() throws {
    var asset = ScriptedStore.asset(("a.JPG", 3), ("a.MOV", 4))
    asset.keyPhotoTime = .seconds(1)
    let report = try export([asset], ExportOptions(resources: .all))
    #expect(report.copies.isEmpty && report.failures.count == 1 && names().isEmpty)
  }

  @Test func `Remote originals are downloaded before they are copied`() throws {
    let store = ScriptedStore()
    let asset = ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))
    for resource in asset.resources { store.memory.setRemote(resource) }
    let report = try export([asset], from: store, ExportOptions(resources: .all))
    #expect(asset.resources.allSatisfy(store.isLocal))
    #expect(report.copies.flatMap(\.resources).allSatisfy { $0.isLocallyAvailable })
    #expect(names() == ["a.HEIC", "a.MOV"])
  }

  @Test func `A folder that is removed meanwhile is reported, and nothing is written elsewhere`() throws {
    let (path, out) = (folder.path, "\(folder.path)/out")
    let store = ScriptedStore { resource, _ throws(AssetError) in
      guard resource.path.string.hasSuffix("b.jpg") else { return }
      rename(out, "\(path)/moved")
      rmdir("\(path)/moved")
      unlink("\(path)/moved/a.jpg")
      rmdir("\(path)/moved")
      mkdir(out, 0o755)
    }
    let report = try export(["a.jpg", "b.jpg", "c.jpg"].map { ScriptedStore.asset(($0, 3)) }, from: store)
    #expect(names().isEmpty)
    #expect(
      report.failures.map(\.reason)
        == Array(repeating: "not copied to \(target): the folder is gone", count: 2))
  }

  @Test func `An export larger than the free space is not started`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 1 << 60))
    let error = #expect(throws: AssetError.self) { try export([asset, asset]) }
    #expect(error?.reason.contains("are needed and") ?? false)
    #expect(names().isEmpty)
  }

  @Test(arguments: [Int64.max, 5_000_000_000_000_000_000])
  func `Sizes that overflow count as too large as well`(size: Int64) throws {
    let asset = ScriptedStore.asset(("a.jpg", Int(size)), ("a.MOV", Int(size)))
    let error = #expect(throws: AssetError.self) { try export([asset, asset]) }
    #expect(error?.reason.contains("9223372036.8 GB are needed and") ?? false)
    #expect(names().isEmpty)
  }

  @Test func `The progress ends when everything is copied`() throws {
    var all: [ExportProgress] = []
    _ = try export([ScriptedStore.asset(("a.jpg", 3 << 20)), ScriptedStore.asset(("b.jpg", 5))]) {
      all.append($0)
    }
    #expect(all.first == ExportProgress(assetCount: 2, byteCount: 3 << 20 + 5))
    #expect(all.last == ExportProgress(assets: 2, assetCount: 2, bytes: 3 << 20 + 5, byteCount: 3 << 20 + 5))
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.assets <= $1.assets })
    #expect(all.contains { $0.assets == 0 && $0.bytes == 1 << 20 })
  }

  @Test func `The progress includes the download before the copy`() throws {
    let store = ServerStore()
    let asset = ScriptedStore.asset(("a.jpg", 400), ("a.MOV", 600))
    var all: [ExportProgress] = []
    let exporter = Exporter(store, into: try TargetFolder(target), ExportOptions())
    let report = try exporter.export(
      [asset], record: { AssetRecord($0) }, progress: { all.append($0) })
    #expect(report.failures.isEmpty && report.copies.count == 1)
    #expect(all.compactMap(\.downloaded) == [0, 200, 400, 400, 700, 1000])
    #expect(all.allSatisfy { $0.downloaded == nil || $0.bytes == 0 })
    #expect(all.last == ExportProgress(assets: 1, assetCount: 1, bytes: 400, byteCount: 400))
  }

  @Test func `For an item provider the download is half of the progress`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 400))
    let provider = ItemProvider(
      asset, in: ServerStore(), maker: nil, temporaryFolder: FilePath("\(folder.path)/tmp"))
    var fractions: [Double] = []
    let bytes = try provider.loadDataRepresentation(for: "public.jpeg") { fractions.append($0) }
    #expect(bytes.count == 400)
    #expect(fractions == [0, 0.25, 0.5, 1, 1])
  }

  @Test func `A folder that can't be created is reported with the reason`() throws {
    try folder.write([1], to: "file")
    let error = #expect(throws: AssetError.self) { try TargetFolder(FilePath("\(folder.path)/file/x/y")) }
    #expect(error?.reason == "Not a directory")
    _ = try TargetFolder(FilePath("\(folder.path)/a/b/c"))
    #expect(access("\(folder.path)/a/b/c", F_OK) == 0)
  }
}
