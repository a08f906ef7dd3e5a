import Fixtures
import SystemPackage
import Testing

@testable import FolderLibrary

/// Which paths are on mounts that may stop answering.
@Suite struct MountTableTests {
  private func table(_ lines: String...) -> MountTable {
    MountTable(mountInfo: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func mount(_ path: String, in table: MountTable) -> String? {
    table.mount(of: FilePath(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `Network disks and FUSE mounts may stop answering, local disks do not`() {
    let table = table(
      "22 1 259:2 / / rw,relatime shared:1 - fuse.fuse-overlayfs overlay rw",
      "23 22 259:3 / /data rw shared:2 master:1 - ext4 /dev/sda1 rw",
      "24 22 0:45 / /mnt/nas rw - nfs4 nas:/photos rw,vers=4.2",
      "25 22 0:46 / /mnt/with\\040a\\134space rw shared:7 - fuse.sshfs host: rw", "a line of another kind")
    #expect(mount("/data/a.jpg", in: table) == nil)
    #expect(mount("/mnt/nas", in: table) == "/mnt/nas")
    #expect(mount("/mnt/nas/2024/a.jpg", in: table) == "/mnt/nas")
    #expect(mount("/mnt/./other/../nas//a", in: table) == "/mnt/nas")
    #expect(mount("/mnt/nas2/a", in: table) == nil)
    #expect(mount("/mnt/with a\\space/a", in: table) == "/mnt/with a\\space")
  }

  @Test func `Of stacked mounts the topmost counts`() {
    let local = "25 22 0:46 / /mnt/a rw - ext4 /dev/sdb1 rw"
    let remote = "26 22 0:47 / /mnt/a rw - cifs //nas/a rw"
    #expect(mount("/mnt/a/b", in: table(remote, local)) == nil)
    #expect(mount("/mnt/a/b", in: table(local, remote)) == "/mnt/a")
  }

  @Test func `Paths through links and the working folder are recognized as well`() throws {
    let folder = try TemporaryFolder()
    let place = try #require(folder.filePath.resolved).string
    try folder.makeFolder("nas/2024")
    try folder.link("absolute", to: "\(place)/nas/2024")
    try folder.link("relative", to: "nas")
    try folder.link("twice", to: "./relative/2024")
    try folder.link("round", to: "round")
    let table = table("24 22 0:45 / \(place)/nas rw - nfs4 nas:/photos rw")
    for name in ["absolute", "relative", "twice/a.jpg", "round/../nas", "nas/gone/a.jpg"] {
      #expect(mount("\(place)/\(name)", in: table) == (name.hasPrefix("round") ? nil : "\(place)/nas"))
    }
    // The same with cached folders, in any order of queries.
    let probes = MountProbes(readTable: { table }, start: { nil })
    let names = [
      "a.jpg", "absolute", "relative", "relative/2024/a.jpg", "twice/a.jpg", "round/x", "nas", "nas/gone",
    ]
    for name in names + names.reversed() + ["nas/../a.jpg", "absolute/..", "./nas/."] {
      let path = FilePath("\(place)/\(name)")
      #expect(probes.mount(of: path) == table.mount(of: path), "\(name)")
    }
    for path in ["/", "/tmp", "a.jpg", "..", "./a", ""] as [FilePath] {
      #expect(probes.mount(of: path) == table.mount(of: path), "\(path)")
    }
    let here = try #require(FilePath(".").resolved)
    #expect(mount("a.jpg", in: self.table("24 22 0:45 / \(here.string) rw - nfs4 nas:/ rw")) == here.string)
  }

  @Test func `The mount table of this process is read`() {
    #expect(MountTable.current().mount(of: "/") == nil)
  }
}
