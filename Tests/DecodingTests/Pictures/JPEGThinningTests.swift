import CDecoders
import Fixtures
import Testing

/// Coefficients skipped when decoding a JPEG at an eighth of its size, compared with a full decode of the same bytes.
@Suite struct JPEGThinningTests {
  /// For each component the blocks across and down in an MCU.
  static let samplings: [[(UInt8, UInt8)]] = [
    [(1, 1)], [(2, 2)], [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)],
    [(2, 2), (1, 1), (1, 1)], [(4, 1), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 2)], [(4, 2), (1, 1), (1, 1)],
    [(1, 1), (1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)],
  ]

  @Test(arguments: samplings.indices, [0, 1, 5])
  func `At an eighth the details are skipped, and the pixels are the same`(
    sampling: Int, interval: Int
  ) {
    for lengths in RandomJPEG.Lengths.allCases {
      for seed in 1...12 as ClosedRange<UInt64> {
        var jpeg = RandomJPEG(Self.samplings[sampling], interval: interval, lengths, seed: seed)
        let bytes = jpeg.bytes(width: 1 + Int(seed) * 13, height: 120 - Int(seed) * 9)
        let thinned = Outcome(of: bytes, inPieces: true)
        let whole = Outcome(of: bytes, inPieces: false)
        #expect(thinned.result.is_thinned && !whole.result.is_thinned, "\(lengths), seed \(seed)")
        #expect(thinned.status == CJPEG_OK && !thinned.result.damaged)
        #expect(thinned == whole, "\(lengths), seed \(seed)")
      }
    }
  }

  @Test(arguments: [0, 3])
  func `It makes no difference where a long file is split into pieces`(interval: Int) {
    var jpeg = RandomJPEG(Self.samplings[5], interval: interval, .short, seed: 1)
    let bytes = jpeg.bytes(width: 1600, height: 900)
    // More than twice what is read, and written, at once.
    #expect(bytes.count > 150_000)
    let whole = Outcome(of: bytes, inPieces: false)
    for most in [.max, 4096, 1000, 7] {
      let thinned = Outcome(of: bytes, inPieces: true, most: most)
      #expect(thinned.result.is_thinned && !thinned.result.damaged && thinned == whole, "\(most)")
    }
  }

  @Test func `At a larger size, and if a block has no end code, nothing is skipped`() {
    var jpeg = RandomJPEG(Self.samplings[5], interval: 0, .short, seed: 1)
    let bytes = jpeg.bytes(width: 100, height: 60)
    for eighths in [2, 4, 8] as [Int32] {
      let decoded = Outcome(of: bytes, inPieces: true, eighths: eighths)
      #expect(decoded.status == CJPEG_OK && !decoded.result.is_thinned)
      #expect(decoded == Outcome(of: bytes, inPieces: false, eighths: eighths))
    }
    var full = RandomJPEG(Self.samplings[0], interval: 0, .short, seed: 1)
    full.hasEnds = false
    let blocks = full.bytes(width: 100, height: 60)
    let decoded = Outcome(of: blocks, inPieces: true)
    #expect(decoded.status == CJPEG_OK && !decoded.result.is_thinned && !decoded.result.damaged)
    #expect(decoded == Outcome(of: blocks, inPieces: false))
  }

  @Test(arguments: samplings.indices, 0...6)
  func `A truncated file is reported as such, also after its last block`(sampling: Int, missing: Int) {
    var jpeg = RandomJPEG(Self.samplings[sampling], interval: 0, .short, seed: 3)
    let bytes = Array(jpeg.bytes(width: 70, height: 50).dropLast(missing))
    let decoded = Outcome(of: bytes, inPieces: true)
    #expect(decoded == Outcome(of: bytes, inPieces: false))
    #expect(decoded.result.is_thinned == (missing == 0))
  }

  @Test(arguments: samplings.indices)
  func `A damaged scan is read without skipping`(sampling: Int) {
    var kept = (thinned: 0, whole: 0)
    for seed in 1...150 as ClosedRange<UInt64> {
      var jpeg = RandomJPEG(
        Self.samplings[sampling], interval: Int(seed % 3) * 2, RandomJPEG.Lengths.allCases[Int(seed % 2)],
        seed: seed)
      var bytes = jpeg.bytes(width: 70, height: 50)
      var numbers = SeededGenerator(seed: seed)
      for _ in 0..<Int.random(in: 0...2, using: &numbers) {
        let place = Int.random(in: jpeg.scan..<bytes.count, using: &numbers)
        bytes[place] =
          [0xFF, 0xD0, 0xD1, 0xD9, 0x00, bytes[place] ^ 1, .random(in: 0 ... .max, using: &numbers)]
          .randomElement(using: &numbers) ?? 0
      }
      if seed % 2 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count - jpeg.scan, using: &numbers)) }
      let decoded = Outcome(of: bytes, inPieces: true)
      if decoded.result.is_thinned { kept.thinned += 1 } else { kept.whole += 1 }
      #expect(decoded == Outcome(of: bytes, inPieces: false), "seed \(seed)")
    }
    #expect(kept.thinned > 0 && kept.whole > 0)
  }
}

