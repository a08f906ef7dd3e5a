/// Random access to the bytes of one resource; closed when the last reference goes.
public protocol ResourceReader: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// The open file whose whole content the resource is; nil where there is no such file.
  ///
  /// It stays the reader's: valid for as long as the reader is, and its position may not be moved.
  var descriptor: Int32? { get }

  /// Fills `buffer` from `offset` and answers how many bytes there were; fewer only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}

extension ResourceReader {
  public var descriptor: Int32? { nil }

  /// The bytes of a range, cut off at the end of the resource.
  public func bytes(in range: Range<Int>) throws(AssetError) -> [UInt8] {
    var failure: AssetError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(AssetError) {
        let whole = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<range.count])
        count = try read(at: range.lowerBound, into: whole)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
