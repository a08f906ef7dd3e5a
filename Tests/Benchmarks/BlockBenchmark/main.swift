import AssetLibrary
import Dispatch
import FolderLibrary
import Imaging
import Pixels
import Synchronization
import SystemPackage
import TerminalGraphics

// Measures the rendering of pictures as block characters: block-benchmark COLUMNS ROWS FILE. The picture is decoded
// once to fill the box; reported are the median and the minimum of a hundred and one rounds.

let rounds = 101
let arguments = CommandLine.arguments
guard arguments.count == 4, let columns = Int(arguments[1]), let rows = Int(arguments[2]) else {
  fatalError("usage: block-benchmark COLUMNS ROWS FILE")
}
let cell = PixelSize(width: 10, height: 20)
let box = CellSize(columns: columns, rows: rows)
let store = FolderAssetStore(sources: [FilePath(arguments[3])])
store.start()
store.waitUntilComplete()
guard let asset = store.assets(in: nil, options: FetchOptions()).first else {
  fatalError("\(arguments[3]): no asset")
}
let geometry = BlockEncoder(cell: cell, depth: .trueColor).geometry
let decoded = Mutex<PixelBuffer?>(nil)
let done = DispatchSemaphore(value: 0)
let request = ImageRequest(
  asset: asset, targetSize: geometry.pixels(for: box), contentMode: .aspectFill,
  options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
_ = ImagePipeline(store: store).requestImage(request, priority: .preview) { result in
  if case .image(let pixels, _, _) = result.content { decoded.withLock { $0 = pixels } }
  done.signal()
}
done.wait()
guard let picture = decoded.withLock({ $0 }) else { fatalError("\(arguments[3]): can't be decoded") }
print("\(picture.size) pixels")

for depth in [ColorDepth.trueColor, .palette256, .sixteen, .eight, .monochrome] {
  for symbols in BlockSymbols.allCases where depth == .monochrome || symbols != .ascii {
    let encoder = BlockEncoder(cell: cell, depth: depth, symbols: symbols)
    var times: [Double] = []
    var size = 0
    for _ in 0..<rounds {
      let time = ContinuousClock().measure { size = encoder.encode(picture).cost }
      times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
    }
    times.sort()
    print(
      "\(depth) \(symbols): \(hundredths(times[rounds / 2])) ms (best \(hundredths(times[0]))), \(size) bytes"
    )
  }
}

func hundredths(_ value: Double) -> String {
  "\(Int(value))." + String("\(100 + Int(value * 100) % 100)".dropFirst())
}
