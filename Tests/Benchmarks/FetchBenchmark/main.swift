import AssetLibrary
import FolderLibrary
import Foundation
import SystemPackage

// Measures fetches from a library: fetch-benchmark DIR. A round is a fetch and the identifiers of all its results;
// reported are the minimum and the median of eleven rounds. The library is read first, without an index of its own.

let rounds = 11
guard CommandLine.arguments.count == 2 else { fatalError("usage: fetch-benchmark DIR") }
let store = FolderAssetStore(sources: [FilePath(CommandLine.arguments[1])])
store.start()
store.waitUntilComplete()
let all = store.assets(in: nil, options: FetchOptions())
print("\(all.count) assets")

/// Milliseconds with one decimal.
func text(_ time: Double) -> String { "\(Int(time * 10) / 10).\(Int(time * 10) % 10)" }

/// Prints the duration of a fetch in milliseconds, minimum and median, and the number of its results.
func measure(_ name: String, _ fetch: () -> Int) {
  var times: [Double] = []
  var count = 0
  for _ in 0..<rounds {
    let duration = ContinuousClock().measure { count = fetch() }
    times.append(Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3)
  }
  times.sort()
  print("\(text(times[0])) \(text(times[rounds / 2])) ms  \(name)  (\(count))")
}

func identifiers(_ options: FetchOptions, in collection: LocalIdentifier? = nil) -> Int {
  store.assets(in: collection, options: options).identifiers.count
}

for name in PickerFilter.Name.allCases {
  measure("--filter \(name.rawValue)") { identifiers(FetchOptions(filter: .matching(name))) }
}
let nested = "all(any(images,videos,raw),not(any(screenshots,hidden,bursts)),!edited)"
if let filter = try? PickerFilter(parsing: nested) {
  measure("--filter '\(nested)'") { identifiers(FetchOptions(filter: filter)) }
}
for sort in AssetSort.allCases {
  measure("--sort \(sort.rawValue)") { identifiers(FetchOptions(sort: sort)) }
}
let searches = [
  "0042", "canon", "lisbn", "img 2019", "2021-07", "after:2016 before:2018-06", "camera:\"EOS 90D\"",
  "album:2020-01", "type:photo", "rating:>=4", "near:38.7,-9.1,50", "-canon", "canon after:2020 img 99",
  "ext:heic", "path:lisbon", "path:2020-01/img", "lens:18-135", "title:water", "width:>=1920",
  "ratio:portrait",
  "size:>2MB", "duration:<=60s", "date:2019-05", "after:7d", "(lisbon or porto) videos", "-(canon or lisbn)",
  "(type:photo or rating:5) -(ext:jpg width:>3000)", "keyword:holiday", "keyword:lisbon", "-keyword:porto",
  "person:ana", "person:ines", "-person:ana", "lens:\"18-135mm\"", "-lens:18-135", "title:\"water and wine\"",
  "-title:water", "-path:2020", "-ext:jpg", "ext:jpg", "height:<480", "width:640", "ratio:landscape",
  "-ratio:square",
  "size:<100kB", "-size:>2MB", "duration:>1", "-duration:<=60s", "date:2019", "-date:2019-05", "before:2016",
  "after:2020",
  "rating:5", "-rating:5", "wter", "hlday", "canno", "holiday water ana", "zzzz", "a", "img", "-zzzz",
  "(keyword:lisbon or person:rui) (title:water or lens:135) -date:2019",
  "(0042 or 0043 or 0044 or 0045 or lisbon or porto)", "-(keyword:holiday -person:ana)",
  "path:2020 ext:jpg width:>=640 ratio:landscape size:<1MB rating:>=3 keyword:holiday person:ana title:water lens:135 after:2015",
]
/// The slowest kinds of searches, for combinations.
let combined = [
  "canon", "lisbn", "path:img", "keyword:holiday", "(lisbon or porto) -person:ana", "width:>=640 size:<1MB",
]
for text in searches {
  guard let query = try? SearchQuery(parsing: text) else { fatalError("not a search: \(text)") }
  var options = FetchOptions()
  options.search = query
  measure("--query '\(text)'") { identifiers(options) }
}
for text in combined {
  guard let query = try? SearchQuery(parsing: text), let filter = try? PickerFilter(parsing: nested) else {
    fatalError("not a search: \(text)")
  }
  for sort in AssetSort.allCases {
    var options = FetchOptions(sort: sort)
    options.search = query
    measure("--query '\(text)' --sort \(sort.rawValue)") { identifiers(options) }
    var filtered = FetchOptions(filter: filter, sort: sort)
    filtered.search = query
    measure("--query '\(text)' --sort \(sort.rawValue) --filter '\(nested)'") { identifiers(filtered) }
  }
}
for collection in store.collections(of: .default, options: FetchOptions()).prefix(6) {
  measure("album \(collection.title)") { identifiers(FetchOptions(), in: collection.id) }
}
measure("all albums with counts") { store.collections(of: .default, options: FetchOptions()).count }
measure("all moments with counts") { store.collections(of: .moment, options: FetchOptions()).count }
measure("change details without contents") {
  FetchResultChangeDetails(
    from: all, to: store.assets(in: nil, options: FetchOptions()), changedElements: []
  ).insertedIndexes.count
}
measure("change details with contents") {
  FetchResultChangeDetails(
    from: all, to: store.assets(in: nil, options: FetchOptions())
  ).insertedIndexes.count
}

// Changes of ten thousand assets, in a library whose ledger is in a temporary folder.
let kept = FileManager.default.temporaryDirectory.appending(path: "fetch-benchmark-\(getpid())")
defer { try? FileManager.default.removeItem(at: kept) }
let changed = FolderAssetStore(
  sources: [FilePath(CommandLine.arguments[1])],
  locations: LibraryLocations(cache: FilePath("\(kept.path)/cache"), data: FilePath("\(kept.path)/data")))
changed.start()
changed.waitUntilComplete()
let many = changed.assets(in: nil, options: FetchOptions(sort: .name)).identifiers.shuffled().prefix(10_000)
let album = UserAlbum.newIdentifier()
try changed.perform([.createAlbum(album, title: "Ten thousand")])
func perform(_ changes: [AssetChange]) -> [AssetChange] {
  do { return try changed.perform(changes) } catch { fatalError("\(error)") }
}
/// Prints the duration of a change and of its undo.
func measureChange(_ name: String, _ changes: [AssetChange]) {
  var (times, undoTimes): ([Double], [Double]) = ([], [])
  func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
  }
  for _ in 0..<rounds {
    var undo: [AssetChange] = []
    times.append(milliseconds(ContinuousClock().measure { undo = perform(changes) }))
    undoTimes.append(milliseconds(ContinuousClock().measure { _ = perform(undo) }))
  }
  times.sort()
  undoTimes.sort()
  print("\(text(times[0])) \(text(times[rounds / 2])) ms  \(name)  (\(many.count))")
  print("\(text(undoTimes[0])) \(text(undoTimes[rounds / 2])) ms  undo of it  (\(many.count))")
}
measureChange("add to an album", [.addAssets(Array(many), to: album)])
measureChange("make favorites", many.map { .setFavorite($0, true) })
_ = perform([.addAssets(Array(many), to: album)])
var own = FetchOptions()
own.sortDescriptors = []
measure("open the album") { changed.assets(in: album, options: own).identifiers.count }
measure("open the album, newest first") {
  changed.assets(in: album, options: FetchOptions()).identifiers.count
}
measure("list all collections") { changed.collections(of: .default, options: FetchOptions()).count }
