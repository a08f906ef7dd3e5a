package import AssetLibrary

/// A key that runs one of the caller's programs.
package struct ProgramKey: Hashable, Sendable {
  /// What happens to the picker while the program runs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The program has the terminal until it ends; then the picker continues.
    case execute
    /// The program runs in the background, without the terminal.
    case executeSilently = "execute-silent"
    /// The program replaces the picker.
    case become
  }

  package var key: Key
  package var kind: Kind
  /// The index among the caller's programs.
  package var index: Int
  /// The description in the help.
  package var title: String
  /// Whether the program needs the asset under the cursor.
  package var needsCurrent: Bool
  /// Whether the program needs the picks.
  package var needsPicks: Bool

  package init(
    _ key: Key, _ kind: Kind, index: Int, title: String, needsCurrent: Bool, needsPicks: Bool
  ) {
    self.key = key
    self.kind = kind
    self.index = index
    self.title = title
    self.needsCurrent = needsCurrent
    self.needsPicks = needsPicks
  }
}

/// A program and the photos that it is run on.
package struct ProgramRun: Hashable, Sendable {
  package var program: ProgramKey
  /// The asset under the cursor; nil if the program does not need it.
  package var current: Asset?
  /// The picks in the order of the results, or the asset under the cursor if nothing is picked; empty if the program
  /// does not need them.
  package var picks: [Asset]

  package init(_ program: ProgramKey, current: Asset?, picks: [Asset]) {
    self.program = program
    self.current = current
    self.picks = picks
  }
}

/// The keys that the caller has reserved.
package struct CallerKeys: Hashable, Sendable {
  /// Keys that use the selection as Enter does, and are reported to the caller.
  package var expected: [Key] = []
  /// Keys that run the caller's programs.
  package var programs: [ProgramKey] = []

  package init() {}
}

extension CallerKeys {
  /// What a key means.
  enum Meaning {
    /// It uses the selection as Enter does.
    case confirms
    case runs(ProgramKey)
  }

  /// What a key means to the caller; nil if the caller has not reserved it.
  ///
  /// In a prompt or a menu, only combinations such as Ctrl or Alt keys are reserved; other keys keep their meaning
  /// there.
  func meaning(of key: Key, in picker: PickerState) -> Meaning? {
    guard picker.authorization.mode == .picking, picker.layers.isEmpty || key.isCombination else {
      return nil
    }
    if expected.contains(key) { return .confirms }
    return programs.first { $0.key == key }.map(Meaning.runs)
  }
}

extension ProgramRun {
  /// Creates a run of a caller's program on the asset under the cursor and the picks; nil if the photos that it needs
  /// are missing.
  init?(_ program: ProgramKey, current: Asset?, picked: [Asset]) {
    // An asset that can't be a result is not passed to a program either.
    let current = current.flatMap { $0.isBroken || $0.deletion != nil ? nil : $0 }
    let picks = picked.isEmpty ? current.map { [$0] } ?? [] : picked
    if program.needsCurrent && current == nil || program.needsPicks && picks.isEmpty { return nil }
    self.init(
      program, current: program.needsCurrent ? current : nil, picks: program.needsPicks ? picks : [])
  }
}

extension Key {
  /// Whether the key is Ctrl, Alt or a function key, rather than a character or a movement.
  var isCombination: Bool {
    switch self {
    case .control, .alt, .function: true
    default: false
    }
  }
}

extension PickerOptions {
  /// The bindings that the help shows, including the keys that the caller has reserved.
  var helpBindings: KeyBindings {
    guard !callerKeys.expected.isEmpty || !callerKeys.programs.isEmpty else { return bindings }
    var groups: [KeyBindings.Group] = []
    if !callerKeys.expected.isEmpty {
      let keys = callerKeys.expected.map { $0.label(symbols) }.joined(separator: " ")
      groups.append(KeyBindings.Group("use the selection and report the key", label: keys))
    }
    groups += callerKeys.programs.map { KeyBindings.Group($0.title, label: $0.key.label(symbols)) }
    var bindings = bindings
    bindings.callerGroups = groups
    return bindings
  }
}
