import AssetLibrary

/// Pictures that move whose memory is counted among that of the pictures being made, for as long as they are there.
final class ReservedFrames: FrameReader {
  private let frames: any FrameReader
  private let release: () -> Void

  /// - Parameter release: called when the last reference goes.
  init(_ frames: any FrameReader, release: @escaping () -> Void) {
    (self.frames, self.release) = (frames, release)
  }

  deinit {
    release()
  }

  var playCount: Int? { frames.playCount }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? { try frames.next(skip) }
  func rewind() throws(AssetError) { try frames.rewind() }
}
