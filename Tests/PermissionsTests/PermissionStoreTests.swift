import AssetLibrary
import Dispatch
import Fixtures
import Foundation
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import Permissions
import Glibc

@Suite(.onOwnThreads) struct PermissionStoreTests {
  private let folder: TemporaryFolder
  private let store: PermissionStore

  init() throws {
    folder = try TemporaryFolder()
    store = PermissionStore(in: FilePath(folder.path).appending("state").appending("tpick"))
  }

  private func mode(_ path: FilePath) -> mode_t? {
    var facts = stat()
    return path.withPlatformString { stat($0, &facts) } == 0 ? facts.st_mode & 0o777 : nil
  }

  private func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: store.path.string)))
  }

  private func write(_ text: String, mode: mode_t = 0o600) throws {
    try store.update("placeholder") { $0.readWrite = .denied }
    let file = try FileDescriptor.open(store.path, .writeOnly, options: [.truncate])
    try file.closeAfter { _ = try file.writeAll(text.utf8) }
    _ = store.path.withPlatformString { chmod($0, mode) }
  }

  @Test func `Initially nothing is decided, and other users can't read decisions`() throws {
    #expect(try store.all().isEmpty)
    #expect(try store.permission(of: "mailer") == nil)
    #expect(mode(store.path) == nil)
    try store.update("mailer") { permission in
      permission.readWrite = .limited
      permission.setAllowed([AllowedAsset(LocalIdentifier("a"), path: "/photos/a.jpg")])
    }
    try store.update("blog") { $0.readWrite = .authorized }
    #expect(try store.all().map(\.client) == ["blog", "mailer"])
    #expect(try store.permission(of: "mailer")?.allowed.map(\.identifier.rawValue) == ["a"])
    #expect(mode(store.path) == 0o600)
    #expect(mode(store.path.removingLastComponent()) == 0o700)
  }

  @Test func `Forgetting one or all permissions reports them`() throws {
    for name in ["a", "b", "c"] { try store.update(name) { $0.readWrite = .denied } }
    #expect(try store.remove("b") == ["b"])
    #expect(try store.remove("b").isEmpty)
    #expect(try store.all().map(\.client) == ["a", "c"])
    #expect(try store.remove() == ["a", "c"])
    #expect(try store.all().isEmpty)
  }

  @Test func `An unreadable store stays unchanged`() throws {
    let text = "version = 1\n[[clients]\n"
    try write(text)
    #expect(throws: PermissionError.self) { try store.all() }
    #expect(throws: PermissionError.self) { try store.update("mailer") { $0.readWrite = .authorized } }
    #expect(throws: PermissionError.self) { try store.remove() }
    #expect(try bytes() == Array(text.utf8))
  }

  @Test func `A newer store stays unchanged, and says why`() throws {
    try write("version = 9\n")
    let error = PermissionError.newer(store.path, version: 9)
    #expect(throws: error) { try store.all() }
    #expect(throws: error) { try store.update("mailer") { $0.readWrite = .authorized } }
  }

  @Test(arguments: [0o620, 0o602] as [mode_t])
  func `A store that other users can write decides nothing`(mode: mode_t) throws {
    try write("version = 1\n", mode: mode)
    #expect(throws: PermissionError.exposed(store.path)) { try store.all() }
  }

  @Test func `A store in a folder that other users can write decides nothing`() throws {
    try store.update("mailer") { $0.readWrite = .authorized }
    let parent = store.path.removingLastComponent()
    _ = parent.withPlatformString { chmod($0, 0o777) }
    #expect(throws: PermissionError.exposed(parent)) { try store.all() }
  }

  @Test func `A named pipe in place of the store is not waited for`() throws {
    try folder.makeFolder("state/tpick")
    #expect(store.path.withPlatformString { mkfifo($0, 0o600) } == 0)
    #expect(throws: PermissionError.self) { try store.all() }
  }

  @Test func `Concurrent decisions of several processes are all kept`() throws {
    DispatchQueue.concurrentPerform(iterations: 24) { number in
      // A store of its own, as in another process.
      let store = PermissionStore(in: self.store.path.removingLastComponent())
      do {
        try store.update("shared") {
          $0.setAllowed($0.allowed + [AllowedAsset(LocalIdentifier("\(number)"))])
        }
        try store.update("own\(number)") { $0.readWrite = .denied }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try store.permission(of: "shared")?.allowed.count == 24)
    #expect(try store.all().count == 25)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state/tpick")
    #expect(names.sorted() == ["permissions.lock", "permissions.toml"])
  }

  @Test func `Observers are notified of a change`() throws {
    try store.update("mailer") { $0.readWrite = .denied }
    let heard = DispatchSemaphore(value: 0)
    let watch = PermissionWatch(store) { heard.signal() }
    #expect(watch != nil)
    try store.update("mailer") { $0.readWrite = .authorized }
    #expect(heard.wait(timeout: .now() + .seconds(600)) == .success)
    withExtendedLifetime(watch) {}
  }

  @Test func `The first decision of all is noticed, too`() throws {
    #expect(PermissionWatch(store) {} == nil)
    try store.makeFolder()
    #expect(mode(store.path.removingLastComponent()) == 0o700)
    #expect(try store.all().isEmpty)
    let heard = DispatchSemaphore(value: 0)
    let watch = PermissionWatch(store) { heard.signal() }
    #expect(watch != nil)
    try store.update("mailer") { $0.readWrite = .denied }
    #expect(heard.wait(timeout: .now() + .seconds(600)) == .success)
    withExtendedLifetime(watch) {}
  }

  @Test func `A client's permission inherits decisions made for a library`() {
    var permission = ClientPermission(
      client: "mailer", readWrite: .limited,
      allowed: [
        AllowedAsset(LocalIdentifier("a"), path: "/old/a.jpg"),
        AllowedAsset(LocalIdentifier("b"), path: "/old/b.jpg"),
      ])
    var asked: [String] = []
    permission.take(
      AccessDecision(
        readWrite: .limited, addOnly: .denied,
        allowed: AllowedAssets(
          [LocalIdentifier("b"), LocalIdentifier("c")], successorFiles: [LocalIdentifier("c"): 7]))
    ) { identifiers in
      asked = identifiers.map(\.rawValue)
      return [LocalIdentifier("c"): AllowedAsset(LocalIdentifier("c"), path: "/new/c.jpg")]
    }
    #expect(asked == ["c"])
    #expect(
      permission.allowed == [
        AllowedAsset(LocalIdentifier("b"), path: "/old/b.jpg"),
        AllowedAsset(LocalIdentifier("c"), successorFile: 7, path: "/new/c.jpg"),
      ])
    #expect(permission.addOnly == .denied)
  }
}
