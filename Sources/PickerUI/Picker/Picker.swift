import AssetLibrary
package import Pixels

/// The picker as pure functions: the initial effects, `update` and `view`.
package enum Picker {
  /// The smallest screen that shows photos, in cells.
  package static var minimumSize: CellSize { ScreenLayout.minimumSize }

  /// The effects to perform before the first message.
  package static func start(_ state: PickerState) -> [PickerEffect] { [.requestAuthorization] }

  /// Updates the state for a message, and then for the messages and keys that have been waiting.
  /// - Returns: the effects to perform, in order.
  package static func update(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects = updateOnce(&state, message)
    for message in state.takeWaiting() where !effects.contains(where: \.isEnd) {
      // A waiting key may have started another bulk selection, which the rest waits for.
      if state.picks.isBusy {
        state.input.waiting.keep(message)
      } else {
        effects += updateOnce(&state, message)
      }
    }
    if !effects.contains(where: \.isEnd) { effects += state.followCursor() }
    return effects + state.followUp()
  }

  private static func updateOnce(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    let effects = dispatch(&state, message)
    if state.picks.note() { state.edits.notePicks() }
    state.normalize()
    return effects + state.picks.report(state.options, sort: state.library.userFilter.sort)
  }

  private static func dispatch(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects: [PickerEffect] = []
    // A terminal with input has the focus, whatever it said.
    if case .key = message { state.preview.playback.isAway = false }
    switch message {
    case .key(let key):
      effects = state.receive(message, .key(key, state.command(for: key)))
    case .mouse(let event) where event.isMotion:
      effects = state.grid.scrubbing.follow(event, to: Scrubbing.target(under: event, in: state))
    case .mouse(let event): effects = state.receive(message, .mouse(event))
    case .paste(let text): effects = state.receive(message, .paste(text))
    case .resized(let metrics): state.resize(to: metrics)
    case .fallback(let name, let words): effects = state.reportFallback(name, words)
    case .fallbackEnded: state.withdrawFallback()
    case .authorization(let status): effects = state.authorize(status)
    case .consent(let question): state.layers.page = ConsentPage(question)
    case .fetched(let answer): effects = state.show(answer)
    case .foundEverywhere(let count, let generation):
      if generation == state.library.generation { state.library.countEverywhere = count }
    case .albums(let answer): effects = state.list(answer)
    case .posters(let answer): state.sidebar.posters.add(answer)
    case .kinds(let answer): state.library.kindCounts.add(answer)
    case .suggestions(let answer): state.library.suggestions.add(answer)
    case .work(let work): state.status.update(work)
    case .workEnded(let id, let message, let hasFailed):
      effects = state.status.end(id, message: message, hasFailed: hasFailed)
    case .bulkSelected(let result): effects = state.choose { $0.end(with: result, on: $1) }
    case .libraryChanged:
      state.markCountsStale()
      effects = state.refetch()
    case .edited(let answer): effects = state.edit { $0.finish(answer, on: $1) }
    case .pictures(let statuses):
      state.pictures.add(statuses)
      state.preview.update(with: state.pictures)
    case .downloadProgress(let asset, let fraction): state.pictures.downloads[asset] = fraction
    case .downloaded(let progress):
      effects = state.updateLayer(OriginalDownloads.self) { $0.update(progress, in: &$1) }
    case .details(let asset, let details): state.preview.add(details, of: asset)
    case .burst(let identifier, let members):
      let (assets, cursor) = (state.library.assets, state.grid.cursor)
      let asset = assets.indices.contains(cursor) ? assets[cursor] : nil
      if !state.preview.show(members, ofBurst: identifier, of: asset) {
        effects = state.status.showNotice("No other photo in this burst", .dim)
      }
    case .burstCounts(let counts): state.grid.burstCounts.add(counts)
    case .focused(let hasFocus): state.preview.playback.isAway = !hasFocus
    case .playback(let event, let generation):
      let asset = state.current
      let outcome = state.preview.playback.handle(event, generation: generation, of: asset)
      effects = outcome.effects
      // The user did not start what plays in the grid.
      if let reason = outcome.failure, let asset, !state.preview.playback.isInGrid {
        effects += state.status.showNotice("\(asset.shortName) can't be played: \(reason)")
      }
    case .playerReady(let run): effects = state.startPlayer(run)
    case .programFailed(let words): effects = state.status.showNotice(words, .error)
    case .delivery(let progress, let elapsed): state.layers[Delivery.self]?.update(progress, elapsed: elapsed)
    case .delivered: effects = state.updateLayer(Delivery.self) { .handled($0.finish(in: $1)) }
    case .timer(let timer): effects = state.handle(timer)
    case .order(let order): effects = state.perform(order)
    }
    return effects
  }
}

