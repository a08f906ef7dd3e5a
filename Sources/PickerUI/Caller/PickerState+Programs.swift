import AssetLibrary

extension PickerState {
  /// The caller's program that a key runs here; nil where it means something else.
  ///
  /// As with expected keys, keys that type or move do that where text is typed or a menu is open.
  func program(for key: Key) -> ProgramKey? {
    guard authorization.mode == .picking, input.prompt == nil && input.overlay == nil || key.isCombination
    else { return nil }
    return options.callerKeys.programs.first { $0.key == key }
  }

  /// Runs a caller's program on the asset under the cursor and on the picks.
  mutating func run(_ program: ProgramKey) -> [PickerEffect] {
    // What can't be a result is nothing for a program either.
    let current = current.flatMap { $0.isBroken ? nil : $0 }
    let picked = results(picks.selection.assets)
    let picks = picked.isEmpty ? current.map { [$0] } ?? [] : picked
    if program.needsCurrent && current == nil || program.needsPicks && picks.isEmpty {
      return showNotice("there is no photo to run this on", .dim)
    }
    let run = ProgramRun(
      program, current: program.needsCurrent ? current : nil, picks: program.needsPicks ? picks : [])
    return program.kind == .become ? [.finish(.become(run))] : [.run(run)]
  }
}
