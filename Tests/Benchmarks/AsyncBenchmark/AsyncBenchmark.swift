import AssetLibrary
import FolderLibrary
import Imaging
import Pixels
import Synchronization
import SystemPackage
import Glibc

/// `async-benchmark FOLDER [SIDE]`: compares the asynchronous way to request pictures with the one with callbacks.
///
/// A round requests pictures of all photos at once, without a cache, in one way and then in the other; the order
/// alternates. Reported are the medians, and their quotient. Ends with status 1 if the asynchronous way takes more
/// than 1.02 times as long.
@main
struct AsyncBenchmark {
  static let rounds = 21
  static let limit = 1.02

  static func main() async {
    guard CommandLine.arguments.count > 1 else { fatalError("usage: async-benchmark FOLDER [SIDE]") }
    let side = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 256 : 256
    let store = FolderAssetStore(sources: [FilePath(CommandLine.arguments[1])])
    store.start()
    store.waitUntilComplete()
    let requests = store.assets(in: nil, options: FetchOptions(filter: .images)).map { asset in
      ImageRequest(
        asset: asset, targetSize: PixelSize(width: side, height: side), contentMode: .aspectFill,
        options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
    }
    if requests.isEmpty { fatalError("no photos") }
    let images = ImagePipeline(reading: store, cacheLimit: 0)
    // The helpers start.
    _ = await byCallbacks(requests, images)
    var (callbacks, tasks): ([Double], [Double]) = ([], [])
    for round in 0..<rounds {
      for isAsync in round.isMultiple(of: 2) ? [false, true] : [true, false] {
        let begin = ContinuousClock.now
        let count = isAsync ? await byTasks(requests, images) : await byCallbacks(requests, images)
        let time = milliseconds(begin.duration(to: .now))
        if count != requests.count { fatalError("only \(count) of \(requests.count) pictures") }
        if isAsync { tasks.append(time) } else { callbacks.append(time) }
      }
    }
    let (old, new) = (median(callbacks), median(tasks))
    print("\(requests.count) pictures: callbacks \(old) ms, tasks \(new) ms, quotient \(new / old)")
    if new / old > limit { exit(1) }
  }

  /// Requests pictures with handlers.
  /// - Returns: how many arrived.
  static func byCallbacks(_ requests: [ImageRequest], _ images: ImagePipeline) async -> Int {
    let counts = Counts(open: requests.count)
    return await withCheckedContinuation { continuation in
      for request in requests {
        images.requestImage(request, priority: .visible) { result in
          guard result.isLast else { return }
          let made = counts.state.withLock { state in
            state.open -= 1
            if result.isFinal { state.made += 1 }
            return state.open == 0 ? state.made : nil
          }
          if let made { continuation.resume(returning: made) }
        }
      }
    }
  }

  /// Requests pictures in one task each.
  /// - Returns: how many arrived.
  static func byTasks(_ requests: [ImageRequest], _ images: ImagePipeline) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for request in requests {
        group.addTask {
          for await result in images.images(for: request) where result.isLast { return result.isFinal }
          return false
        }
      }
      return await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
  }

  static func milliseconds(_ time: Duration) -> Double { time / .milliseconds(1) }

  static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}

/// The pictures that did not arrive yet, and those that were made.
private final class Counts: Sendable {
  let state: Mutex<(open: Int, made: Int)>

  init(open: Int) { state = Mutex((open, 0)) }
}
