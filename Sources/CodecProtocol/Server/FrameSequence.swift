/// The frames of a video or an animation, one after the other, on the helper's side.
///
/// Used by one thread.
package protocol FrameSequence: AnyObject {
  /// Gives the next frame that is not to be left out; nil at the end.
  ///
  /// The last frame is given whatever is to be left out.
  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame?

  /// How often all is shown; 0 = again and again.
  var playCount: UInt32 { get }
}
