import CPlatform

/// What travels on the socket: frames of a 32-bit length and as many bytes, the first of which is the kind.
///
/// The helper greets once. Every request brings `descriptorCount` descriptors, which are taken in the order
/// in which they arrive, and a number that its answer repeats. A helper answers in the order of the requests,
/// each before it looks at the next: the first request without an answer is the one it works on. `stop` has none.
enum CodecRequest: Hashable {
  /// A picture, and the seconds after which nobody waits for it any more.
  case picture(DecodeRequest, seconds: UInt32, number: UInt32)
  /// The first frame of what moves.
  case frames(FramesRequest, FrameTimes, seconds: UInt32, number: UInt32)
  /// A picture in the shape in which it is shown.
  case rendering(RenderingRequest, number: UInt32)
  /// What some program's thumbnail says and shows.
  case thumbnail(ThumbnailRequest, number: UInt32)
  /// A further one of the same file.
  case nextFrame(FrameTimes, seconds: UInt32, number: UInt32)
  /// Nobody wants a further one; the file is closed. The one request without an answer.
  case stop
  /// Nobody waits for the answer that is under way, which comes all the same. Has none itself.
  case cancel
  /// What several files say of themselves; the answer may come in parts.
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

  /// Whether the file comes with the request.
  var hasFile: Bool {
    switch self {
    case .picture, .frames, .rendering, .thumbnail: true
    case .nextFrame, .stop, .cancel, .reports: false
    }
  }

  /// Whether memory for pixels comes with the request, behind the file.
  var hasOutput: Bool {
    switch self {
    case .picture, .frames, .nextFrame, .rendering, .thumbnail: true
    case .stop, .cancel, .reports: false
    }
  }

  /// How many descriptors come with the request.
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
  /// The number that the answer repeats; nil where there is none.
  var number: UInt32? {
    switch self {
    case .picture(_, _, let number), .frames(_, _, _, let number), .nextFrame(_, _, let number),
      .rendering(_, let number), .thumbnail(_, let number), .reports(_, _, let number):
      number
    case .stop, .cancel: nil
    }
  }
}
