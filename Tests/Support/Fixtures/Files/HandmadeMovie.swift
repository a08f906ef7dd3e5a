/// A QuickTime movie without pictures: a video track whose tables announce samples, and optional boxes.
package struct HandmadeMovie: Sendable {
  /// Clockwise; a multiple of 90.
  package var rotation = 0
  package var frameCount: UInt32 = 60
  /// The duration of a frame in ticks of 1/600 s.
  package var ticksPerFrame: UInt32 = 20
  /// Boxes at the end of the video's sample entry.
  package var extensions: [UInt8] = []
  /// Keys of the movie's metadata list: a type (1 UTF-8, 22 unsigned integer) and its bytes.
  package var keys: [(name: String, type: UInt32, value: [UInt8])] = []
  /// Keys of a boxed metadata track; no track if empty.
  package var timedKeys: [String] = []

  /// The creation times in its headers, in seconds since 1904.
  package var times = Times()
  /// Boxes after all others.
  package var trailer: [UInt8] = []

  /// The times of a movie's headers.
  package struct Times: Hashable, Sendable {
    /// 0 has 32 bits, 1 has 64.
    package var version: UInt8
    package var movie: UInt64
    package var track: UInt64
    package var media: UInt64

    package init(version: UInt8 = 0, movie: UInt64 = 0, track: UInt64 = 0, media: UInt64 = 0) {
      (self.version, self.movie, self.track, self.media) = (version, movie, track, media)
    }
  }

  /// A number with as many bits as the times.
  private func long(_ number: UInt64) -> [UInt8] {
    times.version == 0
      ? Boxes.number(UInt32(truncatingIfNeeded: number))
      : Boxes.number(UInt32(number >> 32)) + Boxes.number(UInt32(truncatingIfNeeded: number))
  }

  private func stamps(_ moment: UInt64) -> [UInt8] { long(moment) + long(moment) }

  /// A key whose value is text.
  package static func text(_ name: String, _ value: String) -> (name: String, type: UInt32, value: [UInt8]) {
    (name, 1, Array(value.utf8))
  }

  private var duration: UInt32 { frameCount * ticksPerFrame }

  /// 16.16 and 2.30 fixed point (QuickTime File Format, "Matrices").
  private static func matrix(turnedBy rotation: Int) -> [UInt8] {
    let one: Int32 = 1 << 16
    let (a, b, c, d): (Int32, Int32, Int32, Int32) =
      switch rotation {
      case 90: (0, one, -one, 0)
      case 180: (-one, 0, 0, -one)
      case 270: (0, -one, one, 0)
      default: (one, 0, 0, one)
      }
    return [a, b, 0, c, d, 0, 0, 0, 1 << 30].flatMap { Boxes.number($0) }
  }

  private func track(
    _ identifier: UInt32, handler: String, media: [UInt8], entry: [UInt8], samples: UInt32
  ) -> [UInt8] {
    let table = Boxes.box(
      "stbl", Boxes.full("stsd", Boxes.number(UInt32(1)), entry),
      Boxes.full("stts", [0, 0, 0, 1], Boxes.number(samples), Boxes.number(duration / samples)),
      Boxes.full("stsc", [0, 0, 0, 1, 0, 0, 0, 1], Boxes.number(samples), [0, 0, 0, 1]),
      Boxes.full("stsz", Boxes.number(UInt32(4)), Boxes.number(samples)),
      Boxes.full("stco", [0, 0, 0, 1], Boxes.number(UInt32(28))))
    let header = Boxes.full(
      "tkhd", version: times.version, flags: 3, stamps(times.track), Boxes.number(identifier), Boxes.zeros(4),
      long(UInt64(duration)),
      Boxes.zeros(16), Self.matrix(turnedBy: rotation), Boxes.number(UInt32(320) << 16),
      Boxes.number(UInt32(240) << 16))
    return Boxes.box(
      "trak", header,
      Boxes.box(
        "mdia",
        Boxes.full(
          "mdhd", version: times.version, stamps(times.media), Boxes.number(UInt32(600)),
          long(UInt64(duration)), Boxes.zeros(4)),
        Boxes.full("hdlr", Array("mhlr".utf8), Array(handler.utf8), Boxes.zeros(13)),
        Boxes.box("minf", media, table)))
  }

  private var video: [UInt8] {
    let configuration: [UInt8] =
      [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 90, 0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 0]
    let entry = Boxes.box(
      "hvc1", Boxes.zeros(6), [0, 1], Boxes.zeros(16), [1, 64, 0, 240], Boxes.number(UInt32(72 << 16)),
      Boxes.number(UInt32(72 << 16)), Boxes.zeros(4), [0, 1], Boxes.zeros(32), [0, 24, 0xFF, 0xFF],
      Boxes.box("hvcC", configuration), extensions)
    return track(
      1, handler: "vide", media: Boxes.full("vmhd", flags: 1, Boxes.zeros(8)), entry: entry,
      samples: frameCount)
  }

  private var timedMetadata: [UInt8] {
    guard !timedKeys.isEmpty else { return [] }
    let keys = timedKeys.enumerated().flatMap { index, name in
      let entry = Boxes.box("keyd", Array("mdta".utf8), Array(name.utf8))
      return Boxes.number(UInt32(entry.count + 8)) + Boxes.number(UInt32(index + 1)) + entry
    }
    let entry = Boxes.box("mebx", Boxes.zeros(6), [0, 1], Boxes.box("keys", keys))
    return track(2, handler: "meta", media: Boxes.box("gmhd"), entry: entry, samples: 1)
  }

  private var metadata: [UInt8] {
    guard !keys.isEmpty else { return [] }
    let names = keys.flatMap { Boxes.box("mdta", Array($0.name.utf8)) }
    let values = keys.enumerated().flatMap { index, key in
      let data = Boxes.box("data", Boxes.number(key.type), Boxes.zeros(4), key.value)
      return Boxes.number(UInt32(data.count + 8)) + Boxes.number(UInt32(index + 1)) + data
    }
    return Boxes.box(
      "meta", Boxes.full("hdlr", Boxes.zeros(4), Array("mdta".utf8), Boxes.zeros(13)),
      Boxes.full("keys", Boxes.number(UInt32(keys.count)), names), Boxes.box("ilst", values))
  }

  /// A movie of two seconds, with optional parts.
  package init(
    rotation: Int = 0, frameCount: UInt32 = 60, ticksPerFrame: UInt32 = 20, extensions: [UInt8] = [],
    keys: [(name: String, type: UInt32, value: [UInt8])] = [], timedKeys: [String] = [],
    times: Times = Times()
  ) {
    (self.rotation, self.frameCount, self.ticksPerFrame) = (rotation, frameCount, ticksPerFrame)
    (self.extensions, self.keys, self.timedKeys) = (extensions, keys, timedKeys)
    self.times = times
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let header = Boxes.full(
      "mvhd", version: times.version, stamps(times.movie), Boxes.number(UInt32(600)), long(UInt64(duration)),
      Boxes.number(UInt32(1 << 16)),
      [1, 0], Boxes.zeros(10), Self.matrix(turnedBy: 0), Boxes.zeros(24), Boxes.number(UInt32(3)))
    return Boxes.fileType("qt  ", "qt  ") + Boxes.box("mdat", Boxes.zeros(Int(frameCount) * 4))
      + Boxes.box("moov", header, video, timedMetadata, metadata) + trailer
  }
}
