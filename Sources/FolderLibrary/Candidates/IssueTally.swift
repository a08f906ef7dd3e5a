package import AssetLibrary

/// What was skipped, counted by the reasons: of a million files a few are kept by name, or all of them in little memory.
package struct IssueTally: Sendable {
  private let namesKept: Int
  private var reasons: [String] = []
  private var numbers: [String: Int] = [:]
  private var amounts: [Int] = []
  /// What is kept, in the order in which it came: the names, and the numbers of the reasons.
  private var subjects = NameTable()
  private var reasonOfSubject: [UInt16] = []
  /// Not yet among the others, so that it can be taken back.
  private var last: AssetError?

  /// - Parameter namesKept: so many are kept of one reason.
  package init(namesKept: Int) {
    self.namesKept = namesKept
  }

  /// One that keeps as many names, and holds nothing.
  var emptied: IssueTally { IssueTally(namesKept: namesKept) }

  package var isEmpty: Bool { last == nil && reasons.isEmpty }

  package mutating func add(_ issue: AssetError) {
    settle()
    last = issue
  }

  /// Takes the last one out again.
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

  /// How many were skipped for each reason.
  package var counts: [String: Int] {
    var settled = self
    settled.settle()
    return settled.numbers.mapValues { settled.amounts[$0] }
  }

  /// What is kept, in the order in which it came.
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
