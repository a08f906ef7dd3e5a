import Sandbox
import System
import SystemPackage

/// The portal's side inside the sandbox: `tpick` without a source requests photos from the tpick outside.
struct PortalClient {
  /// The variable that names the socket.
  static let variable = "TPICK_PORTAL"

  let path: [UInt8]

  /// - Returns: nil outside of a sandbox.
  init?() {
    guard let value = getenv(Self.variable), value.pointee != 0 else { return nil }
    path = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
  }

  /// The options that a request carries, and those for printing its answer.
  static let options: Set<String> = [
    "-n", "--limit", "--limit-images", "--limit-videos", "-f", "--filter", "--query", "--purpose", "-0",
    "--print0",
  ]

  /// Waits for the user's answer.
  /// - Throws: `Failure` if there is none; with status 77 if the request was refused.
  func ask(_ request: PortalRequest) throws(Failure) -> PortalAnswer {
    let connection: UnixSocket
    do throws(Errno) {
      connection = try UnixSocket.connect(to: path)
    } catch {
      throw .error("portal: \(String(decoding: path, as: UTF8.self)): \(error)")
    }
    guard connection.sendAll(MessageReader.framed(request.bytes)) else {
      throw .error("portal: the request was not accepted")
    }
    var reader = MessageReader(limit: PortalAnswer.longest)
    while let bytes = DescriptorText.next(connection.descriptor), !bytes.isEmpty {
      switch reader.take(bytes) {
      case .incomplete: continue
      case .complete(let message):
        guard let answer = PortalAnswer(message) else { throw .error("portal: the answer can't be read") }
        return answer
      case .invalid: throw .error("portal: the answer can't be read")
      }
    }
    throw .error("portal: no answer")
  }
}

extension Pick {
  /// Asks the portal if this process runs in a sandbox and no source is named.
  /// - Returns: nil if the picker must be shown here.
  /// - Throws: `Failure` if there is no answer, or for options that can't be passed on.
  func askPortal() throws(Failure) -> ExitStatus? {
    guard library.source.sources.isEmpty, !library.source.demo, let portal = PortalClient() else {
      return nil
    }
    let words = OptionWords(
      ArgumentBytes.ofProcess.map(ArgumentBytes.text), valued: OptionWords.valued(of: Pick.self))
    if let other = words.options.subtracting(PortalClient.options).sorted().first {
      throw .usage(
        "\(other): can't be used with the portal of a sandbox; name photos in \(SandboxPlace.photos) to use it"
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
