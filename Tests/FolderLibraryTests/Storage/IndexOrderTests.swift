import AssetLibrary
import Fixtures
import Synchronization
import Testing

@testable import FolderLibrary

/// The order in which pages of an index are loaded.
@Suite struct IndexOrderTests {
  @Test func `An index returns the newest photos first, and each folder before its subfolders`() throws {
    let many = try TestLibrary()
    for number in 0..<90 {
      try many.photos.writePhoto("\(number % 3)/in/\(number)/a.jpg", day: 1 + (number * 37) % 28)
    }
    _ = many.open()
    let root = try #require(many.photos.filePath.resolved).bytes
    var paths: [[UInt8]] = []
    var newest: [Int64] = []
    LibraryStorage(many.locations).readPages(below: root, pool: StringPool()) { pages in
      paths += pages.map(\.canonicalPath)
      newest += pages.filter { !$0.assets.isEmpty }.map(\.newest)
    }
    #expect(paths.count == 97 && Set(paths).count == 97)
    #expect(newest.count == 90 && newest == newest.sorted(by: >))
    for (place, path) in paths.enumerated() where path != root {
      let around = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
      #expect(paths[..<place].contains(around))
    }
  }

  @Test func `A screen shows the newest photos before the whole index is loaded`() throws {
    let many = try TestLibrary()
    for day in 1...28 {
      for copy in 0..<3 { try many.photos.writePhoto("\(day)/\(copy)/a.jpg", day: day) }
    }
    _ = many.open()
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: LibraryStorage(many.locations), watch: nil, helper: nil)
    let seen = Mutex<[Int]>([])
    let observer = model.observers.add { _ in
      let assets = model.table.assets(in: nil, options: FetchOptions())
      seen.withLock { $0.append(assets.count) }
      // The newest photo is known by now, and stays first.
      #expect(assets.first?.name == "a.jpg")
    }
    defer { model.observers.remove(observer) }
    scan.context.loadIndex(of: LibrarySources([many.photos.filePath]))
    let counts = seen.withLock { $0 }
    #expect(counts.count >= 2 && counts == counts.sorted())
    #expect((1..<84).contains(counts.first ?? 0) && counts.last == 84)
  }

  /// Folders in the order in which their pages are found, and the order in which they must be returned.
  @Test(arguments: [
    (["/p"], ["/p"]),
    (["/p/a/b", "/p/a", "/p"], ["/p", "/p/a", "/p/a/b"]),
    (["/p/a", "/p/b/c/d", "/p"], ["/p", "/p/a", "/p/b", "/p/b/c", "/p/b/c/d"]),
  ])
  func `Parent folders come before a folder`(found: [String], given: [String]) {
    expectOrder(found, given, root: "/p")
  }

  @Test func `The root folder is handled like others`() {
    expectOrder(["/a/b", "/c"], ["/", "/a", "/a/b", "/c"], root: "/")
  }

  private func expectOrder(_ found: [String], _ given: [String], root: String) {
    var pages = PageQueue(root: Array(root.utf8))
    for path in found.map({ Array($0.utf8) }) {
      for missing in pages.missingFolders(around: path) { pages.append(missing, []) }
      pages.append(path, [])
    }
    #expect(pages.takeRest().map { String(decoding: $0.path, as: UTF8.self) } == given)
    #expect(pages.takeRest().isEmpty)
  }
}
