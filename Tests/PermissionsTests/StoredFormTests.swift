import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import Permissions

/// The permissions file is recorded with its version.
///
/// A failure says which version to raise. See `StoredForm` for how to renew a record.
@Suite struct StoredFormTests {
  private static let recorded = StoredForm(
    version: 1,
    text: #"""
      version = 1

      [[clients]]
      name = "editor"
      read-write = "denied"
      add-only = "restricted"

      [[clients]]
      name = "mailer"
      purpose = "Attach \"photos\""
      read-write = "limited"
      add-only = "authorized"
      decided = 1795451354
      allowed = [
        ["5f0k2m8xw1q3z", "file:///home/ana/Pictures/a%20b.jpg"],
        ["5f0k2m8xw1q40", "", "8a31f"],
      ]

      [[clients]]
      name = "viewer"
      read-write = "authorized"
      add-only = "notDetermined"

      """#)

  private static var clients: [ClientPermission] {
    let allowed = [
      AllowedAsset(LocalIdentifier("5f0k2m8xw1q3z"), path: "/home/ana/Pictures/a b.jpg"),
      AllowedAsset(LocalIdentifier("5f0k2m8xw1q40"), successorFile: 0x8a31f, path: nil),
    ]
    return [
      ClientPermission(
        client: "mailer", purpose: "Attach \"photos\"", readWrite: .limited, addOnly: .authorized,
        allowed: allowed, decided: AssetDate(wallSeconds: 1_795_451_354, utcOffset: 0)),
      ClientPermission(
        client: "editor", purpose: nil, readWrite: .denied, addOnly: .restricted, allowed: [], decided: nil),
      ClientPermission(
        client: "viewer", purpose: nil, readWrite: .authorized, addOnly: .notDetermined, allowed: [],
        decided: nil),
    ]
  }

  @Test func `The permissions file changes only with its version`() {
    let document = String(decoding: PermissionDocument.text(Self.clients), as: UTF8.self)
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.hasPrefix("#")
    }
    let now = StoredForm(version: PermissionDocument.version, text: lines.joined(separator: "\n"))
    let mismatch = Self.recorded.mismatch(
      with: now, constant: "PermissionDocument.version (Sources/Permissions/PermissionDocument.swift)",
      advice: "A file of the version before has to be read, or users lose what they decided.")
    #expect(mismatch == nil)
  }
}
