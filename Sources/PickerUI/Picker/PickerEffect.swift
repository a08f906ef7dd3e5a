package import AssetLibrary

/// A side effect that the host performs for the picker.
package enum PickerEffect: Hashable, Sendable {
  case requestAuthorization
  case answerConsent(ConsentDecision)
  case setLimitedSelection(Set<LocalIdentifier>)
  case fetch(FetchQuery)
  /// The pictures to have ready, the most urgent first; requests for any others are cancelled.
  case demand([PictureRequest])
  /// Picks many photos off the run loop, which must stay free for input.
  case selectInBulk(BulkSelection)
  case loadDetails(Asset)
  case countBursts([String], AccessMode)
  /// Fetches the pictures of a burst.
  case loadBurst(String, FetchOptions, AccessMode)
  case fetchPosters(PosterQuery)
  case countKinds(KindQuery)
  /// Looks for what the search can go on with; any earlier question is stale.
  case suggest(SuggestionQuery)
  /// Reports the current selection to the caller.
  case report([Asset])
  /// Reports the asset under the cursor to the caller, unless the cursor moves on at once.
  case follow(Asset)
  /// Stops long-running work at the user's request.
  case stopWork(Work.ID)
  /// Resumes the library scan that the user stopped.
  case resumeReading
  /// Plays an animation or a video in place of a picture; any previous playback ends.
  case play(PlaybackRequest)
  case stopPlaying
  /// Runs a program of the caller's, which takes the picker's place for a while or runs behind it.
  case run(ProgramRun)
  /// Rings the terminal's bell.
  case ring
  /// Hands the result over; the picker ends once that has come to its end.
  case deliver([Asset], RepresentationOptions)
  /// Brings the originals of assets from their servers.
  case download([Asset])
  /// Gives up what `download` began.
  case cancelDownload([LocalIdentifier])
  case startTimer(PickerTimer, milliseconds: Int)
  case redraw
  case suspend
  case finish(PickerOutcome)

  /// Whether the effect ends the picker.
  var isEnd: Bool { if case .finish = self { true } else { false } }
}
