/// An order of elements that is to become another one.
struct Permutation {
  /// For each place now, the place that its element is to have.
  private let order: [Int]

  /// - Parameter order: every index once.
  init(_ order: [Int]) {
    self.order = order
  }

  /// The fewest moves that put all elements in their places, each after the ones before it; O(n log n).
  ///
  /// What is in order already stays: a longest increasing subsequence. The others follow it from the first
  /// place to the last, each put directly behind the element that precedes it in the end. So everything with
  /// a smaller place is always settled, and an index is the number of settled elements before it plus the
  /// number of those that still wait there.
  var moves: [IndexMove] {
    let count = order.count
    guard let first = order.indices.first(where: { order[$0] != $0 }) else { return [] }
    let staying = stayingIndexes(from: first)
    // By place in the end: where the element is now, and how many of those that stay have smaller places.
    var origins = [Int](repeating: 0, count: count)
    var stays = [Bool](repeating: false, count: count)
    for (index, place) in order.enumerated() { origins[place] = index }
    for index in staying { stays[order[index]] = true }
    var stayingBefore = [0]
    stayingBefore.reserveCapacity(count + 1)
    for place in 0..<count { stayingBefore.append(stayingBefore[place] + (stays[place] ? 1 : 0)) }
    // By index now: the place of the next element that stays; `count` where none follows.
    var nextStaying = [Int](repeating: count, count: count)
    var next = count
    for index in order.indices.reversed() {
      nextStaying[index] = next
      if stays[order[index]] { next = order[index] }
    }
    var waiting = CountTree(flags: order.map { !stays[$0] })
    var moves: [IndexMove] = []
    var lastStaying = -1
    for place in 0..<count {
      let origin = origins[place]
      if stays[place] {
        lastStaying = origin
        continue
      }
      waiting.remove(origin)
      let limit = nextStaying[origin]
      let settled =
        limit <= place ? limit : place + stayingBefore[limit] - stayingBefore[place]
      let move = IndexMove(
        from: settled + waiting.count(before: origin), to: place + waiting.count(before: lastStaying + 1))
      if move.from != move.to { moves.append(move) }
    }
    return moves
  }

  /// The indexes of a longest increasing subsequence; those before `first` are in place.
  ///
  /// Patience sorting: M. L. Fredman, "On computing the length of longest increasing subsequences", Discrete
  /// Mathematics 11 (1975).
  private func stayingIndexes(from first: Int) -> [Int] {
    // The index with the smallest last element of a subsequence of each length.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: order.count)
    for index in first..<order.count {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if order[ends[middle]] < order[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var staying = Array(0..<first)
    var index = ends.last ?? -1
    while index >= 0 {
      staying.append(index)
      index = previous[index]
    }
    return staying
  }
}

/// How many of a sequence's flags are set before an index, quick to change and to ask.
///
/// P. M. Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software: Practice and Experience 24
/// (1994).
private struct CountTree {
  private var sums: [Int]

  init(flags: [Bool]) {
    sums = [0] + flags.map { $0 ? 1 : 0 }
    for index in sums.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }

  /// Takes a flag away that is set.
  mutating func remove(_ position: Int) {
    var index = position + 1
    while index < sums.count {
      sums[index] -= 1
      index += index & -index
    }
  }

  func count(before position: Int) -> Int {
    var (index, sum) = (position, 0)
    while index > 0 {
      sum += sums[index]
      index -= index & -index
    }
    return sum
  }
}
