import AssetLibrary

extension PickerState {
  /// How picks are measured: not at all while the accessible photos are chosen.
  var pickMeasure: PickMeasure {
    guard authorization.mode == .picking else { return PickMeasure() }
    return PickMeasure(
      representation: handover.options, version: options.configuration.version,
      countsAllResources: options.handsOverAllResources)
  }

  /// What is handed over in place of the files themselves; nil = nothing else.
  var representationWords: String? {
    guard authorization.mode == .picking else { return nil }
    let words = handover.options.words(options.locale)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Why the options can't be chosen; nil if they can, empty if that needs no words.
  var reasonForNoOptions: String? {
    if !allows(.selectionActions) { return "there are no options here" }
    if authorization.mode == .managing { return "" }
    return options.configuration.selection.isToldEarly
      ? "what is picked is told at once here, as it is" : nil
  }

  /// Changes what is handed over.
  mutating func choose(_ representation: RepresentationOptions) {
    guard representation != handover.options else { return }
    // What a range has taken out is measured as it was.
    endRange()
    handover.options = representation
  }
}
