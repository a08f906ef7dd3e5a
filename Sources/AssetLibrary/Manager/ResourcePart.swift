/// A range of a resource as a resource of its own.
public struct ResourcePart: ResourceReader {
  private let whole: any ResourceReader
  private let range: Range<Int>

  /// - Parameters:
  ///   - whole: the resource.
  ///   - range: bytes of it, cut off at the end of the resource.
  public init(of whole: any ResourceReader, _ range: Range<Int>) {
    self.whole = whole
    self.range = range.clamped(to: 0..<max(0, whole.count))
  }

  public var count: Int { range.count }

  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let length = max(0, min(buffer.count, count - offset))
    return try whole.read(
      at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}
