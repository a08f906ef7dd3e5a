/// The difference between two fetch results: removed, inserted, changed and moved elements.
///
/// To update a view of the result before, remove at `removedIndexes`, insert at `insertedIndexes`, reload at
/// `changedIndexes`, and then perform the moves of `enumerateMoves` one after the other. The view then shows the result
/// after.
///
///     let details = FetchResultChangeDetails(from: shown, to: manager.fetchAssets(in: album, options: options))
///     for index in details.removedIndexes.reversed() { cells.remove(at: index) }
///     for (index, photo) in zip(details.insertedIndexes, details.insertedObjects) {
///       cells.insert(Cell(photo), at: index)
///     }
///     for (index, photo) in zip(details.changedIndexes, details.changedObjects) { cells[index] = Cell(photo) }
///     details.enumerateMoves { from, to in cells.insert(cells.remove(at: from), at: to) }
///
/// Without incremental changes all indexes are empty: reload the whole view with the result after.
public struct FetchResultChangeDetails<Element>: Sendable
where Element: Identifiable & Sendable, Element.ID == LocalIdentifier {
  /// The result before the changes.
  public let fetchResultBeforeChanges: FetchResult<Element>
  /// The result after the changes.
  public let fetchResultAfterChanges: FetchResult<Element>
  /// Whether the indexes describe the difference; otherwise all of them are empty.
  public let hasIncrementalChanges: Bool
  /// The removed elements, as ascending indexes of the result before.
  public let removedIndexes: [Int]
  /// The inserted elements, as ascending indexes after the removals and the insertions before it, which are also the
  /// indexes in the result after.
  public let insertedIndexes: [Int]
  /// The elements with other contents, as ascending indexes after removals and insertions and before moves.
  public let changedIndexes: [Int]
  /// The indexes of the changed elements in the result after.
  private let changedIndexesAfter: [Int]
  private let moves: [IndexMove]

  /// Compares two results.
  /// - Parameters:
  ///   - before: the result before the changes.
  ///   - after: the result after the changes.
  ///   - changedElements: the elements whose contents changed; elements that are not in both results are ignored.
  public init(
    from before: FetchResult<Element>, to after: FetchResult<Element>,
    changedElements: Set<LocalIdentifier>
  ) {
    self.init(from: before, to: after) { _, index in
      !changedElements.isEmpty && changedElements.contains(after.identifier(at: index))
    }
  }

  /// Creates a difference without incremental changes.
  public init(replacing before: FetchResult<Element>, with after: FetchResult<Element>) {
    self.init(before, after, IndexChanges(), hasIncrementalChanges: false)
  }

  private init(
    from before: FetchResult<Element>, to after: FetchResult<Element>, isChanged: (Int, Int) -> Bool
  ) {
    let changes = IndexChanges(from: before.identifiers, to: after.identifiers, isChanged: isChanged)
    self.init(before, after, changes ?? IndexChanges(), hasIncrementalChanges: changes != nil)
  }

  private init(
    _ before: FetchResult<Element>, _ after: FetchResult<Element>, _ changes: IndexChanges,
    hasIncrementalChanges: Bool
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.hasIncrementalChanges = hasIncrementalChanges
    removedIndexes = changes.removed
    insertedIndexes = changes.inserted
    changedIndexes = changes.changed
    changedIndexesAfter = changes.changedAfter
    moves = changes.moves
  }

  /// The removed elements, in the order of `removedIndexes`.
  public var removedObjects: [Element] { fetchResultBeforeChanges.objects(at: removedIndexes) }
  /// The inserted elements, in the order of `insertedIndexes`.
  public var insertedObjects: [Element] { fetchResultAfterChanges.objects(at: insertedIndexes) }

  /// The changed elements of the result after, in the order of `changedIndexes`.
  public var changedObjects: [Element] { fetchResultAfterChanges.objects(at: changedIndexesAfter) }

  /// Whether elements changed their order, other than by removals and insertions.
  public var hasMoves: Bool { !moves.isEmpty }

  /// Whether both results are equal; false without incremental changes.
  public var isEmpty: Bool {
    hasIncrementalChanges && moves.isEmpty && removedIndexes.isEmpty && insertedIndexes.isEmpty
      && changedIndexes.isEmpty
  }

  /// Calls `handler` for each move with the index to remove the element at, and the index to insert it at after that.
  ///
  /// The indexes of each move apply after the moves before it. The number of moves is the minimum that the positions of
  /// the inserted elements allow.
  public func enumerateMoves(_ handler: (_ from: Int, _ to: Int) -> Void) {
    for move in moves { handler(move.from, move.to) }
  }
}

extension FetchResultChangeDetails where Element: Equatable {
  /// Compares two results, and the contents of their elements.
  public init(from before: FetchResult<Element>, to after: FetchResult<Element>) {
    self.init(from: before, to: after) { before[$0] != after[$1] }
  }
}

/// The difference between two sequences of identifiers.
private struct IndexChanges {
  /// Indexes before.
  private(set) var removed: [Int] = []
  /// Indexes after the removals, and after everything.
  private(set) var inserted: [Int] = []
  /// Indexes after removals and insertions, before moves.
  private(set) var changed: [Int] = []
  /// The same elements' indexes after everything.
  private(set) var changedAfter: [Int] = []
  private(set) var moves: [IndexMove] = []

  init() {}

  /// Compares two sequences in O(n log n); nil if an inserted identifier occurs twice.
  /// - Parameter isChanged: whether the contents at an index before differ from those at an index after.
  init?(from before: [LocalIdentifier], to after: [LocalIdentifier], isChanged: (Int, Int) -> Bool) {
    // Most of a library does not change: equal elements at both ends need no table.
    var head = 0
    while head < min(before.count, after.count), before[head] == after[head] { head += 1 }
    var tail = 0
    while tail < min(before.count, after.count) - head,
      before[before.count - 1 - tail] == after[after.count - 1 - tail]
    { tail += 1 }
    let changedMiddle = head..<after.count - tail
    var places: [LocalIdentifier: Int] = [:]
    places.reserveCapacity(changedMiddle.count)
    for index in changedMiddle where places.updateValue(index, forKey: after[index]) != nil { return nil }

    // Where each element that stays stands in the end, in the order before.
    var kept: [(before: Int, after: Int)] = []
    kept.reserveCapacity(min(before.count, after.count))
    for index in 0..<head { kept.append((index, index)) }
    for index in head..<before.count - tail {
      // A second one of its name finds its place taken: it is gone from the table.
      if let place = places.removeValue(forKey: before[index]) {
        kept.append((index, place))
      } else {
        removed.append(index)
      }
    }
    for index in 0..<tail { kept.append((before.count - tail + index, after.count - tail + index)) }
    inserted = places.values.sorted()

    // Inserted elements stand in their place at once; the others fill what is between them in their old order.
    var order = [Int](repeating: 0, count: after.count)
    var (nextKept, nextInserted) = (0, 0)
    for index in 0..<after.count {
      if nextInserted < inserted.count, inserted[nextInserted] == index {
        order[index] = index
        nextInserted += 1
        continue
      }
      let element = kept[nextKept]
      order[index] = element.after
      nextKept += 1
      if isChanged(element.before, element.after) {
        changed.append(index)
        changedAfter.append(element.after)
      }
    }
    moves = Permutation(order).moves
  }
}

/// One element that is taken out at `from` and put in again at `to`.
struct IndexMove: Hashable, Sendable {
  var from: Int
  var to: Int
}
