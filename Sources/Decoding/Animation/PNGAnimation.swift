import AssetLibrary
import Pixels
import Rendering

/// Decodes the frames of an animated PNG, passing each to the PNG decoder as a separate file.
///
/// Format: PNG third edition, 11.3.6 (`acTL`, `fcTL`, `fdAT`). Checksums and sequence numbers are ignored, so that
/// the usable parts of a damaged file are shown.
final class PNGAnimation: AnimationDecoder {
  let size: PixelSize
  private(set) var colors = ColorSource.sRGB
  let playCount: Int?
  /// The header's bytes after the size: depth, colors, compression, filter, interlace.
  private let traits: [UInt8]
  /// The chunks that define palette, transparency and color space, as stored.
  private let meanings: [UInt8]
  private var chunks: PNGChunks
  /// The control chunk of the next picture.
  private var control: PNGFrameControl?
  private var state: AnimationCanvas

  /// The chunks that every picture needs, each once (PNG third edition, 5.6), and the upper bound of their total
  /// length.
  private static let shared: Set<String> = ["PLTE", "tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM"]
  private static let longestShared = 4 << 20

  init(_ job: DecodeJob) throws(DecodeStop) {
    try job.checkStreamed()
    chunks = PNGChunks()
    guard let header = try chunks.next(job), header.type == "IHDR",
      let bytes = try chunks.bytes(of: header, count: 13, job)
    else { throw .damaged }
    size = PixelSize(width: bytes.number(at: 0), height: bytes.number(at: 4))
    try AnimationBudget.check(size)
    traits = Array(bytes[8...])
    var meanings: [UInt8] = []
    var missing = Self.shared
    var plays: Int?
    while let chunk = try chunks.next(job), chunk.type != "IDAT" {
      if chunk.type == "acTL" {
        if let bytes = try chunks.bytes(of: chunk, count: 8, job) { plays = bytes.number(at: 4) }
      } else if missing.contains(chunk.type), meanings.count + chunk.content.count <= Self.longestShared {
        missing.remove(chunk.type)
        meanings += PNGChunks.chunk(chunk.type, try chunks.bytes(of: chunk, job))
      }
    }
    guard let plays else { throw .failed("not an animation or a video") }
    self.meanings = meanings
    playCount = plays == 0 ? nil : plays
    state = AnimationCanvas(size: size)
    chunks = PNGChunks()
  }

  var canvas: PixelBuffer { state.pixels }

  func rewind(_ job: DecodeJob) throws(DecodeStop) {
    chunks = PNGChunks()
    control = nil
    state = AnimationCanvas(size: size)
  }

  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration? {
    var data: [Range<Int>] = []
    var count = 0
    while let chunk = try chunks.next(job) {
      switch chunk.type {
      case "fcTL":
        if !data.isEmpty {
          // It belongs to the next picture.
          chunks.stepBack(to: chunk)
          return try compose(data, job)
        }
        guard let bytes = try chunks.bytes(of: chunk, count: 26, job) else { throw .damaged }
        control = try PNGFrameControl(bytes, canvas: size)
      // A still image before the first control chunk is for programs without animation support.
      case "IDAT" where control != nil, "fdAT" where control != nil:
        // `fdAT` starts with a sequence number of four bytes.
        let content = chunk.content.dropFirst(chunk.type == "fdAT" ? 4 : 0)
        guard !content.isEmpty else { continue }
        count += content.count
        guard count <= AnimationBudget.heldBytes, data.count < Self.mostChunks else {
          throw .failed("the file is too large to be shown")
        }
        data.append(content)
      default: break
      }
    }
    return data.isEmpty ? nil : try compose(data, job)
  }

  /// Decodes a frame from its data chunks and draws it.
  private func compose(_ data: [Range<Int>], _ job: DecodeJob) throws(DecodeStop) -> Duration? {
    guard let control else { return nil }
    self.control = nil
    let header = PNGChunks.chunk("IHDR", control.size.bytes + traits)
    var parts: [PartReader.Part] = [.bytes(PNGChunks.signature + header + meanings)]
    for content in data {
      for start in stride(from: content.lowerBound, to: content.upperBound, by: Self.longestChunk) {
        let part = start..<min(content.upperBound, start + Self.longestChunk)
        parts.append(.bytes(PNGChunks.head("IDAT", part.count)))
        parts.append(.range(part))
        parts.append(.bytes(PNGChunks.checksum))
      }
    }
    parts.append(.bytes(PNGChunks.chunk("IEND", [])))
    let picture = try PNGDecoder.decode(job.reading(PartReader(job.reader, parts))) { $0 }
    colors = picture.colors
    let frame = AnimationFrame(
      pixels: picture.pixels, left: control.left, top: control.top, disposal: control.disposal,
      blending: control.blending, delay: control.delay)
    state.add(frame)
    return frame.displayDuration
  }

  /// Upper bounds of the data chunks of one picture and of the bytes per chunk given to the decoder; encoders write
  /// 8 KiB and more.
  private static let mostChunks = 1 << 16
  private static let longestChunk = 1 << 20
}

