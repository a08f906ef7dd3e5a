import AssetLibrary
import FolderLibrary
import SystemPackage

// Times fetches over a library: fetch-benchmark DIR. What is timed is a fetch and the identifiers of all that it
// gives; of five rounds the median counts. The library is read first, without an index of its own.

let rounds = 5
guard CommandLine.arguments.count == 2 else { fatalError("usage: fetch-benchmark DIR") }
let store = FolderAssetStore(sources: [FilePath(CommandLine.arguments[1])])
store.start()
store.waitUntilComplete()
let all = store.assets(in: nil, options: FetchOptions())
print("\(all.count) assets")

/// Prints how long a fetch takes in milliseconds, and how much it gives.
func measure(_ name: String, _ fetch: () -> Int) {
  var times: [Double] = []
  var count = 0
  for _ in 0..<rounds {
    let duration = ContinuousClock().measure { count = fetch() }
    times.append(Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3)
  }
  let tenths = Int(times.sorted()[rounds / 2] * 10)
  print("\(tenths / 10).\(tenths % 10) ms  \(name)  (\(count))")
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
  "(type:photo or rating:5) -(ext:jpg width:>3000)",
]
for text in searches {
  guard let query = try? SearchQuery(parsing: text) else { fatalError("not a search: \(text)") }
  var options = FetchOptions()
  options.search = query
  measure("--query '\(text)'") { identifiers(options) }
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
