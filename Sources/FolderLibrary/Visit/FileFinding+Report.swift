import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata

// What a helper says of the file.
extension FileFinding {
  /// What is asked for.
  var request: ReportRequest {
    ReportRequest(name.part == .sidecar ? .sidecar : .medium, byteCount: Int(clamping: status.size))
  }

  /// Takes the report, which is an answer to `request`.
  /// - Throws: `AssetError` when the file can't be read; its subject is left open.
  mutating func take(_ report: MediaReport) throws(AssetError) {
    switch report {
    case .medium(.media(let format, let facts)): content = .media(format, facts)
    case .medium(.damaged(_, let reason)): content = .broken(reason)
    case .medium(.nothing):
      content =
        FileName.promisesMedium(name.suffix)
        ? .broken(status.size == 0 ? "the file is empty" : "its content is no picture or video") : .nothing
    case .sidecar(let facts): content = .sidecar(facts)
    case .failed(let reason): throw AssetError("", reason)
    case .noMemory: fail(.noMemory)
    // Answers to other questions, which do not come this far.
    case .described, .incomplete: fail(.died)
    }
  }

  /// Notes why there is no report; till there is one the file is what its name promises.
  mutating func fail(_ error: CodecError) {
    failure = error
    content = Self.promise(of: name)
  }

  /// A file on a server, which is what its name promises until something of it was read.
  init(awaiting name: FileName, index: Int, status: file_status) {
    self.init(name: name, index: index, status: status, content: Self.promise(of: name))
    switch (name.part, content) {
    case (.adjustment, _), (.cameraAdjustment, _): content = .adjustment
    case (_, .nothing): break
    default: isAwaited = true
    }
  }

  private static func promise(of name: FileName) -> Content {
    switch name.part {
    case .sidecar: .sidecar(MediaFacts())
    case .plain, .edited, .adjustment, .cameraAdjustment:
      FileFormat(suffix: String(decoding: name.suffix, as: UTF8.self)).map { .media($0, nil) } ?? .nothing
    }
  }
}

extension MediaReport {
  /// - Returns: nil where the bytes are no answer to `request`.
  init?(_ bytes: [UInt8], _ range: Range<Int>, to request: ReportRequest) {
    var decoder = FactsDecoder(bytes, range)
    guard let report = try? decoder.report(byteCount: request.byteCount) else { return nil }
    switch (request.kind, report) {
    // Of a file that is all there nothing is missing.
    case (_, .incomplete):
      guard request.present != nil else { return nil }
      self = report
    case (.medium, .medium), (.sidecar, .sidecar), (.foreign, .described), (_, .failed), (_, .noMemory):
      self = report
    case (.medium, _), (.sidecar, _), (.foreign, _), (.metadata, _), (.blocks, _): return nil
    }
  }
}
