import CRAW
import CodecProtocol

/// The facts of a raw file, by LibRaw.
enum RAWReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    try file.withMapping(upTo: Limits.rawFile) { bytes throws(CodecError) in
      guard file.isPartial else {
        return try facts { read, reason in craw_open(bytes.baseAddress, bytes.count, &read, &reason) }
      }
      let guarding = craw_guard(context: Unmanaged.passUnretained(file).toOpaque(), has: Self.has)
      guard let stream = craw_stream_make(bytes.baseAddress, bytes.count, guarding) else { throw .noMemory }
      defer { craw_stream_free(stream) }
      return try facts { read, reason in craw_open_stream(stream, &read, &reason) }
    }
  }

  /// LibRaw reads bytes that are there, and none else: those that are not would read as zeros.
  private static let has: @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> Bool = {
    InputFile.from($0)?.requires($1, $2) ?? false
  }

  private static func facts(
    _ open: (_ read: inout craw_facts, _ reason: inout UnsafePointer<CChar>?) -> OpaquePointer?
  ) throws(CodecError) -> CodecFacts {
    var read = craw_facts()
    var reason: UnsafePointer<CChar>?
    guard let raw = open(&read, &reason) else {
      throw .unreadable(reason.map { String(cString: $0) } ?? "not a raw file")
    }
    defer { craw_close(raw) }
    guard read.width > 0, read.height > 0 else { throw .unreadable("a picture without a size") }
    var facts = CodecFacts()
    facts.width = Int(read.width)
    facts.height = Int(read.height)
    facts.camera = camera(read)
    facts.xmp = Array(UnsafeBufferPointer(start: read.xmp, count: min(read.xmp_length, Limits.metadataBlock)))
    return facts
  }

  private static func camera(_ read: craw_facts) -> CameraFacts {
    func text(_ field: UnsafePointer<CChar>?) -> String? {
      field.map { String(cString: $0) }.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    // LibRaw keeps floats: the shortest number of the same float is what the camera wrote, 2.8 and not 2.79999995.
    func number(_ value: Double) -> Double? { value > 0 ? Double(Float(value).description) : nil }
    var camera = CameraFacts()
    camera.make = text(read.make)
    camera.model = text(read.model)
    camera.lens = text(read.lens)
    camera.isoSpeed = number(read.iso_speed)
    camera.exposureTime = number(read.exposure_time)
    camera.fNumber = number(read.f_number)
    camera.focalLength = number(read.focal_length)
    camera.captureSeconds = read.capture_seconds > 0 ? read.capture_seconds : nil
    camera.latitude = read.has_coordinate ? read.latitude : nil
    camera.longitude = read.has_coordinate ? read.longitude : nil
    return camera
  }
}
