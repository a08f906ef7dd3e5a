import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import SystemPackage

/// Has the metadata of pictures that are handed over in another shape read and written again, by helpers: none of them is
/// parsed here.
struct MetadataSource: Sendable {
  let reader: MetadataHelper
  /// Reads the blocks of formats that only heavy libraries know.
  let helper: CodecHelper?

  /// What goes along of a file's metadata; less where they can't be read.
  /// - Throws: `AssetError` where no helper could look at the file.
  func output(
    _ request: MetadataRequest, of resource: AssetResource, from file: any ResourceReader
  ) throws(AssetError) -> MetadataOutput {
    var copy: TemporaryFile?
    // The descriptor of a part is that of all.
    if file.descriptor == nil || resource.byteRange != nil {
      copy = try TemporaryFile(of: file, name: resource.name)
    }
    let descriptor = copy?.descriptor ?? file.descriptor ?? -1
    defer { withExtendedLifetime(copy) {} }
    let output = try ask(.metadata, request, descriptor, byteCount: file.count, name: resource.name)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    guard !output.hasEXIF, format?.factsReader == .helper, let helper else { return output }
    guard let facts = try? helper.facts(of: descriptor) else {
      var output = output
      if request.policy.stripping != .all { output.losses.insert(.all) }
      return output
    }
    var answer = output
    // What the camera recorded stands for EXIF that is none.
    for exif in [facts.exif, facts.camera?.exif ?? []] where !answer.hasEXIF {
      let blocks = (0..<4).map { UInt8(truncatingIfNeeded: exif.count >> (8 * $0)) } + exif + facts.xmp
      let packed = try TemporaryFile(of: blocks, name: resource.name)
      answer = try ask(.blocks, request, packed.descriptor, byteCount: blocks.count, name: resource.name)
    }
    return answer
  }

  private func ask(
    _ kind: ReportRequest.Kind, _ request: MetadataRequest, _ descriptor: Int32, byteCount: Int, name: String
  ) throws(AssetError) -> MetadataOutput {
    let file = ReportedFile(
      descriptor, ReportRequest(kind, byteCount: byteCount, detail: request.wire))
    let answer = reader.reports(on: [file]) { _, bytes, range in MetadataOutput(wire: bytes, range) }.first
    switch answer {
    case .success(let output): return output
    case .failure(let error):
      throw AssetError(name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
    case nil: throw AssetError(name, CodecError.cancelled.reason, isTransient: true)
    }
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