extension PixelSize {
  fileprivate var bytes: [UInt8] { [width, height].flatMap { $0.bigEndianBytes } }
}

/// Iterates over the chunks of a PNG (PNG third edition, 5.3); a truncated chunk ends with the file.
struct PNGChunks {
  struct Chunk {
    var type: String
    /// Byte range of its content in the file.
    var content: Range<Int>
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private var position = Self.signature.count

  /// Returns the next chunk; nil at the end, which includes `IEND`.
  mutating func next(_ job: DecodeJob) throws(DecodeStop) -> Chunk? {
    try job.checkStopped()
    let count = job.reader.count
    guard count - position >= 8 else { return nil }
    let head = try job.bytes(in: position..<position + 8)
    guard head.count == 8 else { return nil }
    let start = position + 8
    let end = start + head.number(at: 0)
    let type = String(decoding: head[4...], as: UTF8.self)
    position = min(count, end + 4)
    return type == "IEND" ? nil : Chunk(type: type, content: start..<min(end, count))
  }

  /// Moves back, so that `next` returns `chunk` again.
  mutating func stepBack(to chunk: Chunk) { position = chunk.content.lowerBound - 8 }

  func bytes(of chunk: Chunk, _ job: DecodeJob) throws(DecodeStop) -> [UInt8] {
    guard chunk.content.count <= AnimationBudget.heldBytes else {
      throw .failed("the file is too large to be shown")
    }
    return try job.bytes(in: chunk.content)
  }

  /// Returns the content of a chunk that must have exactly `count` bytes; nil, without reading it, if it has
  /// another length.
  func bytes(of chunk: Chunk, count: Int, _ job: DecodeJob) throws(DecodeStop) -> [UInt8]? {
    guard chunk.content.count == count else { return nil }
    let bytes = try job.bytes(in: chunk.content)
    return bytes.count == count ? bytes : nil
  }

  /// Creates a chunk with a checksum of zeros, for a reader that ignores checksums.
  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    head(type, content.count) + content + checksum
  }

  /// Returns the header of a chunk of `count` bytes.
  static func head(_ type: String, _ count: Int) -> [UInt8] { count.bigEndianBytes + Array(type.utf8) }
  static let checksum: [UInt8] = [0, 0, 0, 0]
}

extension [UInt8] {
  /// Returns the big-endian 32-bit number at an offset.
  func number(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}

extension Int {
  /// The number as 32 bits in big-endian order.
  var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}

/// The fields of an `fcTL` chunk.
struct PNGFrameControl {
  var size: PixelSize
  var left: Int
  var top: Int
  var delay: Duration
  var disposal: AnimationFrame.Disposal
  var blending: AnimationFrame.Blending

  /// - Parameter bytes: 26 bytes.
  init(_ bytes: [UInt8], canvas: PixelSize) throws(DecodeStop) {
    size = PixelSize(width: bytes.number(at: 4), height: bytes.number(at: 8))
    (left, top) = (bytes.number(at: 12), bytes.number(at: 16))
    guard !size.isEmpty, size.width <= canvas.width, left <= canvas.width - size.width,
      size.height <= canvas.height, top <= canvas.height - size.height
    else { throw .damaged }
    let numerator = Int(bytes[20]) << 8 | Int(bytes[21])
    let denominator = Int(bytes[22]) << 8 | Int(bytes[23])
    delay = .microseconds(numerator * 1_000_000 / (denominator == 0 ? 100 : denominator))
    disposal = bytes[24] == 1 ? .clear : bytes[24] == 2 ? .restore : .keep
    blending = bytes[25] == 1 ? .over : .replace
  }
}

/// A virtual file assembled from ranges of another one and from bytes between them, without copying.
struct PartReader: ResourceReader {
  enum Part: Sendable {
    case bytes([UInt8])
    /// A range of the whole file.
    case range(Range<Int>)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .range(let range): range.count
      }
    }
  }

  let count: Int
  private let whole: any ResourceReader
  private let parts: [Part]
  /// Offset of each part.
  private let starts: [Int]

  init(_ whole: any ResourceReader, _ parts: [Part]) {
    (self.whole, self.parts) = (whole, parts)
    var (starts, count): ([Int], Int) = ([], 0)
    for part in parts {
      starts.append(count)
      count += part.count
    }
    (self.starts, self.count) = (starts, count)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset >= 0, offset < count else { return 0 }
    var index = self.index(of: offset)
    var done = 0
    while done < buffer.count, index < parts.count {
      let skipped = offset + done - starts[index]
      let wanted = min(buffer.count - done, parts[index].count - skipped)
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted])
      switch parts[index] {
      case .bytes(let bytes): room.copyBytes(from: bytes[skipped..<skipped + wanted])
      case .range(let range):
        let found = try whole.read(at: range.lowerBound + skipped, into: room)
        // The file has been truncated since.
        if found < wanted { return done + max(0, found) }
      }
      done += wanted
      index += 1
    }
    return done
  }

  /// Returns the index of the part that contains an offset.
  private func index(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
