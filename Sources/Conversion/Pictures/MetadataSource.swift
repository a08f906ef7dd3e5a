import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import SystemPackage

/// Has the metadata of pictures that are handed over in another shape read and written again, by helpers: none of them is
/// parsed here.
struct MetadataSource: Sendable {
  let reader: MetadataClient
  /// Reads the blocks of formats that only heavy libraries know.
  let helper: CodecClient?

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
    let output = try ask(reader, request, descriptor, byteCount: file.count, name: resource.name)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    guard !output.hasEXIF, format?.factsReader == .helper, let helper else { return output }
    // The blocks of formats that only heavy libraries know.
    do throws(AssetError) {
      return try ask(helper.metadata, request, descriptor, byteCount: file.count, name: resource.name)
    } catch {
      var output = output
      if request.policy.stripping != .all { output.losses.insert(.all) }
      return output
    }
  }

  private func ask(
    _ client: MetadataClient, _ request: MetadataRequest, _ descriptor: Int32, byteCount: Int, name: String
  ) throws(AssetError) -> MetadataOutput {
    var detail = WireWriter()
    request.write(to: &detail)
    let file = ReportedFile(
      descriptor, ReportRequest(.metadata, byteCount: byteCount, detail: detail.bytes))
    let answer = client.reports(on: [file]) { _, wire throws(WireError) in try MetadataOutput(from: &wire) }
      .first
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
