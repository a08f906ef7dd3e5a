/// The pictures of something that moves, one after the other.
///
/// One picture is in memory at a time. Calls wait for the disk and the decoder, and come from one thread at a
/// time; whoever made the reader can end them through the `Cancellation` that went with the request.
public protocol FrameReader: AnyObject {
  /// Gives the next picture that is not to be left out; nil at the end of a pass, and when it was cancelled.
  ///
  /// The last picture of a pass is given whatever is to be left out: it is the one that stays.
  /// - Throws: `AssetError` when not one picture can be made.
  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame?

  /// Begins anew with the first picture.
  func rewind() throws(AssetError)

  /// How often all is shown; nil = again and again. Known when the first pass has ended.
  var playCount: Int? { get }
}
