import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import SystemPackage

/// Reads the metadata of a picture and rewrites it for the converted file.
///
/// Helpers do the parsing; this process parses nothing.
struct MetadataSource: Sendable {
  let reader: MetadataClient
  /// Reads the metadata of formats that only heavy libraries know.
  let helper: CodecClient?

  /// Returns the metadata for the converted file; some is missing if it can't be read.
  /// - Throws: `AssetError` if no helper could read the file.
  func output(
    _ request: MetadataRequest, of resource: AssetResource, from file: any ResourceReader
  ) throws(AssetError) -> MetadataOutput {
    let copy = try Self.copy(of: resource, from: file)
    let descriptor = copy?.descriptor ?? file.descriptor ?? -1
    defer { withExtendedLifetime(copy) {} }
    let output = try ask(reader, request, descriptor, byteCount: file.count, name: resource.name)
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    guard !output.hasEXIF, format?.factsReader == .helper, let helper else { return output }
    // The codec helper reads the metadata of formats that only heavy libraries know.
    do throws(AssetError) {
      return try ask(helper.metadata, request, descriptor, byteCount: file.count, name: resource.name)
    } catch {
      var output = output
      if request.policy.stripping != .all { output.losses.insert(.all) }
      return output
    }
  }

  /// Returns a copy of a resource for a helper, which reads from a descriptor; nil if the file itself will do.
  ///
  /// The descriptor of a part refers to the whole file, so a part needs a copy.
  private static func copy(
    of resource: AssetResource, from file: any ResourceReader
  ) throws(AssetError) -> TemporaryFile? {
    let isWhole = file.descriptor != nil && resource.byteRange == nil
    return isWhole ? nil : try TemporaryFile(of: file, name: resource.name)
  }

  /// Returns the changes that remove the captions of a picture or a video.
  /// - Throws: `AssetError` if the helper could not read the file, or if captions would be left.
  func captionEdits(
    of resource: AssetResource, from file: any ResourceReader
  ) throws(AssetError) -> CaptionEdits {
    let copy = try Self.copy(of: resource, from: file)
    let descriptor = copy?.descriptor ?? file.descriptor ?? -1
    defer { withExtendedLifetime(copy) {} }
    let byteCount = file.count
    let captions = try ask(
      reader, ReportedFile(descriptor, ReportRequest(.captions, byteCount: byteCount)), name: resource.name
    ) { wire throws(WireError) in try CaptionEdits(from: &wire, byteCount: byteCount) }
    guard captions.isComplete else {
      throw AssetError(
        resource.name, "its captions can't be removed without converting it", code: .unsupported)
    }
    return captions
  }

  private func ask(
    _ client: MetadataClient, _ request: MetadataRequest, _ descriptor: Int32, byteCount: Int, name: String
  ) throws(AssetError) -> MetadataOutput {
    var detail = WireWriter()
    request.write(to: &detail)
    return try ask(
      client,
      ReportedFile(descriptor, ReportRequest(.metadata, byteCount: byteCount, detail: detail.bytes)),
      name: name
    ) { wire throws(WireError) in try MetadataOutput(from: &wire) }
  }

  private func ask<Report>(
    _ client: MetadataClient, _ file: ReportedFile, name: String,
    decode: (inout WireReader) throws(WireError) -> Report
  ) throws(AssetError) -> Report {
    let answer = client.reports(on: [file]) { _, wire throws(WireError) in try decode(&wire) }.first
    switch answer {
    case .success(let output): return output
    case .failure(let error):
      throw AssetError(name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
    case nil: throw AssetError(name, CodecError.cancelled.reason, isTransient: true)
    }
  }
}

extension MetadataOutput {
  /// Returns a message about lost metadata; nil if nothing was lost.
  /// - Parameter lacking: the blocks that the written format can't store.
  func remark(lacking: Set<MetadataLoss> = []) -> String? {
    var losses = losses
    if lacking.contains(.exif), !exif.isEmpty { losses.insert(.exif) }
    if lacking.contains(.xmp), !xmp.isEmpty { losses.insert(.xmp) }
    if lacking.contains(.iptc), !iptc.isEmpty { losses.insert(.iptc) }
    return losses.remark
  }
}

extension Set<MetadataLoss> {
  /// A message about lost metadata; nil if nothing was lost.
  var remark: String? {
    if isEmpty { return nil }
    let names = sorted { $0.rawValue < $1.rawValue }.map { loss in
      switch loss {
      case .all: "metadata that can't be read"
      case .exif: "some of its EXIF"
      case .xmp: "some of its XMP"
      case .iptc: "some of its IPTC"
      }
    }
    return "was written without " + names.joined(separator: " and ")
  }
}
