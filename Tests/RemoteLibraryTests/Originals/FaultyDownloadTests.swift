import AssetLibrary
import Fixtures
import FolderLibrary
import Foundation
import PhotoPicker
import Rclone
import RemoteServers
import SystemPackage
import TestScheduling
import Testing

@testable import RemoteLibrary

/// Originals downloaded over an unreliable network equal those of the server, or fail.
@Suite(
  .onOwnThreads,
  .enabled(if: RcloneCondition.isThere, "rclone is not installed: apt install rclone"),
  .timeLimit(.minutes(120)))
struct FaultyDownloadTests {
  private static let files = 6
  /// How often a file is tried while faults occur, and afterwards: more is never needed.
  private static let tries = (during: 4, after: 6)
  /// The time limit of a download, whatever happens: longer than the slowest machine takes.
  private static let deadline = Duration.seconds(600)

  /// 25 seeds share one server and one rclone, which take longer to start than to use.
  @Test(arguments: stride(from: 1, through: TestSize.count(25, long: 200), by: 25).map { $0..<$0 + 25 })
  func `A file with its final name equals the server's`(seeds: Range<Int>) throws {
    try run(seeds)
  }

  private func run(_ seeds: Range<Int>) throws {
    let folder = try TemporaryFolder()
    let server = try RemoteServer(.webdav, serving: folder.path)
    let proxy = try FaultProxy(to: try #require(server.port), carrying: .http)
    let file = try ConfigurationFile(server.configuration(name: "nas", port: proxy.port))
    let settings = RcloneSettings(
      limits: RequestLimits(requestsPerSecond: nil),
      retries: RetryPolicy(tries: 2, firstPause: .milliseconds(5), longestPause: .milliseconds(20)),
      // None of the faults is silence: on a busy machine the server may be silent for seconds.
      patience: .seconds(60), recovery: .milliseconds(1))
    // The complete remote, for another configuration than the user's.
    let text = try #require(String(bytes: Data(contentsOf: URL(fileURLWithPath: file.path)), encoding: .utf8))
    let facts = text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let options = facts.filter { $0.count == 2 && $0[0] != "type" }.map { "\($0[0])=\"\($0[1])\"" }
    let remote = RcloneRemote(":webdav,\(options.joined(separator: ",")):", settings: settings)
    defer { remote.stop() }
    for seed in seeds {
      try run(seed: UInt64(seed), folder, proxy, remote)
    }
  }

  private func run(
    seed: UInt64, _ folder: TemporaryFolder, _ proxy: FaultProxy, _ remote: RcloneRemote
  ) throws {
    let weather = FaultyWeather(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0xF00D)
    let place = "\(seed)"
    var states: [[[UInt8]]] = []
    for number in 0..<Self.files {
      let bytes = Self.bytes(.random(in: 5000...60_000, using: &random), using: &random)
      states.append([bytes])
      try folder.write(bytes, to: "\(place)/\(number).jpg")
      try folder.setModificationTime(1_700_000_000 + number, of: "\(place)/\(number).jpg")
    }
    let cache = try TemporaryFolder()
    let home = FilePath(cache.path)
    let database = RemoteDatabase(at: home.appending("remote.sqlite"))
    let originals = OriginalsCache(home.appending("originals"), limit: 1 << 30, database)
    let transfers = OriginalTransfers(originals)
    let address = try #require(RcloneServers().address("nas:\(place)"))
    let source = ServerSource(
      address, RcloneServer { () throws(RcloneError) in remote }, in: originals.folder, database,
      RemoteThumbnails(database), transfers, isOffline: false)
    var listed = try Self.list(source)
    #expect(listed.count == Self.files, "seed \(seed)")

    proxy.script = weather.script
    var asked = 0
    for _ in 0..<Self.tries.during {
      for number in 0..<Self.files {
        if let change = weather.change, change.after == asked {
          let old = states[change.file][0]
          let new = Self.bytes(old.count + (change.keepsSize ? 0 : 77), using: &random)
          states[change.file].append(new)
          try folder.write(new, to: "\(place)/\(change.file).jpg")
          try folder.setModificationTime(1_700_100_000, of: "\(place)/\(change.file).jpg")
        }
        proxy.isGone = weather.goneAfter == asked
        asked += 1
        guard let file = listed[number] else { continue }
        Self.download(file, of: source, transfers, seed)
        check(number, states[number], source, originals, listed, seed)
      }
    }
    proxy.isGone = false
    proxy.script = FaultScript()
    // Then everything arrives in its current state.
    listed = try Self.list(source)
    for _ in 0..<Self.tries.after where listed.values.contains(where: { !originals.holds($0.version) }) {
      for file in listed.values { Self.download(file, of: source, transfers, seed) }
    }
    for (number, file) in listed {
      #expect(originals.holds(file.version), "\(number).jpg of seed \(seed)")
      let found = FileManager.default.contents(atPath: source.path.appending("\(number).jpg").string)
      let isCurrent = found.map(Array.init) == states[number].last
      #expect(isCurrent, "\(number).jpg of seed \(seed)")
    }
    // No partial file is larger than its original.
    for part in try FileManager.default.contentsOfDirectory(atPath: originals.parts.string) {
      let size = OriginalsCache.size(of: originals.parts.appending(part)) ?? 0
      #expect(size <= 60_100, "the part \(part) of seed \(seed)")
    }
  }

  /// A file with its final name is one of the states of the original; a partial one is no longer than one.
  private func check(
    _ number: Int, _ states: [[UInt8]], _ source: ServerSource, _ originals: OriginalsCache,
    _ listed: [Int: RemoteFile], _ seed: UInt64
  ) {
    let path = source.path.appending("\(number).jpg").string
    if let found = FileManager.default.contents(atPath: path) {
      let isKnown = states.contains(Array(found))
      #expect(isKnown, "\(number).jpg of seed \(seed)")
    }
    guard let file = listed[number] else { return }
    let part = originals.parts.appending(String(file.version, radix: 16))
    #expect((OriginalsCache.size(of: part) ?? 0) <= file.size, "a part of \(number).jpg of seed \(seed)")
  }

  /// Downloads a file or gets the error, within a deadline.
  private static func download(
    _ file: RemoteFile, of source: ServerSource, _ transfers: OriginalTransfers, _ seed: UInt64
  ) {
    let began = ContinuousClock.now
    var isLate = false
    do throws(DownloadFailure) {
      try transfers.download(file, of: source) { _ in
        isLate = ContinuousClock.now - began > deadline
        return isLate ? .stop : .proceed
      }
    } catch {
      #expect(!error.error.reason.isEmpty)
    }
    #expect(!isLate, "a download of seed \(seed) hangs")
  }

  private static func list(_ source: ServerSource) throws -> [Int: RemoteFile] {
    let listing = try source.list([], modified: nil, isLeaf: false, isCancelled: { false })
    return Dictionary(
      (listing?.files ?? []).compactMap { entry in
        let number = Int(String(decoding: entry.name.dropLast(4), as: UTF8.self))
        return number.map {
          ($0, RemoteFile(path: entry.name, key: entry.key, size: entry.size, modified: entry.modified))
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func bytes(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
  }
}
