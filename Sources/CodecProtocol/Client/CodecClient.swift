/// Client for the codec helper, `tpick-codecs`, which reads the formats that need heavy libraries.
///
/// Calls may come from any thread; they block until an answer arrives or the helper is given up. The first file
/// starts a helper; a helper that died is replaced for the next file. Helpers end with the last reference or with
/// tpick. Separate helpers decode pictures, so that metadata never waits behind a decode.
package final class CodecClient: Sendable {
  private let readers: HelperPool
  /// Reads metadata of the formats that need heavy libraries.
  package let metadata: MetadataClient
  private let decoders: HelperPool
  private let players: HelperPool
  private let decodeDeadline: Duration

  /// Creates a client without starting a helper.
  /// - Parameters:
  ///   - program: path of the helper; nil searches as `HelperProgram.find()` does.
  ///   - processes: number of helpers that read metadata at once.
  ///   - decoders: number of helpers that decode pictures at once.
  ///   - deadline: time allowed for the metadata of one file before the helper counts as hung.
  ///   - decodeDeadline: time allowed for one picture.
  ///   - startDeadline: time allowed for a program to greet as a helper; loading its libraries from a cold disk
  ///     takes longer than any file.
  ///   - budget: memory budget that these helpers share with others.
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

  /// Returns the confinement that the helper reports, starting a helper if none runs.
  ///
  /// The result does not say whether the helper is allowed to read files.
  /// - Returns: nil if no helper could be started.
  package func confinement() -> HelperConfinement? {
    readers.queryConfinement()
  }

  /// Returns the frames of an open file, decoded on demand by a helper of their own.
  /// - Parameter descriptor: open for reading until the last frame has been requested; owned by the caller.
  package func frames(of descriptor: Int32, _ request: FramesRequest) -> HelperFrames {
    HelperFrames(pool: players, descriptor: descriptor, request: request, deadline: decodeDeadline)
  }

  /// Decodes the picture of an open file.
  ///
  /// The picture may be larger than requested, but never smaller than the lesser of the requested and the available
  /// size.
  /// - Parameters:
  ///   - descriptor: open for reading; owned by the caller, its offset unchanged.
  ///   - isCancelled: called every few milliseconds on the calling thread, also while the call waits for a free
  ///     helper. A helper that is decoding a cancelled picture is killed.
  /// - Returns: nil if `isCancelled` returned true before the picture arrived.
  /// - Throws: `CodecError` if there is no picture, or if the file kills or stalls the helper.
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
