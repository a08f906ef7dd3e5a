import CodecProtocol
import Fixtures
import Pixels
import Synchronization
import Testing

/// The helper that decodes, and how its pictures are compared.
enum Decoding {
  /// One for all tests that do it no harm.
  static let helper = CodecClient(program: Program.helper, decodeDeadline: .seconds(120))

  static func picture(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) throws -> DecodedPicture {
    let decoded = try NamelessFile(bytes).withDescriptor { try helper.decode($0, request) }
    return try #require(decoded)
  }

  /// Why there is no picture; nil where there is one.
  static func error(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) -> CodecError? {
    NamelessFile(bytes).withDescriptor { file in
      do throws(CodecError) {
        _ = try helper.decode(file, request)
        return nil
      } catch { return error }
    }
  }
}

extension DecodedPicture {
  var pixels: PixelBuffer {
    PixelBuffer(size: PixelSize(width: width, height: height), bytes: withUnsafeBytes { Array($0) })
  }

  /// Whether the picture is the test picture of its size, and stands upright; colours may be off as far as
  /// `TestPicture.Corner` says.
  var isUpright: Bool { TestPicture.corners(of: pixels) == TestPicture.Corner.allCases }

  /// How far the colours are from the test picture's, on average over all samples, in steps of 8 bits.
  var error: Double { pixels.meanError(to: TestPicture.make(width: width, height: height)) }
}

extension PixelBuffer {
  /// The mean difference of the colours to another picture of the same size, in steps of 8 bits.
  func meanError(to other: PixelBuffer) -> Double {
    guard size == other.size else { return .infinity }
    // By pointers: without optimization every step of an iterator is a call.
    let sum = withUnsafeBytes { bytes in
      other.withUnsafeBytes { other in
        var (sum, index) = (0, 0)
        while index < bytes.count {
          sum += abs(Int(bytes[index]) - Int(other[index]))
          // Alpha is passed over.
          index += index & 3 == 2 ? 2 : 1
        }
        return sum
      }
    }
    return Double(sum) / Double(size.area * 3)
  }
}

/// A sign between threads.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() {
    value.store(true, ordering: .releasing)
  }
}
