/// Pages that were read from the index, in pieces in which they are decoded and made known.
struct PageQueue {
  typealias Item = (path: [UInt8], bytes: [UInt8])

  /// A piece is full at one of these: enough for all cores, few enough that its bytes do not pile up.
  ///
  /// The first is small, because somebody waits for it.
  private static let (firstBytes, mostBytes, mostPages) = (1 << 20, 4 << 20, 32)

  private let root: [UInt8]
  private var items: [Item] = []
  private var byteCount = 0
  private var limit = firstBytes
  /// The folders of all pages so far.
  private var paths: Set<[UInt8]> = []

  /// - Parameter root: the folder of which all others are below.
  init(root: [UInt8]) {
    self.root = root
  }

  /// The folders between the root and a folder whose pages are still to come, the outermost first.
  func missingFolders(around path: [UInt8]) -> [[UInt8]] {
    var missing: [[UInt8]] = []
    var end = path.count
    while end > root.count, let slash = path[..<end].lastIndex(of: UInt8(ascii: "/")) {
      end = slash
      let folder = end <= root.count ? root : Array(path[..<end])
      if paths.contains(folder) { break }
      missing.append(folder)
    }
    return missing.reversed()
  }

  /// Adds a page, once.
  mutating func append(_ path: [UInt8], _ bytes: [UInt8]) {
    guard paths.insert(path).inserted else { return }
    items.append((path, bytes))
    byteCount += bytes.count
  }

  /// The pages of a full piece; nil where there is none yet.
  mutating func takeFull() -> [Item]? {
    guard byteCount >= limit || items.count >= Self.mostPages else { return nil }
    limit = Self.mostBytes
    return takeRest()
  }

  /// The pages that were not taken yet.
  mutating func takeRest() -> [Item] {
    defer { (items, byteCount) = ([], 0) }
    return items
  }
}
