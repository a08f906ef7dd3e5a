/// The reply to a call.
package struct ChooserAnswer: Hashable, Sendable {
  /// The interface's response codes.
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
  /// Creates the reply from the result of the program in the terminal.
  /// - Parameters:
  ///   - status: the program's exit status; nil if the window was closed before the program ended.
  ///   - output: the URIs that the program printed, one per line.
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
    // The interface has no empty reply, and expects exactly one file unless the request allows several.
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

  /// Whether a status means that the user cancelled.
  ///
  /// 1: tpick had nothing to pick; 130: Esc, or an interrupt (128 + SIGINT); 128 + SIGHUP and 128 + SIGTERM:
  /// the window or the session was closed.
  private static func isCancellation(_ status: Int32) -> Bool {
    [1, 130, 128 + 1, 128 + 15].contains(status)
  }
}