extension PickerState {
  /// Handles input, unless it must wait.
  fileprivate mutating func receive(_ message: PickerMessage, _ input: LayerInput) -> [PickerEffect] {
    var waiting = self.input.waiting
    let arrival = waiting.receive(message, in: self)
    self.input.waiting = waiting
    switch arrival {
    case .goesOn: return handle(input)
    case .waits(let notice): return notice.map { status.showNotice($0, .dim) } ?? []
    case .stopsBulkSelection: return choose { picks, _ in picks.stopBulkSelection() }
    }
  }

  /// Takes the waiting input that can be handled now.
  fileprivate mutating func takeWaiting() -> [PickerMessage] {
    var waiting = input.waiting
    defer { input.waiting = waiting }
    return waiting.take(in: self)
  }

  /// Requests all counts again; they are shown until then.
  fileprivate mutating func markCountsStale() {
    sidebar.markCountsStale()
    grid.burstCounts.markStale()
    library.kindCounts.markStale()
  }

  fileprivate mutating func resize(to metrics: ScreenMetrics) {
    // The host drops its pictures when the cell size changes.
    if metrics.cell != layout.metrics.cell || metrics.pictureGeometry != layout.metrics.pictureGeometry {
      pictures.forgetAll()
    }
    updateLayout(for: metrics)
  }

  /// Restores the invariants after a message: indexes are in range and the cursors are in view.
  fileprivate mutating func normalize() {
    picks.use(rules.measure)
    picks.strip.keepCursor(below: picks.selection.count)
    if picks.selection.isEmpty { picks.strip.close() }
    if input.focus == .strip, !picks.strip.isOpen {
      setFocus(.grid)
      preview.leaveFullScreen()
    }
    if !preview.isFullScreen { input.mouse.dragAnchor = nil }
    preview.settle(
      on: library.assets.indices.contains(grid.cursor) ? library.assets.identifier(at: grid.cursor) : nil)
    preview.keepVersion(of: current?.id)
    updateLayout()
    grid.breakIntoRows(count: library.assets.count, in: layout.cells)
    grid.scrollToCursor(in: layout.cells)
    sidebar.scroll(toShown: library.album, hasFocus: input.focus == .sidebar, in: layout)
    if preview.infoScroll != 0 {
      preview.limitInfoScroll(to: PhotoInfo(in: self)?.maximumScroll ?? 0)
    }
  }

  /// Reports a picture fallback once; later runs remember that it was reported.
  fileprivate mutating func reportFallback(_ name: String, _ words: String) -> [PickerEffect] {
    guard name != options.screen.reportedFallback else { return [] }
    let effects = status.showNotice(words, .dim)
    status.reportedFallback = (name, status.noticeGeneration)
    return effects
  }

  /// Withdraws the report of a picture fallback, because the terminal's late answers made it obsolete.
  fileprivate mutating func withdrawFallback() {
    // A notice that was shown long enough is not withdrawn.
    guard let reported = status.reportedFallback, reported.generation == status.noticeGeneration,
      status.notice != nil
    else { return }
    (status.notice, status.reportedFallback) = (nil, nil)
  }

