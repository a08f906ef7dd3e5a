import AssetLibrary
import Fixtures
import FolderLibrary
import SystemPackage

extension TemporaryFolder {
  var filePath: FilePath { FilePath(path) }

  func filePath(of name: some FileNaming) -> FilePath { FilePath(bytes: path(of: name)) }

  /// Writes a small photo, with a camera date if a day is given.
  func writePhoto(_ name: some FileNaming, day: Int? = 1) throws {
    let photo = TestPhoto(width: 16, height: 12, date: day.map { .day($0) })
    try write(try photo.bytes(), to: name)
  }

  /// The library of the folder, read completely.
  func library() -> FolderAssetStore { FolderAssetStore.complete([filePath]) }
}

extension FolderAssetStore {
  static func complete(_ sources: [FilePath]) -> FolderAssetStore {
    let store = FolderAssetStore(sources: sources)
    store.start()
    store.waitUntilComplete()
    return store
  }

  func all(_ options: FetchOptions = .init()) -> [Asset] { Array(assets(in: nil, options: options)) }

  /// The names of all assets, in fetch order.
  var names: [String] { all().map(\.name) }

  var albums: [AssetCollection] { Array(collections(of: .album, options: FetchOptions())) }
}

extension Asset {
  var name: String { String(decoding: primaryResource?.filename ?? [], as: UTF8.self) }
}

extension AssetDate {
  /// The local time, as "2024-05-02T14:10:09".
  var wallClock: String {
    let fields = components
    let numbers = [fields.year, fields.month, fields.day, fields.hour, fields.minute, fields.second]
    return zip(numbers, [4, 2, 2, 2, 2, 2]).map { number, count in
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }.enumerated().reduce("") { text, next in
      text + ["", "-", "-", "T", ":", ":"][next.offset] + next.element
    }
  }
}
