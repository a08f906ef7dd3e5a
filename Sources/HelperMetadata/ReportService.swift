package import CodecProtocol
import Metadata

/// Reads what files say of themselves, for tpick, which asked for it.
///
/// Used by one thread.
package struct ReportService {
  /// Memory for the heads of files.
  private var room = MediaReader.Room()

  package init() {}

  /// Appends a report about an open file to `bytes`.
  package mutating func report(on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8]) {
    let source = DescriptorBytes(file, present: request.presentRanges)
    let report: MediaReport =
      switch request.kind {
      case .medium:
        .medium(from: source, byteCount: request.byteCount, room: &room, reason: \.reason)
      case .sidecar: .sidecar(from: source, byteCount: request.byteCount, reason: \.reason)
      case .foreign: .failed("an unknown format")
      }
    FactsEncoder.append(report, to: &bytes)
  }

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
