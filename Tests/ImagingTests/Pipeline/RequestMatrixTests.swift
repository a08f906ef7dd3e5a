import AssetLibrary
import Fixtures
import Imaging
import Pixels
import SystemPackage
import Testing

/// Every way to request a picture, and its answers: PhotoKit's behavior in one table.
@Suite(.timeLimit(.minutes(120))) struct RequestMatrixTests {
  /// Where the original is.
  enum Place: CaseIterable, Sendable {
    case here
    /// The original is remote; a small picture of it is local.
    case away
    case awayWithoutProxy
    /// Local and too damaged to display, except for its thumbnail.
    case damaged
  }

  /// The expected properties of an answer.
  enum Expected: Hashable, Sendable {
    case coarse(isInCloud: Bool = false)
    case native, exact
    /// At least the target size.
    case enough
    case failed(isInCloud: Bool = false)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var place = Place.here
    var network = false
    var delivery = ImageRequestOptions.DeliveryMode.opportunistic
    var isSynchronous = false
    var resize = ImageRequestOptions.ResizeMode.exact
    var answers: [Expected]

    var testDescription: String {
      "\(place), network \(network), \(isSynchronous ? "synchronous " : "")\(delivery), \(resize)"
    }
  }

  /// The final picture of each resize mode.
  private static let finals: [(ImageRequestOptions.ResizeMode, Expected)] = [
    (.none, .native), (.fast, .enough), (.exact, .exact),
  ]

  /// The photo is local, or may be downloaded.
  static let reachable = [Place.here, .away].flatMap { place in
    finals.flatMap { resize, final in
      [
        Row(place: place, network: true, resize: resize, answers: [.coarse(), final]),
        Row(
          place: place, network: true, delivery: .highQualityFormat, resize: resize, answers: [final]),
        Row(
          place: place, network: true, delivery: .fastFormat, resize: resize,
          answers: [.coarse(isInCloud: place == .away)]),
      ]
        + ImageRequestOptions.DeliveryMode.allCases.map {
          Row(
            place: place, network: true, delivery: $0, isSynchronous: true, resize: resize, answers: [final])
        }
    }
  }

  /// The original is unavailable.
  static let unreachable: [Row] = [
    Row(place: .away, answers: [.coarse(), .failed(isInCloud: true)]),
    Row(place: .away, delivery: .highQualityFormat, answers: [.failed(isInCloud: true)]),
    Row(place: .away, delivery: .fastFormat, answers: [.coarse(isInCloud: true)]),
    Row(place: .away, isSynchronous: true, answers: [.failed(isInCloud: true)]),
    Row(place: .awayWithoutProxy, answers: [.failed(isInCloud: true)]),
    Row(place: .awayWithoutProxy, delivery: .fastFormat, answers: [.failed(isInCloud: true)]),
    Row(place: .awayWithoutProxy, network: true, answers: [.exact]),
    Row(place: .awayWithoutProxy, network: true, delivery: .fastFormat, answers: [.exact]),
    Row(place: .damaged, answers: [.coarse(), .failed()]),
    Row(place: .damaged, delivery: .highQualityFormat, answers: [.failed()]),
    Row(place: .damaged, delivery: .fastFormat, answers: [.coarse()]),
    Row(place: .damaged, isSynchronous: true, answers: [.failed()]),
  ]

  private let library = TestLibrary()
  private let size = PixelSize(width: 640, height: 480)
  private let target = PixelSize(width: 200, height: 200)

  private func asset(_ place: Place) throws -> Asset {
    var photo = TestPhoto(width: size.width, height: size.height)
    photo.embedThumbnail()
    var asset = try library.add(photo)
    switch place {
    case .here: break
    case .away, .awayWithoutProxy: library.store.setRemote(asset.resources[0])
    case .damaged:
      let resource = asset.resources[0]
      let thumbnail = try #require(resource.thumbnail)
      let bytes = try library.store.reader(for: resource).bytes(in: 0..<thumbnail.upperBound)
      library.store.setBytes(bytes, of: resource)
    }
    if place == .away {
      let small = try TestPhoto(width: 160, height: 120).file()
      let proxy = AssetResource(
        type: .photoProxy, path: "proxy.jpg", uniformTypeIdentifier: "public.jpeg",
        byteCount: Int64(small.bytes.count), storedSize: PixelSize(width: 160, height: 120))
      library.store.setBytes(small.bytes, of: proxy)
      asset.resources.append(proxy)
    }
    return asset
  }

  @Test(arguments: reachable + unreachable)
  func `Each kind of request gets its answers in order`(row: Row) async throws {
    let pipeline = ImagePipeline(store: library.store)
    let request = ImageRequest(
      asset: try asset(row.place), targetSize: target, contentMode: .aspectFit,
      options: ImageRequestOptions(
        deliveryMode: row.delivery, resizeMode: row.resize, isNetworkAccessAllowed: row.network,
        isSynchronous: row.isSynchronous))
    var results: [ImageResult] = []
    for await result in pipeline.images(for: request) { results.append(result) }
    #expect(results.map(\.isLast) == results.indices.map { $0 == results.count - 1 })
    #expect(Set(results.map(\.requestID)).count == 1)
    try #require(results.count == row.answers.count)
    for (result, expected) in zip(results, row.answers) { check(result, expected) }
  }

  private func check(_ result: ImageResult, _ expected: Expected) {
    switch (result.content, expected) {
    case (.image(let picture, isDegraded: true, _), .coarse(let isInCloud)):
      #expect(picture.size == PixelSize(width: 160, height: 120))
      #expect(result.isInCloud == isInCloud)
      #expect(!result.isFinal)
    case (.image(let picture, isDegraded: false, nil), .native):
      #expect(picture.size == size)
      #expect(result.isFinal)
    case (.image(let picture, isDegraded: false, nil), .exact):
      #expect(picture.size == PixelSize(width: 200, height: 150))
      #expect(!result.isInCloud)
    case (.image(let picture, isDegraded: false, nil), .enough):
      #expect(picture.width >= 200 && picture.height >= 150 && picture.width < size.width)
      #expect(picture.width * 3 == picture.height * 4)
    case (.failed(let error), .failed(let isInCloud)):
      #expect(error.subject == "photo.jpg")
      #expect(result.isInCloud == isInCloud)
      #expect(!result.isFinal)
    default: Issue.record("expected \(expected), received \(Answer(result))")
    }
  }

  @Test func `A synchronous request is answered on the calling thread, before the call returns`() throws {
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let request = ImageRequest(
      asset: try asset(.here), targetSize: target, contentMode: .aspectFit,
      options: ImageRequestOptions(isSynchronous: true))
    let log = AnswerLog()
    _ = pipeline.requestImage(request, priority: .prefetch, resultHandler: log.receive)
    #expect(log.answers.count == 1)
  }

  @Test func `Options are values: changing them for one request affects no other`() {
    let options = ImageRequestOptions()
    var other = options
    other.resizeMode = .none
    other.isNetworkAccessAllowed = true
    #expect(options == ImageRequestOptions())
    #expect(options.resizeMode == .fast && options.deliveryMode == .opportunistic)
    #expect(options.version == .current && !options.isNetworkAccessAllowed && !options.isSynchronous)
  }
}
