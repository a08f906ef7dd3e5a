/// A command that a key can be bound to, in the order of the help.
package enum Command: String, Hashable, Sendable, CaseIterable {
  case left, down, up, right, pageUp, pageDown, first, last, jump, nextPane, previousPane
  case toggle, toggleNext, togglePrevious, confirm, range, selectAll, unselectAll, undo, redo, review
  case moveEarlier, moveLater, copyPaths, optionsMenu
  case favorite, hide, addToAlbum, remove, renameAlbum
  case search, filterMenu, sortMenu, showHidden, removeFilter, showEverything
  case openFullScreen, zoom, nextVersion, nextInBurst, previousInBurst, togglePreview, play
  case playInPlayer
  case info, infoDown, infoUp, largerThumbnails, smallerThumbnails, widerPane, narrowerPane, redraw
  case seekTenth, seekBackward, seekForward, previousFrame, nextFrame, slower, faster, toggleLoop
  case trimStart, trimEnd, trimNone, makeKeyPhoto, saveFrame
  case manageAccess, help, close, cancel, suspend
}

extension Command {
  /// One row of the table of commands.
  ///
  /// The key bindings, the configuration, the help, the hints of the last line, completion, the manual page
  /// and the manual's table of keys are made of these rows.
  struct Row: Sendable {
    let section: Section
    /// What the command does, for the help and the manual page.
    ///
    /// Commands with the same title share a line.
    let title: String
    /// The default keys.
    let keys: [Key]
    /// The label in the last line, unless the context has another one.
    let hint: String
    /// The requirements of the command, in the order in which they are checked.
    let needs: [Need]
    /// The description in the manual, in Markdown, if it differs from the title.
    ///
    /// Commands with the same title share a line; the first of them has the description.
    let manual: String
    /// Performs the command in panes that don't handle it themselves; nil if they all do.
    let perform: (@Sendable (inout PickerState) -> [PickerEffect])?

    init(
      _ section: Section, _ title: String, _ keys: [Key], hint: String = "", needs: [Need] = [],
      manual: String = "",
      perform: (@Sendable (inout PickerState) -> [PickerEffect])? = nil
    ) {
      (self.section, self.title, self.keys, self.hint) = (section, title, keys, hint)
      (self.needs, self.manual, self.perform) = (needs, manual, perform)
    }
  }

  /// The headings of the help.
  enum Section: String, Hashable, Sendable {
    case moving = "Moving"
    case choosing = "Picking"
    case organizing = "Organizing"
    case finding = "Finding"
    case looking = "Viewing"
    /// These keys mean something else while nothing plays.
    case playing = "While something plays"
    case leaving = "General"
  }

  /// A requirement of a command.
  enum Need: Hashable, Sendable {
    /// The grid is visible. Commands that need it are ignored in full screen.
    case grid
    /// The caller has not disabled this part.
    case preview, search, filters, selectionActions, stagingArea
    /// The options of the result can be chosen.
    case options
    /// The library can be changed from the picker.
    case changes
    /// The photos are in the library, not in Recently Deleted.
    case photosOfLibrary
  }

  /// All rows, in the order of the commands.
  private static let rows = allCases.map(\.newRow)

