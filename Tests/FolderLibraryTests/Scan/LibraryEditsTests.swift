import AssetLibrary
import Fixtures
import Glibc
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// After any sequence of edits a running store equals a freshly read one.
@Suite(.onOwnThreads) struct LibraryEditsTests {
  /// Makes edits of all kinds, reproducible by seed.
  private struct Editor {
    let folder: TemporaryFolder
    var random: SeededGenerator
    var count = 0
    private let photos: [[UInt8]]

    init(_ folder: TemporaryFolder, seed: UInt64) throws {
      self.folder = folder
      random = SeededGenerator(seed: seed)
      photos = try (1...28).map { try TestPhoto(width: 8, height: 8, date: .day($0)).bytes() }
    }

    private mutating func place() -> String {
      let names = ["", "p/", "q/", "p/r/", "q/s/", "p/r/t/"]
      return names.randomElement(using: &random) ?? ""
    }

    private mutating func photo() -> [UInt8] { photos.randomElement(using: &random) ?? [] }

    private func entries(of type: UInt8) -> [String] {
      var found: [String] = []
      var pending = [""]
      while let place = pending.popLast() {
        guard let stream = opendir(folder.path + "/" + place) else { continue }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
          let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          }
          if name == "." || name == ".." { continue }
          if entry.pointee.d_type == UInt8(DT_DIR) { pending.append(place + name + "/") }
          if entry.pointee.d_type == type { found.append(place + name) }
        }
      }
      return found.sorted()
    }

    mutating func edit() throws {
      count += 1
      let files = entries(of: UInt8(DT_REG))
      let folders = entries(of: UInt8(DT_DIR))
      let file = files.randomElement(using: &random)
      let new = "\(place())n\(count)"
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<4: try folder.write(photo(), to: "\(new).jpg")
      case 4: if let file { folder.remove(file) }
      case 5: if let file { try? folder.rename(file, to: place() + "m\(count).jpg") }
      case 6: if let file { try folder.write(photo(), to: file) }
      case 7:
        if let file {
          try folder.write(photo(), to: "\(file).new")
          try folder.rename("\(file).new", to: file)
        }
      case 8:
        if let file, let other = files.randomElement(using: &random), other != file {
          try folder.rename(file, to: "swap")
          try folder.rename(other, to: file)
          try folder.rename("swap", to: other)
        }
      case 9: if let name = folders.randomElement(using: &random) { folder.remove(name) }
      case 10:
        if let name = folders.randomElement(using: &random) {
          try? folder.rename(name, to: "\(place())d\(count)")
        }
      case 11:
        if let name = folders.randomElement(using: &random) { try folder.write([], to: "\(name)/.nomedia") }
      case 12:
        if let hidden = files.first(where: { $0.hasSuffix(".nomedia") }) { folder.remove(hidden) }
      case 13:
        if let file, file.hasSuffix(".jpg") {
          let rating = Int.random(in: 1...5, using: &random)
          try folder.write(
            MetadataSegments.xmp(attributes: "xmp:Rating=\"\(rating)\""), to: "\(file.dropLast(4)).xmp")
        }
      case 14:
        if let file, file.hasSuffix(".jpg") {
          try folder.write(photo(), to: "\(file.dropLast(4))-edited.jpg")
        }
      default:
        if let file {
          try folder.rename(file, to: "\(file).backup.jpg")
          try folder.write(photo(), to: file)
        }
      }
    }
  }

  /// Applies the change details between two fetches to the identifiers of the first.
  private func apply(_ details: FetchResultChangeDetails<Asset>) -> [LocalIdentifier] {
    var shown = details.fetchResultBeforeChanges.map(\.id)
    let after = details.fetchResultAfterChanges.map(\.id)
    guard details.hasIncrementalChanges else { return after }
    for index in details.removedIndexes.reversed() { shown.remove(at: index) }
    for index in details.insertedIndexes { shown.insert(after[index], at: index) }
    details.enumerateMoves { from, to in shown.insert(shown.remove(at: from), at: to) }
    return shown
  }

  private static let everything = {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return options
  }()

  // Takes seconds: two hundred edits are followed, and the reported changes are compared with the library.
  @Test(arguments: [1, 2, 3, 7, 33, 66] as [UInt64])
  func `After random edits a running store matches the disk`(seed: UInt64) throws {
    let library = try TestLibrary()
    var editor = try Editor(library.photos, seed: seed)
    for _ in 0..<10 { try editor.edit() }
    let store = library.follow()
    let options = Self.everything
    let last = Mutex(store.assets(in: nil, options: options))
    let differences = Mutex<[String]>([])
    store.observeChanges { [weak store] _ in
      guard let store else { return }
      last.withLock { last in
        let now = store.assets(in: nil, options: options)
        let details = FetchResultChangeDetails(from: last, to: now)
        if apply(details) != now.map(\.id) {
          differences.withLock { $0.append("\(last.count) to \(now.count)") }
        }
        last = now
      }
    }
    for step in 0..<200 {
      try editor.edit()
      // Some edits come one by one, some in bursts.
      if step % 7 == 0 { store.updater.waitUntilStored() }
    }
    let expected = contents(library.photos.library())
    #expect(eventually { contents(store) == expected })
    store.updater.waitUntilStored()
    let paths = Set(store.everything.map { String(decoding: $0.pathBytes, as: UTF8.self) })
    let missing = expected.assets.map { String(decoding: $0.pathBytes, as: UTF8.self) }.filter {
      !paths.contains($0)
    }
    #expect(missing == [])
    #expect(difference(contents(store).assets, expected.assets) == nil)
    #expect(difference(contents(store).collections, expected.collections) == nil)
    #expect(differences.withLock { $0 } == [])
    #expect(Set(store.everything.map(\.id)).count == expected.assets.count)
    // The next run reads the same from storage, including identifiers and first-seen dates.
    #expect(difference(library.open().everything, store.everything) == nil)
  }
}
