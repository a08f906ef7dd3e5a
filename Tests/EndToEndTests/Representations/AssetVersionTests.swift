import Fixtures
import TestTerminal
import Testing

extension Outputs {
  /// The files that stand for a version of an edited Live Photo in every kind of output.
  @Suite struct AssetVersionTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("in")
      for (number, name) in ["IMG_0040", "IMG_E0040"].enumerated() {
        try folder.write(TestPhoto(width: 8 + number, height: 6).bytes(), to: "in/\(name).JPG")
        try folder.write(HandmadeMovie(frameCount: UInt32(40 + number)).bytes, to: "in/\(name).mov")
      }
    }

    private func list(_ options: [String]) throws -> [String] {
      let output = try Program.run(["list"] + options + ["\(folder.path)/in"])
      #expect(output.status == .exited(0), "\(output.errors)")
      return output.lines
    }

    @Test(arguments: [("current", "IMG_E0040"), ("unadjusted", "IMG_0040"), ("original", "IMG_0040")])
    func `A version has one picture and one clip in all outputs`(version: String, name: String) throws {
      let choice = ["--version-of", version]
      #expect(try list(choice) == ["\(folder.path)/in/\(name).JPG"])
      #expect(try list(choice + ["--accept", ".mov"]) == ["\(folder.path)/in/\(name).mov"])
      let copies = try list(choice + ["--accept", "video/*", "--export", "\(folder.path)/out"])
      #expect(copies == ["\(folder.path)/out/\(name).mov"])
      #expect(try folder.bytes(of: "out/\(name).mov") == folder.bytes(of: "in/\(name).mov"))
      // The files of an asset, those of the version first.
      let all = try list(choice + ["--resources", "all"])
      #expect(all.first == "\(folder.path)/in/\(name).JPG" && Set(all).count == 4)
      #expect(all.first { $0.hasSuffix(".mov") } == "\(folder.path)/in/\(name).mov")
    }
  }
}
