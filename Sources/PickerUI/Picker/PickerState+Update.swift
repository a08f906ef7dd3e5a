import AssetLibrary
import Pixels

extension PickerState {
  mutating func resize(to metrics: ScreenMetrics) {
    // The host drops its pictures when the cell size changes.
    if metrics.cell != self.metrics.cell || metrics.pictureGeometry != self.metrics.pictureGeometry {
      forgetPictures()
    }
    self.metrics = metrics
  }

  /// Restores the invariants after a message: indexes are in range and the cursors are in view.
  mutating func normalize() {
    picks.selection.use(pickMeasure)
    picks.stripCursor = max(0, min(picks.stripCursor, picks.selection.count - 1))
    if picks.showsStrip, picks.selection.isEmpty { closeStrip() }
    if !preview.isFullScreen { (preview.zoom, input.mouse.dragAnchor, preview.burst) = (nil, nil, nil) }
    if let burst = preview.burst, cursorIdentifier != burst.representative { preview.burst = nil }
    if let choice = preview.versionChoice, choice.asset != current?.id { preview.versionChoice = nil }
    updateLayout()
    grid.breakIntoRows(count: library.assets.count, in: layout.cells)
    grid.scrollToCursor(in: layout.cells)
    scrollToAlbum()
    if preview.infoScroll != 0 { preview.infoScroll = max(0, min(preview.infoScroll, maximumInfoScroll)) }
  }

  /// Says once what stands in for pictures: the next runs know that it was said.
  mutating func tellFallback(_ name: String, _ words: String) -> [PickerEffect] {
    guard name != options.screen.toldFallback else { return [] }
    status.toldFallback = name
    return showNotice(words, .dim)
  }

  mutating func showNotice(_ text: String, _ tone: TextStyle.Tone = .warning) -> [PickerEffect] {
    status.showNotice(text, tone, ringsBell: options.ringsBell)
  }

  /// Handles a timer, unless its generation is stale.
  mutating func handle(_ timer: PickerTimer) -> [PickerEffect] {
    switch timer {
    case .preview(let generation):
      // A part of the same picture may stay, however long the next part takes.
      if generation == preview.outgoingGeneration, preview.outgoing?.asset != current?.id {
        preview.outgoing = nil
      }
    case .notice(let generation):
      if generation == status.noticeGeneration { status.notice = nil }
    case .click(let generation):
      if generation == input.mouse.clickGeneration { input.mouse.clicked = nil }
    case .playback(let generation):
      if generation == preview.playback.generation { return startPlaying() }
    case .scroll(let generation):
      if generation == input.mouse.scrollGeneration { return continueScrolling() }
    }
    return []
  }
}
