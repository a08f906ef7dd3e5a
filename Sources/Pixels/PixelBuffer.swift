/// An image in memory: rows of RGBA pixels, 8 bits per channel, sRGB, top row first, without padding.
///
/// Alpha is straight (not premultiplied); the color of a pixel with alpha 0 is undefined. Copies share their
/// storage until one is written.
public struct PixelBuffer: Hashable, Sendable {
  /// The size of a pixel in bytes: red, green, blue, alpha.
  public static let bytesPerPixel = 4

  /// The width and height in pixels.
  public let size: PixelSize
  private var storage: Storage

  /// The memory that contains the pixels.
  private enum Storage: Sendable {
    case array([UInt8])
    case memory(any PixelMemory)
  }

  /// Creates an image from rows of RGBA pixels.
  /// - Precondition: `bytes` contains exactly `size.area` pixels.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.area * Self.bytesPerPixel, "the length does not match the size \(size)")
    self.size = size
    storage = .array(bytes)
  }

  /// Creates an image from pixels in existing memory, without copying them.
  /// - Precondition: `memory` contains at least `size.area` pixels.
  package init(size: PixelSize, in memory: any PixelMemory) {
    precondition(memory.byteCount >= size.area * Self.bytesPerPixel, "there are too few pixels for \(size)")
    self.size = size
    storage = .memory(memory)
  }

  /// Creates an image of one opaque color.
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

  /// Creates an image whose pixels `fill` writes directly into its storage.
  /// - Parameters:
  ///   - size: the width and height in pixels.
  ///   - fill: initializes all bytes of the buffer.
  /// - Throws: any error of `fill`.
  public init<Failure: Error>(
    size: PixelSize, fill: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let count = size.area * Self.bytesPerPixel
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        try fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        initialized = count
      } catch {
        failure = error
      }
    }
    self.size = size
    storage = .array(bytes)
    if let failure { throw failure }
  }

  /// The rows of RGBA pixels; a copy if the image uses foreign memory.
  public internal(set) var bytes: [UInt8] {
    get {
      switch storage {
      case .array(let bytes): bytes
      case .memory: withUnsafeBytes { Array($0) }
      }
    }
    _modify {
      // Move the array out of the storage while it is modified, so that its reference is unique and nothing
      // is copied.
      var bytes = self.bytes
      storage = .array([])
      defer { storage = .array(bytes) }
      yield &bytes
    }
  }

  /// Calls `body` with the rows of RGBA pixels without copying them; the pointer must not escape.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .array(let bytes):
      // The standard library's method rethrows any error; the `Result` preserves the error type.
      return try bytes.withUnsafeBytes { bytes in
        Swift.Result { () throws(Failure) in try body(bytes) }
      }.get()
    case .memory(let memory):
      return try memory.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws(Failure) in
        try body(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
      }
    }
  }

  private var byteCount: Int { size.area * Self.bytesPerPixel }

  /// Compares sizes and all bytes, including the colors of transparent pixels.
  public static func == (a: PixelBuffer, b: PixelBuffer) -> Bool {
    guard a.size == b.size else { return false }
    return a.withUnsafeBytes { first in b.withUnsafeBytes { first.elementsEqual($0) } }
  }

  /// Hashes the size and all bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// The width in pixels.
  public var width: Int { size.width }
  /// The height in pixels.
  public var height: Int { size.height }

  /// The cost of the image in a cache, in bytes.
  public var cost: Int { byteCount }

  /// Whether all pixels are opaque.
  public var isOpaque: Bool { isOpaque(rows: 0..<height) }

  /// Whether all pixels of these rows are opaque.
  func isOpaque(rows: Range<Int>) -> Bool {
    withUnsafeBytes { bytes in
      let part = bytes[(rows.lowerBound * width * 4)..<(rows.upperBound * width * 4)]
      return UnsafeRawBufferPointer(rebasing: part).isOpaque
    }
  }

  /// The image as rows of RGB pixels, 8 bits per channel, without padding.
  public var rgb: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.area * 3) { output, count in
      withUnsafeBytes { bytes in
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

  /// Calls `body` with the mutable pixels; the pointer must not escape.
  public mutating func withBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    bytes.withUnsafeMutableBytes { body($0) }
  }

  /// The color of a pixel, without its alpha.
  public subscript(x: Int, y: Int) -> Color {
    get {
      let i = (y * width + x) * Self.bytesPerPixel
      return withUnsafeBytes { Color(red: $0[i], green: $0[i + 1], blue: $0[i + 2]) }
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
  /// Whether all of these RGBA pixels, 8 bits per channel, have alpha 255.
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

/// An opaque sRGB color, 8 bits per channel.
public struct Color: Hashable, Sendable {
  /// The red level, 0 to 255.
  public var red: UInt8
  /// The green level, 0 to 255.
  public var green: UInt8
  /// The blue level, 0 to 255.
  public var blue: UInt8

  /// Creates a color from its levels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = Color(red: 255, green: 255, blue: 255)

  /// Returns the squared Euclidean distance in RGB, 0 to 195,075.
  public func squaredDistance(to other: Color) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return red * red + green * green + blue * blue
  }
}

extension PixelBuffer {
  /// Returns the image blended with two thirds of a background color, the style of photos that can't be
  /// picked.
  public func faded(toward ground: Color) -> PixelBuffer {
    let share = [ground.red, ground.green, ground.blue].map { 2 * UInt16($0) }
    var faded = self
    faded.withBytes { bytes in
      for index in bytes.indices where index % Self.bytesPerPixel != 3 {
        bytes[index] = UInt8((UInt16(bytes[index]) + share[index % Self.bytesPerPixel]) / 3)
      }
    }
    return faded
  }
}

extension PixelBuffer {
  /// Returns the image with a frame over its outermost pixels, the style of selected photos.
  ///
  /// A dark inner line separates the frame from images of a similar color.
  /// - Parameters:
  ///   - color: the color of the frame.
  ///   - thickness: the width of each side in pixels; at most an eighth of the shorter side.
  public func framed(_ color: Color, thickness: Int) -> PixelBuffer {
    let thickness = max(1, min(thickness, min(width, height) / 8))
    let (width, height) = (width, height)
    var framed = self
    framed.withBytes { bytes in
      for y in 0..<height {
        let vertical = min(y, height - 1 - y)
        for x in 0..<width {
          let distance = min(vertical, x, width - 1 - x)
          guard distance <= thickness else { continue }
          let at = (y * width + x) * Self.bytesPerPixel
          if distance < thickness {
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (color.red, color.green, color.blue)
            bytes[at + 3] = 255
          } else {
            for channel in at..<at + 3 { bytes[channel] /= 3 }
          }
        }
      }
    }
    return framed
  }
}

/// Pixels outside of an array, in memory that another process wrote.
///
/// The memory must not change anymore.
package protocol PixelMemory: AnyObject, Sendable {
  /// The length in bytes.
  var byteCount: Int { get }

  /// Calls `body` with the rows of RGBA pixels; the pointer must not escape.
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}
