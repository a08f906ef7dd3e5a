import AssetLibrary
import Dispatch
import FolderLibrary
import Imaging
import Pixels
import Synchronization
import SystemPackage
import Glibc

// Measures the image pipeline: picture-benchmark [--at X,Y] WIDTH HEIGHT FILE... With --at, the part of that size at
// X,Y is rendered at its native size. A round is one request without a cache, from the open file to the upright picture
// in sRGB; reported are the median and the minimum of eleven rounds, and the minimum processor time.

let rounds = 11
var arguments = CommandLine.arguments
var corner: [Int] = []
if arguments.count > 2, arguments[1] == "--at" {
  corner = arguments[2].split(separator: ",").compactMap { Int($0) }
  arguments.removeSubrange(1...2)
}
guard arguments.count > 3, let width = Int(arguments[1]), let height = Int(arguments[2]) else {
  fatalError("usage: picture-benchmark [--at X,Y] WIDTH HEIGHT FILE...")
}
let target = PixelSize(width: width, height: height)

for path in arguments.dropFirst(3) {
  let store = FolderAssetStore(sources: [FilePath(path)])
  store.start()
  store.waitUntilComplete()
  guard let asset = store.assets(in: nil, options: FetchOptions()).first else {
    print("\(path): no asset")
    continue
  }
  var part: NormalizedRect?
  if corner.count == 2 {
    let (across, down) = (Double(asset.pixelSize.width), Double(asset.pixelSize.height))
    part = NormalizedRect(
      x: Double(corner[0]) / across, y: Double(corner[1]) / down, width: Double(width) / across,
      height: Double(height) / down)
  }
  let wanted = part
  let pipeline = ImagePipeline(store: store, cacheLimit: 0, workers: 2)
  var outcome = ""
  var times: [Double] = []
  var work: [Double] = []
  for _ in 0..<rounds {
    let before = processorTime()
    let time = ContinuousClock().measure {
      let done = DispatchSemaphore(value: 0)
      let answer = Mutex("")
      let request = ImageRequest(
        asset: asset, targetSize: target, contentMode: .aspectFit,
        options: ImageRequestOptions(
          deliveryMode: .highQualityFormat, resizeMode: .exact, normalizedCropRect: wanted))
      _ = pipeline.requestImage(request, priority: .preview) { result in
        answer.withLock { $0 = words(for: result) }
        done.signal()
      }
      done.wait()
      outcome = answer.withLock { $0 }
    }
    work.append(processorTime() - before)
    times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
  }
  times.sort()
  print(
    "\(tenths(times[rounds / 2])) ms (best \(tenths(times[0])), at work \(tenths(work.min() ?? 0)))  \(path)  \(outcome)"
  )
}

func tenths(_ value: Double) -> String { "\(Int(value * 10) / 10).\(Int(value * 10) % 10)" }

@Sendable func words(for result: ImageResult) -> String {
  switch result.content {
  case .image(let pixels, _, let note): "\(pixels.size) \(note ?? "")"
  case .failed(let error): "\(error)"
  case .cancelled: "cancelled"
  }
}

/// The processor time of the process so far, in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
