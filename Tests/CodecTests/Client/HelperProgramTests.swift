import Fixtures
import Glibc
import Testing

@testable import CodecProtocol

@Suite struct HelperProgramTests {
  @Test func `A program that was built finds helpers of the other configuration, and of this package`() {
    #expect(
      HelperProgram.buildFolders(of: "/home/ada/app/.build/x86_64-unknown-linux-gnu/debug", package: nil) == [
        "/home/ada/app/.build/x86_64-unknown-linux-gnu/release"
      ])
    #expect(
      HelperProgram.buildFolders(of: "/home/ada/app/.build/riscv/debug", package: "/home/ada/tpick") == [
        "/home/ada/app/.build/riscv/release", "/home/ada/tpick/.build/release",
        "/home/ada/tpick/.build/debug",
        "/home/ada/tpick/.build/riscv/release", "/home/ada/tpick/.build/riscv/debug",
      ])
  }

  @Test func `An installed program looks nowhere else`() {
    #expect(HelperProgram.buildFolders(of: "/usr/bin", package: nil) == [])
  }

  @Test func `A build folder that others can write to is not searched`() throws {
    let folder = try TemporaryFolder()
    try #require(chmod(folder.path, 0o755) == 0)
    #expect(HelperProgram.isSafe(folder.path))
    try #require(chmod(folder.path, 0o777) == 0)
    #expect(!HelperProgram.isSafe(folder.path))
    #expect(!HelperProgram.isSafe("\(folder.path)/gone"))
  }

  @Test func `A path that the program gave is the only one`() {
    #expect(
      !HelperProgram.reader.exists(at: "/nonexistent/reader") && HelperProgram.reader.exists(at: "/bin/sh"))
    #expect(
      HelperProgram.reader.missingMessage(at: "/nonexistent/reader")
        == "'/nonexistent/reader' is not a program: name tpick-reader")
    #expect(HelperProgram.codecs.missingMessage(at: "/bin/sh") == "/bin/sh does not start as tpick-codecs")
  }
}
