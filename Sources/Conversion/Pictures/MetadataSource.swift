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
    var copy = MetadataCopy()
    do throws(AssetError) {
      copy = try MediaReader.metadata(from: source, byteCount: reader.count)
    } catch { copy.losses = [.all] }
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    guard copy.exif == nil, format?.factsReader == .helper, let helper, let descriptor = reader.descriptor
    else {
      return copy
    }
    guard let facts = try? helper.facts(of: descriptor) else {
      // A raw file may have told enough of itself.
      if copy.exif == nil, copy.xmp.isEmpty { copy.losses.insert(.all) }
      return copy
    }
    copy.exif = EXIFTree(facts.exif)
    if copy.xmp.isEmpty { copy.xmp = facts.xmp }
    if copy.exif == nil, let camera = facts.camera { copy.exif = EXIFTree(camera.exif) }
    return copy
  }
}

extension MetadataOutput {
  /// What is to be said of blocks that could not go along; nil where all of them do.
  /// - Parameter lacking: the blocks for which the format that is written has no place.
  func remark(lacking: Set<MetadataLoss> = []) -> String? {
    var losses = losses
    if lacking.contains(.exif), !exif.isEmpty { losses.insert(.exif) }
    if lacking.contains(.xmp), !xmp.isEmpty { losses.insert(.xmp) }
    if lacking.contains(.iptc), !iptc.isEmpty { losses.insert(.iptc) }
    if losses.isEmpty { return nil }
    let names = losses.sorted { $0.rawValue < $1.rawValue }.map { loss in
      switch loss {
      case .all: "metadata that can't be read"
      case .exif: "some of its EXIF"
      case .xmp: "some of its XMP"
      case .iptc: "some of its IPTC"
      }
    }
    return "is handed over without " + names.joined(separator: " and ")
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
