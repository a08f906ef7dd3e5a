import AssetLibrary
import Fixtures
import Pixels
import Results
import SystemPackage
import Testing

@testable import Export
import Glibc

/// What a copy has in common with its original besides the bytes: date and permissions, however it is made.
@Suite struct CopyTraitsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How a copy is made.
  enum Way: String, CaseIterable, Sendable {
    case copied, picture, video, stripped, partOfFile, asItIsAfterAll, partner, renumbered, inFolder
    case skipped, replaced, resourceWriter, lent, hidden
  }

  /// Writes placeholder representations, after opening and closing files as converters do.
  private struct Maker: RepresentationMaker {
    let other: String
    let makes: Bool

    func make(
      _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation {
      guard makes else { return .resource(reason: nil) }
      // If the original's descriptor was closed, its number belongs to another file by now.
      let files = (0..<16).map { _ in open(other, O_RDONLY | O_CLOEXEC) }
      defer { files.forEach { close($0) } }
      _ = write(descriptor, "made", 4)
      return .file(MadeRepresentation.Facts(uniformTypeIdentifier: "public.jpeg", suffix: "jpg"))
    }
  }

  private struct Facts: Equatable {
    var mode: mode_t
    var seconds: Int
    var nanoseconds: Int

    init(_ path: String) throws {
      var facts = stat()
      try #require(stat(path, &facts) == 0, "\(path)")
      mode = facts.st_mode & 0o7777
      (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
  }

  private func original(_ name: String, _ mode: mode_t, _ seconds: Int) throws -> String {
    let path = String(decoding: try folder.write(Array("0123456789".utf8), to: name), as: UTF8.self)
    chmod(path, mode)
    let times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 123_456_789)]
    utimensat(AT_FDCWD, path, times, 0)
    return path
  }

  private func asset(_ paths: String...) -> Asset {
    var asset = ScriptedStore.asset(("IMG.HEIC", 10))
    asset.resources = paths.map { path in
      let isVideo = path.hasSuffix("MOV")
      return AssetResource(
        type: isVideo ? .pairedVideo : .photo, path: FilePath(path),
        uniformTypeIdentifier: isVideo ? "com.apple.quicktime-movie" : "public.heic", byteCount: 10)
    }
    return asset
  }

  @Test(arguments: Way.allCases, [0o600, 0o640, 0o644, 0o400, 0o444, 0o755] as [mode_t])
  func `Every kind of copy has the date and permissions of its original`(
    way: Way, mode: mode_t
  ) throws {
    let other = try original("other", 0o777, 1_000_000_000)
    let path = try original("in/IMG.HEIC", mode, -86_400)
    let clip = try original("in/IMG.MOV", 0o604, 1_600_000_001)
    var asset = asset(path)
    var options = ExportOptions()
    let target = FilePath("\(folder.path)/out")
    var expected = "out/IMG.HEIC"
    var source = path
    switch way {
    case .copied: break
    case .hidden: break
    case .picture, .asItIsAfterAll:
      options.representation.mode = .compatible
      if way == .picture { expected = "out/IMG.jpg" }
    case .stripped:
      asset.resources[0].uniformTypeIdentifier = "public.jpeg"
      options.representation.stripping = .all
      expected = "out/IMG.jpg"
    case .video, .partOfFile:
      asset = self.asset(clip)
      source = clip
      asset.mediaType = .video
      options.representation.mode = .compatible
      expected = "out/IMG.jpg"
      if way == .partOfFile {
        options.representation.mode = .automatic
        asset.resources[0].byteRange = 2..<5
        expected = "out/IMG.mp4"
      }
    case .partner:
      asset = self.asset(path, clip)
      options.resources = .all
      (source, expected) = (clip, "out/IMG.MOV")
    case .renumbered:
      try folder.write([1], to: "out/IMG.HEIC")
      expected = "out/IMG (2).HEIC"
    case .inFolder:
      options.name = try ResultTemplate(Array("{date:%Y/%m}/{stem}".utf8))
      expected = "out/1970/01/IMG.HEIC"
    case .skipped:
      try folder.write([1], to: "out/IMG.HEIC")
      options.existing = .skip
      expected = "out/IMG (2).HEIC"
    case .replaced:
      try folder.write([1], to: "out/IMG.HEIC")
      options.existing = .replace
    case .resourceWriter:
      #expect(
        try AssetResourceManager(ScriptedStore()).writeData(
          for: asset.resources[0], to: Array("IMG.HEIC".utf8), in: TargetFolder(target)))
    case .lent:
      let provider = ItemProvider(
        asset, in: ScriptedStore(), maker: nil, temporaryFolder: FilePath("\(folder.path)/tmp"))
      let facts = try provider.loadFileRepresentation(for: "public.heic") { try? Facts($0.string) }
      #expect(try facts == Facts(source))
      return
    }
    if way == .hidden {
      let file = try NewFile(in: try TargetFolder(target), for: "x", isUnnamed: false)
      let manager = AssetResourceManager(ScriptedStore())
      try file.finish(like: try manager.traits(of: asset.resources[0]))
      #expect(try file.place(as: Array("IMG.HEIC".utf8)))
    } else if way != .resourceWriter {
      let report = try Exporter(
        ScriptedStore(), into: try TargetFolder(target), options,
        maker: Maker(other: other, makes: way != .asItIsAfterAll)
      ).export([asset], record: { AssetRecord($0) })
      #expect(report.failures.isEmpty && report.copies.count == 1)
    }
    #expect(try Facts("\(folder.path)/\(expected)") == Facts(source))
  }

  @Test func `A copy respects the umask`() throws {
    let path = try original("in/IMG.HEIC", 0o777, 1)
    _ = try Exporter(ScriptedStore(), into: try TargetFolder(FilePath("\(folder.path)/out")), ExportOptions())
      .export([asset(path)], record: { AssetRecord($0) })
    #expect(try Facts("\(folder.path)/out/IMG.HEIC").mode == 0o777 & ~NewFile.mask)
  }

  @Test func `A download has the permissions of new files`() throws {
    let path = try original("in/IMG.HEIC", 0o600, 1_600_000_000)
    var asset = asset(path)
    asset.resources[0].remoteAddress = "nas:IMG.HEIC"
    _ = try Exporter(ScriptedStore(), into: try TargetFolder(FilePath("\(folder.path)/out")), ExportOptions())
      .export([asset], record: { AssetRecord($0) })
    let facts = try Facts("\(folder.path)/out/IMG.HEIC")
    #expect(facts.mode == 0o666 & ~NewFile.mask && facts.seconds == 1_600_000_000)
  }
}
