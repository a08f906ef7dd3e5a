extension PickerState.Options {
  /// What the help shows: the bindings, and the keys that the caller takes.
  var helpBindings: KeyBindings {
    guard !expectedKeys.isEmpty else { return bindings }
    let keys = expectedKeys.map { $0.label(symbols) }.joined(separator: " ")
    var bindings = bindings
    bindings.sections.append(
      KeyBindings.Section(
        "For the caller", [KeyBindings.Group("use the selection, and tell which key", label: keys, [])]))
    return bindings
  }
}
