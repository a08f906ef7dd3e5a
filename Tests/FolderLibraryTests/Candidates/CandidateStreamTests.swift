import AssetLibrary
import Fixtures
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Paths that arrive through a pipe.
@Suite(.onOwnThreads) struct CandidateStreamTests {
  private let photos: TemporaryFolder
  private let pipe: InputPipe

  init() throws {
    photos = try TemporaryFolder()
    pipe = try InputPipe()
    for number in 1...5 { try photos.write([1], to: "\(number).jpg") }
  }

  /// Takes `count` candidates, waiting for them to arrive.
  private func take(_ count: Int, from stream: CandidateStream) -> [String] {
    var paths: [String] = []
    while paths.count < count {
      let delivery = stream.take(atMost: count - paths.count)
      paths += delivery.candidates.map(\.path.string)
      if delivery.candidates.isEmpty {
        if delivery.isLast { return paths }
        _ = stream.wait(until: .now + .seconds(60))
      }
    }
    return paths
  }

  private func waitForEnd(of stream: CandidateStream) -> [String] { take(.max, from: stream) }

  @Test func `Written paths are available before the input ends`() throws {
    let stream = pipe.stream()
    stream.start()
    try pipe.write("\(photos.path)/1.jpg\n\(photos.path)/2.j")
    #expect(take(1, from: stream) == ["\(photos.path)/1.jpg"])
    #expect(!stream.take(atMost: 9).isLast)
    try pipe.write("pg\n")
    #expect(take(1, from: stream) == ["\(photos.path)/2.jpg"])
    try pipe.write("\(photos.path)/3.jpg")
    pipe.end()
    #expect(waitForEnd(of: stream) == ["\(photos.path)/3.jpg"])
    #expect(stream.failure == nil)
    #expect(stream.missing.isEmpty)
  }

  @Test func `The writer blocks while candidates are not taken`() throws {
    let names = (0..<3000).map { "\(photos.path)/d\($0)" }
    for name in names { try photos.makeFolder(String(name.dropFirst(photos.path.count + 1))) }
    let stream = pipe.stream()
    stream.start()
    // More than the read-ahead, and no more than a pipe holds, wherever temporary files are stored.
    try pipe.write(names[..<1100].joined(separator: "\n"))
    // The read-ahead is limited to this count.
    #expect(eventually { stream.heldCount == 1024 })
    let first = take(1000, from: stream)
    try pipe.write("\n" + names[1100...].joined(separator: "\n"))
    pipe.end()
    #expect(first + waitForEnd(of: stream) == names)
  }

  @Test func `A NUL byte ends the input with a failure`() throws {
    let stream = pipe.stream()
    stream.start()
    try pipe.write("\(photos.path)/1.jpg\n\(photos.path)/2.jpg\0\(photos.path)/3.jpg\n")
    #expect(waitForEnd(of: stream) == ["\(photos.path)/1.jpg"])
    #expect(stream.failure == .holdsNUL)
  }

  @Test func `If no path exists, the last one is the reason for the failure`() throws {
    let stream = pipe.stream()
    stream.start()
    try pipe.write((1...9).map { "\(photos.path)/gone\($0)\n" }.joined())
    pipe.end()
    #expect(waitForEnd(of: stream) == [])
    #expect(
      stream.failure
        == .nothingThere(
          AssetError("\(photos.path)/gone9", "No such file or directory", code: .notFound)))
    #expect(stream.missing.counts == ["No such file or directory": 8])
    #expect(stream.takeMissing().issues.count == 3)
    #expect(stream.takeMissing().isEmpty)
  }

  @Test func `Empty input is no failure, and a missing path is none if other sources have photos`() throws {
    let empty = pipe.stream()
    pipe.end()
    empty.start()
    #expect(waitForEnd(of: empty) == [])
    #expect(empty.failure == nil)
    let second = try InputPipe()
    let other = second.stream(standsAlone: false)
    other.start()
    try second.write("\(photos.path)/gone\n")
    second.end()
    #expect(waitForEnd(of: other) == [])
    #expect(other.failure == nil)
    #expect(other.missing.issues.count == 1)
  }

  @Test func `A missing source is no failure while the input has an existing path`() throws {
    var missing = IssueTally(namesKept: 3)
    missing.add(AssetError("other", "gone"))
    let alone = pipe.stream(missing: missing)
    pipe.end()
    alone.start()
    #expect(waitForEnd(of: alone) == [])
    #expect(alone.failure == .nothingThere(AssetError("other", "gone")))
  }

  @Test func `A line that names no file may match several assets`() throws {
    let files = ["1.jpg", "2.jpg", "gone.jpg"].map { FilePath("\(photos.path)/\($0)") }
    let stream = CandidateStream(
      reading: pipe.reading.rawValue, missing: IssueTally(namesKept: 9), path: { FilePath(bytes: $0) }
    ) { $0.elementsEqual("name".utf8) ? files : [] }
    stream.start()
    // A path matches only itself, and candidates that arrived before are not reported again.
    try pipe.write("name\nother\n\(photos.path)/2.jpg\n\(photos.path)/3.jpg\nname\n")
    pipe.end()
    #expect(waitForEnd(of: stream) == ["1.jpg", "2.jpg", "3.jpg"].map { "\(photos.path)/\($0)" })
    #expect(
      stream.takeMissing().issues.map(\.subject).sorted() == ["\(photos.path)/gone.jpg", "other"])
  }
}
