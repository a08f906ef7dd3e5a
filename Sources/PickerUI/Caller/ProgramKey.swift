package import AssetLibrary

/// A key that runs a program of the caller's.
package struct ProgramKey: Hashable, Sendable {
  /// What becomes of the picker while the program runs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The program has the terminal, and gives it back.
    case execute
    /// The program runs behind the picker, without the terminal.
    case executeSilently = "execute-silent"
    /// The program takes the picker's place.
    case become
  }

  package var key: Key
  package var kind: Kind
  /// Which of the caller's programs it is.
  package var index: Int
  /// What the help says of it.
  package var title: String
  /// Whether the program takes the asset under the cursor.
  package var needsCurrent: Bool
  /// Whether the program takes the picks.
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

/// A program with what it is run on.
package struct ProgramRun: Hashable, Sendable {
  package var program: ProgramKey
  /// The asset under the cursor; nil where the program takes none.
  package var current: Asset?
  /// What is picked in the order of the results, or else the asset under the cursor; empty where the program takes none.
  package var picks: [Asset]

  package init(_ program: ProgramKey, current: Asset?, picks: [Asset]) {
    self.program = program
    self.current = current
    self.picks = picks
  }
}

/// The keys that the caller takes for itself.
package struct CallerKeys: Hashable, Sendable {
  /// Keys that use the selection as Enter does, and are told to the caller.
  package var expected: [Key] = []
  /// Keys that run programs of the caller's.
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

  /// What a key means to the caller; nil where it means something else.
  ///
  /// Where text is typed or a menu is open, keys that do something there go on doing it.
  func meaning(of key: Key, in picker: PickerState) -> Meaning? {
    guard picker.authorization.mode == .picking, picker.layers.isEmpty || key.isCombination else {
      return nil
    }
    if expected.contains(key) { return .confirms }
    return programs.first { $0.key == key }.map(Meaning.runs)
  }
}

extension ProgramRun {
  /// A caller's program on the asset under the cursor and on the picks; nil where there is no photo to run it on.
  init?(_ program: ProgramKey, current: Asset?, picked: [Asset]) {
    // What can't be a result is nothing for a program either.
    let current = current.flatMap { $0.isBroken ? nil : $0 }
    let picks = picked.isEmpty ? current.map { [$0] } ?? [] : picked
    if program.needsCurrent && current == nil || program.needsPicks && picks.isEmpty { return nil }
    self.init(
      program, current: program.needsCurrent ? current : nil, picks: program.needsPicks ? picks : [])
  }
}

extension Key {
  /// Whether it stands for no character and no movement: Ctrl, Alt and function keys.
  var isCombination: Bool {
    switch self {
    case .control, .alt, .function: true
    default: false
    }
  }
}

extension PickerOptions {
  /// What the help shows: the bindings, and the keys that the caller takes.
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
