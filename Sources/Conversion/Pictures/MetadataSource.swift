import AssetLibrary
import CodecProtocol
import MediaFormats
import Metadata

/// Reads the metadata of pictures that are converted, here or through the helper.
struct MetadataSource: Sendable {
  let helper: CodecHelper?

  /// What the file carries; less where it can't be read.
  func metadata(of resource: AssetResource, from reader: any ResourceReader) -> MetadataCopy {
    let source = ReaderSource(reader: reader)
    var copy = (try? MediaReader.metadata(from: source, byteCount: reader.count)) ?? MetadataCopy()
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    guard copy.exif == nil, format?.factsReader == .helper, let helper, let descriptor = reader.descriptor,
      let facts = try? helper.facts(of: descriptor)
    else { return copy }
    copy.exif = EXIFTree(facts.exif)
    if copy.xmp.isEmpty { copy.xmp = facts.xmp }
    if copy.exif == nil, let camera = facts.camera { copy.exif = EXIFTree(camera.exif) }
    return copy
  }
}

/// A resource as the readers of metadata see it.
private struct ReaderSource: ByteSource {
  let reader: any ResourceReader

  func read(at offset: Int, count: Int) throws(AssetError) -> [UInt8] {
    guard offset < reader.count else { return [] }
    return try reader.bytes(in: offset..<min(reader.count, offset + count))
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try reader.read(at: offset, into: buffer)
  }
}

extension CameraFacts {
  /// What the camera recorded, as EXIF.
  fileprivate var exif: [UInt8] {
    var facts = MediaFacts()
    (facts.make, facts.model, facts.lens) = (make, model, lens)
    facts.isoSpeed = isoSpeed.flatMap { Int(exactly: $0.rounded()) }
    (facts.exposureTime, facts.fNumber, facts.focalLength) = (exposureTime, fNumber, focalLength)
    facts.captureTime = captureSeconds.flatMap(CivilTime.init(wallSeconds:))
    return Array(EXIFWriter.app1(facts).dropFirst(6))
  }
}
