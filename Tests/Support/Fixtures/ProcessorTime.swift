import Glibc

/// Measures of processor time: unlike time on a clock, other programs on the machine hardly lengthen it.
package enum ProcessorTime {
  /// The processor time that the calling thread spends in `body`.
  package static func ofThread(_ body: () throws -> Void) rethrows -> Duration {
    let start = spent()
    try body()
    return spent() - start
  }

  private static func spent() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension TemporaryFolder {
  /// Runs a command of sh(1) in the folder.
  /// - Returns: The processor time of the programs it has waited for, in hundredths of a second.
  /// - Throws: `FixtureError` if it fails.
  package func processorTime(of command: String) throws -> Int {
    try run("sh", "-c", "(\(command)) && times > times.txt")
    // The second line has user and system time of the child processes, as "0m1.230000s 0m0.040000s".
    let lines = String(decoding: try bytes(of: "times.txt"), as: UTF8.self).split(separator: "\n")
    let figures = (lines.last ?? "").split { "ms ".contains($0) }.compactMap { Double($0) }
    guard lines.count == 2, figures.count == 4 else { throw FixtureError("no processor times: \(lines)") }
    return Int(((figures[0] + figures[2]) * 60 + figures[1] + figures[3]) * 100)
  }
}
