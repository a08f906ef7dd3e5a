import Fixtures
import Foundation
import Testing

@testable import Rclone

/// A local folder that rclone serves like any other remote.
struct RemoteFolder {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The remote as a specification that must not appear in URLs.
  var specification: String { ":alias,remote=\"\(folder.path)\":" }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Bytes in which no 64 consecutive ones repeat.
  static func bytes(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  /// Tests wait for states, so slowness must not matter.
  static var settings: RcloneSettings {
    RcloneSettings(limits: RequestLimits(requestsPerSecond: nil), patience: .seconds(60))
  }
}

extension RcloneRemote {
  /// All bytes of a range.
  func bytes(_ path: String, _ range: Range<Int64>, of size: Int64) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path, range: range, of: size, modified: nil, isCancelled: { false }) {
      bytes += $0
      return true
    }
    return bytes
  }
}
