import Fixtures
import Testing

@testable import CodecProtocol

@Suite struct WireTests {
  private var picture: PictureFacts {
    var facts = PictureFacts(width: 1000, height: 7)
    facts.sourceWidth = 4000
    facts.isOpaque = false
    facts.note = "the file ends early"
    return facts
  }

  private func content(_ answer: CodecAnswer) -> [UInt8] {
    var wire = WireWriter()
    answer.write(to: &wire)
    return wire.bytes
  }

  @Test func `Answers are transmitted unchanged`() throws {
    let answers: [CodecAnswer] = [
      .picture(picture, number: 1), .failure(.readError("why"), number: 0),
      .failure(.unreadable("why"), number: .max), .failure(.tooLarge("why"), number: 2),
      .failure(.nothingEmbedded, number: 3), .failure(.incomplete(0..<1), number: 8),
      .failure(.incomplete(1 << 40..<1 << 41), number: 8), .ready(version: 1, .claimed),
      .frame(
        picture, FrameFacts(start: 1 << 40, duration: 33_333, playCount: 3, length: 1 << 41), number: 9),
      .endOfFrames(number: 2),
    ]
    for answer in answers { #expect(try CodecAnswer(content(answer)) == answer) }
  }

  @Test func `Requests are transmitted unchanged`() throws {
    let decode = DecodeRequest(
      targetWidth: 900, targetHeight: 675, fills: true, source: .developed, maxPixels: 1 << 40)
    var partial = DecodeRequest(source: .embedded)
    partial.present = PresentRanges([0..<65_536, 1 << 40..<1 << 41])
    let play = FramesRequest(targetWidth: 800, targetHeight: 600, range: 7..<99_999_999_999)
    var later = play
    later.start = 1 << 50
    let times = FrameTimes(until: -1, most: 9)
    let requests: [CodecRequest] = [
      .picture(decode, seconds: 30, number: 4),
      .picture(partial, seconds: 30, number: 4),
      .frames(play, times, seconds: 3, number: 5), .frames(later, times, seconds: 3, number: 5),
      .nextFrame(times, seconds: 3, number: 6), .stop,
    ]
    for request in requests {
      var wire = WireWriter()
      request.write(to: &wire)
      #expect(try CodecRequest(wire.bytes) == request)
    }
  }

  @Test func `An answer that is too short or too long is invalid`() {
    let thumbnail = ThumbnailFacts(words: ["Thumb::URI": "file:///ü"], picture: picture)
    for answer in [.thumbnail(thumbnail, number: 7), .picture(picture, number: 7)] as [CodecAnswer] {
      let whole = content(answer)
      for count in 0..<whole.count {
        #expect(throws: WireError.self) { try CodecAnswer(Array(whole[..<count])) }
      }
      #expect(throws: WireError.self) { try CodecAnswer(whole + [0]) }
    }
  }

  @Test func `Invalid UTF-8 and invalid booleans are rejected`() {
    for bytes in [[2, 0, 0, 0, 0xC3, 0x28], [1, 0, 0, 0, 0xFF]] as [[UInt8]] {
      #expect(throws: WireError.self) {
        var wire = WireReader(bytes)
        _ = try wire.string()
      }
    }
    #expect(throws: WireError.self) {
      var wire = WireReader([2])
      _ = try wire.bool()
    }
  }

  @Test func `Only the bytes of a message are read`() throws {
    var writer = WireWriter()
    writer.put("why")
    let bytes = [0xFF] + writer.bytes + [0xFF]
    var wire = WireReader(bytes, 1..<bytes.count - 1)
    #expect(try wire.string() == "why")
    #expect(wire.isAtEnd)
    #expect(throws: WireError.self) {
      var short = WireReader(bytes, 1..<bytes.count - 2)
      _ = try short.string()
    }
    var beyond = WireReader(writer.bytes, 0..<Int.max)
    #expect(try beyond.string() == "why")
  }

  @Test func `Texts have a maximum length and are shortened to it`() throws {
    let long = String(repeating: "wordy ", count: 400)
    let answer = try CodecAnswer(content(.failure(.unreadable(long), number: 1)))
    #expect(answer == .failure(.unreadable(String(long.prefix(1000))), number: 1))
    // No character is split.
    let accents = String(repeating: "é", count: 501)
    let cut = try CodecAnswer(content(.failure(.tooLarge("a" + accents), number: 1)))
    #expect(cut == .failure(.tooLarge("a" + accents.prefix(499)), number: 1))
    // A compromised helper does not shorten.
    var wire = WireWriter()
    wire.put(UInt8(2))
    wire.put(UInt32(1))
    wire.put(long)
    let tooLong = wire.bytes
    #expect(throws: WireError.self) { try CodecAnswer(tooLong) }
  }

  @Test func `A request that is too short or too long is invalid`() {
    var wire = WireWriter()
    CodecRequest.picture(DecodeRequest(), seconds: 3, number: 7).write(to: &wire)
    for count in 0..<wire.bytes.count {
      #expect(throws: WireError.self) { try CodecRequest(Array(wire.bytes[..<count])) }
    }
    #expect(throws: WireError.self) { try CodecRequest(wire.bytes + [0]) }
  }

  @Test func `Arbitrary bytes do no harm`() {
    var generator = SeededGenerator(seed: 4)
    let thumbnail = ThumbnailFacts(words: ["Thumb::URI": "file:///a", "b": "c"], picture: picture)
    let whole = content(.thumbnail(thumbnail, number: 7))
    var understood = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if (try? CodecAnswer(bytes)) != nil { understood += 1 }
    }
    // Wrong numbers and letters can't be detected; wrong lengths and kinds are rejected.
    #expect((1..<2000).contains(understood))
  }

  @Test func `Invalid numbers are rejected`() {
    var flat = PictureFacts(width: 1000, height: 0)
    #expect(throws: WireError.self) { try CodecAnswer(content(.picture(flat, number: 1))) }
    flat.sourceHeight = 1
    #expect(throws: WireError.self) { try CodecAnswer(content(.picture(flat, number: 1))) }
    let picture = PictureFacts(width: 2, height: 2)
    for (start, duration, length) in [
      (-1, 0, 0), (1 << 53, 0, 0), (0, -1, 0), (0, 1 << 40, 0), (0, 0, -1), (0, 0, 1 << 53),
    ] as [(Int64, Int64, Int64)] {
      let facts = FrameFacts(start: start, duration: duration, playCount: 1, length: length)
      let answer = CodecAnswer.frame(picture, facts, number: 1)
      #expect(throws: WireError.self) { try CodecAnswer(content(answer)) }
    }
  }

  @Test(arguments: [1, 3, 4, 5, 1000])
  func `Frames are assembled however the bytes arrive`(step: Int) throws {
    let frames: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 9, count: 300)]
    let bytes = frames.flatMap { frame in
      var wire = WireWriter()
      wire.put(frame)
      return wire.bytes
    }
    var buffer = FrameBuffer()
    var arrived: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      buffer.append(bytes[start..<min(bytes.count, start + step)])
      while let frame = try buffer.next() { arrived.append(frame) }
    }
    #expect(arrived == frames)
    #expect(buffer.isEmpty)
  }

  @Test func `A frame that announces too much is rejected at once`() {
    var buffer = FrameBuffer()
    buffer.append([0xFF, 0xFF, 0xFF, 0x7F])
    #expect(throws: WireError.self) { try buffer.next() }
  }
}