  /// Handles a timer, unless its generation is stale.
  fileprivate mutating func handle(_ timer: PickerTimer) -> [PickerEffect] {
    switch timer {
    case .preview(let generation): preview.endOutgoing(generation, unlessOf: current?.id)
    case .notice(let generation):
      if generation == status.noticeGeneration { status.notice = nil }
    case .click(let generation):
      if generation == input.mouse.clickGeneration { input.mouse.clicked = nil }
    case .playback(let generation):
      if generation == preview.playback.generation { return startPlaying() }
    case .scrubbing(let generation): grid.scrubbing.begin(generation)
    case .scroll(let generation):
      let (mouse, count) = (input.mouse, library.assets.count)
      guard generation == mouse.scrollGeneration,
        let index = mouse.scrollTarget(in: grid, isCompact: layout.isCompact, count: count)
      else { return [] }
      return moveCursor(to: index) + [input.mouse.scrollTimer]
    }
    return []
  }
}

extension PickerState {
  /// Reports the asset under the cursor if the caller follows the cursor and the asset can be a result.
  fileprivate mutating func followCursor() -> [PickerEffect] {
    guard options.configuration.selection == .follow, isCursorSettled, let asset = current
    else { return [] }
    return picks.follow(asset, by: rules)
  }

  /// Whether the cursor is on its asset deliberately.
  ///
  /// Until the first input the cursor stays in the first position, on whichever asset the scan puts there. While
  /// another query is pending the assets are those of the previous one, which the client might not even be allowed to
  /// see.
  private var isCursorSettled: Bool {
    layers.showsLibrary && authorization.mode == .picking && !library.isFetchingNewQuery
      && (library.status.isComplete || grid.anchor != nil)
  }
}

extension Picker {
  /// Draws the state as a screen.
  package static func view(_ state: PickerState) -> ScreenFrame {
    var frame = ScreenFrame(size: state.layout.metrics.size, symbols: state.options.symbols)
    let layout = state.layout
    if layout.isTooSmall {
      let needed = "\(minimumSize.columns)×\(minimumSize.rows)"
      let texts = ["tpick needs \(needed) cells", "tpick needs \(needed)", "needs \(needed)", needed]
      frame.put(
        texts.first { DisplayText($0).width <= frame.size.columns } ?? needed, row: 0, column: 0)
      return frame
    }
    if let page = state.layers.page {
      page.draw(on: &frame, in: state)
    } else {
      state.drawLibrary(on: &frame, layout)
    }
    return frame
  }
}

extension PickerState {
  fileprivate func drawLibrary(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    if layout.isCompact { Tiles(of: self).drawCompactScrollBar(on: &frame) }
    // A prompt replaces the title.
    if let area = layout.title, layers[Prompt.self] == nil {
      TitleLine(of: self, columns: area.columns).draw(on: &frame, row: area.row)
    }
    grid.draw(on: &frame, in: self)
    picks.strip.draw(on: &frame, in: self)
    let preview = PreviewPane(of: self)
    preview.draw(on: &frame)
    preview.drawFactsLine(on: &frame)
    sidebar.draw(on: &frame, in: self)
    StatusLine(of: self).draw(on: &frame, row: layout.status.row)
    for layer in layers.fromBottom { layer.draw(on: &frame, in: self) }
  }
}

extension ScreenFrame {
  /// Puts lines of text in the middle of the screen.
  mutating func putMessage(_ lines: [String], in layout: ScreenLayout, style: TextStyle = .plain) {
    putMessage(
      lines.map { ($0, style) }, in: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
  }

  /// Puts lines of text in the middle of an area, wrapping those that are too long.
  /// - Parameter columns: the width of the window to center the lines in, as far as the area allows; nil = the lines
  ///   are centered in the area.
  mutating func putMessage(
    _ lines: [(text: String, style: TextStyle)], in area: CellRect, inMiddleOf columns: Int? = nil
  ) {
    let limit = max(1, min(72, area.columns - 4))
    let wrapped = lines.flatMap { line -> [(DisplayText, TextStyle)] in
      let parts = DisplayText(line.text).wrapped(to: limit)
      return parts.isEmpty ? [(DisplayText(""), line.style)] : parts.map { ($0, line.style) }
    }
    var row = area.row + max(0, (area.rows - wrapped.count) / 2)
    for (text, style) in wrapped where row < area.endRow {
      let middle = columns.map { ($0 - text.width) / 2 } ?? area.column + (area.columns - text.width) / 2
      let column = max(area.column, min(middle, area.endColumn - text.width))
      put(text, row: row, column: column, style: style)
      row += 1
    }
  }
}
