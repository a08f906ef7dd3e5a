import AssetLibrary
import CursesHost
import Sandbox
import System
import SystemPackage

/// The portal's side outside the sandbox: accepts one request at a time and sends its answer.
///
/// Clients are not trusted. The server never blocks: clients that send too much, too slowly or nothing, or do not read
/// the answer, are disconnected. Used by one thread, which waits for `descriptor`.
final class PortalServer {
  private enum State {
    case idle
    case reading(UnixSocket, MessageReader, until: ContinuousClock.Instant)
    /// The user is deciding about the request.
    case waiting(UnixSocket)
    case answering(UnixSocket, ArraySlice<UInt8>, until: ContinuousClock.Instant)
  }

  private let listener: UnixSocket
  private var state = State.idle

  /// The timeout for receiving a request and for sending an answer.
  private static let patience: Duration = .seconds(5)

  /// - Parameter folder: the folder of the session, in which the socket is created.
  init(in folder: [UInt8]) throws(Failure) {
    do throws(Errno) {
      listener = try UnixSocket.listen(in: FilePath(bytes: folder), as: SandboxPlace.portalName)
    } catch {
      throw .error("run: can't make the socket of the portal: \(error)")
    }
  }

  /// The descriptor to wait for, and the deadline; nil while the user decides about a request.
  var wait: (poll: pollfd, deadline: ContinuousClock.Instant?)? {
    switch state {
    case .idle: (pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0), nil)
    case .reading(let connection, _, let end):
      (pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0), end)
    case .waiting: nil
    case .answering(let connection, _, let end):
      (pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0), end)
    }
  }

  /// Continues after a wait.
  /// - Returns: a request to answer with `answer`.
  func advance() -> PortalRequest? {
    switch state {
    case .idle:
      guard let connection = listener.acceptWaiting() else { return nil }
      state = .reading(
        connection, MessageReader(limit: PortalRequest.longest), until: .now + Self.patience)
      return nil
    case .reading(let connection, var reader, let end):
      guard let bytes = DescriptorText.next(connection.descriptor) else {
        if .now >= end { hangUp() }
        return nil
      }
      guard !bytes.isEmpty else {
        hangUp()
        return nil
      }
      switch reader.take(bytes) {
      case .incomplete:
        state = .reading(connection, reader, until: end)
        if .now >= end { hangUp() }
      case .invalid: answer(.refused("the request is too long"), on: connection)
      case .complete(let message):
        guard let request = PortalRequest(message) else {
          answer(.refused("the request can't be read"), on: connection)
          return nil
        }
        state = .waiting(connection)
        return request
      }
      return nil
    case .waiting: return nil
    case .answering(let connection, let rest, let end):
      guard .now < end, let count = connection.send(rest) else {
        hangUp()
        return nil
      }
      if count == rest.count {
        hangUp()
      } else {
        state = .answering(connection, rest.dropFirst(count), until: end)
      }
      return nil
    }
  }

  /// Answers the request that `advance` has returned.
  func answer(_ answer: PortalAnswer) {
    guard case .waiting(let connection) = state else { return }
    self.answer(answer, on: connection)
  }

  private func answer(_ answer: PortalAnswer, on connection: UnixSocket) {
    state = .answering(connection, MessageReader.framed(answer.bytes)[...], until: .now + Self.patience)
  }

  private func hangUp() { state = .idle }
}

/// The text about a request for the user, and its validation.
enum PortalQuestion {
  /// The error in a request, for the client.
  static func problem(in request: PortalRequest) -> String? {
    for filter in request.filters {
      do {
        _ = try PickerFilter(parsing: filter)
      } catch {
        return "--filter: \(error)"
      }
    }
    guard let query = request.query else { return nil }
    do {
      _ = try SearchQuery(parsing: query, in: .ofProcess)
      return nil
    } catch {
      return "--query: \(error)"
    }
  }

  /// A line for the terminal before the picker is shown; untrusted text is escaped.
  static func line(for request: PortalRequest) -> [UInt8]? {
    guard let purpose = request.purpose, !purpose.allSatisfy(\.isWhitespace) else { return nil }
    return Array("tpick: the command asks for photos: \(OutputText.line(purpose))\r\n".utf8)
  }
}
