import System

/// Client for the reader helper, `tpick-reader`, which decodes JPEG, PNG, GIF, WebP and BMP files.
///
/// Calls may come from any thread; they block until an answer arrives or the helper is given up. Each helper works
/// on one picture at a time, so that a file that kills a helper costs only that picture.
package final class ReaderClient: Sendable {
  /// How soon a picture is needed.
  package enum Urgency: Hashable, Sendable {
    case visible
    /// After everything else.
    case background
  }

  let visible: HelperPool
  private let background: HelperPool
  private let players: HelperPool
  private let deadline: Duration

  /// The shared client, with the helper beside tpick or the one that `TPICK_READER` names.
  package static let standard = ReaderClient()

  /// Creates a client without starting a helper.
  /// - Parameters:
  ///   - program: path of the helper; nil searches as `HelperProgram.find()` does.
  ///   - processes: number of visible pictures decoded at once, and one fewer in the background; nil means one per
  ///     core, at least two.
  ///   - deadline: time allowed for one picture before the helper counts as hung. The helper itself gives up
  ///     earlier.
  ///   - longGrace: how long a helper may take to cancel a picture before it is killed; nil means half a second.
  package init(
    program: String? = nil, processes: Int? = nil, deadline: Duration = .seconds(70),
    longGrace: Duration? = nil
  ) {
    let processes = processes ?? max(2, Processors.count)
    func pool(_ count: Int, niceness: Int32 = 0) -> HelperPool {
      HelperPool(
        .reader, program: program, processes: count, startDeadline: .seconds(20), niceness: niceness,
        longGrace: longGrace ?? HelperProcess.usualLongGrace)
    }
    visible = pool(processes)
    // The niceness of background workers.
    background = OpenFileLimit.isLow ? visible : pool(max(1, processes - 1), niceness: 10)
    players = pool(2)
    self.deadline = deadline
  }

  /// Starts the helpers for visible pictures ahead of the first request; returns at once.
  package func start() { visible.prepare() }

  /// Returns the confinement that the helper reports, starting a helper if none runs.
  ///
  /// The result does not say whether the helper is allowed to read files.
  /// - Returns: nil if no helper could be started.
  package func confinement() -> HelperConfinement? { visible.queryConfinement() }

  /// Renders the picture of an open file, and the thumbnail if the request asks for one.
  /// - Parameters:
  ///   - descriptor: open for reading; owned by the caller, its offset unchanged.
  ///   - isCancelled: called every few milliseconds on the calling thread, also while the call waits for a free
  ///     helper.
  /// - Returns: nil if `isCancelled` returned true before the picture arrived.
  /// - Throws: `CodecError` if there is no picture, or if the file kills or stalls the helper.
  package func rendering(
    of descriptor: Int32, _ request: RenderingRequest, _ urgency: Urgency = .visible,
    isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> Rendering? {
    let pool = urgency == .visible ? visible : background
    let side = request.keptSide.clamped(to: 0...4096)
    return try pool.ask(
      .rendering(request, number: 0), descriptor,
      maxPixels: RenderingFacts.room(request.mostPixels, thumbnail: side * side), deadline: deadline,
      isCancelled: isCancelled
    ) { answer, pictures in
      // A picture larger than requested would be drawn beyond its cells on the screen.
      guard case .rendering(let facts, _) = answer, request.allows(facts) else { return nil }
      return Rendering(
        pixels: pictures[0].pixels, thumbnail: pictures.dropFirst().first?.pixels,
        decodedPixels: facts.decodedPixels, note: pictures[0].note)
    }
  }

  /// Reads the text fields of a thumbnail file, and its picture if requested.
  /// - Parameter descriptor: open for reading; owned by the caller, its offset unchanged.
  /// - Throws: `CodecError` if the file is not a thumbnail, or is damaged.
  package func thumbnail(
    of descriptor: Int32, _ request: ThumbnailRequest
  ) throws(CodecError) -> (words: [String: String], picture: DecodedPicture?) {
    let side = request.longestSide.clamped(to: 0...8192)
    let found = try visible.ask(
      .thumbnail(request, number: 0), descriptor, maxPixels: request.wantsPicture ? side * side : 1,
      deadline: deadline, isCancelled: { false }
    ) { answer, pictures in
      guard case .thumbnail(let facts, _) = answer, request.allows(facts) else {
        return nil as (words: [String: String], picture: DecodedPicture?)?
      }
      return (facts.words, pictures.first)
    }
    // Nil means cancelled, and this call cannot be cancelled.
    guard let found else { throw .died }
    return found
  }

  /// Returns the frames of an open file, decoded on demand by a helper of their own.
  /// - Parameter descriptor: open for reading until the last frame has been requested; owned by the caller.
  package func frames(of descriptor: Int32, _ request: FramesRequest) -> HelperFrames {
    HelperFrames(pool: players, descriptor: descriptor, request: request, deadline: deadline)
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
