package import CodecProtocol
import Metadata

/// Reads what files say of themselves, for tpick, which asked for it.
///
/// Used by one thread.
package struct ReportService {
  /// Memory for the heads of files.
  private var room = MediaReader.Room()
  /// The letters that name a second XMP packet in the first.
  private let digest: ([UInt8]) -> String

  package init(digest: @escaping ([UInt8]) -> String) { self.digest = digest }

  /// Appends a report about an open file to `bytes`.
  package mutating func report(on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8]) {
    let source = DescriptorBytes(file, present: request.presentRanges)
    let report: MediaReport
    switch request.kind {
    case .medium:
      report = .medium(from: source, byteCount: request.byteCount, room: &room, reason: \.reason)
    case .sidecar: report = .sidecar(from: source, byteCount: request.byteCount, reason: \.reason)
    case .foreign: report = .failed("an unknown format")
    case .metadata, .blocks:
      metadata(of: source, request).append(to: &bytes)
      return
    }
    FactsEncoder.append(report, to: &bytes)
  }

  /// The metadata of a file for another one that is made of it; a file that can't be read loses all.
  private func metadata(of source: DescriptorBytes, _ request: ReportRequest) -> MetadataOutput {
    var copy = MetadataCopy()
    guard let wanted = MetadataRequest(wire: request.detail) else { return MetadataOutput() }
    do throws(DescriptorBytes.Failure) {
      copy =
        request.kind == .blocks
        ? try Self.blocks(in: source, byteCount: request.byteCount)
        : try MediaReader.metadata(from: source, byteCount: request.byteCount)
    } catch {
      copy.losses = [.all]
    }
    return copy.output(wanted, digest: digest)
  }

  private static func blocks(
    in source: DescriptorBytes, byteCount: Int
  ) throws(DescriptorBytes.Failure) -> MetadataCopy {
    let bytes = try source.read(at: 0, count: min(byteCount, longestBlocks))
    guard bytes.count >= 4 else { return MetadataCopy() }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    let end = min(4 + length, bytes.count)
    return MetadataCopy(exif: EXIFTree(Array(bytes[4..<end])), xmp: Array(bytes[end...]))
  }

  /// What another helper has read has less.
  private static let longestBlocks = 1 << 26

  /// Appends a report about an open file of a heavy library's format to `bytes`.
  /// - Parameters:
  ///   - facts: what the library tells.
  ///   - missing: the range that it needed and that is yet to be fetched; asked once the library is done.
  package static func report(
    on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8],
    _ facts: () throws(CodecError) -> CodecFacts, missing: () -> Range<Int>? = { nil }
  ) {
    var report: MediaReport
    var unchecked: Range<Int>?
    do throws(CodecError) {
      let codec = try facts()
      var facts = MediaFacts(codec)
      if !codec.xmp.isEmpty || codec.videoBox != nil {
        // A claim that can't be checked is none.
        facts.motionVideo = try? MediaReader.motionVideo(
          claimedBy: codec.xmp, inBox: codec.videoBox,
          from: DescriptorBytes(file, present: request.presentRanges), byteCount: request.byteCount,
          missing: &unchecked)
      }
      report = .described(facts)
    } catch {
      report = error == .noMemory ? .noMemory : .failed(error.reason)
    }
    // Whatever a library makes of a file of which it misses something, it is not what the file says.
    if report != .noMemory, let missing = missing() ?? unchecked { report = .incomplete(missing) }
    FactsEncoder.append(report, to: &bytes)
  }
}
