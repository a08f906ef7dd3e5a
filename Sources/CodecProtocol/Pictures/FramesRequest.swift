/// Which frames of a file to decode, and how large.
package struct FramesRequest: Hashable, Sendable {
  /// Box in pixels that the upright frames fit inside; frames are never enlarged.
  package var targetWidth: Int
  package var targetHeight: Int
  /// Byte range of the video in the file.
  package var range: Range<Int>
  /// Upper bound of the pixels of a frame; larger frames are refused, whatever the header says.
  package var maxPixels: Int
  /// EXIF orientation of the frames, 1 to 8; ignored if the decoding library applies the orientation itself.
  package var orientation: UInt8
  /// Where to begin, in microseconds from the first frame.
  ///
  /// A decoder that can't seek begins with the first frame. `FrameTimes` skips the frames before the time.
  package var start: Int64 = 0

  package init(
    targetWidth: Int, targetHeight: Int, range: Range<Int> = 0..<Int.max, maxPixels: Int = 64_000_000,
    orientation: UInt8 = 1
  ) {
    self.targetWidth = targetWidth
    self.targetHeight = targetHeight
    self.range = range
    self.maxPixels = maxPixels
    self.orientation = orientation
  }
}

extension FramesRequest {
  func write(to wire: inout WireWriter) {
    for number in [targetWidth, targetHeight] { wire.put(UInt32(clamping: number)) }
    for number in [range.lowerBound, range.upperBound, maxPixels] { wire.put(UInt64(clamping: number)) }
    wire.put(orientation)
    wire.put(start)
  }

  init(from wire: inout WireReader) throws(WireError) {
    targetWidth = Int(try wire.integer(UInt32.self))
    targetHeight = Int(try wire.integer(UInt32.self))
    let (first, end) = (try wire.integer(UInt64.self), try wire.integer(UInt64.self))
    guard first <= end else { throw WireError() }
    range = Int(clamping: first)..<Int(clamping: end)
    maxPixels = Int(clamping: try wire.integer(UInt64.self))
    orientation = try wire.integer()
    start = try wire.integer()
    guard targetWidth > 0, targetHeight > 0, FrameFacts.times.contains(start) else { throw WireError() }
  }
}

/// Which frames are too late to be shown.
package struct FrameTimes: Hashable, Sendable {
  /// Microseconds from the first frame; frames that end by then are skipped.
  package var until: Int64
  /// The most frames skipped in a row.
  package var most: UInt32

  package init(until: Int64 = 0, most: UInt32 = 0) {
    self.until = until
    self.most = most
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

/// When a frame is shown, and how often and how long the whole is played.
///
/// Times are microseconds.
package struct FrameFacts: Hashable, Sendable {
  /// From the first frame.
  package var start: Int64
  package var duration: Int64
  /// 0 means endlessly.
  package var playCount: UInt32
  /// The length of a pass as the file states it; 0 if it does not.
  package var length: Int64

  package init(start: Int64, duration: Int64, playCount: UInt32, length: Int64) {
    (self.start, self.duration) = (start, duration)
    (self.playCount, self.length) = (playCount, length)
  }
}

extension FrameFacts {
  /// The range of starts and lengths: times are not negative, and the sum of two does not overflow.
  static let times: Range<Int64> = 0..<1 << 53

  func write(to wire: inout WireWriter) {
    wire.put(start)
    wire.put(duration)
    wire.put(playCount)
    wire.put(length)
  }

  init(from wire: inout WireReader) throws(WireError) {
    start = try wire.integer()
    duration = try wire.integer()
    playCount = try wire.integer()
    length = try wire.integer()
    guard Self.times.contains(start), (0..<1 << 40).contains(duration), Self.times.contains(length) else {
      throw WireError()
    }
  }
}
