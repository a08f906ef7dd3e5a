import CodecProtocol
import Fixtures
import Pixels
import Synchronization
import Testing

/// The decoding helper, and comparisons of its pictures.
enum Decoding {
  /// One for all tests that do not harm it.
  static let helper = CodecClient(program: Program.helper, decodeDeadline: .seconds(120))

  static func picture(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) throws -> DecodedPicture {
    let decoded = try NamelessFile(bytes).withDescriptor { try helper.decode($0, request) }
    return try #require(decoded)
  }

  /// Why there is no picture; nil if there is one.
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

  /// Whether the picture is the test picture of its size, upright; colors may deviate as far as `TestPicture.Corner`
  /// allows.
  var isUpright: Bool { TestPicture.corners(of: pixels) == TestPicture.Corner.allCases }

  /// The mean difference of the colors to the test picture, over all samples, in 8-bit steps.
  var error: Double { pixels.meanError(to: TestPicture.make(width: width, height: height)) }
}

extension PixelBuffer {
  /// The mean difference of the colors to another picture of the same size, in 8-bit steps.
  func meanError(to other: PixelBuffer) -> Double {
    guard size == other.size else { return .infinity }
    // With pointers: without optimization every iterator step is a call.
    let sum = withUnsafeBytes { bytes in
      other.withUnsafeBytes { other in
        var (sum, index) = (0, 0)
        while index < bytes.count {
          sum += abs(Int(bytes[index]) - Int(other[index]))
          // Alpha is skipped.
          index += index & 3 == 2 ? 2 : 1
        }
        return sum
      }
    }
    return Double(sum) / Double(size.area * 3)
  }
}

/// A flag shared between threads.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() {
    value.store(true, ordering: .releasing)
  }
}
