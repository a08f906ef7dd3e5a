import Fixtures
import Foundation
import SystemPackage
import Testing

@testable import RemoteLibrary

/// Two processes that share one folder of originals, each with its own cache object.
struct OriginalLeaseTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func cache(limit: Int64, pickedAge: Int64? = nil) -> OriginalsCache {
    let path = FilePath(home.path)
    return OriginalsCache(
      path.appending("originals"), limit: limit, pickedAge: pickedAge,
      RemoteDatabase(at: path.appending("remote.sqlite"))
    )
  }

  /// Puts a file of 100 bytes into the folder.
  private func put(_ version: UInt64, into cache: OriginalsCache) throws -> FilePath {
    try home.write([UInt8](repeating: 1, count: 100), to: "originals/\(version).jpg")
    let path = cache.folder.appending("\(version).jpg")
    cache.add(version, at: path, size: 100)
    return path
  }

  private func isThere(_ path: FilePath) -> Bool {
    FileManager.default.fileExists(atPath: path.string)
  }

  @Test func `An original that one process holds is not removed by another`() throws {
    var first: OriginalsCache? = cache(limit: 1000)
    let picked = try put(1, into: try #require(first))
    // Held before its presence is checked.
    first?.hold(1)
    let other = cache(limit: 150)
    let second = try put(2, into: other)
    #expect(isThere(picked) && isThere(second))
    #expect(first?.holds(1) == true)
    _ = RemoteCache(FilePath(home.path)).clear()
    #expect(isThere(picked) && !isThere(second))
    // A process that has ended holds nothing.
    first = nil
    let third = try put(3, into: other)
    #expect(!isThere(picked) && isThere(third))
  }

  @Test func `An original that was returned since its lookup stays`() throws {
    let first = cache(limit: 1000)
    let path = try put(1, into: first)
    let database = RemoteDatabase(at: FilePath(home.path).appending("remote.sqlite"))
    let known = try #require(database.originals.first)
    first.setUsed([1], isPicked: true)
    let leases = OriginalLeases(in: first.folder)
    #expect(!leases.remove(known, in: database))
    #expect(isThere(path))
    let now = try #require(database.originals.first)
    #expect(now.isPicked && leases.remove(now, in: database) && !isThere(path))
  }

  @Test func `A held original stays until it is released as often, and can then be removed`() throws {
    let cache = cache(limit: 150)
    let one = try put(1, into: cache)
    cache.hold(1)
    cache.hold(1)
    let two = try put(2, into: cache)
    cache.release(1)
    #expect(isThere(one) && isThere(two))
    // Only one of the two fits, and this one was used longer ago.
    cache.release(1)
    #expect(!isThere(one) && isThere(two))
    cache.release(1)
    #expect(isThere(two))
    _ = try put(3, into: cache)
    #expect(!isThere(two))
  }

  @Test(arguments: [(nil, true), (3600, true), (-10, false)] as [(Int64?, Bool)])
  func `Picked originals are kept for the configured time`(_ age: Int64?, _ stays: Bool) throws {
    let cache = cache(limit: 150, pickedAge: age)
    let picked = try put(1, into: cache)
    cache.setUsed([1], isPicked: true)
    let others = [try put(2, into: cache), try put(3, into: cache)]
    #expect(isThere(picked) == stays)
    #expect(!isThere(others[0]) && isThere(others[1]))
  }

  @Test func `A lease applies only to one version`() throws {
    let first = cache(limit: 1000)
    let (one, two) = (try put(.max, into: first), try put(.max - 1, into: first))
    first.hold(.max)
    let database = RemoteDatabase(at: FilePath(home.path).appending("remote.sqlite"))
    let leases = OriginalLeases(in: first.folder)
    let removed = database.originals.filter { leases.remove($0, in: database) }.map(\.version)
    #expect(removed == [.max - 1] && isThere(one) && !isThere(two))
  }
}
