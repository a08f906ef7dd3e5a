/// The difference of two sequences of identifiers.
struct IndexChanges {
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
