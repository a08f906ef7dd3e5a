import AssetLibrary
import CPlatform
import CodecProtocol
import MediaFormats
import Metadata
import Testing

@testable import FolderLibrary

/// Which answers of a helper are accepted.
@Suite struct MediaReportTests {
  private func received(
    _ report: MediaReport, to kind: ReportRequest.Kind, present: [Range<Int>]?
  ) -> MediaReport? {
    var message = WireWriter()
    report.write(to: &message)
    var wire = WireReader(message.bytes)
    return try? MediaReport(from: &wire, to: ReportRequest(kind, byteCount: 1000, present: present))
  }

  @Test(arguments: [.medium, .sidecar, .foreign] as [ReportRequest.Kind])
  func `Only a partly available file can lack parts`(kind: ReportRequest.Kind) {
    let report = MediaReport.incomplete(500..<600)
    #expect(received(report, to: kind, present: nil) == nil)
    #expect(received(report, to: kind, present: []) == report)
    #expect(received(report, to: kind, present: [0..<64]) == report)
    #expect(received(.incomplete(990..<1001), to: kind, present: [0..<64]) == nil)
  }

  @Test(arguments: [.medium, .sidecar, .foreign] as [ReportRequest.Kind])
  func `An answer to another request is rejected, whatever is available of the file`(kind: ReportRequest.Kind)
  {
    let answers: [(ReportRequest.Kind, MediaReport)] = [
      (.medium, .medium(.nothing)), (.sidecar, .sidecar(MediaFacts())), (.foreign, .described(MediaFacts())),
    ]
    for (asked, report) in answers {
      for present in [nil, [0..<64]] as [[Range<Int>]?] {
        #expect(received(report, to: kind, present: present) == (asked == kind ? report : nil))
      }
    }
  }

  @Test func `A file on disk that is reported as incomplete keeps the type that its name suggests`() throws {
    var finding = FileFinding(
      name: FileName(Array("a.jpg".utf8)[...]), index: 0, status: file_status(), content: .nothing)
    try finding.take(.incomplete(0..<1))
    #expect(finding.failure == .died)
    guard case .media(.jpeg, nil) = finding.content else {
      Issue.record("\(finding.content)")
      return
    }
  }
}
