import AssetLibrary

/// The selection, and the operations that are changing it.
struct PicksState: Sendable {
  var selection: Selection
  /// What was selected before; while a range or a bulk selection is under way, before that.
  var history: PickHistory
  /// The preselected assets that no fetch has returned yet.
  var preselected: [LocalIdentifier]
  /// The active range.
  var range: RangeSelection?
  /// The running bulk selection.
  var bulk: BulkSelection?
  var bulkGeneration = 0
  /// Input deferred until the bulk selection ends, in order.
  var deferred: [PickerMessage] = []
  /// The selection last reported to the caller, if it is reported continuously.
  var reported: [LocalIdentifier] = []
  /// The asset last reported to the caller, if the cursor is followed.
  var followed: LocalIdentifier?
  /// Whether the strip is open.
  var showsStrip = false
  /// The index of the strip's cursor in the selection.
  var stripCursor = 0
  /// The row of the strip that the wheel scrolled to, as long as as many are picked.
  var stripScroll: StripScroll?

  struct StripScroll: Hashable, Sendable {
    var row: Int
    var pickCount: Int
  }

  init(selection: Selection, preselected: [LocalIdentifier] = []) {
    self.selection = selection
    history = PickHistory(selection)
    self.preselected = preselected
  }
}
