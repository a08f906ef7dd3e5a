import PhotoPicker
import Testing

@testable import RemoteLibrary

/// The keys that identify files on servers.
@Suite struct SourceKeyTests {
  private static func keys(_ entries: (name: String, id: String?)..., folder: String = "a") -> [UInt64] {
    ServerSource.keys(
      of: entries.map { ServerEntry(name: Array($0.name.utf8), size: 1, modified: 0, identifier: $0.id) },
      in: Array("rclone:drive:/\(folder)".utf8))
  }

  @Test func `A file with a server-side identifier keeps its key under a new name`() {
    #expect(Self.keys(("1.jpg", "x")) == Self.keys(("2.jpg", "x")))
    #expect(Self.keys(("1.jpg", nil)) != Self.keys(("2.jpg", nil)))
    #expect(Self.keys(("1.jpg", "x")) != Self.keys(("1.jpg", "y")))
  }

  @Test func `One file in two folders is two photos`() {
    #expect(Self.keys(("1.jpg", "x"), folder: "a") != Self.keys(("1.jpg", "x"), folder: "b"))
  }

  @Test func `One file twice in a folder is two photos, in any order of the listing`() {
    let keys = Self.keys(("1.jpg", "x"), ("2.jpg", "x"), ("3.jpg", "y"))
    #expect(Set(keys).count == 3)
    #expect(Self.keys(("2.jpg", "x"), ("3.jpg", "y"), ("1.jpg", "x")) == [keys[1], keys[2], keys[0]])
  }

  @Test(arguments: [
    "nas:", "nas:/", "My NAS-1.2_x+y@z:", "remote-12ab:", ".:", "..:/", ":local:", ":local:/", "a,b=c:",
  ])
  func `Each remote has a folder of its own, named after it unless options are secret`(
    remote: String
  ) throws {
    let servers = RcloneServers()
    let name = try #require(servers.address(remote)).volume
    #expect(!name.hasPrefix(".") && !name.contains("/") && !name.contains(":"))
    let isKept = !remote.hasPrefix(":") && !remote.contains(",")
    #expect(servers.root(ofVolume: name)?.server == (isKept ? remote : nil))
    for other in ["nas:", "nas:/", "NAS:", "remote-12ab:", ":local:", ":local:/", ".:"] where other != remote
    {
      #expect(servers.address(other)?.volume != name)
    }
  }
}
