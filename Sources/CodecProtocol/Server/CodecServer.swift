import CPlatform
import System

/// The helper's end of the connection.
///
/// Used by one thread; ends when the parent has exited.
package struct CodecServer {
  private let socket: Int32
  private let confinement: HelperConfinement
  private var inbox = FrameBuffer()
  var descriptors: [Int32] = []
  /// Whether the last message's descriptors were lost because the process could not open more.
  private var areLost = false
  private var playing: Playing?

  /// The sequence that plays and its file, which is closed with the last reference.
  private final class Playing {
    let frames: any FrameSequence
    private let descriptor: Int32

    init(_ frames: any FrameSequence, _ descriptor: Int32) {
      (self.frames, self.descriptor) = (frames, descriptor)
    }

    deinit {
      close(descriptor)
    }
  }

  /// - Parameters:
  ///   - socket: a connected stream socket, owned by the caller.
  ///   - confinement: the confinement in force in this process.
  package init(socket: Int32, confinement: HelperConfinement) {
    self.socket = socket
    interruption = RequestInterruption(socket)
    self.confinement = confinement
  }

  /// Reports whether the request in progress was cancelled.
  package let interruption: RequestInterruption

  /// Answers requests until the other end closes the socket or breaks the protocol.
  package mutating func run(_ service: some HelperService) {
    guard send(.ready(version: CodecAnswer.version, confinement)) else { return }
    while receive() {
      while true {
        let request: CodecRequest
        do {
          guard let frame = try inbox.next() else { break }
          request = try CodecRequest(frame)
        } catch { return }
        guard descriptors.count >= request.descriptorCount else {
          guard areLost, let number = request.number,
            send(.failure(.noDescriptors, number: number))
          else { return }
          continue
        }
        if case .reports(let files, let seconds, let number) = request {
          guard answer(files, seconds, number, service) else { return }
          continue
        }
        let file = request.hasFile ? descriptors.removeFirst() : -1
        let output = request.hasOutput ? PictureOutput(descriptors.removeFirst()) : nil
        guard let answer = answer(to: request, file, output, service) else { continue }
        guard send(answer) else { return }
      }
    }
  }

  /// - Parameter file: closed as soon as it is no longer needed.
  /// - Returns: nil for requests without an answer.
  private mutating func answer(
    to request: CodecRequest, _ file: Int32, _ output: PictureOutput?, _ service: some HelperService
  ) -> CodecAnswer? {
    switch request {
    case .picture(let request, let seconds, let number):
      defer { close(file) }
      return Self.answer(number, output) { output throws(CodecError) in
        let decoded = try output.lend { () throws(CodecError) in
          try service.picture(of: file, request, seconds: seconds)
        }
        try decoded.move(into: output)
        return .picture(decoded.facts, number: number)
      }
    case .rendering(let request, let number):
      defer { close(file) }
      interruption.begin(isCancelledByPeer: !inbox.isEmpty)
      return Self.answer(number, output) { output throws(CodecError) in
        .rendering(try service.rendering(of: file, request, into: output), number: number)
      }
    case .thumbnail(let request, let number):
      defer { close(file) }
      return Self.answer(number, output) { output throws(CodecError) in
        .thumbnail(try service.thumbnail(of: file, request, into: output), number: number)
      }
    case .frames(let request, let times, let seconds, let number):
      return Self.answer(number, output) { output throws(CodecError) in
        try play(file, request, seconds, service)
        return try nextFrame(times, seconds, number, output, service)
      }
    case .nextFrame(let times, let seconds, let number):
      return Self.answer(number, output) { output throws(CodecError) in
        try nextFrame(times, seconds, number, output, service)
      }
    case .stop:
      playing = nil
      return nil
    case .cancel, .reports: return nil
    }
  }

  private static func answer(
    _ number: UInt32, _ output: PictureOutput?, _ make: (PictureOutput) throws(CodecError) -> CodecAnswer
  ) -> CodecAnswer {
    guard let output else { return .failure(.noDescriptors, number: number) }
    do { return try make(output) } catch { return .failure(error, number: number) }
  }

  /// Opens a video or animation, replacing the one that played before.
  private mutating func play(
    _ file: Int32, _ request: FramesRequest, _ seconds: UInt32, _ service: some HelperService
  ) throws(CodecError) {
    playing = nil
    interruption.begin(isCancelledByPeer: !inbox.isEmpty)
    service.giveUp(after: max(1, seconds))
    defer { service.giveUp(after: 0) }
    do {
      playing = Playing(try service.frames(of: file, request), file)
    } catch {
      close(file)
      throw error
    }
  }

  private func nextFrame(
    _ times: FrameTimes, _ seconds: UInt32, _ number: UInt32, _ output: PictureOutput,
    _ service: some HelperService
  ) throws(CodecError) -> CodecAnswer {
    guard let frames = playing?.frames else { throw .unreadable("no animation is open") }
    interruption.begin(isCancelledByPeer: !inbox.isEmpty)
    service.giveUp(after: max(1, seconds))
    defer { service.giveUp(after: 0) }
    let next = try output.lend { () throws(CodecError) in try frames.next(times) }
    guard let next else { return .endOfFrames(number: number) }
    try next.picture.move(into: output)
    let facts = FrameFacts(
      start: next.start, duration: next.duration, playCount: frames.playCount, length: frames.length)
    return .frame(next.picture.facts, facts, number: number)
  }

  private mutating func receive() -> Bool {
    var arrived = [Int32](repeating: -1, count: DESCRIPTORS_PER_MESSAGE)
    var arrivedCount = 0
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      received = descriptors_receive(
        socket, buffer.baseAddress, buffer.count, &arrived, &arrivedCount, &areLost)
      count = max(0, received)
    }
    guard received > 0 else { return false }
    inbox.append(bytes)
    descriptors += arrived[..<arrivedCount]
    return true
  }

  func send(_ answer: CodecAnswer) -> Bool {
    var rest = WireWriter.frame { answer.write(to: &$0) }[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}

// Reports on several files.
extension CodecServer {
  /// Reports are sent once they reach this many bytes, before the next file is read.
  private static let partLength = 1 << 16
  /// They are also sent after this time, because tpick's deadline applies per file, not per request.
  private static let partTime: Duration = .milliseconds(200)

  /// Answers a request for reports; the descriptors of the files are the next ones.
  /// - Returns: false if sending failed.
  mutating func answer(
    _ files: [ReportRequest], _ seconds: UInt32, _ number: UInt32, _ service: some HelperService
  ) -> Bool {
    let opened = Array(descriptors.prefix(files.count))
    descriptors.removeFirst(opened.count)
    defer { descriptors_close(opened, opened.count) }
    service.giveUp(after: max(1, seconds))
    defer { service.giveUp(after: 0) }
    var part = ReportsAnswer()
    var begin = ContinuousClock.now
    for (file, descriptor) in zip(files, opened) {
      part.append { service.report(on: descriptor, file, to: &$0) }
      guard part.bytes.count > Self.partLength || .now - begin > Self.partTime else { continue }
      guard send(.reports(part, number: number)) else { return false }
      part.removeAll()
      begin = .now
      service.giveUp(after: max(1, seconds))
    }
    return part.isEmpty || send(.reports(part, number: number))
  }
}

/// The frames of a video or an animation on the helper's side.
///
/// Used by one thread.
package protocol FrameSequence: AnyObject {
  /// Returns the next frame that is not skipped; nil at the end.
  ///
  /// The last frame is returned even if it should be skipped.
  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame?

  /// How often the sequence is played; 0 means endlessly.
  var playCount: UInt32 { get }

  /// The length of a pass in microseconds, as the file states it; 0 if it does not.
  var length: Int64 { get }
}

/// A frame with its start and duration, in microseconds from the first frame.
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

/// Computes when the frames of a video are shown, from times in the file that may be missing or wrong.
///
/// A value, so that it can be tested without a video. Times are microseconds from the first frame.
package struct FrameClock: Hashable, Sendable {
  /// Default duration of a frame if the file has no frame rate.
  private static let usual: Int64 = 40_000
  /// Upper bound of a frame's duration and of a gap between frames.
  private static let longest: Int64 = 60_000_000

  /// Microseconds per time unit of the file; 0 if it has none.
  private let unit: Double
  /// Duration of a frame that has none of its own.
  private let byRate: Int64
  /// The time stamp of the first frame, in the file's units; nil before it.
  private var origin: Int64?
  /// Start of the last frame.
  private var last: Int64 = 0
  /// End of the last frame.
  package private(set) var end: Int64 = 0
  /// Whether the next frame may have any time stamp.
  private var isSeeking = false

  /// - Parameters:
  ///   - base: the file's time unit as a fraction of a second.
  ///   - rate: frames per second as a fraction; zero or negative parts if unknown.
  package init(base: (Int32, Int32), rate: (Int32, Int32)) {
    unit = base.0 > 0 && base.1 > 0 ? Double(base.0) / Double(base.1) * 1e6 : 0
    byRate = rate.0 > 0 && rate.1 > 0 ? Int64(1e6 * Double(rate.1) / Double(rate.0)) : Self.usual
  }

  /// Returns the times of the next frame.
  ///
  /// A frame that would start before the previous one, or after a gap longer than `longest`, follows the previous
  /// frame at once instead.
  /// - Parameters:
  ///   - stamp: the frame's time stamp in the file's units; nil if unknown.
  ///   - duration: its duration in the same units; 0 if unknown.
  package mutating func next(stamp: Int64?, duration: Int64) -> (start: Int64, duration: Int64) {
    let stated = microseconds(duration)
    let duration = min(Self.longest, max(1000, stated > 0 ? stated : byRate))
    var start = end
    if let stamp {
      let first = origin ?? stamp
      origin = first
      let (difference, overflow) = stamp.subtractingReportingOverflow(first)
      let asked = overflow ? end : microseconds(difference)
      let isPlausible = isSeeking ? asked >= 0 : asked >= last && asked <= end + Self.longest
      if isPlausible { start = asked }
    }
    isSeeking = false
    last = start
    end = start + duration
    return (start, duration)
  }

  /// Prepares for a frame anywhere in the file.
  /// - Parameter origin: the time stamp of the first frame, in the file's units.
  package mutating func seek(origin: Int64) {
    self.origin = origin
    isSeeking = true
  }

  /// Returns the time stamp of a time, in the file's units; nil before the first frame and without a unit.
  package func stamp(at time: Int64) -> Int64? {
    guard let origin, let units = units(ofMicroseconds: time) else { return nil }
    let (stamp, overflow) = origin.addingReportingOverflow(units)
    return overflow ? nil : stamp
  }

  /// Returns a time in the file's units; nil without a unit.
  package func units(ofMicroseconds time: Int64) -> Int64? {
    let value = unit > 0 ? (Double(time) / unit).rounded(.down) : .infinity
    return value < 1e15 ? Int64(value) : nil
  }

  private func microseconds(_ value: Int64) -> Int64 {
    let value = Double(value) * unit
    return value.isFinite && abs(value) < 1e15 ? Int64(value.rounded()) : 0
  }
}
