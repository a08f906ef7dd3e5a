import CodecProtocol
import MediaFormats
import Metadata
import Glibc

// What files say of themselves.
extension StandIn {
  /// A photograph whose title is the words of the file, unless they say what else to do.
  func report(on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8]) {
    let words = words(in: file)
    do throws(CodecError) {
      try misbehave(words)
      answered += 1
      switch words {
      case "another question's answer": FactsEncoder.append(.sidecar(MediaFacts()), to: &bytes)
      case "no report": bytes += [0xFF, 0xFF]
      case "nothing at all": break
      case "a range beyond the file":
        var facts = MediaFacts()
        facts.thumbnail = 0..<1 << 40
        FactsEncoder.append(.medium(.media(.jpeg, facts)), to: &bytes)
      case "lacks its end":
        FactsEncoder.append(.incomplete(request.byteCount - 1..<request.byteCount), to: &bytes)
      case "lacks what is there":
        FactsEncoder.append(.incomplete(request.present?.first ?? 0..<1), to: &bytes)
      case "lacks more and more":
        let next = request.present?.last?.upperBound ?? 0
        FactsEncoder.append(.incomplete(next..<next + 1), to: &bytes)
      case "lacks what no file has":
        FactsEncoder.append(.incomplete(request.byteCount..<request.byteCount + 1), to: &bytes)
      case "reports without end": sendReportsWithoutEnd()
      case let words where words.hasPrefix("late"):
        waitForGrowth(of: file, beyond: 4)
        FactsEncoder.append(report(words, request), to: &bytes)
      default: FactsEncoder.append(report(words, request), to: &bytes)
      }
    } catch {
      FactsEncoder.append(error == .noMemory ? .noMemory : .failed(error.reason), to: &bytes)
    }
  }

  private func report(_ words: String, _ request: ReportRequest) -> MediaReport {
    var facts = MediaFacts()
    facts.title = words
    facts.make = String(getpid())
    return switch request.kind {
    case .medium: .medium(.media(.jpeg, facts))
    case .sidecar: .sidecar(facts)
    case .foreign, .metadata, .blocks: .described(facts)
    }
  }

  /// One answer after the other, as long as somebody takes them.
  private func sendReportsWithoutEnd() {
    var report: [UInt8] = []
    FactsEncoder.append(.medium(.nothing), to: &report)
    let payload = [UInt8(report.count), 0, 0, 0] + report
    let body: [UInt8] = [16, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(payload.count), 0, 0, 0] + payload
    let answer = [UInt8(body.count), 0, 0, 0] + body
    while send(STDIN_FILENO, answer, answer.count, Int32(MSG_NOSIGNAL)) > 0 {}
    while true { pause() }
  }
}
