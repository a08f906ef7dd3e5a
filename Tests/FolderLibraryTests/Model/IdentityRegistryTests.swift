import CPlatform
import Testing

@testable import FolderLibrary

/// Which identifier a file gets, given what is known about it and its name.
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

  @Test func `A file that replaces another inherits its identifier, and keeps it under other names`() {
    #expect(identifier(previous: 42) == 42)
    #expect(identifier(previous: nil) == 42)
    #expect(identifier(previous: 43) == 42)
  }

  @Test func `A known file inherits no identifier`() {
    #expect(identifier(previous: 42, isKnown: true) == key)
    #expect(identifier(previous: key) == key)
    #expect(identifier(previous: nil) == key)
  }

  @Test func `A stored identifier does not apply to one of several names of a file`() {
    registry.remember(status, as: 99)
    #expect(identifier(previous: nil) == 99)
    #expect(identifier(linkHash: 6, previous: nil) == IdentityRegistry.key(of: status, linkHash: 6))
    #expect(IdentityRegistry.key(of: status, linkHash: 6) != key)
    #expect(IdentityRegistry.key(of: status, linkHash: 6) != IdentityRegistry.key(of: status, linkHash: 7))
  }
}
