package import AssetLibrary

/// An event that `Picker.update` turns into the next state.
package enum PickerMessage: Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text was pasted into the terminal.
  case paste(String)
  case resized(ScreenMetrics)
  /// Pictures can't be drawn in full quality: the name of the fallback, and a sentence about it.
  case fallback(name: String, words: String)
  /// The terminal turned out to need no fallback: the report is obsolete.
  case fallbackEnded
  case authorization(AuthorizationStatus)
  /// A client requests access, or to change the library: the consent prompt stays until it is answered.
  case consent(ConsentQuestion)
  case fetched(FetchAnswer)
  /// How many of all photos the search of an album finds, with the generation of its query.
  case foundEverywhere(Int, generation: Int)
  case albums(AlbumsAnswer)
  case posters(PosterAnswer)
  case kinds(KindAnswer)
  case suggestions(SuggestionAnswer)
  /// Progress of long-running work.
  case work(Work)
  /// Long-running work has ended, with an optional message for the user.
  case workEnded(Work.ID, message: String?, hasFailed: Bool = false)
  /// The result of `PickerEffect.selectInBulk`.
  case bulkSelected(BulkSelectionResult)
  case libraryChanged
  /// The result of `PickerEffect.edit`.
  case edited(LibraryEditAnswer)
  case pictures([PictureKey: PictureStatus])
  case details(LocalIdentifier, AssetDetails)
  /// The pictures of a burst in capture order.
  case burst(String, [Asset])
  /// Numbers of pictures by burst identifier.
  case burstCounts([String: Int])
  /// The terminal has got or lost the focus.
  case focused(Bool)
  /// A playback event, with the generation of its request.
  case playback(PlaybackEvent, generation: Int)
  /// The file for the user's player is ready.
  case playerReady(PlayerRun)
  /// One of the caller's programs, or the user's player, has failed: the message for the user.
  case programFailed(String)
  /// The progress of a download that was requested with `PickerEffect.download`.
  case downloaded(DownloadProgress)
  /// The progress of the download for the preview, from 0 to 1; nil = it has ended.
  case downloadProgress(LocalIdentifier, Double?)
  /// The progress of the export, and the seconds since its start.
  case delivery(DeliveryProgress, elapsed: Double)
  /// The export has ended, successfully or not.
  case delivered
  case timer(PickerTimer)
  /// The program that shows the picker changes it.
  case order(PickerOrder)
}

/// A change of an open picker by the program that shows it.
package enum PickerOrder: Hashable, Sendable {
  case update(PickerConfiguration.Update)
  case deselect([LocalIdentifier])
  /// Moves a pick behind another one, or to the first place.
  case move(LocalIdentifier, after: LocalIdentifier?)
  /// Moves the cursor to an asset.
  case scroll(to: LocalIdentifier)
  case scrollToInitialPosition
  /// Larger thumbnails.
  case zoomIn
  /// Smaller thumbnails.
  case zoomOut
}

/// A timer started with `PickerEffect.startTimer`; a stale generation is ignored.
package enum PickerTimer: Hashable, Sendable {
  /// The outgoing preview has been shown long enough.
  case preview(generation: Int)
  /// A notice has been shown long enough.
  case notice(generation: Int)
  /// The double-click interval has passed.
  case click(generation: Int)
  /// The cursor has rested long enough for playback to start.
  case playback(generation: Int)
  /// The mouse has been over a tile long enough for its stills to be shown.
  case scrubbing(generation: Int)
  /// The next step of autoscroll while the mouse is dragged beyond the grid.
  case scroll(generation: Int)
}

/// A side effect that the host performs for the picker.
package enum PickerEffect: Hashable, Sendable {
  case requestAuthorization
  /// Answers the prompt; of a change, full access is yes, and anything else no. Nil withdraws it without an answer.
  case answerConsent(ConsentDecision?)
  case setLimitedSelection(Set<LocalIdentifier>)
  case fetch(FetchQuery)
  /// The pictures to have ready, the most urgent first; requests for any others are cancelled.
  case demand([PictureRequest])
  /// Picks many photos off the run loop, which must stay free for input.
  case selectInBulk(BulkSelection)
  /// Changes marks or albums at the user's request; the answers come in the order of the requests.
  case edit(LibraryEdit)
  case loadDetails(Asset)
  case countBursts([String], AccessMode)
  /// Fetches the pictures of a burst.
  case loadBurst(String, FetchOptions, AccessMode)
  case fetchPosters(PosterQuery)
  case countKinds(KindQuery)
  /// Requests suggestions for the search; any earlier request is stale.
  case suggest(SuggestionQuery)
  /// Reports the current selection to the caller.
  case report([Asset])
  /// Reports preselected assets that the complete library does not have to the caller.
  case reportUnknown([LocalIdentifier])
  /// Reports the asset under the cursor to the caller, unless the cursor moves on at once.
  case follow(Asset)
  /// Stops long-running work at the user's request.
  case stopWork(Work.ID)
  /// Resumes the library scan that the user stopped.
  case resumeReading
  /// Plays an animation or a video in place of a picture; any previous playback ends.
  case play(PlaybackRequest)
  /// Changes the current playback: pauses it, shows another time.
  case controlPlayback(PlaybackOrder)
  case stopPlaying
  /// Makes the file for the user's player ready, which may have to be downloaded; `playerReady` follows.
  case preparePlayer(PlayerRun)
  /// Runs the user's player on the file that is ready, with the terminal.
  case runPlayer(PlayerRun)
  /// The file that is ready is not needed any more.
  case discardPlayer(PlayerRun)
  /// Runs one of the caller's programs, with the terminal or in the background.
  case run(ProgramRun)
  /// Rings the terminal's bell.
  case ring
  /// Copies a text to the clipboard, through the terminal.
  case copy([UInt8])
  /// Exports the result; the picker ends afterwards.
  case deliver([Asset], RepresentationOptions)
  /// Downloads the originals of assets from their servers.
  case download([Asset])
  /// Cancels what `download` started.
  case cancelDownload([LocalIdentifier])
  case startTimer(PickerTimer, milliseconds: Int)
  case redraw
  case suspend
  case finish(PickerOutcome)

  /// Whether the effect ends the picker.
  var isEnd: Bool { if case .finish = self { true } else { false } }
}

/// How the picker ended.
package enum PickerOutcome: Hashable, Sendable {
  /// The picked assets in the configured order (empty = confirmed with nothing to pick), the caller's key that
  /// confirmed them (nil = none of these), and the user's choice of format, size and metadata.
  case picked([Asset], by: Key? = nil, as: RepresentationOptions = RepresentationOptions())
  /// One of the caller's programs is to replace the picker.
  case become(ProgramRun)
  case cancelled
  /// The choice of accessible photos was confirmed, and was the only purpose of the picker.
  case accessChosen
  case refused(AuthorizationStatus)
  /// The caller's `album` is the name of no album, or of more than one.
  case albumNotFound
  /// The library is unusable, for this reason.
  case unavailable(AssetError)
}
