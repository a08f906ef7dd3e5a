import AssetLibrary

extension Picker {
  /// The title of the terminal's window: the progress of long work, then what is picked, else the album.
  ///
  /// It has no control characters, and moving the cursor does not change it.
  package static func windowTitle(_ state: PickerState) -> String {
    guard state.page == .library else { return "tpick" }
    let progress = state.shownWork?.completedFraction.map { "\(Int($0 * 100)) % - " } ?? ""
    return progress + state.windowTitleText + " - tpick"
  }
}

extension PickerState {
  fileprivate var windowTitleText: String {
    if authorization.mode == .managing {
      return "photos that \(DisplayText(options.client.name).string) may see"
    }
    guard let first = picks.selection.assets.first else { return DisplayText(library.title).string }
    let name = DisplayText(bytes: first.nameBytes).middleTruncated(to: 60).string
    return picks.selection.count == 1
      ? name : "\(name) and \(options.locale.number(picks.selection.count - 1)) more"
  }
}
