import CPlatform

/// A message to the helper: a frame of a 32-bit length and that many bytes, the first of which is the kind.
///
/// The helper sends one greeting. Every request comes with `descriptorCount` descriptors, consumed in the order of
/// arrival, and with a number that its answer repeats. A helper answers requests in order and finishes each before
/// it reads the next: the first unanswered request is the one in progress. `stop` and `cancel` have no answer.
enum CodecRequest: Hashable {
  /// Decodes a picture; the helper gives up after `seconds`.
  case picture(DecodeRequest, seconds: UInt32, number: UInt32)
  /// Opens an animation or video and decodes its first frame.
  case frames(FramesRequest, FrameTimes, seconds: UInt32, number: UInt32)
  /// Renders a picture in the shape in which it is displayed.
  case rendering(RenderingRequest, number: UInt32)
  /// Reads the text fields and the picture of a thumbnail file.
  case thumbnail(ThumbnailRequest, number: UInt32)
  /// Decodes a further frame of the same file.
  case nextFrame(FrameTimes, seconds: UInt32, number: UInt32)
  /// Closes the animation or video.
  ///
  /// Has no answer.
  case stop
  /// Cancels the request in progress, which still gets an answer; `cancel` itself has none.
  case cancel
  /// Reads the metadata of several files; the answer may come in parts.
  case reports([ReportRequest], seconds: UInt32, number: UInt32)

  private enum Kind: UInt8 {
    case picture = 2
    case frames = 3
    case nextFrame = 4
    case stop = 5
    case rendering = 6
    case thumbnail = 7
    case cancel = 8
    case reports = 9
  }

  /// Whether the request comes with the file's descriptor.
  var hasFile: Bool {
    switch self {
    case .picture, .frames, .rendering, .thumbnail: true
    case .nextFrame, .stop, .cancel, .reports: false
    }
  }

  /// Whether the request comes with memory for pixels, after the file.
  var hasOutput: Bool {
    switch self {
    case .picture, .frames, .nextFrame, .rendering, .thumbnail: true
    case .stop, .cancel, .reports: false
    }
  }

  /// Number of descriptors that come with the request.
  var descriptorCount: Int {
    if case .reports(let files, _, _) = self { return files.count }
    return (hasFile ? 1 : 0) + (hasOutput ? 1 : 0)
  }

  func write(to wire: inout WireWriter) {
    switch self {
    case .picture(let request, let seconds, let number):
      wire.put(Kind.picture.rawValue)
      wire.put(number)
      wire.put(seconds)
      request.write(to: &wire)
    case .frames(let request, let times, let seconds, let number):
      wire.put(Kind.frames.rawValue)
      wire.put(number)
      wire.put(seconds)
      request.write(to: &wire)
      times.write(to: &wire)
    case .nextFrame(let times, let seconds, let number):
      wire.put(Kind.nextFrame.rawValue)
      wire.put(number)
      wire.put(seconds)
      times.write(to: &wire)
    case .rendering(let request, let number):
      wire.put(Kind.rendering.rawValue)
      wire.put(number)
      request.write(to: &wire)
    case .thumbnail(let request, let number):
      wire.put(Kind.thumbnail.rawValue)
      wire.put(number)
      request.write(to: &wire)
    case .stop:
      wire.put(Kind.stop.rawValue)
      wire.put(UInt32(0))
    case .cancel:
      wire.put(Kind.cancel.rawValue)
      wire.put(UInt32(0))
    case .reports(let files, let seconds, let number):
      wire.put(Kind.reports.rawValue)
      wire.put(number)
      wire.put(seconds)
      wire.put(UInt32(files.count))
      for file in files { file.write(to: &wire) }
    }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    let number: UInt32 = try wire.integer()
    switch kind {
    case .picture:
      let seconds: UInt32 = try wire.integer()
      self = .picture(try DecodeRequest(from: &wire), seconds: seconds, number: number)
    case .frames:
      let seconds: UInt32 = try wire.integer()
      let request = try FramesRequest(from: &wire)
      self = .frames(request, try FrameTimes(from: &wire), seconds: seconds, number: number)
    case .nextFrame:
      let seconds: UInt32 = try wire.integer()
      self = .nextFrame(try FrameTimes(from: &wire), seconds: seconds, number: number)
    case .rendering: self = .rendering(try RenderingRequest(from: &wire), number: number)
    case .thumbnail: self = .thumbnail(try ThumbnailRequest(from: &wire), number: number)
    case .stop: self = .stop
    case .cancel: self = .cancel
    case .reports:
      let seconds: UInt32 = try wire.integer()
      var files: [ReportRequest] = []
      for _ in 0..<(try wire.count(ofElements: ReportRequest.leastBytes)) {
        files.append(try ReportRequest(from: &wire))
      }
      guard (1...Int(DESCRIPTORS_PER_MESSAGE)).contains(files.count) else { throw WireError() }
      self = .reports(files, seconds: seconds, number: number)
    }
    guard wire.isAtEnd else { throw WireError() }
  }
}

extension CodecRequest {
  /// The number that the answer repeats; nil for requests without an answer.
  var number: UInt32? {
    switch self {
    case .picture(_, _, let number), .frames(_, _, _, let number), .nextFrame(_, _, let number),
      .rendering(_, let number), .thumbnail(_, let number), .reports(_, _, let number):
      number
    case .stop, .cancel: nil
    }
  }
}
