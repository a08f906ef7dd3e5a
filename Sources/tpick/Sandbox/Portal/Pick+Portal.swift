import Sandbox

extension Pick {
  /// Asks the portal, where this process runs in a sandbox and no source is named.
  /// - Returns: nil where the picker has to be shown here.
  /// - Throws: `Failure` where there is no answer, or for options that can't be passed on.
  func askPortal() throws(Failure) -> ExitStatus? {
    guard library.source.sources.isEmpty, !library.source.demo, let portal = PortalClient() else {
      return nil
    }
    let words = OptionWords(
      ArgumentBytes.ofProcess.map(ArgumentBytes.text), valued: OptionWords.valued(of: Pick.self))
    if let other = words.options.subtracting(PortalClient.options).sorted().first {
      throw .usage(
        "\(other): not together with the portal of a sandbox; name the photos in \(SandboxPlace.photos) to use it"
      )
    }
    var request = PortalRequest()
    request.limit = limit ?? 1
    request.imageLimit = limitImages ?? 0
    request.videoLimit = limitVideos ?? 0
    request.filters = ArgumentFolding.words(library.source.filter)
    request.query = library.source.query
    request.purpose = library.client.purpose
    let paths: [[UInt8]]
    switch try portal.ask(request) {
    case .granted(let granted): paths = granted
    case .cancelled: return .cancelled
    case .refused(let reason): throw Failure(status: .noPermission, message: "portal: \(reason)")
    }
    if paths.isEmpty { return .nothing }
    let end: [UInt8] = [library.print0 ? 0 : 0x0A]
    guard StandardStream.output.write(paths.flatMap { $0 + end }) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}
