import AssetLibrary
import Pixels

/// The picker: a state, what changes it, and what it looks like.
///
/// All pure.
package enum Picker {
  /// What has to be done before anything has happened.
  package static func start(_ state: PickerState) -> [PickerEffect] { [.requestAuthorization] }

  /// Makes the next state of one thing that happened, and of what had waited for it.
  /// - Returns: what is to be done outside, in this order.
  package static func update(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects = step(&state, message)
    // One after the other, each in the state that the one before has left.
    while state.bulkSelection == nil, !state.deferred.isEmpty {
      if effects.contains(where: \.isEnd) {
        state.deferred = []
      } else {
        effects += step(&state, state.deferred.removeFirst())
      }
    }
    return effects + state.followUp()
  }

  private static func step(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects: [PickerEffect] = []
    switch message {
    case .key(let key) where state.isGivenUp(by: key): effects = state.stopBulkSelection()
    case .key(let key): effects = state.defers(key) ? [] : state.press(key)
    case .mouse(let event): effects = state.defers(message) ? [] : state.mouse(event)
    case .paste(let text): effects = state.defers(message) ? [] : state.paste(text)
    case .resized(let metrics): state.resize(to: metrics)
    case .authorization(let status): effects = state.authorize(status)
    case .consent(let request): state.stage = .consent(request, choice: .deny)
    case .fetched(let answer): effects = state.take(answer)
    case .albums(let answer): effects = state.take(answer)
    case .posters(let answer): state.posters.take(answer)
    case .work(let work): state.take(work)
    case .workEnded(let id, let words, let hasFailed): effects = state.end(id, words, hasFailed)
    case .bulkSelected(let result): effects = state.take(result)
    case .libraryChanged: effects = state.libraryChanged()
    case .pictures(let statuses): state.take(statuses)
    case .details(let asset, let details):
      if state.details[asset] != nil { state.details[asset] = details }
    case .burst(let identifier, let members): effects = state.take(burst: identifier, members)
    case .burstCounts(let counts): state.burstCounts.take(counts)
    case .playback(let event, let generation): effects = state.take(event, generation: generation)
    case .timer(let timer): effects = state.take(timer)
    }
    state.settle()
    return effects + state.report()
  }
}

extension PickerState {
  mutating func resize(to metrics: ScreenMetrics) {
    // Other cells, other pictures: whoever made the old ones has forgotten them.
    if metrics.cell != self.metrics.cell || metrics.pictureGeometry != self.metrics.pictureGeometry {
      forgetPictures()
    }
    self.metrics = metrics
  }

  /// What has to hold after every message: what is looked at is there and in sight.
  mutating func settle() {
    stripCursor = max(0, min(stripCursor, selection.count - 1))
    if showsStrip, selection.isEmpty { closeStrip() }
    if !isFullScreen { (zoom, mouse.grip, burst) = (nil, nil, nil) }
    if let burst, !assets.indices.contains(cursor) || assets.identifier(at: cursor) != burst.representative {
      self.burst = nil
    }
    if let choice = versionChoice, choice.asset != current?.id { versionChoice = nil }
    arrange()
    scrollToCursor()
    scrollToAlbum()
    if infoScroll != 0 { infoScroll = max(0, min(infoScroll, lastInfoScroll)) }
  }

  /// Breaks the assets into rows, anew where the width or the answer changed.
  private mutating func arrange() {
    let layout = layout
    let geometry = layout.cells
    let columns = geometry.columns > 0 ? geometry.columns : rows.columns
    let hasHeaders = geometry.columns > 0 ? layout.hasHeaders : rowsHaveHeaders
    guard areRowsStale || columns != rows.columns || hasHeaders != rowsHaveHeaders else { return }
    areRowsStale = false
    rowsHaveHeaders = hasHeaders
    rows = GridRows(count: assets.count, columns: columns, days: hasHeaders ? days ?? [] : [])
  }

  /// Brings the cursor's row into sight, moving the grid no more than needed.
  private mutating func scrollToCursor() {
    let geometry = layout.cells
    guard geometry.columns > 0, geometry.rows > 0 else { return }
    let row = rows.row(of: cursor)
    topRow = min(topRow, row)
    topRow = max(topRow, row - geometry.rows + 1)
    topRow = max(0, min(topRow, rows.rowCount - geometry.rows))
  }

  mutating func say(_ text: String, _ tone: TextStyle.Tone = .warning) -> [PickerEffect] {
    notice = Notice(text: text, tone: tone)
    noticeGeneration += 1
    let timer = PickerEffect.startTimer(.notice(generation: noticeGeneration), milliseconds: 5000)
    return options.rings && tone != .dim ? [.ring, timer] : [timer]
  }

  mutating func take(_ timer: PickerTimer) -> [PickerEffect] {
    switch timer {
    case .preview(let generation):
      // What is seen of the same picture is better than nothing, however long the rest takes.
      if generation == previewGeneration, heldPreview?.asset != current?.id { heldPreview = nil }
    case .notice(let generation):
      if generation == noticeGeneration { notice = nil }
    case .click(let generation):
      if generation == mouse.clickGeneration { mouse.clicked = nil }
    case .playback(let generation):
      if generation == playback.generation { return startPlaying() }
    case .scroll(let generation):
      if generation == mouse.scrollGeneration { return scrollOn() }
    }
    return []
  }
}
