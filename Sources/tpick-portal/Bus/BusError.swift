import System

/// A call of sd-bus that failed.
struct BusError: Error, CustomStringConvertible {
  var operation: String
  /// An errno.
  var code: Int32

  var description: String { "\(operation): \(String(cString: strerror(code)))" }

  /// Makes an error of a negative result.
  @discardableResult
  static func check(_ result: Int32, _ operation: String) throws(BusError) -> Int32 {
    guard result < 0 else { return result }
    throw BusError(operation: operation, code: -result)
  }
}
