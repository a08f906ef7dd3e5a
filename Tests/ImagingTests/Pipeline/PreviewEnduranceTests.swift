import Fixtures
import Foundation
import Pixels
import Testing

/// Many previews in a row, in a process of their own, whose memory and open files are nobody else's.
@Suite(.timeLimit(.minutes(10))) struct PreviewEnduranceTests {
  private struct Mark {
    var previews: Int
    var kibibytes: Int
    var openFiles: Int
  }

  /// 43 kB each, once decoded: 400 of them that stay would be 16 MiB.
  private static let size = PixelSize(width: 120, height: 90)

  private func makePictures(in folder: TemporaryFolder) throws {
    try folder.makeFolder("photos")
    var photo = TestPhoto(TestScene.make(Self.size))
    photo.embedThumbnail()
    try folder.write(photo.bytes(), to: "photos/a.jpg")
    photo.isProgressive = true
    try folder.write(photo.bytes(), to: "photos/b.jpg")
    try folder.write(TestScene.make(Self.size, hasAlpha: true).pam, to: "scene.pam")
    for name in ["PNG32:c.png", "d.gif", "e.webp", "BMP3:f.bmp", "g.tif"] {
      let parts = name.split(separator: ":")
      let place = "photos/\(parts.last ?? "")"
      try folder.run("convert", "scene.pam", parts.count == 2 ? "\(parts[0]):\(place)" : place)
    }
  }

  @Test func `After a hundred previews five hundred take no more memory and no more files`() throws {
    let folder = try TemporaryFolder()
    try makePictures(in: folder)
    let output = try Program.output(
      "preview-endurance", "500", "\(Self.size.width)", "\(Self.size.height)", "1",
      "\(folder.path)/photos")
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    let marks = lines.filter { $0.count == 3 }.map {
      Mark(previews: $0[0], kibibytes: $0[1], openFiles: $0[2])
    }
    #expect(marks.map(\.previews) == Array(stride(from: 50, through: 500, by: 50)), "\(output.prefix(2000))")
    let early = try #require(marks.first { $0.previews == 100 })
    let late = try #require(marks.last)
    // The cache of one megabyte is full by then; the rest is for the allocator's own habits.
    #expect(late.kibibytes - early.kibibytes < 8 << 10)
    #expect(late.openFiles <= early.openFiles)
  }
}

extension Program {
  /// What a built program says on standard output.
  /// - Throws: `FixtureError` when it fails.
  fileprivate static func output(_ name: String, _ arguments: String...) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: helper).deletingLastPathComponent().appending(path: name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else { throw FixtureError("\(name): \(text.prefix(500))") }
    return text
  }
}
