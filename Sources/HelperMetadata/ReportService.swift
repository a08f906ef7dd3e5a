import CMD5
package import CodecProtocol
import Metadata
import System

/// Reads the metadata of files for tpick.
///
/// Used by one thread.
package struct ReportService {
  /// Buffer for file headers.
  private var room = MediaReader.Room()

  package init() {}

  /// Writes a report on an open file.
  package mutating func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {
    let source = DescriptorBytes(file, present: request.presentRanges)
    let report: MediaReport
    switch request.kind {
    case .medium:
      report = .medium(from: source, byteCount: request.byteCount, room: &room, reason: \.reason)
    case .sidecar: report = .sidecar(from: source, byteCount: request.byteCount, reason: \.reason)
    case .foreign: report = .failed("an unknown format")
    case .metadata:
      Self.metadata(request) { () throws(DescriptorBytes.Failure) in
        try MediaReader.metadata(from: source, byteCount: request.byteCount)
      }.write(to: &wire)
      return
    case .captions:
      Self.captions(of: source, request).write(to: &wire)
      return
    }
    report.write(to: &wire)
  }

  /// Writes a report on an open file of a format that needs heavy libraries.
  /// - Parameters:
  ///   - facts: what the library reads.
  ///   - missing: the range that the library needed and that is yet to be fetched; called after `facts`.
  package static func report(
    on file: Int32, _ request: ReportRequest, to wire: inout WireWriter,
    _ facts: () throws(CodecError) -> CodecFacts, missing: () -> Range<Int>? = { nil }
  ) {
    if request.kind == .metadata {
      metadata(request) { () throws(CodecError) in MetadataCopy(try facts()) }.write(to: &wire)
      return
    }
    var report: MediaReport
    var unchecked: Range<Int>?
    do throws(CodecError) {
      let codec = try facts()
      var facts = MediaFacts(codec)
      if !codec.xmp.isEmpty || codec.videoBox != nil {
        // If the video that the XMP packet announces cannot be checked, ignore it.
        facts.motionVideo = try? MediaReader.motionVideo(
          claimedBy: codec.xmp, inBox: codec.videoBox,
          from: DescriptorBytes(file, present: request.presentRanges), byteCount: request.byteCount,
          missing: &unchecked)
      }
      report = .described(facts)
    } catch {
      report = error == .noMemory ? .noMemory : .failed(error.reason)
    }
    // If the library missed a part of the file, its result is not reliable.
    if report != .noMemory, let missing = missing() ?? unchecked { report = .incomplete(missing) }
    report.write(to: &wire)
  }

  /// Returns the changes that remove captions; those of an unreadable file are incomplete.
  private static func captions(of source: DescriptorBytes, _ request: ReportRequest) -> CaptionEdits {
    do throws(DescriptorBytes.Failure) {
      return try CaptionEdits(in: source, byteCount: request.byteCount)
    } catch {
      var edits = CaptionEdits()
      edits.isComplete = false
      return edits
    }
  }

  /// Returns the metadata of a file, to be written into a copy; of an unreadable file, the loss of all
  /// metadata.
  private static func metadata<Failure>(
    _ request: ReportRequest, _ read: () throws(Failure) -> MetadataCopy
  ) -> MetadataOutput {
    var detail = WireReader(request.detail)
    guard let wanted = try? MetadataRequest(from: &detail), detail.isAtEnd else { return MetadataOutput() }
    var copy = MetadataCopy()
    do throws(Failure) { copy = try read() } catch { copy.losses = [.all] }
    return copy.output(wanted, digest: digest)
  }

  /// Returns the MD5 in capital letters, by which the first XMP packet names a second one.
  private static func digest(of bytes: [UInt8]) -> String {
    // libmd terminates the digest with NUL.
    String(unsafeUninitializedCapacity: 33) { digest in
      digest.withMemoryRebound(to: CChar.self) { _ = MD5Data(bytes, bytes.count, $0.baseAddress) }
      return digest.count - 1
    }.uppercased()
  }
}

extension MetadataCopy {
  /// Creates a copy from the blocks that a heavy library read; camera settings replace invalid EXIF.
  fileprivate init(_ codec: CodecFacts) {
    self.init(exif: EXIFTree(codec.exif) ?? codec.camera.flatMap { EXIFTree($0.exif) }, xmp: codec.xmp)
  }
}

/// The bytes of an open file that another object owns; reads with offsets, so that its file offset stays unchanged.
package struct DescriptorBytes: ByteSource {
  /// A failed read.
  package struct Failure: Error {
    /// An errno value.
    package var cause: Int32

    /// A message for the user, to follow a file name and a colon.
    package var reason: String { String(cString: strerror(cause)) }
  }

  private let descriptor: Int32
  private let present: PresentRanges?

  /// - Parameter present: the available parts of the file; reading anything else fails.
  ///
  /// Nil means all of it.
  package init(_ descriptor: Int32, present: PresentRanges? = nil) {
    (self.descriptor, self.present) = (descriptor, present)
  }

  package func available(at offset: Int, count: Int) -> Int {
    present.map { min(count, $0.count(from: offset)) } ?? count
  }

  package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Failure) {
        filled = try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    // Missing parts would read as zeros.
    let there = available(at: offset, count: buffer.count)
    guard there > 0 || buffer.isEmpty else { throw Failure(cause: ENODATA) }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<there])
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw Failure(cause: errno)
      }
    }
    return filled
  }
}
