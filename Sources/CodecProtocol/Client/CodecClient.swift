/// The program that reads what heavy libraries know, seen from tpick's side.
///
/// Calls may come from any thread, and block until there is an answer or the helper was given up. A helper is
/// started for the first file, started again after one died, and gone with the last reference or with tpick.
/// Pictures are decoded by helpers of their own, so that facts never wait behind them.
package final class CodecClient: Sendable {
  private let readers: HelperPool
  /// Reads what files of the heavy libraries' formats say of themselves.
  package let metadata: MetadataClient
  private let decoders: HelperPool
  private let players: HelperPool
  private let decodeDeadline: Duration

  /// Makes the helper known; nothing is started yet.
  /// - Parameters:
  ///   - program: the helper's path; nil looks for it where `TPICK_CODECS` says, else beside this program.
  ///   - processes: how many of them may read facts at once.
  ///   - decoders: how many of them may decode pictures at once.
  ///   - deadline: how long the facts of one file may take before the helper counts as hanging.
  ///   - decodeDeadline: how long one picture may take.
  ///   - startDeadline: how long a program may take to say that it is the helper; loading its libraries from
  ///     a cold disk takes longer than any file.
  ///   - budget: the memory that its helpers share with those of others.
  package init(
    program: String? = nil, processes: Int = 2, decoders: Int = 2, deadline: Duration = .seconds(5),
    decodeDeadline: Duration = .seconds(20), startDeadline: Duration = .seconds(20),
    budget: HelperBudget = .shared
  ) {
    readers = HelperPool(program: program, processes: processes, startDeadline: startDeadline, budget: budget)
    self.decoders = HelperPool(
      program: program, processes: decoders, startDeadline: startDeadline, budget: budget)
    players = HelperPool(program: program, processes: 2, startDeadline: startDeadline, budget: budget)
    metadata = MetadataClient(readers, deadline: deadline)
    self.decodeDeadline = decodeDeadline
  }

  /// How a helper is confined, for a report; it is started where none is.
  ///
  /// Whether it may be given files is another matter.
  /// - Returns: nil where there is no helper.
  package func confinement() -> HelperConfinement? {
    readers.askConfinement()
  }

  /// The frames of an open file, which a helper of their own decodes while they are asked for.
  /// - Parameter descriptor: open for reading, as long as frames are asked for; stays the caller's.
  package func frames(of descriptor: Int32, _ request: FramesRequest) -> HelperFrames {
    HelperFrames(pool: players, descriptor: descriptor, request: request, deadline: decodeDeadline)
  }

  /// The picture of an open file.
  ///
  /// The picture may be larger than asked for, never smaller than both what is asked for and what there is.
  /// - Parameters:
  ///   - descriptor: open for reading; stays the caller's, its position as it was.
  ///   - isCancelled: asked every few milliseconds on the calling thread, also while it waits for its turn. A
  ///     helper that works on a picture which nobody waits for any more is killed.
  /// - Returns: nil when `isCancelled` answered true before the picture was there.
  /// - Throws: `CodecError` when there is none, or the file kills the helper or keeps it for too long.
  package func decode(
    _ descriptor: Int32, _ request: DecodeRequest, isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> DecodedPicture? {
    try decoders.ask(
      .picture(request, seconds: HelperProcess.seconds(of: decodeDeadline), number: 0), descriptor,
      maxPixels: request.mostPixels, deadline: decodeDeadline, isCancelled: isCancelled
    ) { answer, pictures in
      if case .picture = answer { pictures.first } else { nil }
    }
  }
}