  private static let places = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))

  /// The row of this command.
  var row: Row { Self.rows[Self.places[self] ?? 0] }

  private var newRow: Row {
    switch self {
    case .left:
      Row(.moving, "move", [.left, "h"])
    case .down: Row(.moving, "move", [.down, "j"])
    case .up: Row(.moving, "move", [.up, "k"])
    case .right: Row(.moving, "move", [.right, "l"])
    case .pageUp: Row(.moving, "page up, down", [.pageUp, .control("b")])
    case .pageDown: Row(.moving, "page up, down", [.pageDown, .control("f")])
    case .first: Row(.moving, "first, last photo", [.home, "g"])
    case .last: Row(.moving, "first, last photo", [.end, "G"])
    case .jump:
      Row(
        .moving, "go to a photo number or a date", "0123456789".map { .character($0) }, needs: [.grid],
        manual: """
          go to a photo by its number, or to a date: `2024`, `202405`, `20240502`. The prompt accepts only digits and \
          shows the target; write a photo number that looks like a year with a leading zero
          """
      )
    case .nextPane:
      Row(
        .moving, "switch pane: albums, photos, selection", [.tab], hint: "albums", needs: [.grid],
        manual: "move the focus between albums, photos and selection"
      ) { $0.nextPane(1) }
    case .previousPane:
      Row(.moving, "switch pane: albums, photos, selection", [.backTab], needs: [.grid]) { $0.nextPane(-1) }

    case .toggle:
      Row(.choosing, "pick or unpick", [.space], hint: "pick") {
        $0.choose { $0.toggle(on: $1) }
      }
    case .toggleNext:
      Row(.choosing, "pick, then next or previous photo", [.control(" "), "x"])
    case .togglePrevious:
      Row(.choosing, "pick, then next or previous photo", ["X"])
    case .confirm:
      Row(
        .choosing, "use the selection", [.enter], hint: "use",
        manual: """
          use the selection; if nothing was ever picked, the photo under the cursor. After all picks were cleared, \
          there is nothing to use, see `--allow-empty`
          """
      ) { $0.confirm() }
    case .range:
      Row(
        .choosing, "pick a range from here", ["v"], needs: [.grid, .selectionActions],
        manual:
          "pick a range from here: move to its end, then keep it with `v` or Space, or cancel it with Esc"
      ) { picker in
        guard picker.input.focus == .grid, let asset = picker.current else { return [] }
        return picker.choose { $0.toggleRange(at: asset, on: $1) }
      }
    case .selectAll:
      Row(.choosing, "pick all, up to the limit", ["a"], needs: [.selectionActions]) {
        $0.choose { $0.selectAll(on: $1) }
      }
    case .unselectAll:
      Row(.choosing, "unpick all", ["u"], needs: [.selectionActions]) {
        $0.choose { $0.unselectAll(on: $1) }
      }
    case .undo:
      Row(
        .choosing, "undo, redo", ["U"],
        manual:
          "undo and redo changes of the selection and the library; a range, a drag, `a` and `u` are one step each"
      ) { $0.edit { edits, _ in edits.stepBack(.undo) } }
    case .redo:
      Row(.choosing, "undo, redo", [.control("r")]) { $0.edit { edits, _ in edits.stepBack(.redo) } }
    case .review:
      Row(
        .choosing, "review the picks in order", ["r"], hint: "review", needs: [.stagingArea],
        manual: """
          review the picks in their strip, in picking order. Arrows move the cursor, Space unpicks a photo, `o` \
          opens it, dragging moves it, Esc goes back
          """
      ) { $0.choose { $0.toggleStrip(on: $1) } }
    case .moveEarlier:
      Row(
        .choosing, "move earlier, later (review, own album)", ["<", "K"], hint: "earlier",
        needs: [.grid, .changes]
      ) { $0.edit { $0.move(by: -1, on: $1) } }
    case .moveLater:
      Row(
        .choosing, "move earlier, later (review, own album)", [">", "J"], hint: "later",
        needs: [.grid, .changes]
      ) { $0.edit { $0.move(by: 1, on: $1) } }
    case .copyPaths:
      Row(
        .choosing, "copy the paths to the clipboard", ["y"], hint: "copy paths",
        manual: """
          copy the paths of the selection to the clipboard, one per line; with nothing picked, that of the photo under \
          the cursor. The terminal does the copying (OSC 52), also over SSH; some terminals must be configured to allow it
          """
      ) { $0.choose { $0.copyPaths(on: $1) } }
    case .optionsMenu:
      Row(
        .choosing, "options: format, size, metadata", ["O"], hint: "options", needs: [.grid, .options],
        manual:
          "options: format, size and metadata of the results, see [Options](#options-of-a-result)"
      ) { $0.open(OptionsMenu(in: $0)) }

    case .favorite:
      Row(
        .organizing, "favorite or unfavorite", ["F"], hint: "favorite", needs: [.changes, .photosOfLibrary],
        manual: """
          make the selection favorites, or unfavorite it if all of it are favorites; with nothing picked, the photo \
          under the cursor
          """
      ) { $0.edit { $0.toggleFavorite(on: $1) } }
    case .hide:
      Row(
        .organizing, "hide or unhide", ["H"], hint: "hide", needs: [.changes, .photosOfLibrary],
        manual: "hide or unhide the selection or the photo under the cursor"
      ) { $0.edit { $0.toggleHidden(on: $1) } }
    case .addToAlbum:
      Row(
        .organizing, "add to an album", ["A"], hint: "add to album",
        needs: [.grid, .changes, .photosOfLibrary],
        manual: """
          add the selection or the photo under the cursor to one of your albums: type to find it, or type the name of a \
          new one
          """
      ) { $0.edit { $0.chooseAlbum(on: $1) } }
    case .remove:
      Row(
        .organizing, "move to trash; remove from album", [.delete, "D"], hint: "delete", needs: [.changes],
        manual: """
          move the selection or the photo under the cursor to the desktop's trash, each photo with all its files, \
          after a question that lists them. In one of your albums: remove photos from it; in the sidebar: delete the \
          album, not its photos. In Recently Deleted: delete the photo for good, in the sidebar all of them, after \
          another question
          """
      ) { $0.edit { $0.remove(on: $1) } }
    case .renameAlbum:
      Row(
        .organizing, "rename album; restore deleted photos", ["R"], hint: "rename", needs: [.grid, .changes],
        manual: """
          rename the open album, if it is one of yours. In Recently Deleted: restore the photo under the cursor; in \
          the sidebar: all of them
          """
      ) { $0.edit { $0.renameOrRestore(on: $1) } }

    case .search:
      Row(
        .finding, "search; in the sidebar: find an album", ["/"], hint: "search", needs: [.grid, .search],
        manual: """
          search while typing; in the sidebar: find an album by its title. Tab completes a suggestion, Up and Down \
          choose one. Enter keeps the search, Esc cancels it
          """
      ) {
        $0.layers.open(Prompt(.search, in: $0))
        return []
      }
    case .filterMenu:
      Row(
        .finding, "filter", ["f"], hint: "filter", needs: [.grid, .filters],
        manual: """
          filter menu: Space switches a filter between include, exclude and off, Backspace clears all. The numbers count \
          the photos of each kind within the search
          """
      ) { $0.open(FilterMenu()) }
    case .sortMenu:
      Row(
        .finding, "sort", ["s"], hint: "sort", needs: [.grid],
        manual: "sort menu: Enter sorts and closes it, Space sorts. Tab reverses the order"
      ) {
        $0.open(SortMenu(for: $0.library))
      }
    case .showHidden:
      Row(.finding, "show hidden photos", ["."], needs: [.grid]) { picker in
        picker.library.userFilter.showsHidden.toggle()
        let isShown = picker.library.userFilter.showsHidden
        return picker.filterChanged()
          + picker.status.showNotice("Hidden photos are \(isShown ? "shown" : "not shown")", .dim)
      }
    case .removeFilter:
      Row(.finding, "remove the last filter", [.backspace], needs: [.grid]) {
        $0.library.userFilter.removeLast() ? $0.filterChanged() : []
      }
    case .showEverything:
      Row(.finding, "clear search and filters", ["c"], needs: [.grid]) {
        $0.library.userFilter.removeAll() ? $0.filterChanged() : []
      }

    case .openFullScreen:
      Row(.looking, "full screen on or off", ["o"], hint: "open", needs: [.preview]) {
        if $0.preview.isFullScreen {
          $0.preview.leaveFullScreen()
        } else if $0.current != nil {
          $0.openFullScreen()
        }
        return []
      }
    case .zoom:
      Row(
        .looking, "zoom to 100%, and back", ["z"], hint: "zoom", needs: [.preview],
        manual: "zoom to 100% in full screen, and back to the whole photo"
      ) { $0.toggleZoom() }
    case .nextVersion:
      Row(
        .looking, "next version: edited, original, RAW", ["e"], hint: "next version", needs: [.preview],
        manual: "the next version of the photo: edited, original, RAW"
      ) { picker in
        guard let asset = picker.current, !picker.preview.showNextVersion(of: asset) else { return [] }
        return picker.status.showNotice("\(asset.shortName) has only one version", .dim)
      }
    case .nextInBurst:
      Row(
        .looking, "next, previous photo of a burst", ["b"], hint: "next in burst", needs: [.preview],
        manual: "the next or previous photo of a burst, in full screen; Space picks the one shown"
      ) { $0.stepInBurst(1) }
    case .previousInBurst:
      Row(.looking, "next, previous photo of a burst", ["B"], needs: [.preview]) { $0.stepInBurst(-1) }
    case .togglePreview:
      Row(.looking, "preview on or off", ["p"], needs: [.grid, .preview]) {
        $0.preview.setWanted(!$0.layout.showsPreview)
        return []
      }
    case .play:
      Row(
        .looking, "play, pause and go on", ["w"], needs: [.preview],
        manual: """
          play, pause and go on from the same frame: the preview plays animations (as often as the file specifies), \
          videos and the clips of Live Photos, without sound. Playback stops when the cursor moves; unless it was \
          paused, the next photo plays once the cursor has rested for a second. It pauses while something covers the \
          preview, and while the terminal does not have the focus
          """
      ) { $0.togglePlayback() }
    case .playInPlayer:
      Row(
        .looking, "play with sound in your own player", ["W"], needs: [.preview],
        manual: """
          play with sound in your own player, which has the terminal until it ends: the version that is shown of a \
          video, an animation or the clip of a Live Photo. It is `player` of the [configuration](#configuration), else \
          mpv or ffplay. A video on a server is downloaded first
          """
      ) { $0.playInPlayer() }
    case .info:
      Row(
        .looking, "photo info", ["i"], hint: "info",
        manual: "photo info: all metadata, and histograms of luminance and of each color"
      ) {
        PhotoInfo.toggle(in: &$0)
        return []
      }
    case .infoDown:
      Row(
        .looking, "scroll the info down, up", ["}"],
        manual: "scroll the info, if there is more than fits"
      ) {
        PhotoInfo.scroll(by: 1, in: &$0)
        return []
      }
    case .infoUp:
      Row(.looking, "scroll the info down, up", ["{"]) {
        PhotoInfo.scroll(by: -1, in: &$0)
        return []
      }
    case .largerThumbnails:
      Row(
        .looking, "larger, smaller thumbnails or photo", ["+", "="], hint: "larger", needs: [.grid],
        manual: """
          larger or smaller thumbnails, 2 to 24 per row; in full screen, zoom the photo in or out
          """
      ) {
        $0.grid.changeColumns(by: -1, in: $0.layout.cellsWhenClosed)
        return []
      }
    case .smallerThumbnails:
      Row(.looking, "larger, smaller thumbnails or photo", ["-"], hint: "smaller", needs: [.grid]) {
        $0.grid.changeColumns(by: 1, in: $0.layout.cellsWhenClosed)
        return []
      }
    case .widerPane:
      Row(
        .looking, "wider, narrower preview or albums", ["]"], needs: [.grid],
        manual: """
          make the preview wider or narrower; the albums, if they have the focus or there is no preview. The mouse drags \
          the edges of both. Widths are remembered
          """
      ) { $0.changeWidth(by: 1) }
    case .narrowerPane:
      Row(.looking, "wider, narrower preview or albums", ["["], needs: [.grid]) { $0.changeWidth(by: -1) }
    case .redraw:
      Row(
        .looking, "redraw; resume or retry reading", [.control("l")], hint: "try again",
        manual: """
          redraw, query the terminal's abilities again, and resume reading the library if it was stopped, or retry \
          sources that could not be read
          """
      ) {
        $0.pictures.forgetAll()
        guard $0.library.canResume else { return [.redraw] }
        $0.status.notice = nil
        return [.redraw, .resumeReading]
      }

    case .seekTenth:
      Row(
        .playing, "go to a tenth of it", "0123456789".map { .character($0) }, needs: [.preview],
        manual: """
          while something plays: go to a tenth of it, `0` to the start, `5` to the middle. If the file does not state \
          its length and it can't be found within 5 seconds, it plays on
          """
      )
    case .seekBackward:
      Row(
        .playing, "5 seconds back, forward", ["("], needs: [.preview],
        manual: """
          while something plays: go back or forward by 5 seconds. The mouse clicks and drags the time line below the \
          picture, and pauses at its left end
          """
      ) { $0.controlPlayback { $0.seek(by: -5, $1) } }
    case .seekForward:
      Row(.playing, "5 seconds back, forward", [")"], needs: [.preview]) {
        $0.controlPlayback { $0.seek(by: 5, $1) }
      }
    case .previousFrame:
      Row(
        .playing, "previous, next frame", [","], needs: [.preview],
        manual: "while something plays: pause, and show the previous or the next frame"
      ) { $0.controlPlayback { $0.step(by: -1, $1) } }
    case .nextFrame:
      Row(.playing, "previous, next frame", ["."], needs: [.preview]) {
        $0.controlPlayback { $0.step(by: 1, $1) }
      }
    case .slower:
      Row(
        .playing, "slower, faster", ["<"], needs: [.preview],
        manual: "while something plays: slower or faster, from a quarter of the speed to four times as fast"
      ) { $0.controlPlayback { playback, _ in playback.changeRate(by: -1) } }
    case .faster:
      Row(.playing, "slower, faster", [">"], needs: [.preview]) {
        $0.controlPlayback { playback, _ in playback.changeRate(by: 1) }
      }
    case .toggleLoop:
      Row(
        .playing, "forever, or once", ["L"], needs: [.preview],
        manual: "while something plays: forever, or only once, instead of as often as the file specifies"
      ) { picker in
        let effects = picker.controlPlayback { $0.toggleLoop($1) }
        guard let loops = picker.preview.playback.loops else { return effects }
        return effects + picker.status.showNotice(loops ? "Plays forever" : "Plays once", .dim)
      }

    case .trimStart:
      Row(
        .playing, "begin, end, drop the part that is used", ["["], needs: [.preview],
        manual: """
          while a video plays: use only a part of it, which begins or ends with the frame that is seen. Under \
          `--max-duration`, the start alone sets a part of that length, and under `--max-bytes` one that is probably \
          small enough. The result is a new MP4, as with `--accept`, with the date and place of the video; the video is \
          not changed. JSON tells the part as `partStart` and `partEnd`
          """
      ) { $0.choose { $0.trim(.start, on: $1) } }
    case .trimEnd:
      Row(.playing, "begin, end, drop the part that is used", ["]"], needs: [.preview]) {
        $0.choose { $0.trim(.end, on: $1) }
      }
    case .makeKeyPhoto:
      Row(
        .playing, "make the frame the key photo", ["K"], needs: [.preview],
        manual: """
          while the clip of a Live Photo plays: the frame that is seen is its still image in the result, as with Apple's \
          "Make Key Photo"; the preview and the thumbnail show it from then on. The result is a new JPEG with the metadata of the still \
          image; the Live Photo is not changed. JSON tells the frame as `keyPhotoTime`
          """
      ) { $0.choose { $0.makeKeyPhoto(on: $1) } }
    case .trimNone:
      Row(
        .playing, "begin, end, drop the part that is used", ["\\"], needs: [.preview],
        manual: "while something plays: use the whole video again, or the original key photo"
      ) { $0.choose { $0.trim(nil, on: $1) } }

    case .saveFrame:
      Row(
        .playing, "save the frame as a photo", ["S"], needs: [.preview, .changes, .photosOfLibrary],
        manual: """
          while something plays: save the frame that is seen as a new photo in the library, in full size, with date and \
          place; it is named after the video and the time, such as `IMG_0040-frame-00m12s340.jpg`
          """
      ) { $0.edit { $0.saveFrame(on: $1) } }

    case .manageAccess:
      Row(
        .leaving, "choose the accessible photos", ["m"], hint: "choose others",
        manual: "choose the accessible photos, under limited access"
      ) { $0.manageAccess() }
    case .help:
      Row(
        .leaving, "help", ["?"], hint: "help",
        manual: "help: type words or a key to narrow it, arrows and Space scroll, Esc closes"
      ) {
        $0.layers.open(HelpPanel())
        return []
      }
    case .close:
      Row(
        .leaving, "close what is open, or cancel", [.escape],
        manual: "close what is open, otherwise cancel. A typed search counts as open"
      ) { $0.close() }
    case .cancel:
      Row(
        .leaving, "cancel", ["q", .control("c")],
        manual: """
          cancel. If picks would be lost, these keys and Esc ask first: press any of them again to leave; any other key \
          returns, and so does waiting for five seconds
          """
      ) { $0.close(everything: true) }
    case .suspend: Row(.leaving, "suspend", [.control("z")]) { _ in [.suspend] }
    }
  }
}

extension Command {
  /// The name of the command in a configuration, in kebab case.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }

  /// Whether its keys count only while something plays.
  package var isForPlayback: Bool { row.section == .playing }

  /// What the command does, for the manual, in Markdown.
  package var manual: String { row.manual.isEmpty ? row.title : row.manual }

  /// What the command does, in a few words.
  package var title: String { row.title }

  /// The command with a name; nil if there is none.
  package init?(name: String) {
    guard let command = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  package init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}
