package import AssetLibrary

/// Something to be done outside of the state; a value, performed by the host.
package enum PickerEffect: Hashable, Sendable {
  case requestAuthorization
  case answerConsent(ConsentDecision)
  case setLimitedSelection(Set<LocalIdentifier>)
  case fetch(FetchQuery)
  /// The pictures that should be at hand now, the most urgent first; what is under way for others ends.
  case demand([PictureWant])
  /// Many photos are to be picked: beside the run loop, which the user's keys wait for.
  case selectInBulk(BulkSelection)
  case loadDetails(Asset)
  case countBursts([String])
  /// Asks for the pictures of a burst.
  case loadBurst(String, FetchOptions)
  case fetchPosters(PosterQuery)
  /// Tells the caller what is picked now.
  case report([Asset])
  /// The user wants no more of some long work.
  case stopWork(Work.ID)
  /// Takes up the reading of the library that the user stopped.
  case resumeReading
  /// Plays something in the place of a picture; what played before ends.
  case play(PlaybackRequest)
  case stopPlaying
  /// Makes itself heard.
  case ring
  case startTimer(PickerTimer, milliseconds: Int)
  case redraw
  case suspend
  case finish(PickerOutcome)

  /// Whether the picker ends with it.
  var isEnd: Bool { if case .finish = self { true } else { false } }
}
