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

/// Which frames come too late to be shown.
package struct FrameTimes: Hashable, Sendable {
  /// Microseconds from the beginning; a frame that ends by then is left out.
  package var until: Int64
  /// No more than so many are left out in a row.
  package var most: UInt32

  package init(until: Int64 = 0, most: UInt32 = 0) {
    self.until = until
    self.most = most
  }
}

/// One frame, and when it is shown: microseconds from the beginning.
package struct CodedFrame {
  package var picture: PictureMemory
  package var start: Int64
  package var duration: Int64

  package init(picture: PictureMemory, start: Int64, duration: Int64) {
    self.picture = picture
    self.start = start
    self.duration = duration
  }
}

/// Which frames of a file are wanted, and how large.
package struct FramesRequest: Hashable, Sendable {
  /// The box that the upright frames fit in; none is enlarged.
  package var targetWidth: Int
  package var targetHeight: Int
  /// Where the video lies in the file, in bytes.
  package var range: Range<Int>
  /// Frames of more pixels are refused, whatever their file's head says.
  package var maxPixels: Int

  package init(
    targetWidth: Int, targetHeight: Int, range: Range<Int> = 0..<Int.max, maxPixels: Int = 64_000_000
  ) {
    self.targetWidth = targetWidth
    self.targetHeight = targetHeight
    self.range = range
    self.maxPixels = maxPixels
  }
}

extension FrameTimes {
  func write(to wire: inout WireWriter) {
    wire.put(until)
    wire.put(most)
  }

  init(from wire: inout WireReader) throws(WireError) {
    until = try wire.integer()
    most = try wire.integer()
  }
}

extension FramesRequest {
  func write(to wire: inout WireWriter) {
    for number in [targetWidth, targetHeight] { wire.put(UInt32(clamping: number)) }
    for number in [range.lowerBound, range.upperBound, maxPixels] { wire.put(UInt64(clamping: number)) }
  }

  init(from wire: inout WireReader) throws(WireError) {
    targetWidth = Int(try wire.integer(UInt32.self))
    targetHeight = Int(try wire.integer(UInt32.self))
    let (start, end) = (try wire.integer(UInt64.self), try wire.integer(UInt64.self))
    guard start <= end else { throw WireError() }
    range = Int(clamping: start)..<Int(clamping: end)
    maxPixels = Int(clamping: try wire.integer(UInt64.self))
    guard targetWidth > 0, targetHeight > 0 else { throw WireError() }
  }
}
