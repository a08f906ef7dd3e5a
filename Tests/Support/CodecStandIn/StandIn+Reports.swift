import CodecProtocol
import MediaFormats
import Metadata
import Glibc

// Reports on files.
extension StandIn {
  /// A photograph whose title is the text of the file, unless that is a command.
  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {
    let words = words(in: file)
    do throws(CodecError) {
      try misbehave(words)
      answered += 1
      switch words {
      case "another question's answer": MediaReport.sidecar(MediaFacts()).write(to: &wire)
      case "no report":
        wire.put(UInt8(0xFF))
        wire.put(UInt8(0xFF))
      case "nothing at all": break
      case "a range beyond the file":
        var facts = MediaFacts()
        facts.thumbnail = 0..<1 << 40
        MediaReport.medium(.media(.jpeg, facts)).write(to: &wire)
      case "lacks its end":
        MediaReport.incomplete(request.byteCount - 1..<request.byteCount).write(to: &wire)
      case "lacks what is there":
        MediaReport.incomplete(request.present?.first ?? 0..<1).write(to: &wire)
      case "lacks more and more":
        let next = request.present?.last?.upperBound ?? 0
        MediaReport.incomplete(next..<next + 1).write(to: &wire)
      case "lacks what no file has":
        MediaReport.incomplete(request.byteCount..<request.byteCount + 1).write(to: &wire)
      case "reports without end": sendReportsWithoutEnd()
      case let words where words.hasPrefix("late"):
        waitForGrowth(of: file, beyond: 4)
        report(words, request).write(to: &wire)
      default: report(words, request).write(to: &wire)
      }
    } catch {
      (error == .noMemory ? MediaReport.noMemory : .failed(error.reason)).write(to: &wire)
    }
  }

  private func report(_ words: String, _ request: ReportRequest) -> MediaReport {
    var facts = MediaFacts()
    facts.title = words
    facts.make = String(getpid())
    facts.model = String(getsid(0))
    var status = stat()
    facts.keywords = (0..<200).filter { fstat($0, &status) == 0 }.map(String.init)
    return switch request.kind {
    case .medium: .medium(.media(.jpeg, facts))
    case .sidecar: .sidecar(facts)
    case .foreign, .metadata: .described(facts)
    case .captions: .failed("the stand-in removes no captions")
    }
  }

  /// Sends one answer after the other, as long as they are received.
  private func sendReportsWithoutEnd() {
    var report = WireWriter()
    MediaReport.medium(.nothing).write(to: &report)
    let payload = [UInt8(report.bytes.count), 0, 0, 0] + report.bytes
    let body: [UInt8] = [16, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(payload.count), 0, 0, 0] + payload
    let answer = [UInt8(body.count), 0, 0, 0] + body
    while send(STDIN_FILENO, answer, answer.count, Int32(MSG_NOSIGNAL)) > 0 {}
    while true { pause() }
  }
}
