import AssetLibrary
import CodecProtocol
import FolderLibrary
import Imaging
import Pixels
import Synchronization
import SystemPackage
import Glibc

// Requests previews one after the other and reports their cost in memory and open files: preview-endurance COUNT WIDTH
// HEIGHT CACHE FILE-OR-FOLDER... CACHE is the size of the cache of decoded pictures in MiB. No two previews are alike:
// the files take turns, and with every turn the box is one pixel narrower. Prints a line after each tenth of them
// (count, KiB in memory, open files), then the peak.

let arguments = CommandLine.arguments
guard arguments.count > 5, let count = Int(arguments[1]), let width = Int(arguments[2]),
  let height = Int(arguments[3]), let cache = Int(arguments[4]), count > 9
else { fatalError("usage: preview-endurance COUNT WIDTH HEIGHT CACHE FILE-OR-FOLDER...") }

let store = FolderAssetStore(sources: arguments.dropFirst(5).map { FilePath($0) })
store.start()
store.waitUntilComplete()
let assets = Array(store.assets(in: nil, options: FetchOptions()))
guard !assets.isEmpty else { fatalError("no asset") }

let pipeline = ImagePipeline(store: store, cacheLimit: cache << 20, foreign: HelperDecoder(CodecClient()))
let failures = Mutex(0)
for index in 0..<count {
  let turn = index / assets.count
  let request = ImageRequest(
    asset: assets[index % assets.count],
    targetSize: PixelSize(width: max(1, width - turn), height: height), contentMode: .aspectFit,
    options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact, isSynchronous: true))
  _ = pipeline.requestImage(request, priority: .preview) { result in
    if case .failed(let error) = result.content {
      print("failed: \(error)")
      failures.withLock { $0 += 1 }
    }
  }
  if (index + 1) % (count / 10) == 0 {
    print("\(index + 1) \(kibibytes("VmRSS")) \(openFiles())")
  }
}
print("peak \(kibibytes("VmHWM"))")
exit(failures.withLock { $0 } == 0 ? 0 : 1)

/// A line of /proc/self/status.
func kibibytes(_ name: String) -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split { $0.isWhitespace }
    if words.first == "\(name):", words.count > 1 { return Int(words[1]) ?? 0 }
  }
  return 0
}

func openFiles() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  // Without the entries "." and "..", and without the folder itself.
  return count - 3
}
