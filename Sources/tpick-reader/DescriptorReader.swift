import AssetLibrary
import CConfinement
import CodecProtocol
import Pixels
import Rendering
import System

/// A part of an open file that another object owns; reads with offsets, so that its file offset stays unchanged.
struct DescriptorReader: ResourceReader {
  let count: Int
  private let file: Int32
  private let base: Int

  /// - Parameter range: the part to read, in bytes.
  init(_ file: Int32, range: Range<Int> = 0..<Int.max) {
    self.file = file
    let part = range.clamped(to: 0..<max(0, Int(confined_file_size(file))))
    (base, count) = (part.lowerBound, part.count)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let wanted = offset >= 0 && offset < count ? min(buffer.count, count - offset) : 0
    var done = 0
    while done < wanted {
      let read = pread(file, buffer.baseAddress?.advanced(by: done), wanted - done, base + offset + done)
      if read == 0 { break }
      if read > 0 {
        done += read
      } else if errno != EINTR {
        throw AssetError("read error", String(cString: strerror(errno)))
      }
    }
    return done
  }
}

extension PictureOutput {
  /// Writes a picture and the thumbnail that was made with it.
  /// - Throws: `CodecError.tooLarge` if the shared memory is too small.
  func put(_ rendering: Rendering) throws(CodecError) -> RenderingFacts {
    var facts = RenderingFacts(
      picture: PictureFacts(rendering.pixels), thumbnail: rendering.thumbnail.map(PictureFacts.init),
      decodedPixels: rendering.decodedPixels)
    facts.picture.note = rendering.note
    try put([rendering.pixels] + (rendering.thumbnail.map { [$0] } ?? []), at: facts.offsets)
    return facts
  }

  /// Writes a picture.
  func put(_ picture: PixelBuffer) throws(CodecError) -> PictureFacts {
    try put([picture], at: [0])
    return PictureFacts(picture)
  }

  private func put(_ pictures: [PixelBuffer], at offsets: [Int]) throws(CodecError) {
    let end = zip(pictures, offsets).map { $1 + $0.cost }.max() ?? 0
    guard end <= byteCount else { throw .tooLarge(width: pictures[0].width, height: pictures[0].height) }
    guard let base = try map(end) else { throw .noMemory }
    defer { unmap(base, end) }
    for (picture, offset) in zip(pictures, offsets) {
      picture.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: base + offset, count: bytes.count).copyMemory(from: bytes)
      }
    }
  }
}

extension PictureFacts {
  /// Creates the properties of a picture in its own size.
  init(_ picture: PixelBuffer) {
    self.init(width: picture.width, height: picture.height)
    isOpaque = picture.isOpaque
  }
}
