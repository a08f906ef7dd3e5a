import AssetLibrary

/// Sorts assets by their names in the natural order; what is compared of each is made once.
struct NameSorting {
  private struct Item: BitwiseCopyable {
    /// The first sixteen bytes of the key, which tell most names apart.
    var head: UInt64
    var tail: UInt64
    /// Where the whole key lies among all keys.
    var start: UInt32
    var end: UInt32
    var path: PathOrder.Key
    var handle: FetchHandle
  }

  private let table: LibraryTable
  private let paths: PathOrder
  private var items: [Item] = []
  private var keys: [UInt8] = []

  init(_ table: LibraryTable, _ handles: [FetchHandle]) {
    self.table = table
    paths = PathOrder(table.state)
    items.reserveCapacity(handles.count)
    for handle in handles {
      let segment = table.state.segment(of: handle)
      let key = NaturalOrder.key(of: segment.name(of: segment.assets[handle.row]))
      items.append(
        Item(
          head: PathOrder.number(of: key.prefix(8)), tail: PathOrder.number(of: key.dropFirst(8).prefix(8)),
          start: UInt32(keys.count), end: UInt32(keys.count + key.count), path: paths.key(of: handle),
          handle: handle))
      keys += key
    }
  }

  func sorted(ascending: Bool) -> [FetchHandle] {
    keys.withUnsafeBufferPointer { keys in
      items.sorted { a, b in
        if a.head != b.head { return (a.head < b.head) == ascending }
        if a.tail != b.tail { return (a.tail < b.tail) == ascending }
        let (first, second) = (keys[Int(a.start)..<Int(a.end)], keys[Int(b.start)..<Int(b.end)])
        if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) == ascending }
        let (one, other) = (table.view(of: a.handle), table.view(of: b.handle))
        let order = one.compareName(to: other)
        return order != 0 ? (order < 0) == ascending : paths.precedes(a.handle, a.path, b.handle, b.path)
      }.map(\.handle)
    }
  }
}
