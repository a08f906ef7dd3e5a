/// A picture in memory: rows of RGBA pixels, 8 bits a channel, sRGB, top row first, without padding.
///
/// Alpha is straight (not premultiplied); the colour of a pixel whose alpha is 0 means nothing. A value type: copies share their storage until one is written.
public struct PixelBuffer: Hashable, Sendable {
  /// Bytes of one pixel: red, green, blue, alpha.
  public static let bytesPerPixel = 4

  public let size: PixelSize
  public internal(set) var bytes: [UInt8]

  /// Takes rows of RGBA pixels as they are.
  /// - Precondition: `bytes` holds exactly `size.area` pixels.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.area * Self.bytesPerPixel, "a buffer of \(size) has another length")
    self.size = size
    self.bytes = bytes
  }

  /// A picture of one colour.
  public init(size: PixelSize, filledWith color: Color) {
    var bytes = [UInt8]()
    bytes.reserveCapacity(size.area * Self.bytesPerPixel)
    for _ in 0..<size.area {
      bytes.append(color.red)
      bytes.append(color.green)
      bytes.append(color.blue)
      bytes.append(255)
    }
    self.init(size: size, bytes: bytes)
  }

  /// Lets `fill` write the pixels of a new picture straight into its storage.
  /// - Throws: whatever `fill` throws; nothing is leaked then.
  public init<Failure: Error>(
    size: PixelSize, fill: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let count = size.area * Self.bytesPerPixel
    var failure: Failure?
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        try fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        initialized = count
      } catch {
        failure = error
      }
    }
    self.size = size
    if let failure { throw failure }
  }

  public var width: Int { size.width }
  public var height: Int { size.height }

  /// What the picture costs in a cache, in bytes.
  public var cost: Int { bytes.count }

  /// Whether no pixel lets anything shine through.
  public var isOpaque: Bool { isOpaque(rows: 0..<height) }

  /// Whether no pixel of these rows lets anything shine through.
  func isOpaque(rows: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      let part = bytes[(rows.lowerBound * width * 4)..<(rows.upperBound * width * 4)]
      return UnsafeRawBufferPointer(rebasing: part).isOpaque
    }
  }

  /// Rows of RGB pixels, 8 bits a channel, without padding.
  public var rgb: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.area * 3) { output, count in
      bytes.withUnsafeBufferPointer { bytes in
        var write = 0
        for read in stride(from: 0, to: bytes.count, by: Self.bytesPerPixel) {
          output[write] = bytes[read]
          output[write + 1] = bytes[read + 1]
          output[write + 2] = bytes[read + 2]
          write += 3
        }
      }
      count = size.area * 3
    }
  }

  /// Lends the pixels for writing; the pointer must not leave the closure.
  public mutating func withBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    bytes.withUnsafeMutableBytes { body($0) }
  }

  /// The colour of one pixel, without its alpha.
  public subscript(x: Int, y: Int) -> Color {
    get {
      let i = (y * width + x) * Self.bytesPerPixel
      return Color(red: bytes[i], green: bytes[i + 1], blue: bytes[i + 2])
    }
    set {
      let i = (y * width + x) * Self.bytesPerPixel
      bytes[i] = newValue.red
      bytes[i + 1] = newValue.green
      bytes[i + 2] = newValue.blue
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether every alpha of RGBA pixels, 8 bits a channel, is 255.
  public var isOpaque: Bool {
    var all = SIMD16<UInt32>(repeating: .max)
    var rest = UInt32.max
    var offset = 0
    while offset + 64 <= count {
      all &= loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
      offset += 64
    }
    while offset + 4 <= count {
      rest &= loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      offset += 4
    }
    for lane in 0..<16 { rest &= all[lane] }
    // The last byte in memory is the alpha.
    return UInt32(bigEndian: rest) & 0xFF == 0xFF
  }
}

/// An opaque sRGB colour, 8 bits a channel.
public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 255, green: 255, blue: 255)

  /// The squared Euclidean distance in RGB.
  public func squaredDistance(to other: Color) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return red * red + green * green + blue * blue
  }
}
