import AssetLibrary

/// What is picked, and what is being picked.
struct PicksState: Sendable {
  var selection: Selection
  /// What the caller has selected and has not turned up in an answer yet.
  var preselected: [LocalIdentifier]
  /// The range that is being selected.
  var range: RangeSelection?
  /// The photos that are being picked beside the run loop.
  var bulk: BulkSelection?
  var bulkGeneration = 0
  /// What was pressed meanwhile and has to wait for them, in order.
  var deferred: [PickerMessage] = []
  /// What the caller was told last, where each change is told.
  var reported: [LocalIdentifier] = []
  /// Whether the picks are shown in their order.
  var showsStrip = false
  /// The place in the selection that the strip's cursor is at.
  var stripCursor = 0

  init(selection: Selection, preselected: [LocalIdentifier] = []) {
    self.selection = selection
    self.preselected = preselected
  }
}
