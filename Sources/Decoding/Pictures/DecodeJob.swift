import AssetLibrary
import Pixels
import Rendering

/// A file being decoded, and its limits.
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

  /// Returns the same job, with its remaining time, for another file.
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

  /// Throws if the job is cancelled or late; call it often.
  func checkStopped() throws(DecodeStop) { if let stop { throw stop } }

  /// Why the job must stop; nil while it may continue.
  var stop: DecodeStop? {
    if cancellation.isCancelled { return .cancelled }
    return ContinuousClock.now >= deadline ? .late : nil
  }

  /// Whether `checkStopped` would throw.
  var isStopped: Bool { stop != nil }

  /// Returns the file's first bytes.
  func head(_ count: Int) throws(DecodeStop) -> [UInt8] { try bytes(in: 0..<min(count, reader.count)) }

  /// Returns the bytes of a range inside the file.
  func bytes(in range: Range<Int>) throws(DecodeStop) -> [UInt8] {
    do throws(AssetError) {
      return try reader.bytes(in: range)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Returns the whole file.
  func bytes() throws(DecodeStop) -> [UInt8] {
    try checkHeld()
    return try head(reader.count)
  }

  /// Reads the whole file into a buffer of the same length.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodeStop) {
    do throws(AssetError) {
      if try reader.read(at: 0, into: buffer) == buffer.count { return }
    } catch {
      throw .unreadable(error)
    }
    throw .noEnd
  }

  /// Rejects a file that is too long to be held in memory.
  func checkHeld() throws(DecodeStop) {
    guard reader.count <= budget.heldFile else { throw .failed("the file is too large to be shown") }
  }

  /// Rejects a file that is too long to be streamed.
  func checkStreamed() throws(DecodeStop) {
    guard reader.count <= budget.streamedFile else { throw .failed("the file is too large to be shown") }
  }
}

extension DecodeBudget {
  /// Rejects a picture that is too large as stored or as decoded, or needs too much working memory; call it
  /// before memory is allocated.
  /// - Parameter working: bytes that the decoder needs besides the result.
  func check(stored: PixelSize, decoded: PixelSize, working: Int = 0) throws(DecodeStop) {
    try checkSides(stored)
    let (all, overflow) = working.addingReportingOverflow(Resampler.workingBytes(from: decoded))
    guard stored.area <= storedPixels, decoded.area <= decodedPixels, !overflow, all <= workingBytes else {
      throw .tooLarge(stored)
    }
  }

  /// Rejects a picture with too long a side: afterwards, row lengths in bytes cannot overflow.
  func checkSides(_ stored: PixelSize) throws(DecodeStop) {
    guard max(stored.width, stored.height) <= side else { throw .tooLarge(stored) }
  }
}
