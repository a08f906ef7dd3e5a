/// What became of a fetch result: which elements went, came, changed and moved.
///
/// To follow it, apply in this order to what is shown of the result before: remove at `removedIndexes`, insert
/// at `insertedIndexes`, show anew what is at `changedIndexes`, then make the moves of `enumerateMoves` one
/// after the other. What is then shown is the result after.
///
///     let details = FetchResultChangeDetails(from: shown, to: manager.fetchAssets(in: album, options: options))
///     for index in details.removedIndexes.reversed() { cells.remove(at: index) }
///     for (index, photo) in zip(details.insertedIndexes, details.insertedObjects) {
///       cells.insert(Cell(photo), at: index)
///     }
///     for (index, photo) in zip(details.changedIndexes, details.changedObjects) { cells[index] = Cell(photo) }
///     details.enumerateMoves { from, to in cells.insert(cells.remove(at: from), at: to) }
///
/// Without incremental changes there are no indexes: the consumer shows the result after as a new one.
public struct FetchResultChangeDetails<Element>: Sendable
where Element: Identifiable & Sendable, Element.ID == LocalIdentifier {
  public let fetchResultBeforeChanges: FetchResult<Element>
  public let fetchResultAfterChanges: FetchResult<Element>
  /// Whether the indexes tell what happened; otherwise all of them are empty.
  public let hasIncrementalChanges: Bool
  /// What went, as ascending indexes of the result before.
  public let removedIndexes: [Int]
  /// What came, as ascending indexes after the removals: each counts with those before it inserted, and is the
  /// element's index in the result after too.
  public let insertedIndexes: [Int]
  /// What has other contents, as ascending indexes after removals and insertions and before moves.
  public let changedIndexes: [Int]
  /// The indexes of the changed elements in the result after.
  private let changedIndexesAfter: [Int]
  private let moves: [IndexMove]

  /// The difference of two results.
  /// - Parameters:
  ///   - before: the result that was shown.
  ///   - after: the one that takes its place.
  ///   - changedElements: the elements whose contents changed; what is not in both results doesn't count.
  public init(
    from before: FetchResult<Element>, to after: FetchResult<Element>,
    changedElements: Set<LocalIdentifier>
  ) {
    self.init(from: before, to: after) { _, index in
      !changedElements.isEmpty && changedElements.contains(after.identifier(at: index))
    }
  }

  /// A result that took another's place, without a word about what is different.
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

  public var removedObjects: [Element] { fetchResultBeforeChanges.objects(at: removedIndexes) }
  public var insertedObjects: [Element] { fetchResultAfterChanges.objects(at: insertedIndexes) }

  /// The changed elements as they are now, in the order of `changedIndexes`.
  public var changedObjects: [Element] { fetchResultAfterChanges.objects(at: changedIndexesAfter) }

  public var hasMoves: Bool { !moves.isEmpty }

  /// Whether nothing is different.
  public var isEmpty: Bool {
    hasIncrementalChanges && moves.isEmpty && removedIndexes.isEmpty && insertedIndexes.isEmpty
      && changedIndexes.isEmpty
  }

  /// Calls `handler` for each move with the index to take the element from and, once it is taken out, the index
  /// to put it at.
  ///
  /// Each move's indexes count after the moves before it. As few elements move as the places of the inserted
  /// ones allow.
  public func enumerateMoves(_ handler: (_ from: Int, _ to: Int) -> Void) {
    for move in moves { handler(move.from, move.to) }
  }
}

extension FetchResultChangeDetails where Element: Equatable {
  /// The difference of two results; which elements changed is told by comparing their contents.
  public init(from before: FetchResult<Element>, to after: FetchResult<Element>) {
    self.init(from: before, to: after) { before[$0] != after[$1] }
  }
}

/// The difference of two sequences of identifiers.
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

  /// Compares two sequences in O(n log n); nil where an identifier came that is there twice.
  /// - Parameter isChanged: whether the element at an index before is another at its index after.
  init?(from before: [LocalIdentifier], to after: [LocalIdentifier], isChanged: (Int, Int) -> Bool) {
    // Most of a library stays as it is: what is alike at both ends needs no table.
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
