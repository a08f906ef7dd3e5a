import AssetLibrary
import Pixels

/// The picker as pure functions: the initial effects, `update` and `view`.
package enum Picker {
  /// The effects to perform before the first message.
  package static func start(_ state: PickerState) -> [PickerEffect] { [.requestAuthorization] }

  /// Updates the state for a message, and then for the messages and keys that have waited until now.
  /// - Returns: the effects to perform, in order.
  package static func update(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects = step(&state, message)
    // One at a time: a deferred message can start another bulk selection, which defers the rest again.
    while state.picks.bulk == nil, !state.picks.deferred.isEmpty {
      if effects.contains(where: \.isEnd) {
        state.picks.deferred = []
      } else {
        effects += step(&state, state.picks.deferred.removeFirst())
      }
    }
    for key in state.takeTypedAhead() where !effects.contains(where: \.isEnd) {
      effects += step(&state, .key(key))
    }
    if !effects.contains(where: \.isEnd) { effects += state.followCursor() }
    return effects + state.followUp()
  }

  private static func step(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    let effects =
      state.takeWhileDelivering(message) ?? state.takeWhileDownloading(message) ?? take(&state, message)
    state.notePicks()
    state.normalize()
    return effects + state.report()
  }

  private static func take(_ state: inout PickerState, _ message: PickerMessage) -> [PickerEffect] {
    var effects: [PickerEffect] = []
    switch message {
    case .key(let key) where state.cancelsBulkSelection(key): effects = state.stopBulkSelection()
    case .key(let key):
      effects = state.deferDuringBulkSelection(key) ? [] : state.keepTypedAhead(key) ?? state.press(key)
    case .mouse(let event): effects = state.deferDuringBulkSelection(message) ? [] : state.handle(event)
    case .paste(let text): effects = state.deferDuringBulkSelection(message) ? [] : state.paste(text)
    case .resized(let metrics): state.resize(to: metrics)
    case .fallback(let name, let words): effects = state.tellFallback(name, words)
    case .authorization(let status): effects = state.authorize(status)
    case .consent(let request): state.ask(request)
    case .fetched(let answer): effects = state.show(answer)
    case .foundEverywhere(let count, let generation):
      if generation == state.library.generation { state.library.countEverywhere = count }
    case .albums(let answer): effects = state.list(answer)
    case .posters(let answer): state.sidebar.posters.add(answer)
    case .kinds(let answer): state.library.kindCounts.add(answer)
    case .suggestions(let answer): state.show(answer)
    case .work(let work): state.status.update(work)
    case .workEnded(let id, let message, let hasFailed):
      effects = state.endWork(id, message: message, hasFailed: hasFailed)
    case .bulkSelected(let result): effects = state.endBulkSelection(with: result)
    case .libraryChanged: effects = state.libraryChanged()
    case .pictures(let statuses): state.add(statuses)
    case .downloadProgress(let asset, let fraction): state.pictures.downloads[asset] = fraction
    case .downloaded: break
    case .details(let asset, let details):
      if state.preview.details[asset] != nil { state.preview.details[asset] = details }
    case .burst(let identifier, let members): effects = state.showBurst(identifier, members)
    case .burstCounts(let counts): state.grid.burstCounts.add(counts)
    case .playback(let event, let generation): effects = state.handle(event, generation: generation)
    case .programFailed(let words): effects = state.showNotice(words, .error)
    case .delivery(let progress, let elapsed): state.handover.delivery?.update(progress, elapsed: elapsed)
    case .delivered: effects = state.finishDelivery()
    case .timer(let timer): effects = state.handle(timer)
    }
    return effects
  }
}
