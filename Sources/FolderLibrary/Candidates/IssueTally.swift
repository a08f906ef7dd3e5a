package import AssetLibrary

/// Counts skipped files by reason, and keeps the first names of each reason in little memory.
package struct IssueTally: Sendable {
  private let namesKept: Int
  private var reasons: [String] = []
  private var numbers: [String: Int] = [:]
  private var amounts: [Int] = []
  /// The kept names in order of arrival, and the index of each one's reason.
  private var subjects = NameTable()
  private var reasonOfSubject: [UInt16] = []
  /// The latest issue, not yet counted so that `popLast` can remove it.
  private var last: AssetError?

  /// - Parameter namesKept: the maximum number of names kept per reason.
  package init(namesKept: Int) {
    self.namesKept = namesKept
  }

  /// An empty tally with the same limit.
  var emptied: IssueTally { IssueTally(namesKept: namesKept) }

  package var isEmpty: Bool { last == nil && reasons.isEmpty }

  package mutating func add(_ issue: AssetError) {
    settle()
    last = issue
  }

  /// Removes and returns the latest issue.
  package mutating func popLast() -> AssetError? {
    defer { last = nil }
    return last
  }

  private mutating func settle() {
    guard let issue = last else { return }
    last = nil
    let number = numbers[issue.reason] ?? reasons.count
    if number == reasons.count {
      numbers[issue.reason] = number
      reasons.append(issue.reason)
      amounts.append(0)
    }
    amounts[number] += 1
    guard amounts[number] <= namesKept, let number = UInt16(exactly: number) else { return }
    subjects.append(issue.subject.utf8)
    reasonOfSubject.append(number)
  }

  /// The number of skipped files per reason.
  package var counts: [String: Int] {
    var settled = self
    settled.settle()
    return settled.numbers.mapValues { settled.amounts[$0] }
  }

  /// The issues whose names were kept, in order of arrival.
  package var issues: [AssetError] {
    var settled = self
    settled.settle()
    return settled.subjects.indices.map { index in
      AssetError(
        String(decoding: settled.subjects[index], as: UTF8.self),
        settled.reasons[Int(settled.reasonOfSubject[index])])
    }
  }
}
