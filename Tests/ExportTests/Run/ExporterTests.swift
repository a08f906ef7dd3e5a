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

  /// The names in the target, hidden ones as well.
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
  func `A copy has the bytes of its file and is told by its path`(count: Int) throws {
    let report = try export([ScriptedStore.asset(("a.jpg", count))])
    #expect(names() == ["a.jpg"] && contents("a.jpg") == Self.bytes(count))
    #expect(
      report.copies.map { String(decoding: $0.pathBytes, as: UTF8.self) } == ["\(folder.path)/out/a.jpg"])
    #expect(report.failures.isEmpty && !report.isCancelled)
  }

  @Test func `Nothing is overwritten: a link, a folder and a file keep their names`() throws {
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

  @Test func `With a template they share its text, and those of one format are told apart`() throws {
    let options = ExportOptions(resources: .all, name: try ResultTemplate(Array("x_{stem}".utf8)))
    _ = try export([ScriptedStore.asset(("a.JPG", 3), ("b.JPG", 3), ("a.MOV", 4), ("c.JPG", 1))], options)
    #expect(names() == ["x_a.JPG", "x_a.MOV", "x_a_photo.JPG", "x_a_photo_2.JPG"])
  }

  @Test func `Names of any length are told apart, also where case does not count`() throws {
    let options = ExportOptions(
      resources: .all, name: try ResultTemplate(Array(String(repeating: "y", count: 300).utf8)))
    let asset = ScriptedStore.asset(("a.JPG", 3), ("b.JPG", 3), ("b.jpg", 3), ("c.xmp", 3))
    _ = try export([asset, asset], options)
    #expect(names().count == 8 && Set(names().map { $0.lowercased() }).count == 8)
    #expect(names().allSatisfy { $0.utf8.count <= 255 })
  }

  @Test func `Many of one name are numbered without asking for all numbers again`() throws {
    let options = ExportOptions(name: try ResultTemplate(Array("same".utf8)))
    let assets = (0..<2000).map { ScriptedStore.asset(("\($0).jpg", 1)) }
    let report = try export(assets, options)
    #expect(
      report.copies.map { String(decoding: $0.nameBytes, as: UTF8.self) }
        == ["same.jpg"] + (2...2000).map { "same (\($0)).jpg" })
  }

  @Test(.timeLimit(.minutes(30)), arguments: ["\0", "a\0b", "\0\0", "a\0", "\0/../../b", "a\n\0b"])
  func `A NUL in a title ends no copy's name, and no export hangs`(title: String) throws {
    let options = ExportOptions(name: try ResultTemplate(Array("{title}".utf8)))
    let assets = ["1.jpg", "2.jpg", "3.jpg"].map { ScriptedStore.asset(($0, 3)) }
    var details = AssetDetails()
    details.title = title
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options)
      .export(assets, record: { AssetRecord($0, details: details) })
    #expect(report.failures.isEmpty && names().count == 3)
    #expect(report.copies.map { String(decoding: $0.nameBytes, as: UTF8.self) }.sorted() == names())
  }

  @Test func `A name with a line break is refused where lines are printed`() throws {
    let assets = [ScriptedStore.asset(("a\nb.jpg", 1)), ScriptedStore.asset(("c.jpg", 1))]
    let report = try export(assets, ExportOptions(refusesLineBreaks: true))
    #expect(names() == ["c.jpg"])
    #expect(report.failures.map(\.reason) == ["has a line break in its copy's name: use --print0"])
    let options = ExportOptions(name: try ResultTemplate(Array("x".utf8)), refusesLineBreaks: true)
    #expect(try export([assets[0]], options).failures.isEmpty)
  }

  @Test func `Only the file that stands for an asset is copied unless all are wanted`() throws {
    _ = try export([ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))])
    #expect(names() == ["a.HEIC"])
  }

  @Test func `What can't be read is reported, and the rest goes on`() throws {
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

  @Test func `Of an asset nothing is left where one of its files can't be read`() throws {
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

  @Test func `Cancelling leaves what is whole and nothing else`() throws {
    let cancellation = Cancellation()
    let store = ScriptedStore { resource, offset throws(AssetError) in
      if resource.path.string.hasSuffix("b.jpg"), offset > 0 { cancellation.cancel() }
    }
    let assets = ["a.jpg", "b.jpg", "c.jpg"].map { ScriptedStore.asset(($0, 3 << 20)) }
    let report = try export(assets, from: store, cancellation: cancellation)
    #expect(names() == ["a.jpg"] && report.isCancelled && report.failures.isEmpty && report.copies.count == 1)
  }

  /// Writes a byte for each photo; of the photo "b" it cancels everything, where that is asked for.
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
  func `A report says whether conversions were cancelled, and has those that are whole`(cancels: Bool) throws
  {
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

  @Test func `Originals on a server are downloaded before they are copied`() throws {
    let store = ScriptedStore()
    let asset = ScriptedStore.asset(("a.HEIC", 3), ("a.MOV", 4))
    for resource in asset.resources { store.memory.setRemote(resource) }
    let report = try export([asset], from: store, ExportOptions(resources: .all))
    #expect(asset.resources.allSatisfy(store.isLocal))
    #expect(report.copies.flatMap(\.resources).allSatisfy { $0.isLocallyAvailable })
    #expect(names() == ["a.HEIC", "a.MOV"])
  }

  @Test func `A folder that is removed meanwhile is told, and nothing goes elsewhere`() throws {
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

  @Test func `More than is free is not begun`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 1 << 60))
    let error = #expect(throws: AssetError.self) { try export([asset, asset]) }
    #expect(error?.reason.contains("are needed and") ?? false)
    #expect(names().isEmpty)
  }

  @Test(arguments: [Int64.max, 5_000_000_000_000_000_000])
  func `Sizes that can't be added are too much as well`(size: Int64) throws {
    let asset = ScriptedStore.asset(("a.jpg", Int(size)), ("a.MOV", Int(size)))
    let error = #expect(throws: AssetError.self) { try export([asset, asset]) }
    #expect(error?.reason.contains("9223372036.8 GB are needed and") ?? false)
    #expect(names().isEmpty)
  }

  @Test func `The progress ends where everything is copied`() throws {
    var all: [ExportProgress] = []
    _ = try export([ScriptedStore.asset(("a.jpg", 3 << 20)), ScriptedStore.asset(("b.jpg", 5))]) {
      all.append($0)
    }
    #expect(all.first == ExportProgress(assetCount: 2, byteCount: 3 << 20 + 5))
    #expect(all.last == ExportProgress(assets: 2, assetCount: 2, bytes: 3 << 20 + 5, byteCount: 3 << 20 + 5))
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.assets <= $1.assets })
    #expect(all.contains { $0.assets == 0 && $0.bytes == 1 << 20 })
  }

  @Test func `What comes from a server is told while it comes, before it is copied`() throws {
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

  @Test func `An item provider tells of the server's bytes as half of its way`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 400))
    let provider = ItemProvider(
      asset, in: ServerStore(), maker: nil, temporaryFolder: FilePath("\(folder.path)/tmp"))
    var fractions: [Double] = []
    let bytes = try provider.loadDataRepresentation(for: "public.jpeg") { fractions.append($0) }
    #expect(bytes.count == 400)
    #expect(fractions == [0, 0.25, 0.5, 1, 1])
  }

  @Test func `A folder that can't be made says why`() throws {
    try folder.write([1], to: "file")
    let error = #expect(throws: AssetError.self) { try TargetFolder(FilePath("\(folder.path)/file/x/y")) }
    #expect(error?.reason == "Not a directory")
    _ = try TargetFolder(FilePath("\(folder.path)/a/b/c"))
    #expect(access("\(folder.path)/a/b/c", F_OK) == 0)
  }
}
