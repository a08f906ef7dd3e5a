import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import SystemPackage
import Testing

@testable import Export
import Glibc

/// The contents of picked assets by type.
@Suite struct ItemProviderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the plan that it was asked for.
  private struct ScriptedMaker: RepresentationMaker {
    func make(
      _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation {
      if cancellation.isCancelled { throw .cancelled }
      progress(0.5)
      switch plan {
      case .picture(_, let formats):
        let word = formats == [.png] ? "png" : "jpeg"
        _ = word.withCString { write(descriptor, $0, strlen($0)) }
        return .file(
          MadeRepresentation.Facts(
            uniformTypeIdentifier: "public.\(word)", suffix: formats == [.png] ? "png" : "jpg"))
      case .keyPhoto(_, _, let time, let formats):
        let word = formats == [.png] ? "png" : "jpeg"
        _ = "frame at \(time / .seconds(1))".withCString { write(descriptor, $0, strlen($0)) }
        return .file(
          MadeRepresentation.Facts(
            uniformTypeIdentifier: "public.\(word)", suffix: formats == [.png] ? "png" : "jpg"))
      case .video, .videoPart:
        _ = write(descriptor, "mp4", 3)
        return .file(MadeRepresentation.Facts(uniformTypeIdentifier: "public.mpeg-4", suffix: "mp4"))
      default: return .resource(reason: nil)
      }
    }
  }

  private func provider(
    _ types: [(String, AssetResource.Kind)], isLive: Bool = false, converts: Bool = true,
    keyPhotoTime: Duration? = nil, _ change: (inout RepresentationOptions) -> Void = { _ in }
  ) -> ItemProvider {
    let endings = [
      "public.heic": "HEIC", "com.apple.quicktime-movie": "MOV", "public.jpeg": "JPG", "public.mpeg-4": "mp4",
    ]
    var asset = ScriptedStore.asset(("IMG.JPG", 5))
    asset.resources = types.map { type, kind in
      AssetResource(
        type: kind, path: FilePath("IMG.\(endings[type] ?? "x")"), uniformTypeIdentifier: type, byteCount: 5)
    }
    if isLive { asset.mediaSubtypes.insert(.livePhoto) }
    asset.keyPhotoTime = keyPhotoTime
    var options = RepresentationOptions()
    change(&options)
    return ItemProvider(
      asset, in: ScriptedStore(), maker: converts ? ScriptedMaker() : nil, options: options,
      temporaryFolder: FilePath("\(folder.path)/tmp"))
  }

  private func text(_ path: FilePath) -> String {
    let descriptor = path.withPlatformString { open($0, O_RDONLY) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private var leftOver: Int {
    guard let stream = opendir("\(folder.path)/tmp") else { return 0 }
    defer { closedir(stream) }
    var count = -2
    while readdir(stream) != nil { count += 1 }
    return count
  }

  @Test func `The preferred type comes first`() {
    let heic = [("public.heic", AssetResource.Kind.photo)]
    #expect(provider(heic).registeredTypeIdentifiers == ["public.heic", "public.jpeg", "public.png"])
    #expect(
      provider(heic) { $0.mode = .compatible }.registeredTypeIdentifiers == [
        "public.jpeg", "public.png", "public.heic",
      ])
    #expect(
      provider(heic, converts: false) { $0.mode = .compatible }.registeredTypeIdentifiers == ["public.heic"])
    // Captions are removed from the file in its own format.
    let wordless = provider(heic) { $0.removesCaptions = true }
    #expect(wordless.registeredTypeIdentifiers == ["public.heic", "public.jpeg", "public.png"])
    #expect(!wordless.canLoadLivePhoto)
    // A request for files without location does not get one that has it.
    #expect(
      provider(heic) { $0.stripping = .location }.registeredTypeIdentifiers == ["public.jpeg", "public.png"])
    #expect(
      provider([("com.apple.quicktime-movie", .video)]).registeredTypeIdentifiers == [
        "com.apple.quicktime-movie", "public.mpeg-4",
      ])
  }

  @Test(arguments: [nil, 3, 2] as [Int64?])
  func `A part that became larger than the caller takes is not loaded`(maximum: Int64?) throws {
    var asset = ScriptedStore.asset(("a.MOV", 5))
    asset.mediaType = .video
    asset.duration = 10
    asset.resources[0].uniformTypeIdentifier = "com.apple.quicktime-movie"
    asset.trim = .seconds(2)..<(.seconds(5))
    let provider = ItemProvider(
      asset, in: ScriptedStore(), maker: ScriptedMaker(), temporaryFolder: FilePath("\(folder.path)/tmp"),
      maximumPartByteCount: maximum)
    #expect(provider.registeredTypeIdentifiers == ["public.mpeg-4"])
    if maximum == 2 {
      let error = #expect(throws: AssetError.self) {
        try provider.loadDataRepresentation(for: "public.movie")
      }
      #expect(error?.reason == "the chosen part has 3 B, and the maximum is 2 B: choose a shorter part")
    } else {
      #expect(try provider.loadDataRepresentation(for: "public.movie") == Array("mp4".utf8))
    }
    #expect(leftOver == 0)
  }

  private static let live: [(String, AssetResource.Kind)] = [
    ("public.heic", .photo), ("com.apple.quicktime-movie", .pairedVideo),
  ]

  @Test func `A chosen key photo is in all types with a still image, and the original in none`() throws {
    let provider = provider(Self.live, isLive: true, keyPhotoTime: .seconds(2))
    #expect(
      provider.registeredTypeIdentifiers == [
        "com.apple.live-photo-bundle", "public.jpeg", "public.png", "com.apple.quicktime-movie",
        "public.mpeg-4",
      ])
    for type in ["public.image", "public.png"] {
      let bytes = try provider.loadDataRepresentation(for: type)
      #expect(String(decoding: bytes, as: UTF8.self) == "frame at 2.0")
    }
    let files = try provider.loadLivePhoto { [text($0.still), text($0.clip)] }
    // The clip has its own bytes.
    #expect(files[0] == "frame at 2.0" && files[1].utf8.elementsEqual([0, 1, 2, 3, 4]))
    #expect(leftOver == 0)
  }

  @Test func `Where no key photo can be made, only the clip is available`() {
    let raw = provider(Self.live, isLive: true, converts: false, keyPhotoTime: .seconds(2))
    #expect(raw.registeredTypeIdentifiers == ["com.apple.quicktime-movie"] && !raw.canLoadLivePhoto)
    let current = provider(Self.live, keyPhotoTime: .seconds(2)) { $0.mode = .current }
    #expect(current.registeredTypeIdentifiers == ["com.apple.quicktime-movie", "public.mpeg-4"])
  }

  @Test func `Types conform to others`() {
    let photo = provider([("public.heic", .photo)])
    #expect(photo.canLoad("public.image") && photo.canLoad("public.data") && photo.canLoad("public.jpeg"))
    #expect(!photo.canLoad("public.movie") && !photo.canLoad("public.tiff") && !photo.canLoadLivePhoto)
    #expect(TypeIdentifier.conforms("com.adobe.raw-image", to: "public.camera-raw-image"))
    #expect(photo.suggestedName == "IMG")
  }

  @Test func `A file exists until the closure returns`() throws {
    let photo = provider([("public.heic", .photo)])
    var fractions: [Double] = []
    let seen = try photo.loadFileRepresentation(for: "public.jpeg", progress: { fractions.append($0) }) {
      path in
      (name: String(decoding: path.nameBytes, as: UTF8.self), text: text(path), path: path)
    }
    #expect(seen.name == "IMG.jpg" && seen.text == "jpeg" && fractions == [0.5, 1])
    #expect(seen.path.withPlatformString { access($0, F_OK) } != 0 && leftOver == 0)
  }

  @Test func `Data is the bytes of the file`() throws {
    let photo = provider([("public.heic", .photo)])
    #expect(try photo.loadDataRepresentation(for: "public.image") == [0, 1, 2, 3, 4])
    #expect(try photo.loadDataRepresentation(for: "public.png") == Array("png".utf8))
    #expect(throws: AssetError.self) { try photo.loadDataRepresentation(for: "public.movie") }
    #expect(leftOver == 0)
  }

  @Test func `Content is loaded without blocking the caller`() async throws {
    let photo = provider([("public.heic", .photo)])
    #expect(try await photo.loadData(for: "public.image") == [0, 1, 2, 3, 4])
    let fractions = Mutex<[Double]>([])
    let path = try await photo.loadFile(
      for: "public.jpeg", progressHandler: { fraction in fractions.withLock { $0.append(fraction) } }
    ) { path in
      // The file exists as long as the closure runs, also if it suspends.
      await Task.yield()
      #expect(text(path) == "jpeg")
      return path
    }
    #expect(fractions.withLock { $0 } == [0.5, 1])
    #expect(path.withPlatformString { access($0, F_OK) } != 0 && leftOver == 0)
    await #expect(throws: Refusal.self) {
      try await photo.loadFile(for: "public.jpeg") { _ in throw Refusal() }
    }
    let error = await #expect(throws: AssetError.self) { try await photo.loadData(for: "public.movie") }
    #expect(error?.code == .noSuchType && leftOver == 0)
  }

  private struct Refusal: Error {}

  @Test func `Cancelling the task stops loading`() async {
    let photo = provider([("public.heic", .photo)])
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in started {}
      return try await photo.loadData(for: "public.jpeg")
    }
    task.cancel()
    start.finish()
    let error = await #expect(throws: AssetError.self) { try await task.value }
    #expect(error?.code == .cancelled && leftOver == 0)
  }

  @Test func `Handlers are called once`() async {
    let photo = provider([("public.heic", .photo)])
    let name = await withCheckedContinuation { continuation in
      photo.loadFileRepresentation(forTypeIdentifier: "public.jpeg") { path, error in
        continuation.resume(returning: error == nil ? path.map(text) : nil)
      }
    }
    #expect(name == "jpeg")
    let error = await withCheckedContinuation { continuation in
      photo.loadDataRepresentation(forTypeIdentifier: "public.movie") { _, error in
        continuation.resume(returning: error)
      }
    }
    #expect(error?.code == .noSuchType)
  }

  @Test func `A Live Photo is a folder of two files`() async throws {
    let types: [(String, AssetResource.Kind)] = [
      ("public.heic", .photo), ("com.apple.quicktime-movie", .pairedVideo),
    ]
    let live = provider(types, isLive: true)
    #expect(live.hasItemConformingToTypeIdentifier(TypeIdentifier.livePhoto))
    let found = try live.loadFileRepresentation(for: TypeIdentifier.livePhoto) { names(in: $0) }
    #expect(found == ["IMG.HEIC", "IMG.MOV"] && leftOver == 0)
    let files = try await live.loadLivePhotoFiles { $0 }
    #expect(String(decoding: files.still.nameBytes, as: UTF8.self) == "IMG.HEIC")
    #expect(String(decoding: files.clip.nameBytes, as: UTF8.self) == "IMG.MOV" && leftOver == 0)
    let error = #expect(throws: AssetError.self) {
      try live.loadDataRepresentation(for: TypeIdentifier.livePhoto)
    }
    #expect(error?.code == .noSuchType)
    // Its files are loaded unchanged, with the location that is to be removed.
    let stripped = provider(types, isLive: true) { $0.stripping = .location }
    #expect(!stripped.canLoadLivePhoto && !stripped.canLoad(TypeIdentifier.livePhoto))
  }

  private func names(in folder: FilePath) -> [String] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `A Live Photo is one object`() throws {
    let live = provider([("public.heic", .photo), ("com.apple.quicktime-movie", .pairedVideo)], isLive: true)
    #expect(
      live.registeredTypeIdentifiers == [
        TypeIdentifier.livePhoto, "public.heic", "public.jpeg", "public.png", "com.apple.quicktime-movie",
        "public.mpeg-4",
      ])
    let names = try live.loadLivePhoto {
      [$0.still, $0.clip].map { String(decoding: $0.nameBytes, as: UTF8.self) }
    }
    #expect(names == ["IMG.HEIC", "IMG.MOV"] && leftOver == 0)
    let clip = try live.loadFileRepresentation(for: "public.mpeg-4") { text($0) }
    #expect(clip == "mp4")
    #expect(throws: AssetError.self) { try provider([("public.heic", .photo)]).loadLivePhoto { _ in } }
  }

  /// An edited Live Photo; its files have 5, 6, 7 and 8 bytes.
  private static let editedLivePhoto: Asset = {
    var asset = ScriptedStore.asset(("IMG_E1.JPG", 5), ("IMG_E1.MOV", 6), ("IMG_1.MOV", 7), ("IMG_1.JPG", 8))
    asset.resources[0].type = .fullSizePhoto
    asset.resources[1].type = .fullSizePairedVideo
    for index in 1...2 { asset.resources[index].uniformTypeIdentifier = "com.apple.quicktime-movie" }
    asset.mediaSubtypes = .livePhoto
    asset.playbackStyle = .livePhoto
    return asset
  }()

  @Test(arguments: AssetVersion.allCases)
  func `A provider loads the files of the version`(version: AssetVersion) throws {
    let provider = ItemProvider(
      Self.editedLivePhoto.presenting(version), in: ScriptedStore(), maker: nil,
      temporaryFolder: FilePath("\(folder.path)/tmp"))
    let isEdited = version == .current
    #expect(
      provider.registeredTypeIdentifiers == [
        TypeIdentifier.livePhoto, "public.jpeg", "com.apple.quicktime-movie",
      ])
    #expect(try provider.loadDataRepresentation(for: "public.image").count == (isEdited ? 5 : 8))
    #expect(try provider.loadDataRepresentation(for: "public.movie").count == (isEdited ? 6 : 7))
    let names = try provider.loadLivePhoto {
      [$0.still, $0.clip].map { String(decoding: $0.nameBytes, as: UTF8.self) }
    }
    #expect(names == (isEdited ? ["IMG_E1.JPG", "IMG_E1.MOV"] : ["IMG_1.JPG", "IMG_1.MOV"]))
    let bundle = try provider.loadFileRepresentation(for: TypeIdentifier.livePhoto) { self.names(in: $0) }
    #expect(bundle == names)
    #expect(leftOver == 0)
  }

  @Test(arguments: AssetVersion.allCases, [true, false])
  func `Everything that is advertised can be loaded`(version: AssetVersion, converts: Bool) throws {
    var motion = ScriptedStore.asset(("a.JPG", 90), ("a.JPG", 40))
    motion.resources[1].type = .pairedVideo
    motion.resources[1].byteRange = 0..<40
    motion.resources[1].uniformTypeIdentifier = "public.mpeg-4"
    motion.mediaSubtypes = .livePhoto
    var broken = Self.editedLivePhoto
    broken.defect = "damaged"
    for asset in [Self.editedLivePhoto, motion, broken] {
      for stripping in RepresentationOptions.Stripping.allCases {
        var options = RepresentationOptions()
        options.stripping = stripping
        let provider = ItemProvider(
          asset.presenting(version), in: ScriptedStore(), maker: converts ? ScriptedMaker() : nil,
          options: options, temporaryFolder: FilePath("\(folder.path)/tmp"))
        for type in provider.registeredTypeIdentifiers {
          #expect(provider.canLoad(type))
          if type == TypeIdentifier.livePhoto {
            #expect(try provider.loadFileRepresentation(for: type) { names(in: $0).count == 2 })
          } else {
            #expect(try !provider.loadDataRepresentation(for: type).isEmpty)
            #expect(try provider.loadFileRepresentation(for: type) { !text($0).isEmpty })
          }
        }
        #expect(provider.canLoadLivePhoto == (stripping == .nothing && !asset.isBroken))
        if provider.canLoadLivePhoto { try provider.loadLivePhoto { _ in } }
      }
    }
    #expect(leftOver == 0)
  }

  @Test func `The preferred type is made from the file that the options choose`() throws {
    let options = { (list: String) in
      var options = RepresentationOptions()
      options.acceptedTypes = try? AcceptedTypes(parsing: list)
      return options
    }
    let clip = ItemProvider(
      Self.editedLivePhoto, in: ScriptedStore(), maker: ScriptedMaker(), options: options(".mov"),
      temporaryFolder: FilePath("\(folder.path)/tmp"))
    #expect(
      clip.registeredTypeIdentifiers.first { $0 != TypeIdentifier.livePhoto } == "com.apple.quicktime-movie")
    #expect(try clip.loadDataRepresentation(for: "com.apple.quicktime-movie").count == 6)
    let raw = provider([("public.heic", .photo), ("com.adobe.raw-image", .alternatePhoto)]) {
      $0.acceptedTypes = try? AcceptedTypes(parsing: ".dng")
    }
    #expect(raw.registeredTypeIdentifiers.first == "com.adobe.raw-image")
  }

  @Test func `Canceling returns nothing and leaves no files`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let photo = provider([("public.heic", .photo)])
    for type in ["public.heic", "public.jpeg"] {
      #expect(throws: AssetError.cancelled) {
        try photo.loadFileRepresentation(for: type, cancellation: cancellation) { _ in }
      }
    }
    #expect(leftOver == 0)
  }
}
