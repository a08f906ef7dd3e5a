import CRAW
import CodecProtocol

/// The facts of a raw file, by LibRaw.
enum RAWReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    var read = craw_facts()
    let raw = try RAWFile(file, facts: &read)
    // Its texts lie in the open file.
    return try withExtendedLifetime(raw) { () throws(CodecError) in try facts(read) }
  }

  private static func facts(_ read: craw_facts) throws(CodecError) -> CodecFacts {
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
