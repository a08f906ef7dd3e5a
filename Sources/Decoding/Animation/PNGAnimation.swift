import AssetLibrary
import Pixels
import Rendering

/// The frames of an animated PNG, each handed to the PNG decoder as a file of its own.
///
/// Format: PNG third edition, 11.3.6 (`acTL`, `fcTL`, `fdAT`). Checksums and sequence numbers are not asked for:
/// what can be shown of a damaged file is shown.
final class PNGAnimation: AnimationDecoder {
  let size: PixelSize
  private(set) var colors = ColorSource.sRGB
  let playCount: Int?
  /// The header's bytes behind the size: depth, colours, compression, filter, interlace.
  private let traits: [UInt8]
  /// The chunks that say what the samples mean, as they stand in the file.
  private let meanings: [UInt8]
  private var chunks: PNGChunks
  /// What is said of the next picture.
  private var control: PNGFrameControl?
  private var state: AnimationCanvas

  /// The chunks that every picture needs, each once (PNG third edition, 5.6), and how long they may be together.
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
    guard let plays else { throw .failed("it does not move") }
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
          // The next picture's.
          chunks.stepBack(to: chunk)
          return try compose(data, job)
        }
        guard let bytes = try chunks.bytes(of: chunk, count: 26, job) else { throw .damaged }
        control = try PNGFrameControl(bytes, canvas: size)
      // A still that stands before the first control is for programs that know no animations.
      case "IDAT" where control != nil, "fdAT" where control != nil:
        // The first four bytes of the latter are a number.
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

  /// Decodes a frame from the chunks of its data, and draws it.
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

  /// Chunks of one picture's data, and the bytes of each that the decoder gets; encoders write 8 KiB and more.
  private static let mostChunks = 1 << 16
  private static let longestChunk = 1 << 20
}

extension PixelSize {
  fileprivate var bytes: [UInt8] { [width, height].flatMap { $0.bigEndianBytes } }
}
