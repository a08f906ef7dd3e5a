import AssetLibrary
import Export
import Fixtures
import Foundation
import Glibc
import Synchronization
import SystemPackage
import TestScheduling
import Testing

/// Resources as chunks and as files, for programs.
@Suite(.onOwnThreads) struct AssetResourceManagerTests {
  private static let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0) }
  private let resource = ScriptedStore.asset(("a.jpg", 2_500_000)).resources[0]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var target: FilePath { FilePath("\(folder.path)/copy.jpg") }

  /// Collects what handlers receive.
  private final class Log: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let counts = Mutex<[Int]>([])
    let fractions = Mutex<[Double]>([])
    let ends = Mutex<[AssetError?]>([])

    var end: AssetError?? { ends.withLock { $0.first } }
  }

  @Test func `Chunks arrive in order, with the progress`() async throws {
    let log = Log()
    try await AssetResourceManager(ScriptedStore()).requestData(
      for: resource, progressHandler: { fraction in log.fractions.withLock { $0.append(fraction) } }
    ) { chunk in
      log.bytes.withLock { $0 += chunk }
      log.counts.withLock { $0.append(chunk.count) }
    }
    #expect(
      log.bytes.withLock { $0 } == Self.bytes && log.counts.withLock { $0 } == [1 << 20, 1 << 20, 402_848])
    let fractions = log.fractions.withLock { $0 }
    #expect(fractions.count == 3 && fractions.last == 1 && fractions == fractions.sorted())
  }

  @Test func `A file that changes while it is read is an error, in both ways`() async throws {
    let original = try folder.write(Self.bytes, to: "a.jpg")
    let path = String(decoding: original, as: UTF8.self)
    let store = ScriptedStore { _, offset throws(AssetError) in
      guard offset > 0 else { return }
      let descriptor = open(path, O_WRONLY | O_APPEND)
      _ = write(descriptor, "x", 1)
      close(descriptor)
    }
    var changing = resource
    changing.path = FilePath(path)
    await #expect(throws: AssetError(changing.subject, "changed while it was copied")) {
      try await AssetResourceManager(store).requestData(for: changing) { _ in }
    }
    let log = Log()
    AssetResourceManager(store).requestData(
      for: changing, dataReceivedHandler: { _ in },
      completionHandler: { error in log.ends.withLock { $0.append(error as? AssetError) } })
    #expect(eventually { log.end != nil })
    #expect(log.end??.reason == "changed while it was copied")
  }

  @Test func `The handlers receive the same`() async throws {
    let log = Log()
    AssetResourceManager(ScriptedStore()).requestData(
      for: resource, dataReceivedHandler: { chunk in log.bytes.withLock { $0 += chunk } },
      completionHandler: { error in log.ends.withLock { $0.append(error as? AssetError) } })
    #expect(eventually { log.end != nil })
    #expect(log.end == .some(nil) && log.bytes.withLock { $0 } == Self.bytes)
  }

  @Test func `An error of the receiver ends the reading and is the error of the request`() async {
    struct Full: Error {}
    let manager = AssetResourceManager(ScriptedStore())
    await #expect(throws: Full.self) { try await manager.requestData(for: resource) { _ in throw Full() } }
    let isFull = Mutex<[Bool]>([])
    manager.requestData(
      for: resource, dataReceivedHandler: { _ in throw Full() },
      completionHandler: { error in isFull.withLock { $0.append(error is Full) } })
    #expect(eventually { isFull.withLock { $0 } == [true] })
  }

  @Test func `A request is cancelled by its task or by what it returned`() async {
    let store = ScriptedStore()
    let log = Log()
    let reading = Task {
      try await AssetResourceManager(store).requestData(for: resource) { chunk in
        log.counts.withLock { $0.append(chunk.count) }
        // The caller cancels during the first chunk.
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let error = await #expect(throws: AssetError.self) { try await reading.value }
    #expect(error?.code == .cancelled && log.counts.withLock { $0.count } == 1)
    let request = Mutex<Cancellation?>(nil)
    let begun = AssetResourceManager(store).requestData(
      for: resource,
      dataReceivedHandler: { _ in
        // Waits for the assignment below.
        while request.withLock({ $0?.cancel() }) == nil { sched_yield() }
      },
      completionHandler: { error in log.ends.withLock { $0.append(error as? AssetError) } })
    request.withLock { $0 = begun }
    #expect(eventually { log.end != nil })
    #expect(log.end??.code == .cancelled)
  }

  @Test func `A file is written whole, and never over another one`() async throws {
    let manager = AssetResourceManager(ScriptedStore())
    let log = Log()
    try await manager.writeData(for: resource, toFile: target) { fraction in
      log.fractions.withLock { $0.append(fraction) }
    }
    #expect(FileManager.default.contents(atPath: target.string).map(Array.init) == Self.bytes)
    #expect(log.fractions.withLock { $0.last } == 1)
    await #expect(throws: AssetError(target.string, "exists already")) {
      try await manager.writeData(for: resource, toFile: target)
    }
    let missing = FilePath("\(folder.path)/none/copy.jpg")
    let error = await #expect(throws: AssetError.self) {
      try await manager.writeData(for: resource, toFile: missing)
    }
    #expect(error != nil && !FileManager.default.fileExists(atPath: "\(folder.path)/none"))
    manager.writeData(
      for: resource, toFile: target,
      completionHandler: { error in log.ends.withLock { $0.append(error as? AssetError) } })
    #expect(eventually { log.end??.reason == "exists already" })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.jpg"])
  }

  @Test func `A remote original is downloaded only if the request allows it`() async throws {
    let manager = AssetResourceManager(ServerStore())
    for attempt in [
      await #expect(throws: AssetError.self) { try await manager.requestData(for: resource) { _ in } },
      await #expect(throws: AssetError.self) { try await manager.writeData(for: resource, toFile: target) },
    ] { #expect(attempt?.code == .networkRequired) }
    let log = Log()
    try await manager.requestData(
      for: resource, isNetworkAccessAllowed: true,
      progressHandler: { fraction in log.fractions.withLock { $0.append(fraction) } }
    ) { chunk in log.bytes.withLock { $0 += chunk } }
    // The download is the first half.
    #expect(
      log.fractions.withLock { $0.prefix(3) } == [0, 0.25, 0.5] && log.fractions.withLock { $0.last } == 1)
    #expect(log.bytes.withLock { $0.count } == Self.bytes.count)
  }
}
