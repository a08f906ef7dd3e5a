package import AssetLibrary

/// An event that `Picker.update` turns into the next state.
package enum PickerMessage: Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text was pasted into the terminal.
  case paste(String)
  case resized(ScreenMetrics)
  /// Pictures can't be drawn as they should be: the name of what stands in for them, and a sentence about it.
  case fallback(name: String, words: String)
  case authorization(AuthorizationStatus)
  /// A client requests access: the consent prompt stays until it is answered.
  case consent(ConsentRequest)
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
  case pictures([PictureKey: PictureStatus])
  case details(LocalIdentifier, AssetDetails)
  /// The pictures of a burst in capture order.
  case burst(String, [Asset])
  /// Numbers of pictures by burst identifier.
  case burstCounts([String: Int])
  /// A playback event, with the generation of its request.
  case playback(PlaybackEvent, generation: Int)
  /// A program of the caller's has failed: what the user is told.
  case programFailed(String)
  /// How far the original of a pick has come that was asked for with `PickerEffect.download`.
  case downloaded(DownloadProgress)
  /// How much of an original that is looked at has come, from 0 to 1; nil = nothing more comes.
  case downloadProgress(LocalIdentifier, Double?)
  /// How far the handing over of the result has come, so many seconds after its start.
  case delivery(DeliveryProgress, elapsed: Double)
  /// The handing over of the result has ended, well or not.
  case delivered
  case timer(PickerTimer)
}
