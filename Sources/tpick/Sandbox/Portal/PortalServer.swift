import AssetLibrary
import CursesHost
import Sandbox
import System
import SystemPackage

/// The side of the portal that is outside: takes one request at a time and sends its answer.
///
/// Whoever connects is a stranger. It never blocks: who sends too much, too slowly or nothing, or does not take the answer, is
/// hung up on. Used by one thread, which waits for `descriptor`.
final class PortalServer {
  private enum State {
    case idle
    case reading(UnixSocket, MessageReader, until: ContinuousClock.Instant)
    /// The request is with the user.
    case waiting(UnixSocket)
    case answering(UnixSocket, ArraySlice<UInt8>, until: ContinuousClock.Instant)
  }

  private let listener: UnixSocket
  private var state = State.idle

  /// How long a request and an answer may take.
  private static let patience: Duration = .seconds(5)

  /// - Parameter folder: the folder of the session, in which the socket gets its name.
  init(in folder: [UInt8]) throws(Failure) {
    do throws(Errno) {
      listener = try UnixSocket.listen(in: FilePath(bytes: folder), as: SandboxPlace.portalName)
    } catch {
      throw .error("run: can't make the socket of the portal: \(error)")
    }
  }

  /// What is waited for, and until when; nil while a request is with the user.
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

  /// Goes on, after a wait.
  /// - Returns: a request that is to be answered by `answer`.
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

/// What the user is told of a request, and whether it can be asked.
enum PortalQuestion {
  /// What is wrong with a request, for the one who made it.
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

  /// A line for the terminal, before the picker; the words of a stranger show no more than they say.
  static func line(for request: PortalRequest) -> [UInt8]? {
    guard let purpose = request.purpose, !purpose.allSatisfy(\.isWhitespace) else { return nil }
    return Array("tpick: the command asks for photos: \(OutputText.line(purpose))\r\n".utf8)
  }
}
