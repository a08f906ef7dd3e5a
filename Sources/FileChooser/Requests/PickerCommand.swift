/// The command line of tpick that serves a request.
package enum PickerCommand {
  /// - Parameters:
  ///   - program: tpick's path.
  ///   - source: the folder to show, an absolute path; nil for the user's pictures.
  ///   - results: the file for the URIs of what is picked.
  package static func words(
    _ program: [UInt8], for request: ChooserRequest, _ media: AcceptedMedia, source: [UInt8]?,
    results: [UInt8]
  ) -> [[UInt8]] {
    var words = ["--limit", request.allowsSeveral ? "0" : "1", "--format", "uris"]
    if case .types(let types) = media {
      words += ["--representation", "automatic", "--accept", types.joined(separator: ",")]
    }
    words.append("-o")
    var command = [program] + words.map { Array($0.utf8) } + [results]
    if let source { command += [Array("--".utf8), source] }
    return command
  }
}
