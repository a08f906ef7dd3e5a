import AssetLibrary
import Pixels
import Rendering

/// One file on its way to become a picture, and the limits that are set to it.
struct DecodeJob {
  let reader: any ResourceReader
  let budget: DecodeBudget
  let colors: ColorManager
  private let cancellation: any DecodeInterruption
  private let deadline: ContinuousClock.Instant

  init(
    _ reader: any ResourceReader, budget: DecodeBudget, colors: ColorManager,
    cancellation: any DecodeInterruption
  ) {
    self.init(
      reader, budget: budget, colors: colors, cancellation: cancellation, deadline: .now + budget.time)
  }

  /// The same job, with what is left of its time, for another file.
  func reading(_ reader: any ResourceReader) -> DecodeJob {
    DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation, deadline: deadline)
  }

  private init(
    _ reader: any ResourceReader, budget: DecodeBudget, colors: ColorManager,
    cancellation: any DecodeInterruption,
    deadline: ContinuousClock.Instant
  ) {
    self.reader = reader
    self.budget = budget
    self.colors = colors
    self.cancellation = cancellation
    self.deadline = deadline
  }

  /// Throws when nobody wants the picture any more, or when it takes too long; to be called often.
  func checkStopped() throws(DecodeStop) { if let stop { throw stop } }

  /// Why the job has to stop; nil while it may go on.
  var stop: DecodeStop? {
    if cancellation.isCancelled { return .cancelled }
    return ContinuousClock.now >= deadline ? .late : nil
  }

  /// Whether `checkStopped` would throw.
  var isStopped: Bool { stop != nil }

  /// The file's first bytes.
  func head(_ count: Int) throws(DecodeStop) -> [UInt8] { try bytes(in: 0..<min(count, reader.count)) }

  /// The bytes of a range that lies in the file.
  func bytes(in range: Range<Int>) throws(DecodeStop) -> [UInt8] {
    do throws(AssetError) {
      return try reader.bytes(in: range)
    } catch {
      throw .unreadable(error)
    }
  }

  /// The whole file.
  func bytes() throws(DecodeStop) -> [UInt8] {
    try checkHeld()
    return try head(reader.count)
  }

  /// Fills a buffer, as large as the file, with all its bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodeStop) {
    do throws(AssetError) {
      if try reader.read(at: 0, into: buffer) == buffer.count { return }
    } catch {
      throw .unreadable(error)
    }
    throw .noEnd
  }

  /// Refuses a file that is too long to be held in memory.
  func checkHeld() throws(DecodeStop) {
    guard reader.count <= budget.heldFile else { throw .failed("the file is too large to be shown") }
  }

  /// Refuses a file that is too long to be read piece by piece.
  func checkStreamed() throws(DecodeStop) {
    guard reader.count <= budget.streamedFile else { throw .failed("the file is too large to be shown") }
  }
}

extension DecodeBudget {
  /// Refuses a picture that is too large to be read, or whose result is; before memory is taken for it.
  /// - Parameter working: bytes that the decoder takes besides the result.
  func check(stored: PixelSize, decoded: PixelSize, working: Int = 0) throws(DecodeStop) {
    try checkSides(stored)
    let (all, overflow) = working.addingReportingOverflow(Resampler.workingBytes(from: decoded))
    guard stored.area <= storedPixels, decoded.area <= decodedPixels, !overflow, all <= workingBytes else {
      throw .tooLarge(stored)
    }
  }

  /// Refuses a picture one of whose sides is too long: from here on bytes of rows can be counted without overflowing.
  func checkSides(_ stored: PixelSize) throws(DecodeStop) {
    guard max(stored.width, stored.height) <= side else { throw .tooLarge(stored) }
  }
}
