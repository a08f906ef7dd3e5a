import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct LinkSpeedTests {
  /// Sends frames of half a megabyte over a link with a given speed.
  private func link(
    after frames: Int, at bytesPerSecond: Double, from start: LinkSpeed = LinkSpeed(), round: Int = 0
  ) -> LinkSpeed {
    var link = start
    for frame in 0..<frames {
      let began = Duration.seconds((round * 100 + frame) * 100)
      #expect(link.shouldAsk(after: 500_000))
      link.send(500_000, at: began)
      link.answered(at: began + .seconds(500_000 / bytesPerSecond))
    }
    return link
  }

  @Test(arguments: [
    (100e6, PictureQuality.full), (3e6, .full), (200_000, .speed), (40_000, .small), (10_000, .blocks),
  ])
  func `The link speed determines the pictures`(speed: Double, quality: PictureQuality) {
    // An answer after the timeout is no longer waited for, but is still measured.
    #expect(link(after: 3, at: speed, from: LinkSpeed(isRemote: true)).quality == quality)
  }

  @Test func `A local terminal on a busy machine gets drafts first, then pictures in full quality`() {
    let near = link(after: 4, at: 200_000, from: LinkSpeed(roundTrip: .milliseconds(1)))
    #expect(near.quality == .full && near.isSlow)
    #expect(link(after: 4, at: 40_000, from: near, round: 1).quality == .small)
  }

  @Test func `Consecutive missing answers are counted`() {
    var link = LinkSpeed()
    for (round, isLost) in [true, false, true].enumerated() {
      let began = Duration.seconds(round * 100)
      link.send(500_000, at: began)
      if isLost { link.expire(at: began + .seconds(6)) } else { link.answered(at: began + .seconds(1)) }
    }
    #expect(link.shouldAsk(after: 500_000))
    link.send(500_000, at: .seconds(400))
    link.expire(at: .seconds(406))
    #expect(!link.shouldAsk(after: 500_000))
  }

  @Test func `One slow answer changes nothing`() {
    #expect(link(after: 1, at: 5_000).quality == .full)
  }

  @Test func `On a link that gets faster quality rises step by step`() {
    let slow = link(after: 4, at: 10_000)
    #expect(slow.quality == .blocks)
    #expect(link(after: 1, at: 50e6, from: slow, round: 1).quality == .blocks)
    #expect(link(after: 4, at: 50e6, from: slow, round: 1).quality == .small)
    #expect(link(after: 20, at: 50e6, from: slow, round: 1).quality == .full)
  }

  /// xterm's answers while it is starting: some kilobytes in half a second, three times.
  @Test func `A local terminal that starts slowly gets pictures in full quality`() {
    var link = LinkSpeed(roundTrip: .microseconds(300))
    for (round, (bytes, milliseconds)) in [(21_000, 65), (43_000, 434), (18_000, 555), (9_000, 6)]
      .enumerated()
    {
      let began = Duration.seconds(round)
      link.send(bytes, at: began)
      link.answered(at: began + .milliseconds(milliseconds))
      #expect(link.quality == .full && !link.isSlow)
    }
    // If it continues like that it is slow.
    for round in 10..<15 {
      link.send(60_000, at: .seconds(round))
      link.answered(at: .seconds(round) + .milliseconds(600))
    }
    #expect(link.quality == .full && link.isSlow)
  }

  @Test func `A speed near a threshold does not cause alternation`() {
    var link = link(after: 4, at: 590_000, from: LinkSpeed(isRemote: true))
    #expect(link.quality == .speed)
    for round in 1...10 {
      link = self.link(after: 1, at: 660_000, from: link, round: round)
      #expect(link.quality == .speed)
    }
  }

  @Test func `While pictures are in transit the link is busy, but not forever`() {
    var link = LinkSpeed()
    #expect(link.room(at: .zero) > 0)
    link.send(100_000, at: .seconds(1))
    #expect(link.room(at: .seconds(2)) == 0 && link.isAwaitingAnswer)
    link.expire(at: .seconds(3))
    #expect(link.isAwaitingAnswer)
    #expect(link.room(at: .seconds(6)) > 0)
    link.expire(at: .seconds(6))
    #expect(!link.isAwaitingAnswer)
    link.answered(at: .seconds(7))  // too late to count
    #expect(link.room(at: .seconds(7)) > 0)
  }

  @Test func `A terminal that never answers is queried twice`() {
    var link = LinkSpeed()
    for turn in 0..<2 {
      #expect(link.shouldAsk(after: 100_000))
      link.send(100_000, at: .seconds(turn * 10))
      link.expire(at: .seconds(turn * 10 + 5))
    }
    #expect(!link.shouldAsk(after: 100_000))
  }

  @Test func `Small frames cause no query`() {
    #expect(!LinkSpeed().shouldAsk(after: LinkSpeed.worthAsking - 1))
    #expect(LinkSpeed().shouldAsk(after: LinkSpeed.worthAsking))
  }

  // MARK: Data in transit

  /// A link with a known rate, whose answers take at least 50 ms.
  private static func known(_ bytesPerSecond: Double) -> LinkSpeed {
    LinkSpeed(roundTrip: .milliseconds(50), bytesPerSecond: bytesPerSecond)
  }

  @Test(arguments: [(200_000.0, 22_000), (1_000_000, 110_000), (1_000, 4096)])
  func `A tenth of a second's worth of data is sent at once`(speed: Double, bytes: Int) {
    #expect(Self.known(speed).room(at: .zero) == bytes)
  }

  @Test func `Unacknowledged bytes use up the window, queried or not`() {
    var link = Self.known(200_000)
    link.send(10_000, at: .zero)
    #expect(link.room(at: .zero) == 12_000)
    link.sent(5_000, began: .zero)
    #expect(link.room(at: .zero) == 7_000)
    link.send(10_000, at: .zero)
    #expect(link.room(at: .zero) == 0)
    link.answered(at: .milliseconds(100))
    #expect(link.room(at: .milliseconds(100)) == 7_000)
  }

  @Test func `A local terminal gets a complete frame, and the next once it has drawn that`() {
    for link in [LinkSpeed(), LinkSpeed(roundTrip: .milliseconds(1), bytesPerSecond: 50e6)] {
      var link = link
      #expect(link.room(at: .zero) == .max)
      link.send(100_000, at: .zero)
      #expect(link.room(at: .milliseconds(1)) == 0)
    }
  }

  @Test func `The first text measures a remote link, and no picture is sent before`() {
    var link = LinkSpeed(roundTrip: .milliseconds(50))
    #expect(link.shouldAsk(after: 4_000) && !link.isSlow)
    link.send(4_000, at: .zero)
    #expect(link.room(at: .milliseconds(10)) == 0)
    link.answered(at: .milliseconds(70))
    #expect(link.bytesPerSecond == 200_000)
    #expect(link.isSlow && link.room(at: .milliseconds(70)) == 22_000)
    #expect(!LinkSpeed(roundTrip: .milliseconds(2)).shouldAsk(after: 4_000))
  }

  @Test func `Several frames in transit yield the same speed as one`() throws {
    var link = Self.known(2_000_000)
    // A link of 200 KB a second: each answer arrives 50 ms after the last byte.
    var arrived = Duration.zero
    for frame in 0..<12 {
      let began = Duration.milliseconds(frame * 50)
      link.send(10_000, at: began)
      arrived = max(arrived, began) + .milliseconds(50)
      link.answered(at: arrived + .milliseconds(50))
    }
    let speed = try #require(link.bytesPerSecond)
    #expect((190_000...210_000).contains(speed))
  }

  @Test func `A link that waited for pictures does not count as slow`() throws {
    var link = LinkSpeed(roundTrip: .milliseconds(1))
    // Pictures that arrive one by one from the decoder, on a link of 50 MB a second.
    for frame in 0..<4 {
      link.sent(5_000, began: .milliseconds(frame * 8))
    }
    link.asked()
    link.answered(at: .milliseconds(24) + .microseconds(1_100))
    #expect(!link.isSlow)
    #expect(try #require(link.bytesPerSecond) > 20e6)
  }

  @Test func `Bytes sent long ago are not counted with the following ones`() {
    var link = Self.known(200_000)
    link.sent(6_000, began: .zero)
    #expect(link.shouldAsk(after: 2_000))
    link.sent(2_000, began: .seconds(1))
    #expect(!link.shouldAsk(after: 2_000))
  }

  @Test func `If more data waits for the window the terminal is queried, however little was sent`() {
    var link = Self.known(200_000)
    #expect(!link.shouldAsk(after: 100) && link.shouldAsk(after: 100, isMore: true))
    link.send(100, at: .zero)
    #expect(!link.shouldAsk(after: 100, isMore: true))
  }

  @Test(arguments: [(50, false, true), (2, false, false), (2, true, true)])
  func `A local terminal that draws slowly on a busy machine gets no drafts`(
    milliseconds: Int, isRemote: Bool, isSlow: Bool
  ) {
    let start = LinkSpeed(roundTrip: .milliseconds(milliseconds), isRemote: isRemote)
    let link = link(after: 4, at: 500_000, from: start)
    #expect(link.isSlow == isSlow && (link.quality == .full) == !isSlow)
  }

  @Test(arguments: [LinkSpeed.Setting.fast, .slow])
  func `What the user says of the link is not changed by measurements`(setting: LinkSpeed.Setting) {
    let start = LinkSpeed(roundTrip: .milliseconds(300), bytesPerSecond: 5_000, setting: setting)
    #expect(start.isSlow == (setting == .slow))
    #expect(start.quality == .full)
    let isFast = setting == .fast
    #expect((start.room(at: .zero) == .max) == isFast)
    for speed in [5_000.0, 500_000, 50_000_000] {
      let link = link(after: 6, at: speed, from: start)
      #expect(link.isSlow == !isFast, "\(speed)")
      if isFast { #expect(link.quality == .full) }
    }
  }

  @Test func `Between slow and fast a link keeps its classification`() {
    var link = Self.known(3_000_000)
    #expect(!link.isSlow)
    let steps = [
      (1_000_000.0, false), (500_000, true), (3_000_000, true), (8_000_000, false), (1_000_000, false),
      (500_000, true),
    ]
    for (round, (speed, isSlow)) in steps.enumerated() {
      let began = Duration.seconds(round * 100)
      link.send(1_000_000, at: began)
      link.answered(at: began + .milliseconds(50) + .seconds(1_000_000 / speed))
      #expect(link.isSlow == isSlow, "at \(speed)")
    }
  }

  @Test func `A cap reduces pictures and nothing else`() {
    let sixel = SixelEncoder(
      cell: PixelSize(width: 10, height: 20), largest: PixelSize(width: 300, height: 900))
    let capped = CappedEncoder(sixel, largest: PixelSize(width: 400, height: 200))
    #expect(capped.geometry.largest == PixelSize(width: 300, height: 200))
    #expect(
      capped.geometry.heightStep == sixel.geometry.heightStep && capped.geometry.cell == sixel.geometry.cell)
  }
}

extension LinkSpeed {
  /// Sends bytes followed by the query.
  fileprivate mutating func send(_ bytes: Int, at began: Duration) {
    sent(bytes, began: began)
    asked()
  }
}
