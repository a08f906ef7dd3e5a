import Fixtures
import Foundation
import Pixels
import Testing

/// Many previews in a row, in a process of their own, so that memory and open files can be measured.
@Suite(.timeLimit(.minutes(120))) struct PreviewEnduranceTests {
  private struct Mark {
    var previews: Int
    var kibibytes: Int
    var openFiles: Int
  }

  /// 43 kB each when decoded: leaking 400 of them would take 16 MiB.
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

  @Test func `Five hundred previews use no more memory and files than one hundred`() throws {
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
    // The cache of one megabyte is full by then; the rest is tolerance for the allocator.
    #expect(late.kibibytes - early.kibibytes < 8 << 10)
    #expect(late.openFiles <= early.openFiles)
  }

  @Test func `Headers that announce rows of gigabytes allocate no memory`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("photos")
    let files = [
      PictureFiles.bmp(width: 250_000_000, height: 4, depth: 1),
      PictureFiles.bmp(width: 30_000_000, height: 33, depth: 32),
      PictureFiles.png(width: 33_554_432, height: 29, traits: [16, 6, 0, 0, 0]),
      PictureFiles.png(width: 33_554_432, height: 29, traits: [16, 6, 0, 0, 1]),
      // The largest size that is accepted.
      PictureFiles.png(width: 1 << 20, height: 900, traits: [16, 6, 0, 0, 0]),
    ]
    for (index, bytes) in files.enumerated() {
      let isBitmap = bytes.starts(with: "BM".utf8)
      try folder.write(bytes, to: "photos/\(index).\(isBitmap ? "bmp" : "png")")
    }
    let output = try Program.output(
      "preview-endurance", "10", "100", "50", "1", "\(folder.path)/photos", mayFail: true)
    #expect(output.count { $0 == "\n" } >= 20, "\(output.prefix(2000))")
    let peak = try #require(output.split(separator: "\n").last { $0.hasPrefix("peak ") })
    let kibibytes = try #require(peak.split(separator: " ").last.flatMap { Int($0) })
    // The program's own memory, and the budget of one decode.
    #expect(kibibytes < 400 << 10)
  }
}

extension Program {
  /// The standard output of a built program.
  /// - Throws: `FixtureError` if it fails unexpectedly.
  fileprivate static func output(
    _ name: String, _ arguments: String..., mayFail: Bool = false
  ) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path(of: name))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    let isFine = process.terminationReason == .exit && (mayFail || process.terminationStatus == 0)
    guard isFine else { throw FixtureError("\(name): \(text.prefix(500))") }
    return text
  }
}
