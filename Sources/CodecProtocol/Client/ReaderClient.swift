import System

/// The program that makes pictures of JPEG, PNG, GIF, WebP and BMP files, seen from tpick's side.
///
/// Calls may come from any thread, and block until there is an answer or the helper was given up. Each helper works on one
/// picture at a time, so that a file that kills one costs that picture alone.
package final class ReaderClient: Sendable {
  /// How soon a picture is needed.
  package enum Urgency: Hashable, Sendable {
    case visible
    /// Everything else goes before.
    case background
  }

  let visible: HelperPool
  private let background: HelperPool
  private let players: HelperPool
  private let deadline: Duration

  /// The helpers of this program, beside it or where `TPICK_READER` says: one set of processes, whoever asks.
  package static let standard = ReaderClient()

  /// Makes the helper known; nothing is started yet.
  /// - Parameters:
  ///   - program: the helper's path; nil looks for it where `TPICK_READER` says, else beside this program.
  ///   - processes: how many pictures are made at once, and as many in the background but one; nil = one for each core,
  ///     at least two.
  ///   - deadline: how long one picture may take before the helper counts as hanging. It gives up by itself before.
  package init(program: String? = nil, processes: Int? = nil, deadline: Duration = .seconds(70)) {
    let processes = processes ?? max(2, Processors.count)
    func pool(_ count: Int, niceness: Int32 = 0) -> HelperPool {
      HelperPool(
        .reader, program: program, processes: count, startDeadline: .seconds(20), niceness: niceness)
    }
    visible = pool(processes)
    // As workers that give way do.
    background = OpenFileLimit.isLow ? visible : pool(max(1, processes - 1), niceness: 10)
    players = pool(2)
    self.deadline = deadline
  }

  /// Starts the helpers for what will be in sight, unless they are there; returns at once.
  package func start() { visible.prepare() }

  /// What the helper says of its own confinement; starts one.
  ///
  /// Whether it may be given files is another matter.
  /// - Returns: nil where there is no helper.
  package func confinement() -> HelperConfinement? { visible.askConfinement() }

  /// The picture of an open file in a shape, and the thumbnail that was asked for with it.
  /// - Parameters:
  ///   - descriptor: open for reading; stays the caller's, its position as it was.
  ///   - isCancelled: asked every few milliseconds on the calling thread, also while it waits for its turn.
  /// - Returns: nil when `isCancelled` answered true before the picture was there.
  /// - Throws: `CodecError` when there is none, or the file kills the helper or keeps it for too long.
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
      // What is drawn has the size that was asked for, or it would reach beyond its place on the screen.
      guard case .rendering(let facts, _) = answer, request.allows(facts) else { return nil }
      return Rendering(
        pixels: pictures[0].pixels, thumbnail: pictures.dropFirst().first?.pixels,
        decodedPixels: facts.decodedPixels, note: pictures[0].note)
    }
  }

  /// What a thumbnail in an open file says of its original, and its picture where it is wanted.
  /// - Parameter descriptor: open for reading; stays the caller's, its position as it was.
  /// - Throws: `CodecError` when it is no thumbnail, or a damaged one.
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
    // Nobody called it off.
    guard let found else { throw .died }
    return found
  }

  /// The frames of an open file, which a helper of their own decodes while they are asked for.
  /// - Parameter descriptor: open for reading, as long as frames are asked for; stays the caller's.
  package func frames(of descriptor: Int32, _ request: FramesRequest) -> HelperFrames {
    HelperFrames(pool: players, descriptor: descriptor, request: request, deadline: deadline)
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
