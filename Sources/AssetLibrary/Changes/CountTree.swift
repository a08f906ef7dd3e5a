/// How many of a sequence's flags are set before an index, quick to change and to ask.
///
/// P. M. Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software: Practice and Experience 24
/// (1994).
struct CountTree {
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