/// The result of a decode.
private struct Outcome: Equatable {
  private(set) var status = CJPEG_CORRUPT
  private(set) var result = cjpeg_result()
  private var pixels: [UInt8] = []
  private var message = ""

  /// The location of a file's bytes, and how many are passed at once.
  private struct Source {
    var bytes: UnsafeBufferPointer<UInt8>
    var most: Int
  }

  /// - Parameter inPieces: Whether the bytes are requested in pieces, like those of files; otherwise all are available
  ///   at once.
  init(of bytes: [UInt8], inPieces: Bool, eighths: Int32 = 1, most: Int = .max) {
    guard let decoder = cjpeg_decoder_create() else { return }
    defer { cjpeg_decoder_destroy(decoder) }
    var (status, result) = (CJPEG_CORRUPT, cjpeg_result())
    var pixels: [UInt8] = []
    bytes.withUnsafeBufferPointer { bytes in
      withUnsafePointer(to: Source(bytes: bytes, most: most)) { source in
        var info = cjpeg_info()
        status =
          inPieces
          ? cjpeg_read_header_of_stream(decoder, Self.read, source, &info)
          : cjpeg_read_header(decoder, bytes.baseAddress, bytes.count, &info)
        guard status == CJPEG_OK else { return }
        var (width, height) = (UInt32(0), UInt32(0))
        cjpeg_scaled_size(decoder, eighths, &width, &height)
        let count = Int(width) * Int(height) * 4
        pixels = [UInt8](repeating: 1, count: count)
        status = cjpeg_decode(decoder, eighths, nil, &pixels, count, nil, nil, &result)
      }
    }
    (self.status, self.result, self.pixels) = (status, result, pixels)
    message = String(cString: cjpeg_message(decoder))
  }

  private static let read: cjpeg_read = { context, offset, buffer, length in
    guard let source = context?.assumingMemoryBound(to: Source.self).pointee, let buffer else { return 0 }
    let part = source.bytes.dropFirst(offset).prefix(min(length, source.most))
    return UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: part)
  }

  /// Whether both results are the same, however they were obtained.
  static func == (a: Outcome, b: Outcome) -> Bool {
    a.status == b.status && a.pixels == b.pixels && a.message == b.message && a.result.width == b.result.width
      && a.result.height == b.result.height && a.result.damaged == b.result.damaged
      && a.result.visible_rows == b.result.visible_rows
  }
}

/// Writes JPEGs of random coefficients (ITU-T T.81, baseline), including what encoders do rarely: MCUs of any shape,
/// restart markers, codes of every length.
private struct RandomJPEG {
  /// The code lengths of rare symbols.
  enum Lengths: Int, CaseIterable { case short = 9, long = 16 }

  private let sampling: [(UInt8, UInt8)]
  private let interval: Int
  private let means: CodeTable
  private var details: CodeTable
  private var numbers: SeededGenerator
  private var writer = BitWriter()
  /// Whether blocks end before they are full.
  var hasEnds = true
  /// Where the scan begins.
  private(set) var scan = 0

