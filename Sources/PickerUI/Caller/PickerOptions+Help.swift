extension PickerState.Options {
  /// What the help shows: the bindings, and the keys that the caller takes.
  var helpBindings: KeyBindings {
    guard !callerKeys.expected.isEmpty || !callerKeys.programs.isEmpty else { return bindings }
    var groups: [KeyBindings.Group] = []
    if !callerKeys.expected.isEmpty {
      let keys = callerKeys.expected.map { $0.label(symbols) }.joined(separator: " ")
      groups.append(KeyBindings.Group("use the selection, and tell which key", label: keys, []))
    }
    groups += callerKeys.programs.map { KeyBindings.Group($0.title, label: $0.key.label(symbols), []) }
    var bindings = bindings
    bindings.sections.append(KeyBindings.Section("For the caller", groups))
    return bindings
  }
}
