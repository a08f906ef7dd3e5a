/// Pixels that are somewhere else than in an array: in memory that another process wrote.
///
/// Nobody writes to them any more.
package protocol PixelMemory: AnyObject, Sendable {
  /// How many bytes there are.
  var byteCount: Int { get }

  /// Lends the rows of RGBA pixels; the pointer must not leave the closure.
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}