  init(_ sampling: [(UInt8, UInt8)], interval: Int, _ lengths: Lengths, seed: UInt64) {
    self.sampling = sampling
    self.interval = interval
    means = CodeTable((0...11).map { ($0, $0 < 2 ? 2 : lengths == .short ? 5 : 13) })
    numbers = SeededGenerator(seed: seed)
    // The end of a block, a run of 16 zeros, two frequent ones, and all others.
    let rare = (0...15).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }.filter {
      ![0x01, 0x11].contains($0)
    }
    details = CodeTable([(0x00, 2), (0x01, 2), (0x11, 3), (0xF0, 4)] + rare.map { ($0, lengths.rawValue) })
  }

  mutating func bytes(width: Int, height: Int) -> [UInt8] {
    if !hasEnds { details.remove(0x00) }
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 3, count: 64)
    let count = UInt8(sampling.count)
    bytes += [0xFF, 0xC0, 0, 8 + 3 * count, 8, UInt8(height >> 8), UInt8(height & 255)]
    bytes += [UInt8(width >> 8), UInt8(width & 255), count]
    for (number, (across, down)) in zip(1...count, sampling) { bytes += [number, across << 4 | down, 0] }
    bytes += means.segment(0x00) + details.segment(0x10)
    if interval > 0 { bytes += [0xFF, 0xDD, 0, 4, 0, UInt8(interval)] }
    bytes +=
      [0xFF, 0xDA, 0, 6 + 2 * count, count] + (1...count).flatMap { [$0, 0] as [UInt8] } + [0, 63, 0]
    scan = bytes.count
    for unit in 0..<units(width, height) {
      if interval > 0, unit > 0, unit % interval == 0 {
        bytes += writer.finished() + [0xFF, 0xD0 + UInt8((unit / interval - 1) % 8)]
      }
      // A single component has MCUs of one block.
      let blocks = sampling.count == 1 ? 1 : sampling.reduce(0) { $0 + Int($1.0 * $1.1) }
      for _ in 0..<blocks { putBlock() }
    }
    return bytes + writer.finished() + [0xFF, 0xD9]
  }

  private func units(_ width: Int, _ height: Int) -> Int {
    let (across, down) =
      sampling.count == 1
      ? (1, 1) : (sampling.map { Int($0.0) }.max() ?? 1, sampling.map { Int($0.1) }.max() ?? 1)
    return (width + 8 * across - 1) / (8 * across) * ((height + 8 * down - 1) / (8 * down))
  }

  private static let frequent: [UInt8] = [0x01, 0x11, 0x01, 0xF0]

  private mutating func putBlock() {
    put(means, UInt8(numbers.next() % (numbers.next() & 1 == 0 ? 4 : 12)))
    var place = 1
    while place < 64 {
      if hasEnds, numbers.next() & 7 == 0 { return put(details, 0x00) }
      let number = numbers.next()
      var symbol = Self.frequent[Int(number & 3)]
      if number >> 2 & 3 == 0 { symbol = UInt8(number >> 4 & 15) << 4 | UInt8(1 + number >> 8 % 10) }
      // No run goes beyond the block; a run of zeros is not its last.
      if symbol == 0xF0 ? place + 16 > 63 : place + Int(symbol >> 4) > 63 { symbol = 0x01 }
      put(details, symbol)
      place += Int(symbol >> 4) + 1
    }
  }

  private mutating func put(_ table: CodeTable, _ symbol: UInt8) {
    let (code, length) = table.codes[Int(symbol)]
    writer.put(code, length)
    let size = Int(symbol & 15)
    if size > 0 { writer.put(UInt32(truncatingIfNeeded: numbers.next()) & (1 << UInt32(size) - 1), size) }
  }
}

/// A Huffman table: symbols and the lengths of their codes.
private struct CodeTable {
  private var lengths: [(symbol: UInt8, length: Int)]
  /// Codes by symbol; length zero means none.
  private(set) var codes: [(code: UInt32, length: Int)] = []

  /// - Parameter lengths: Code lengths, the shortest first.
  init(_ lengths: [(UInt8, Int)]) {
    self.lengths = lengths
    assign()
  }

  mutating func remove(_ symbol: UInt8) {
    lengths.removeAll { $0.symbol == symbol }
    assign()
  }

  private mutating func assign() {
    var (code, before) = (UInt32(0), 0)
    codes = Array(repeating: (0, 0), count: 256)
    for (symbol, length) in lengths {
      code <<= UInt32(length - before)
      codes[Int(symbol)] = (code, length)
      (code, before) = (code + 1, length)
    }
  }

  func segment(_ number: UInt8) -> [UInt8] {
    let counts = (1...16).map { length in UInt8(lengths.count { $0.length == length }) }
    let size = 19 + lengths.count
    return [0xFF, 0xC4, UInt8(size >> 8), UInt8(size & 255), number] + counts + lengths.map(\.symbol)
  }
}

/// Packs bits into bytes, with a stuffed zero after every 0xFF.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var count = 0

  mutating func put(_ value: UInt32, _ length: Int) {
    bits = bits << UInt64(length) | UInt64(value)
    count += length
    while count >= 8 {
      count -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> UInt64(count))
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
  }

  /// All bytes, the last one padded with ones; resets the writer.
  mutating func finished() -> [UInt8] {
    let rest = -count & 7
    put(1 << UInt32(rest) - 1, rest)
    defer { bytes = [] }
    return bytes
  }
}
