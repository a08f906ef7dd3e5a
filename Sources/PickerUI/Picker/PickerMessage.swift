package import AssetLibrary

/// Something that happened; `Picker.update` makes the next state of it.
package enum PickerMessage: Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text was pasted into the terminal.
  case paste(String)
  case resized(ScreenMetrics)
  case authorization(AuthorizationStatus)
  /// Access is asked for: the prompt is up until it is answered.
  case consent(ConsentRequest)
  case fetched(FetchAnswer)
  case albums(AlbumsAnswer)
  case posters(PosterAnswer)
  /// Long work has begun or come further.
  case work(Work)
  /// Long work has ended; with words for the user, if there is something to say.
  case workEnded(Work.ID, words: String?, hasFailed: Bool = false)
  /// What was asked for with `PickerEffect.selectInBulk`.
  case bulkSelected(BulkSelectionResult)
  case libraryChanged
  case pictures([PictureKey: PictureStatus])
  case details(LocalIdentifier, AssetDetails)
  /// The pictures of a burst, in the order in which they were taken.
  case burst(String, [Asset])
  /// How many pictures some bursts have.
  case burstCounts([String: Int])
  /// Word of what plays, with the generation of its request.
  case playback(PlaybackEvent, generation: Int)
  case timer(PickerTimer)
}
