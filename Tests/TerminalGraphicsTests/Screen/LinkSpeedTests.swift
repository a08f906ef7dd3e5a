import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct LinkSpeedTests {
  /// Sends frames of half a megabyte over a link of a speed.
  private func link(
    after frames: Int, at bytesPerSecond: Double, from start: LinkSpeed = LinkSpeed()
  ) -> LinkSpeed {
    var link = start
    for frame in 0..<frames {
      let began = Duration.seconds(frame * 100)
      #expect(link.shouldAsk(after: 500_000))
      link.asked(after: 500_000, began: began)
      link.answered(at: began + .seconds(500_000 / bytesPerSecond))
    }
    return link
  }

  @Test(arguments: [
    (100e6, PictureQuality.full), (3e6, .full), (200_000, .speed), (80_000, .small), (20_000, .blocks),
  ])
  func `The link's speed decides about pictures`(speed: Double, quality: PictureQuality) {
    // An answer that takes longer than the patience is expected by nobody any more, but it still tells.
    #expect(link(after: 3, at: speed).quality == quality)
  }

  @Test func `Lost answers count while none comes between them`() {
    var link = LinkSpeed()
    for (round, isLost) in [true, false, true].enumerated() {
      let began = Duration.seconds(round * 100)
      link.asked(after: 500_000, began: began)
      if isLost { link.expire(at: began + .seconds(6)) } else { link.answered(at: began + .seconds(1)) }
    }
    #expect(link.shouldAsk(after: 500_000))
    link.asked(after: 500_000, began: .seconds(400))
    link.expire(at: .seconds(406))
    #expect(!link.shouldAsk(after: 500_000))
  }

  @Test func `One slow answer changes nothing`() {
    #expect(link(after: 1, at: 10_000).quality == .full)
  }

  @Test func `A link that gets faster gets better pictures, step by step and not at once`() {
    let slow = link(after: 4, at: 20_000)
    #expect(slow.quality == .blocks)
    #expect(link(after: 1, at: 50e6, from: slow).quality == .blocks)
    #expect(link(after: 4, at: 50e6, from: slow).quality == .small)
    #expect(link(after: 20, at: 50e6, from: slow).quality == .full)
  }

  @Test func `A speed beside a border does not make it waver`() {
    var link = link(after: 4, at: 290_000)
    #expect(link.quality == .speed)
    for _ in 0..<10 {
      link = self.link(after: 1, at: 330_000, from: link)
      #expect(link.quality == .speed)
    }
  }

  @Test func `While pictures are on their way the link is busy, but not for ever`() {
    var link = LinkSpeed()
    #expect(!link.isBusy(at: .zero))
    link.asked(after: 100_000, began: .seconds(1))
    #expect(link.isBusy(at: .seconds(2)) && link.isAwaitingAnswer)
    #expect(!link.shouldAsk(after: 100_000))
    link.expire(at: .seconds(3))
    #expect(link.isAwaitingAnswer)
    #expect(!link.isBusy(at: .seconds(6)))
    link.expire(at: .seconds(6))
    #expect(!link.isAwaitingAnswer)
    link.answered(at: .seconds(7))  // too late to mean anything
    #expect(!link.isBusy(at: .seconds(7)))
  }

  @Test func `A terminal that never answers is asked twice`() {
    var link = LinkSpeed()
    for turn in 0..<2 {
      #expect(link.shouldAsk(after: 100_000))
      link.asked(after: 100_000, began: .seconds(turn * 10))
      link.expire(at: .seconds(turn * 10 + 5))
    }
    #expect(!link.shouldAsk(after: 100_000))
  }

  @Test func `Small frames are not asked about`() {
    #expect(!LinkSpeed().shouldAsk(after: LinkSpeed.worthAsking - 1))
    #expect(LinkSpeed().shouldAsk(after: LinkSpeed.worthAsking))
  }

  @Test func `A cap makes pictures smaller and leaves the rest as it is`() {
    let sixel = SixelEncoder(
      cell: PixelSize(width: 10, height: 20), largest: PixelSize(width: 300, height: 900))
    let capped = CappedEncoder(sixel, largest: PixelSize(width: 400, height: 200))
    #expect(capped.geometry.largest == PixelSize(width: 300, height: 200))
    #expect(
      capped.geometry.heightStep == sixel.geometry.heightStep && capped.geometry.cell == sixel.geometry.cell)
  }
}
