import Foundation

/// The extent of the tests, set by environment variables.
package enum TestSize {
  /// Whether random runs have their full length (`TPICK_TESTS=long`), as at night; otherwise they are a sample.
  package static let isLong = ProcessInfo.processInfo.environment["TPICK_TESTS"] == "long"

  /// How many tests that wait for programs run at once (`TPICK_WAITING_TESTS`).
  ///
  /// They are idle most of the time: three per processor keep it busy.
  package static let waitingTests =
    ProcessInfo.processInfo.environment["TPICK_WAITING_TESTS"].flatMap(Int.init).map { max(1, $0) }
    ?? 3 * ProcessInfo.processInfo.activeProcessorCount

  /// The size of a random run: that of the sample, or the full one in long test runs.
  package static func count(_ sample: Int, long full: Int) -> Int { isLong ? full : sample }
}
