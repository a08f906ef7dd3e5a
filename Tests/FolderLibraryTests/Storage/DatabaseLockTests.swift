import Fixtures
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

@Suite struct DatabaseLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether another process could acquire the lock.
  private func isFree(_ path: FilePath) throws -> Bool {
    let file = try FileDescriptor.open(FilePath(path.string + ".lock"), .readWrite)
    defer { try? file.close() }
    return flock(file.rawValue, LOCK_SH | LOCK_NB) == 0
  }

  @Test func `A held lock excludes others, and is free afterwards`() throws {
    let path = FilePath("\(folder.path)/a.sqlite")
    let isFreeMeanwhile = try DatabaseLock.hold(path) { try isFree(path) }
    #expect(!isFreeMeanwhile)
    #expect(try isFree(path))
    #expect(throws: FixtureError.self) { try DatabaseLock.hold(path) { throw FixtureError("stopped") } }
    #expect(try isFree(path))
  }

  @Test func `Without a lock file the work continues unlocked`() {
    #expect(DatabaseLock.hold(FilePath("\(folder.path)/gone/a.sqlite")) { true })
  }
}
