import AssetLibrary
import Pixels

extension PickerState {
  mutating func resize(to metrics: ScreenMetrics) {
    // Other cells, other pictures: whoever made the old ones has forgotten them.
    if metrics.cell != self.metrics.cell || metrics.pictureGeometry != self.metrics.pictureGeometry {
      forgetPictures()
    }
    self.metrics = metrics
  }

  /// Makes hold what has to hold after every message: what is looked at is there and in sight.
  mutating func normalize() {
    picks.stripCursor = max(0, min(picks.stripCursor, picks.selection.count - 1))
    if picks.showsStrip, picks.selection.isEmpty { closeStrip() }
    if !preview.isFullScreen { (preview.zoom, input.mouse.grip, preview.burst) = (nil, nil, nil) }
    if let burst = preview.burst, cursorIdentifier != burst.representative { preview.burst = nil }
    if let choice = preview.versionChoice, choice.asset != current?.id { preview.versionChoice = nil }
    updateLayout()
    grid.breakIntoRows(count: library.assets.count, days: library.days, in: layout)
    grid.scrollToCursor(in: layout.cells)
    scrollToAlbum()
    if preview.infoScroll != 0 { preview.infoScroll = max(0, min(preview.infoScroll, lastInfoScroll)) }
  }

  mutating func say(_ text: String, _ tone: TextStyle.Tone = .warning) -> [PickerEffect] {
    status.say(text, tone, rings: options.rings)
  }

  /// Does what was to be done at a moment, unless something has happened since that makes it stale.
  mutating func handle(_ timer: PickerTimer) -> [PickerEffect] {
    switch timer {
    case .preview(let generation):
      // What is seen of the same picture is better than nothing, however long the rest takes.
      if generation == preview.heldGeneration, preview.held?.asset != current?.id { preview.held = nil }
    case .notice(let generation):
      if generation == status.noticeGeneration { status.notice = nil }
    case .click(let generation):
      if generation == input.mouse.clickGeneration { input.mouse.clicked = nil }
    case .playback(let generation):
      if generation == preview.playback.generation { return startPlaying() }
    case .scroll(let generation):
      if generation == input.mouse.scrollGeneration { return scrollOn() }
    }
    return []
  }
}
