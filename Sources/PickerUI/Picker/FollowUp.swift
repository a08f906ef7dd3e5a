import AssetLibrary
package import Pixels

extension PickerState {
  /// How many neighbors of the previewed picture are prefetched in each direction.
  private static let prefetchDistance = 2

  /// The effects that follow from the new state: requests for pictures, facts, burst counts, posters and playback.
  mutating func followUp() -> [PickerEffect] {
    var effects: [PickerEffect] = []
    let before = pictures.wantedPreview
    var scrubbing = grid.scrubbing
    scrubbing.goOn(in: self)
    grid.scrubbing = scrubbing
    preview.requestPart(current.flatMap(PreviewPlace(of: self).zoomedKey), pictures)
    let wanted = layers.showsLibrary ? currentWants : []
    if wanted != pictures.wants {
      pictures.wants = wanted
      let keys = Set(wanted.map(\.key))
      // Until a picture with the new mark is ready, the one without marks stays.
      let unmarked = Set(keys.map(\.unmarked))
      effects.append(.demand(wanted))
      if let preview = wanted.wantedPreview, preview != before {
        let size = current.map { self.preview.presented($0).pixelSize } ?? PixelSize(width: 0, height: 0)
        effects += self.preview.keepShowing(before, until: preview, size: size, pictures)
      }
      pictures.keep { [outgoing = preview.outgoing] in unmarked.contains($0.unmarked) || $0 == outgoing }
    }
    if layers.showsLibrary, layout.preview != nil || layout.facts != nil || layers[InfoBox.self] != nil {
      let distances = [0] + (1...Self.prefetchDistance).flatMap { [$0, -$0] }
      let cursor = CursorPhotos(of: self)
      effects += preview.requestDetails(of: distances.compactMap { cursor[$0] })
    }
    if layers.showsLibrary {
      effects += requestBurstCounts()
      effects += sidebar.requestPosters(in: self)
      effects += layers[FilterMenu.self].map { $0.requestCounts(in: &self) } ?? []
    }
    effects += requestSuggestions() + follow(movingPicture)
    return effects + preview.playback.cover(layers.coverMovingPictures || preview.playback.isAway)
  }

  /// Requests the counts of the visible bursts, again after the library has changed.
  private mutating func requestBurstCounts() -> [PickerEffect] {
    let bursts = grid.rows.indexes(inRows: grid.topRow..<grid.topRow + layout.cells.rows).clamped(
      to: 0..<library.assets.count
    )
    .compactMap { library.assets[$0].burstIdentifier }
    let wanted = grid.burstCounts.takeMissing(of: bursts, canRefresh: library.status.isComplete)
    return wanted.isEmpty ? [] : [.countBursts(wanted, authorization.mode)]
  }

  /// The pictures to have ready, the most urgent first: the preview, the visible thumbnails, those half a
  /// screen around, the neighbors' previews.
  private var currentWants: [PictureRequest] {
    guard layout.metrics.pictureGeometry != nil else { return [] }
    var wants: [PictureRequest] = []
    let place = PreviewPlace(of: self)
    let previewSize = place.size
    if let asset = current, !asset.isBroken, let previewSize {
      if let requestedPart = preview.requestedPart {
        wants.append(PictureRequest(key: requestedPart, asset: asset, priority: .preview))
      }
      // The whole picture stays ready for when the user zooms out.
      let key = place.key(of: asset, previewSize)
      wants.append(
        PictureRequest(
          key: key, asset: asset, priority: preview.requestedPart == nil ? .preview : .visible))
      let photo = preview.presented(asset).pixelSize
      if let slot = place.slot(of: key, photo, beside: layers.covers(in: self)), slot.key != key {
        wants.append(PictureRequest(key: slot.key, asset: asset, priority: .visible))
      }
    }
    if !preview.isFullScreen {
      wants += picks.strip.wants(in: self)
      wants += Tiles(of: self).wants
    }
    if let previewSize {
      let cursor = CursorPhotos(of: self)
      for distance in (1...Self.prefetchDistance).flatMap({ [$0, -$0] }) {
        guard let asset = cursor[distance], !asset.isBroken else { continue }
        wants.append(
          PictureRequest(
            key: place.key(of: asset, previewSize, isCurrent: false), asset: asset, priority: .prefetch))
      }
    }
    return (wants + sidebar.posterWants(in: self)).uniqued
  }

