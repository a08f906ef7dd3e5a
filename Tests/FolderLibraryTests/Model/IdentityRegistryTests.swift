import CPlatform
import Testing

@testable import FolderLibrary

/// Which identifier a file gets, by what was known of it and of its name.
@Suite struct IdentityRegistryTests {
  private let registry = IdentityRegistry()
  private let status: file_status

  init() {
    var status = file_status()
    (status.device, status.inode, status.size, status.modified, status.born) = (1, 5, 10, 7, 3)
    self.status = status
  }

  private var key: UInt64 { IdentityRegistry.key(of: status, linkHash: nil) }

  private func identifier(linkHash: UInt64? = nil, previous: UInt64?, isKnown: Bool = false) -> UInt64 {
    registry.identifier(of: status, linkHash: linkHash, previous: previous) { _ in isKnown }
  }

  @Test func `A file in another one's place inherits its identifier, and keeps it under other names`() {
    #expect(identifier(previous: 42) == 42)
    #expect(identifier(previous: nil) == 42)
    #expect(identifier(previous: 43) == 42)
  }

  @Test func `A file that is known by itself inherits nothing`() {
    #expect(identifier(previous: 42, isKnown: true) == key)
    #expect(identifier(previous: key) == key)
    #expect(identifier(previous: nil) == key)
  }

  @Test func `What is remembered of a file does not hold for one of its several names`() {
    registry.remember(status, as: 99)
    #expect(identifier(previous: nil) == 99)
    #expect(identifier(linkHash: 6, previous: nil) == IdentityRegistry.key(of: status, linkHash: 6))
    #expect(IdentityRegistry.key(of: status, linkHash: 6) != key)
    #expect(IdentityRegistry.key(of: status, linkHash: 6) != IdentityRegistry.key(of: status, linkHash: 7))
  }
}
