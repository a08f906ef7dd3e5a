import AssetLibrary

/// The selections that undo and redo restore.
///
/// Bounded by the number of steps and the total number of picks in them; at least one step is kept.
struct PickHistory: Sendable {
  private(set) var past: [Selection] = []
  private(set) var future: [Selection] = []
  /// The selection as of the last step.
  private(set) var current: Selection
  /// Whether the user ever changed anything, undone or not.
  private(set) var wasChanged = false

  static let mostSteps = 100
  /// Each pick takes some hundred bytes.
  static let mostPicks = 200_000

  init(_ selection: Selection) {
    current = selection
  }

  /// Whether the user changed anything that was not undone.
  var hasChanges: Bool { !past.isEmpty }

  /// Records the selection after a change by the user, and drops the undone changes.
  /// - Returns: whether there was a change.
  @discardableResult
  mutating func note(_ selection: Selection) -> Bool {
    guard selection.revision != current.revision else { return false }
    defer { current = selection }
    guard selection.identifiers != current.identifiers else { return false }
    past.append(current)
    future = []
    wasChanged = true
    trim()
    return true
  }

  /// Sets a selection that was not changed by the user, without recording a step.
  mutating func adopt(_ selection: Selection) { current = selection }

  /// Goes back by one step.
  /// - Returns: the selection before it; nil if there is none.
  mutating func undo() -> Selection? {
    guard let last = past.popLast() else { return nil }
    future.append(current)
    current = last
    return last
  }

  /// Reverts the last `undo`.
  mutating func redo() -> Selection? {
    guard let next = future.popLast() else { return nil }
    past.append(current)
    current = next
    return next
  }

  /// Removes picks from all steps: undo does not restore them.
  mutating func keep(where isKept: (LocalIdentifier) -> Bool) {
    for index in past.indices { past[index].keep(where: isKept) }
    for index in future.indices { future[index].keep(where: isKept) }
    current.keep(where: isKept)
    // Steps without a change are dropped.
    past = Self.distinct(past, before: current)
    future = Self.distinct(future, before: current)
  }

  /// Adds preselected assets that were found later, up to the limit.
  mutating func add(_ assets: [Asset]) {
    for asset in assets {
      for index in past.indices { _ = past[index].add(asset) }
      for index in future.indices { _ = future[index].add(asset) }
    }
  }

  /// Sets the limit of all steps.
  mutating func limit(to limit: Int) {
    for index in past.indices { past[index].limit = limit }
    for index in future.indices { future[index].limit = limit }
    current.limit = limit
  }

  private static func distinct(_ selections: [Selection], before last: Selection) -> [Selection] {
    var kept: [Selection] = []
    var next = last.identifiers
    for selection in selections.reversed() where selection.identifiers != next {
      next = selection.identifiers
      kept.append(selection)
    }
    return kept.reversed()
  }

  private mutating func trim() {
    var held = past.reduce(0) { $0 + $1.count }
    while past.count > Self.mostSteps || (held > Self.mostPicks && past.count > 1) {
      held -= past.removeFirst().count
    }
  }
}
