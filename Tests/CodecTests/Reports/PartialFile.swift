import CPlatform
import CodecProtocol
import Fixtures
import Metadata
import Glibc

/// A file in memory of its full length, of which only parts are available, as for a file on a server.
///
/// A twin has noise where the file has holes: a reader that reads no hole gives the same answer for both.
final class PartialFile {
  private let bytes: [UInt8]
  private let sparse: Int32
  private let noisy: Int32

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    (sparse, noisy) = (memory_file_create(), memory_file_create())
    guard ftruncate(sparse, off_t(bytes.count)) == 0 else { throw FixtureError("no file in memory") }
    let written = Self.noise.withUnsafeBytes { noise in
      var place = 0
      while place < bytes.count {
        let count = pwrite(noisy, noise.baseAddress, min(noise.count, bytes.count - place), off_t(place))
        guard count > 0 else { break }
        place += count
      }
      return place
    }
    guard written == bytes.count else { throw FixtureError("no file in memory") }
  }

  /// As much as most files need, repeated for longer ones: random bytes one by one for each file take minutes.
  private static let noise: [UInt64] = {
    var generator = SeededGenerator(seed: 1)
    return (0..<1 << 15).map { _ in generator.next() }
  }()

  deinit {
    close(sparse)
    close(noisy)
  }

  /// Downloads a part of the file.
  func fetch(_ range: Range<Int>) {
    for file in [sparse, noisy] {
      let written = bytes[range].withUnsafeBytes {
        pwrite(file, $0.baseAddress, range.count, off_t(range.lowerBound))
      }
      precondition(written == range.count, "memory for a file")
    }
  }

  /// A helper's reports on the file and on its twin.
  func reports(
    _ helper: MetadataClient, _ kind: ReportRequest.Kind, _ present: PresentRanges?
  ) -> [Result<MediaReport, CodecError>] {
    let request = ReportRequest(kind, byteCount: bytes.count, present: present?.ranges)
    let files = [ReportedFile(sparse, request), ReportedFile(noisy, request)]
    return helper.reports(on: files) { _, wire throws(WireError) in
      try MediaReport(from: &wire, byteCount: request.byteCount)
    }
  }

  /// A helper's pictures of the file and of its twin.
  func pictures(
    _ helper: CodecClient, _ request: DecodeRequest, _ present: PresentRanges
  ) -> [Result<DecodedPicture?, CodecError>] {
    var request = request
    request.present = present
    return [sparse, noisy].map { [request] file in
      do throws(CodecError) { return .success(try helper.decode(file, request)) } catch {
        return .failure(error)
      }
    }
  }
}

/// The path from the first bytes of a file to a report, with the shipped helpers.
struct PartialReading {
  private(set) var report: MediaReport?
  private(set) var rounds = 0
  /// The number of downloaded bytes, including the first ones.
  private(set) var byteCount = 0
  /// The helpers' reads of holes; empty if all is well.
  private(set) var faults: [String] = []

  static let foreign = CodecClient(program: Program.helper)

  /// Reads a file of which `block` bytes are available at first.
  init(_ bytes: [UInt8], _ kind: ReportRequest.Kind = .medium, block: Int) throws {
    let file = try PartialFile(bytes)
    let head = 0..<min(block, bytes.count)
    file.fetch(head)
    var loader = RangeLoader(present: PresentRanges([head]), byteCount: bytes.count, block: block)
    var kind = kind
    while true {
      let helper = kind == .foreign ? Self.foreign.metadata : .standard
      let said = file.reports(helper, kind, loader.present)
      report = try? said.first?.get()
      if said.count != 2 || said[0] != said[1] || report == nil {
        faults.append("\(loader.present.ranges): \(said)")
      }
      switch report {
      case .incomplete(let range):
        if loader.present.contains(range) { faults.append("\(range) is there") }
        guard let next = loader.next(after: range) else {
          byteCount = loader.present.byteCount
          return
        }
        file.fetch(next)
        rounds += 1
      case .medium(.media(_, nil)): kind = .foreign
      default:
        byteCount = loader.present.byteCount
        return
      }
    }
  }

  /// The helpers' report on a complete file.
  static func whole(_ bytes: [UInt8], _ kind: ReportRequest.Kind = .medium) throws -> MediaReport? {
    let file = try PartialFile(bytes)
    file.fetch(bytes.indices)
    let report = try file.reports(.standard, kind, nil)[0].get()
    guard case .medium(.media(_, nil)) = report else { return report }
    return try file.reports(foreign.metadata, .foreign, nil)[0].get()
  }
}
