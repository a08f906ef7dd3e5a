import AssetLibrary

extension Picker {
  /// What the terminal's window is called meanwhile: how far long work has come, what is picked, else the album.
  ///
  /// Without control characters, and changed by no move.
  package static func windowTitle(_ state: PickerState) -> String {
    guard state.page == .library else { return "tpick" }
    let share = state.shownWork?.share.map { "\(Int($0 * 100)) % - " } ?? ""
    return share + state.pickedWords + " - tpick"
  }
}

extension PickerState {
  fileprivate var pickedWords: String {
    if authorization.mode == .managing { return "photos that \(DisplayText(options.client).string) may see" }
    guard let first = picks.selection.assets.first else { return DisplayText(library.title).string }
    let name = DisplayText(bytes: first.nameBytes).truncated(to: 60).string
    return picks.selection.count == 1
      ? name : "\(name) and \(options.locale.number(picks.selection.count - 1)) more"
  }
}