  /// The size in pixels in which the grid shows photos; nil if no pictures are drawn.
  package var thumbnailSize: PixelSize? {
    let size = layout.metrics.pictureGeometry?.pixels(for: layout.cells.box)
    return size.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension PickerState {
  /// Turns playback on, pauses it, goes on, or repeats what has ended.
  mutating func togglePlayback() -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard preview.canPlay(asset) else {
      if preview.playback.isWanted {
        preview.playback.turnOff()
        return status.showNotice("Playback off", .dim)
      }
      return status.showNotice("\(asset.shortName) has nothing to play", .dim)
    }
    let isWaiting = preview.playback.phase == .waiting || preview.playback.isInGrid
    let effects = preview.playback.toggle(asset)
    guard isWaiting, preview.playback.isWanted else { return effects }
    if PreviewPlace(of: self).box == nil { openFullScreen() }
    preview.zoomOut()
    return follow(movingPicture).isEmpty ? [] : startPlaying()
  }

  private mutating func follow(_ picture: MovingPicture?) -> [PickerEffect] {
    preview.playback.follow(picture?.key, isInGrid: picture?.isInGrid ?? false)
  }

  /// Changes what plays, or stays at a frame; does nothing if there is no such thing.
  mutating func controlPlayback(_ change: (inout Playback, Asset) -> [PickerEffect]) -> [PickerEffect] {
    guard preview.playback.isControllable, let asset = current else { return [] }
    return change(&preview.playback, asset)
  }

  private typealias MovingPicture = (asset: Asset, key: PictureKey, isInGrid: Bool)

  /// What plays: the visible preview, if playback is on or pauses there; otherwise the tile under the cursor, if the user
  /// has configured that.
  private var movingPicture: MovingPicture? {
    let place = PreviewPlace(of: self)
    if let asset = current, !place.isZoomed(asset), preview.canPlay(asset), let key = place.key(of: asset),
      preview.playback.wants(key)
    {
      return (asset, key, false)
    }
    guard options.screen.playsInGrid, input.focus == .grid, !preview.isFullScreen,
      library.assets.indices.contains(grid.cursor)
    else { return nil }
    let asset = library.assets[grid.cursor]
    // One thing at a time moves in a tile.
    guard preview.canPlay(asset), asset.id != grid.scrubbing.target?.asset,
      let key = Tiles(of: self).plainKey(at: grid.cursor)
    else { return nil }
    return (asset, key, true)
  }

  /// Plays the current asset.
  mutating func startPlaying() -> [PickerEffect] {
    movingPicture.map { preview.playback.start($0.asset, $0.key) } ?? []
  }
}

extension LayerStack {
  /// Whether moving pictures are out of sight, so that they wait.
  var coverMovingPictures: Bool { !showsLibrary || has(.box) || self[OriginalDownloads.self] != nil }
}

extension PickerState {
  /// Requests suggestions if the typed text or the library has changed.
  fileprivate mutating func requestSuggestions() -> [PickerEffect] {
    guard let query = suggestionQuery else {
      library.suggestions = SuggestionState()
      return []
    }
    return library.suggestions.ask(query) ? [.suggest(query)] : []
  }

  /// The query for the typed text; nil if there is nothing to suggest.
  private var suggestionQuery: SuggestionQuery? {
    guard layers.showsLibrary, let answered = library.answeredQuery, let editor = completedLine,
      let completion = SuggestionState.completion(of: editor)
    else { return nil }
    var options = answered.options
    options.search = nil
    options.sortDescriptors = AssetSort.newest.descriptors
    return SuggestionQuery(
      completion: completion, collection: answered.collection, options: options, mode: answered.mode,
      vocabulary: self.options.search.vocabulary, assetCount: library.status.assetCount,
      recentSearches: editor.isEmpty ? library.recentSearches : [])
  }

  /// The line to complete: that of the prompt, or a search that found nothing and may be mistyped.
  private var completedLine: LineEditor? {
    if let prompt = layers[Prompt.self] { return prompt.purpose == .search ? prompt.editor : nil }
    let filter = library.userFilter
    guard library.assets.isEmpty, library.status.isComplete, !library.isFetchingNewQuery,
      filter.search != nil,
      filter.text != options.search.text
    else { return nil }
    return LineEditor(filter.text)
  }
}

extension [PictureRequest] {
  /// The wants without later duplicates of a picture.
  fileprivate var uniqued: [PictureRequest] {
    var keys: Set<PictureKey> = []
    return filter { keys.insert($0.key).inserted }
  }
}
