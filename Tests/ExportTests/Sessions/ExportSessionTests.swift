import AssetLibrary
import Fixtures
import Synchronization
import SystemPackage
import Testing

@testable import Export

/// Which failures the library's own files replace, with a maker that fails as told.
@Suite struct ExportSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Fails with an error, or writes empty files.
  private struct Maker: LivePhotoMaker {
    var error: AssetError?
    /// Why videos stay in their container, as without FFmpeg; nil if they don't.
    var complaint: String?

    private func facts(_ suffix: String) throws(AssetError) -> MadeRepresentation.Facts {
      if let error { throw error }
      return MadeRepresentation.Facts(uniformTypeIdentifier: "public.data", suffix: suffix)
    }

    func make(
      _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation {
      if case .videoPart = plan { return .file(try facts("part")) }
      if case .keyPhoto = plan { return .file(try facts("frame")) }
      if let complaint, let resource = plan.resource {
        return .file(
          MadeRepresentation.Facts(
            uniformTypeIdentifier: resource.uniformTypeIdentifier, suffix: nil, remark: complaint))
      }
      if case .video = plan, error == nil {
        return .file(MadeRepresentation.Facts(uniformTypeIdentifier: "public.mpeg-4", suffix: "mp4"))
      }
      return .file(try facts("jpg"))
    }

    func makeStill(
      _ still: AssetResource, _ keyPhoto: KeyPhoto?, _ link: LivePhotoLink, into descriptor: Int32,
      cancellation: Cancellation
    ) throws(AssetError) -> MadeRepresentation.Facts { try facts(keyPhoto == nil ? "jpg" : "frame") }

    func makeClip(
      _ clip: AssetResource, identifier: String, into descriptor: Int32, cancellation: Cancellation,
      progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation.Facts { try facts("mov") }

    func makeGIF(
      _ video: AssetResource, part: Range<Duration>?, longestSide: Int, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation.Facts { try facts(part == nil ? "gif" : "part") }
  }

  private func session(
    _ error: AssetError?, clip: String = "com.apple.quicktime-movie",
    identifier: @escaping @Sendable () -> String? = { nil }
  ) throws -> ExportSession {
    var asset = ScriptedStore.asset(("IMG.JPG", 5), ("IMG.MOV", 7))
    asset.mediaSubtypes.insert(.livePhoto)
    asset.resources[1].uniformTypeIdentifier = clip
    return try ExportSession(
      asset, as: .livePhoto, RepresentationOptions(), isNetworkAccessAllowed: false,
      fallsBackToResource: true,
      identifier: identifier, store: ScriptedStore(), maker: Maker(error: error))
  }

  @Test(
    arguments: [
      (.mp4, ["IMG.part"]), (.gif, ["IMG.part"]), (.compatible, ["IMG.part"]), (.resource, nil),
    ] as [(ExportSession.Format, [String]?)])
  func `No form of a trimmed video has more than the part`(
    format: ExportSession.Format, expected: [String]?
  ) async throws {
    var asset = Self.movie
    asset.trim = .seconds(1)..<(.seconds(2))
    func session(_ error: AssetError? = nil) throws -> ExportSession {
      try ExportSession(
        asset, as: format, RepresentationOptions(), isNetworkAccessAllowed: false, fallsBackToResource: true,
        identifier: { nil }, store: ScriptedStore(), maker: Maker(error: error))
    }
    guard let expected else {
      let error = #expect(throws: AssetError.self) { _ = try session() }
      #expect(error?.code == .unsupported)
      return
    }
    #expect(try await names(session().export(to: target)) == expected)
    let damaged = AssetError("IMG.MOV", "damaged", code: .damaged)
    await #expect(throws: damaged) { try await session(damaged).export(to: target) }
  }

  @Test(
    arguments: [
      (.compatible, ["IMG.frame"]), (.livePhoto, ["IMG.frame", "IMG.mov"]), (.gif, ["IMG.gif"]),
      (.mp4, ["IMG.mp4"]), (.resource, nil),
    ] as [(ExportSession.Format, [String]?)])
  func `Each form with a still image has the chosen key photo`(
    format: ExportSession.Format, expected: [String]?
  ) async throws {
    var asset = ScriptedStore.asset(("IMG.JPG", 5), ("IMG.MOV", 7))
    asset.mediaSubtypes.insert(.livePhoto)
    asset.playbackStyle = .livePhoto
    asset.resources[1].uniformTypeIdentifier = "com.apple.quicktime-movie"
    asset.keyPhotoTime = .seconds(1)
    func session(_ error: AssetError? = nil) throws -> ExportSession {
      try ExportSession(
        asset, as: format, RepresentationOptions(), isNetworkAccessAllowed: false, fallsBackToResource: true,
        identifier: { nil }, store: ScriptedStore(), maker: Maker(error: error))
    }
    guard let expected else {
      let error = #expect(throws: AssetError.self) { _ = try session() }
      #expect(error?.code == .unsupported)
      return
    }
    #expect(try await names(session().export(to: target)) == expected)
    let damaged = AssetError("IMG.MOV", "damaged", code: .damaged)
    if [.gif, .mp4].contains(format) {
      // The clip is what the library has in any case.
      #expect(try await session(damaged).export(to: target).method == .resource(reason: "damaged"))
    } else {
      await #expect(throws: damaged) { try await session(damaged).export(to: target) }
    }
  }

  @Test func `A clip that has the identifier already keeps its bytes beside a new key photo`() async throws {
    var asset = ScriptedStore.asset(("IMG.JPG", 5), ("IMG.MOV", 7))
    asset.mediaSubtypes.insert(.livePhoto)
    asset.resources[1].uniformTypeIdentifier = "com.apple.quicktime-movie"
    asset.keyPhotoTime = .seconds(1)
    let session = try ExportSession(
      asset, as: .livePhoto, RepresentationOptions(), isNetworkAccessAllowed: false,
      fallsBackToResource: true,
      identifier: { "A" }, store: ScriptedStore(), maker: Maker())
    #expect(try await names(session.export(to: target)) == ["IMG.frame", "IMG.MOV"])
    #expect(try folder.bytes(of: "out/IMG.MOV") == (0..<7).map { UInt8($0) })
  }

  private static var movie: Asset {
    var asset = ScriptedStore.asset(("IMG.MOV", 7))
    asset.mediaType = .video
    asset.playbackStyle = .video
    asset.resources[0].type = .video
    asset.resources[0].uniformTypeIdentifier = "com.apple.quicktime-movie"
    return asset
  }

  @Test(arguments: [ExportSession.Format.mp4, .compatible])
  func `A video that only lost its captions is not taken for a converted one`(
    format: ExportSession.Format
  ) async throws {
    var options = RepresentationOptions()
    options.removesCaptions = true
    let session = try ExportSession(
      Self.movie, as: format, options, isNetworkAccessAllowed: false, fallsBackToResource: true,
      identifier: { nil }, store: ScriptedStore(), maker: Maker(complaint: "is not converted: no FFmpeg"))
    let error = await #expect(throws: AssetError.self) { try await session.export(to: target) }
    #expect(error?.reason == "is not converted: no FFmpeg")
    #expect(throws: Errno.noSuchFileOrDirectory) { try target.stat() }
  }

  private var target: FilePath { FilePath("\(folder.path)/out") }

  private func names(_ output: ExportSession.Output) -> [String] {
    output.files.map { String(decoding: $0.nameBytes, as: UTF8.self) }
  }

  @Test func `A failed conversion is replaced by the files, with the reason`() async throws {
    let output = try await session(AssetError("IMG.MOV", "damaged", code: .damaged)).export(to: target)
    #expect(output.method == .resource(reason: "damaged") && names(output) == ["IMG.JPG", "IMG.MOV"])
  }

  @Test(arguments: [Errno.noSpace, .permissionDenied, .ioError])
  func `A file that can't be written is an error, and leaves nothing`(cause: Errno) async throws {
    let failure = AssetError.writing("IMG.MOV", "not copied: \(cause)", cause)
    let error = await #expect(throws: AssetError.self) { try await session(failure).export(to: target) }
    #expect(error == failure)
    #expect(throws: Errno.noSuchFileOrDirectory) { try target.stat() }
  }

  @Test(arguments: [
    (10, nil), (200, "has a new content identifier, because its own is longer than 128 bytes"),
  ])
  func `A pair keeps its identifier, or says that it has a new one`(count: Int, remark: String?) async throws
  {
    let calls = Mutex(0)
    let session = try session(nil, clip: "public.mpeg-4") {
      calls.withLock { $0 += 1 }
      return String(repeating: "A", count: count)
    }
    // A file that must be downloaded has no identifier before.
    #expect(calls.withLock { $0 } == 0)
    let output = try await session.export(to: target)
    #expect(calls.withLock { $0 } == 1 && output.files.count == 2 && output.remark == remark)
  }
}
