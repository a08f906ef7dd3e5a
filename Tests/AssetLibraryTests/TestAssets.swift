import AssetLibrary
import Pixels
import Synchronization

extension Asset {
  /// A photo with a name.
  static func photo(_ name: String, day: Int = 1, size: Int64 = 1, folder: String = "p") -> Asset {
    photo(Array(name.utf8), day: day, size: size, folder: folder)
  }

  static func photo(_ name: [UInt8], day: Int = 1, size: Int64 = 1, folder: String) -> Asset {
    let resource = AssetResource(
      type: .photo, path: .init(bytes: Array("\(folder)/".utf8) + name),
      uniformTypeIdentifier: "public.jpeg", byteCount: size)
    return Asset(
      localIdentifier: LocalIdentifier(String(decoding: name, as: UTF8.self)), mediaType: .image,
      pixelSize: PixelSize(width: 4, height: 3), creationDate: AssetDate(year: 2024, month: 5, day: day),
      resources: [resource])
  }
}

/// A user who always answers the same, and records the requests.
final class DecidedUser: ConsentPresenter {
  private let answer: ConsentDecision
  private let heard = Mutex<[ConsentRequest]>([])

  init(_ answer: ConsentDecision) {
    self.answer = answer
  }

  var questions: [ConsentRequest] { heard.withLock { $0 } }

  func decision(for request: ConsentRequest) async -> ConsentDecision? {
    heard.withLock { $0.append(request) }
    return answer
  }
}

/// A user who answers when a test says so.
final class AskedUser: ConsentPresenter {
  private let heard = Mutex<[CheckedContinuation<ConsentDecision?, Never>]>([])
  private let questions: AsyncStream<Void>
  private let question: AsyncStream<Void>.Continuation

  init() {
    (questions, question) = AsyncStream.makeStream()
  }

  var questionCount: Int { heard.withLock { $0.count } }

  func decision(for request: ConsentRequest) async -> ConsentDecision? {
    await withCheckedContinuation { continuation in
      heard.withLock { $0.append(continuation) }
      question.yield()
    }
  }

  func waitForQuestion() async {
    for await _ in questions { break }
  }

  /// Answers all pending requests.
  func answer(_ decision: ConsentDecision) {
    for waiting in heard.withLock({ $0 }) { waiting.resume(returning: decision) }
  }
}

/// Counts calls.
final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}
