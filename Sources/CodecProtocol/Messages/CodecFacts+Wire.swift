extension CodecFacts {
  func write(to wire: inout WireWriter) {
    wire.put(UInt32(clamping: width))
    wire.put(UInt32(clamping: height))
    wire.put(duration)
    wire.put(frameRate)
    for flag in [hasVideo, hasAudio, isAnimated, isStereo] { wire.put(flag) }
    wire.put(UInt32(clamping: imageCount))
    wire.put(videoBox) { wire, range in
      wire.put(Int64(range.lowerBound))
      wire.put(Int64(range.upperBound))
    }
    wire.put(UInt32(auxiliaryTypes.count))
    for type in auxiliaryTypes { wire.put(type) }
    wire.put(UInt32(tags.count))
    for (name, value) in tags {
      wire.put(name)
      wire.put(value)
    }
    wire.put(camera) { $1.write(to: &$0) }
    wire.put(exif)
    wire.put(xmp)
  }

  init(from wire: inout WireReader) throws(WireError) {
    width = Int(try wire.integer(UInt32.self))
    height = Int(try wire.integer(UInt32.self))
    duration = try wire.double()
    frameRate = try wire.double()
    hasVideo = try wire.bool()
    hasAudio = try wire.bool()
    isAnimated = try wire.bool()
    isStereo = try wire.bool()
    imageCount = Int(try wire.integer(UInt32.self))
    videoBox = try wire.optional { reader throws(WireError) in
      let (start, end) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
      guard start >= 0, start <= end else { throw WireError() }
      return Int(start)..<Int(end)
    }
    for _ in 0..<(try wire.count(ofElements: 4)) { auxiliaryTypes.append(try wire.string()) }
    for _ in 0..<(try wire.count(ofElements: 8)) {
      let name = try wire.string()
      tags[name] = try wire.string()
    }
    camera = try wire.optional { reader throws(WireError) in try CameraFacts(from: &reader) }
    exif = try wire.byteString()
    xmp = try wire.byteString()
    guard duration.isFinite, duration >= 0, frameRate.isFinite, frameRate >= 0 else { throw WireError() }
  }
}

extension CameraFacts {
  func write(to wire: inout WireWriter) {
    for text in [make, model, lens] { wire.put(text) { $0.put($1) } }
    for number in [isoSpeed, exposureTime, fNumber, focalLength] { wire.put(number) { $0.put($1) } }
    wire.put(captureSeconds) { $0.put($1) }
    for number in [latitude, longitude] { wire.put(number) { $0.put($1) } }
  }

  init(from wire: inout WireReader) throws(WireError) {
    make = try wire.optional(Self.text)
    model = try wire.optional(Self.text)
    lens = try wire.optional(Self.text)
    isoSpeed = try wire.optional(Self.number)
    exposureTime = try wire.optional(Self.number)
    fNumber = try wire.optional(Self.number)
    focalLength = try wire.optional(Self.number)
    captureSeconds = try wire.optional { reader throws(WireError) in try reader.integer() }
    latitude = try wire.optional(Self.number)
    longitude = try wire.optional(Self.number)
  }

  private static func text(_ wire: inout WireReader) throws(WireError) -> String {
    try wire.string()
  }

  private static func number(_ wire: inout WireReader) throws(WireError) -> Double {
    let value = try wire.double()
    guard value.isFinite else { throw WireError() }
    return value
  }
}
