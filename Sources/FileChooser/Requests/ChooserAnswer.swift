/// What a call is answered with.
package struct ChooserAnswer: Hashable, Sendable {
  /// The interface's numbers.
  package enum Response: UInt32, Hashable, Sendable {
    case success = 0
    case cancelled = 1
    case other = 2
  }

  package var response: Response
  package var results: [String: BusValue] = [:]

  package static let cancelled = ChooserAnswer(response: .cancelled)
  package static let failed = ChooserAnswer(response: .other)
}

extension ChooserAnswer {
  /// Works out the answer of what has run in the terminal.
  /// - Parameters:
  ///   - status: its exit status; nil where its end is not known, because the terminal was closed.
  ///   - output: what it wrote: a URI a line.
  package init(_ request: ChooserRequest, status: Int32?, output: [UInt8]) {
    guard let status else {
      self = .cancelled
      return
    }
    guard status == 0 else {
      self = Self.isCancellation(status) ? .cancelled : .failed
      return
    }
    let uris = output.split { $0 == 0x0A || $0 == 0 }.map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasPrefix("file:///") }
    // The interface has no empty answer, and one file where several were not asked for.
    let isExpected = request.method == .saveFiles ? uris.count == request.names.count : !uris.isEmpty
    guard isExpected else {
      self = .failed
      return
    }
    self.init(response: .success)
    let takesAll = request.allowsSeveral || request.method == .saveFiles
    results["uris"] = .array(element: "s", (takesAll ? uris : [uris[0]]).map(BusValue.string))
    if !request.choices.isEmpty {
      results["choices"] = .array(
        element: "(ss)",
        request.choices.map { .structure([.string($0.identifier), .string($0.selected)]) })
    }
    if let filter = request.currentFilter { results["current_filter"] = filter.value }
  }

  /// Nothing to pick, Esc, and the signals by which windows and sessions end: hangup, interrupt and termination.
  private static func isCancellation(_ status: Int32) -> Bool {
    [1, 130, 128 + 1, 128 + 15].contains(status)
  }
}
