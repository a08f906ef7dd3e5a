import System
import FoundationEssentials
import Synchronization

/// An rclone remote: lists its folders and reads its files.
///
/// Any thread may call; calls block until the server responds. The first call starts rclone, and a call after
/// a crash restarts it. rclone ends with the last reference, with `stop`, or with tpick. Transient failures
/// are retried.
package final class RcloneRemote: Sendable {
  /// The remote as the user wrote it, without secrets.
  let subject: String
  let settings: RcloneSettings
  let specification: RemoteSpecification?
  /// Texts that must not appear in messages.
  let secrets: [String]
  /// The remote's name in requests to rclone.
  let engineName: String
  let keeper: DaemonKeeper
  private let sessions: SessionPool
  private let pace: RequestPace
  /// Whether the server supports ranges; nil before the first range request that does not start at offset 0.
  let knownRangeSupport = Mutex<Bool?>(nil)
  /// Whether a thread is checking range support.
  let isProbing = Atomic(false)
  let knownRangedRemoteName = Mutex<String?>(nil)
  private let knownFeatures = Mutex<RcloneFeatures?>(nil)
  private let isStopped = Atomic(false)
  private let health: Mutex<ServerHealth>
  /// The last failure to reach the server: the reason in messages while the server is considered down.
  private let lastFailure = Mutex<RcloneError?>(nil)
  private let begin = ContinuousClock.now

  /// The names that rclone gets for a remote which is not in its configuration: one for reading whole files,
  /// and one for everything else (see `rangedRemoteName`).
  static let (adHocRemoteName, adHocRangedRemoteName) = ("tpick0:", "tpick1:")

  /// Creates the remote.
  ///
  /// Starts nothing yet.
  /// - Parameter remote: in rclone's syntax, with its colon: `RemoteAddress.remote`.
  package init(_ remote: String, settings: RcloneSettings = RcloneSettings()) {
    self.settings = settings
    specification = RemoteSpecification(remote)
    let written = specification?.secrets ?? (remote.isEmpty ? [] : [remote])
    secrets = SecretTexts.forms(of: written + SecretTexts.inEnvironment(ProcessEnvironment.variables))
    if remote.isEmpty {
      // rclone without a remote, to query its configuration.
      engineName = ""
      subject = "rclone"
      keeper = DaemonKeeper(settings, remotes: [])
    } else if let specification, specification.isPlain {
      engineName = remote
      subject = remote
      keeper = DaemonKeeper(settings, remotes: [])
    } else {
      // The specification may contain secrets, so it must not appear in URLs or log lines.
      engineName = Self.adHocRemoteName
      subject = specification?.publicName ?? ":"
      keeper = DaemonKeeper(settings, remotes: Self.adHocRemotes(remote, specification))
    }
    health = Mutex(ServerHealth(patience: settings.patience, firstPause: settings.recovery))
    sessions = SessionPool(count: settings.limits.concurrentRequests)
    pace = RequestPace(settings.limits)
  }

  /// Returns the remote's features.
  ///
  /// Requested once.
  package func features() throws(RcloneError) -> RcloneFeatures {
    if let known = knownFeatures.withLock({ $0 }) { return known }
    let answer = try call(Self.features, EngineParameters(fs: rangedRemoteName()), "") { false }
    let info = try decoded(FeaturesAnswer.self, from: answer, "")
    let found = RcloneFeatures(info, backend: try backend())
    knownFeatures.withLock { $0 = found }
    return found
  }

  /// Lists the entries directly in a folder.
  ///
  /// Blocks until the server responds.
  /// - Parameter folder: a path in the remote, "" = its root.
  package func list(
    _ folder: String, wantsHashes: Bool, isCancelled: @Sendable () -> Bool
  ) throws(RcloneError) -> [RcloneEntry] {
    var options = EngineParameters.Options()
    if wantsHashes { options.setHashes(try features().hashes) }
    let parameters = EngineParameters(fs: try rangedRemoteName(), remote: folder, opt: options)
    let answer = try call("operations/list", parameters, folder, isCancelled: isCancelled)
    return try decoded(ListAnswer.self, from: answer, folder).list.map(RcloneEntry.init)
  }

  /// Returns the available digests of a file: lower-case hexadecimal digits, keyed by md5, sha1 and sha256.
  package func hashes(of path: String) throws(RcloneError) -> [String: String] {
    var options = EngineParameters.Options()
    options.setHashes(try features().hashes)
    guard options.showHash else { return [:] }
    guard let found = try entry(at: path, options) else { throw RcloneError(.notFound, name(of: path)) }
    return found.hashes
  }

  /// Returns the entry at a path; nil if there is none.
  package func entry(at path: String) throws(RcloneError) -> RcloneEntry? {
    try entry(at: path, EngineParameters.Options())
  }

  private func entry(at path: String, _ options: EngineParameters.Options) throws(RcloneError) -> RcloneEntry?
  {
    let parameters = EngineParameters(fs: try rangedRemoteName(), remote: path, opt: options)
    do throws(RcloneError) {
      let answer = try call("operations/stat", parameters, path) { false }
      return try decoded(StatAnswer.self, from: answer, path).item.map(RcloneEntry.init)
    } catch {
      // Some backends report a missing parent folder this way.
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  /// Sends requests again even if the server is considered down.
  package func revive() { health.withLock { $0.revive() } }

  /// Stops rclone.
  ///
  /// Cancels pending and future requests.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    keeper.stop()
    sessions.closeIdle()
  }

  /// Returns a path in the remote for use in messages.
  func name(of path: String) -> String { subject + path }

  /// Calls a command of rclone's remote control (https://rclone.org/rc/), with retries.
  /// - Returns: the response, JSON.
  func call(
    _ command: String, _ parameters: EngineParameters, _ path: String, isCancelled: () -> Bool
  ) throws(RcloneError) -> [UInt8] {
    let body: [UInt8]
    do { body = Array(try JSONEncoder().encode(parameters)) } catch {
      throw RcloneError(.failed, name(of: path), "the name can't be encoded for rclone")
    }
    let asked: Asked = command.hasPrefix("config/") ? .rclone : command == Self.features ? .either : .server
    return try trying(path, asked, isCancelled: isCancelled) { daemon, session throws(RequestFailure) in
      try self.call(command, body, path, daemon, session, isCancelled: { self.isGivenUp(isCancelled) })
    }
  }

  /// The command that returns the features of a remote.
  private static let features = "operations/fsinfo"

  /// Who answers a request, and so whether its result shows that the server is up or down.
  enum Asked {
    case server
    /// rclone may answer without connecting to the server: only a failure says something about the server.
    case either
    /// rclone answers without the server.
    case rclone
  }

  /// Performs a request with retries, within the rate limits.
  /// - Parameters:
  ///   - asked: who answers the request.
  ///   - isOnce: whether to make only one attempt.
  ///   - hasProgress: whether the last attempt received data; if so, the count of failures starts anew.
  func trying<Success>(
    _ path: String, _ asked: Asked = .server, isCancelled: () -> Bool, isOnce: Bool = false,
    hasProgress: () -> Bool = { false },
    _ attempt: (RcloneDaemon, HTTPSession) throws(RequestFailure) -> Success
  ) throws(RcloneError) -> Success {
    var failures = 0
    var generator = SystemRandomNumberGenerator()
    while true {
      var began: Duration?
      do throws(RequestFailure) {
        let result = try sessions.withSession(isCancelled: { isGivenUp(isCancelled) }) {
          session throws(RequestFailure) in
          guard pace.waitForRequest(isCancelled: { isGivenUp(isCancelled) }) else {
            throw RequestFailure(RcloneError(.cancelled, name(of: path)))
          }
          if asked != .rclone {
            try checkHealth(path)
            began = now
          }
          let daemon: RcloneDaemon
          do throws(RcloneError) {
            daemon = try keeper.daemon(isCancelled: { isGivenUp(isCancelled) })
          } catch { throw RequestFailure(error) }
          return try attempt(daemon, session)
        }
        if asked == .server { noteAnswer() }
        return result
      } catch {
        let isProgress = hasProgress()
        failures = isProgress ? 1 : failures + 1
        var problem = error.error
        if problem.subject.isEmpty, problem.kind != .programMissing { problem.subject = name(of: path) }
        let pause = settings.retries.pause(
          afterFailures: failures, isTransient: problem.isTransient, wish: error.wish, using: &generator)
        // Requests with a single attempt check for range support: an interruption there is one of the
        // expected results, and says nothing about the server.
        if let began, !isOnce {
          note(problem, began: began, isProgress: isProgress, isLast: pause == nil)
        }
        guard let pause, !isOnce, !health.withLock(\.isGivenUp) else {
          throw settings.explain?(problem) ?? problem
        }
        guard RequestPace.wait(pause, isCancelled: { isGivenUp(isCancelled) }) else {
          throw RcloneError(.cancelled, name(of: path))
        }
      }
    }
  }

  private var now: Duration { begin.duration(to: .now) }

  /// - Throws: the last failure if the server is considered down.
  private func checkHealth(_ path: String) throws(RequestFailure) {
    if health.withLock({ $0.admits(at: now) }) { return }
    let last = lastFailure.withLock { $0 }
    var error = RcloneError(last?.kind ?? .unreachable, name(of: path), last?.reason)
    error.reason +=
      settings.recovery == nil ? "; no further requests are sent to it" : "; tpick tries again after a pause"
    throw RequestFailure(error)
  }

  /// Records a response or bytes from the server.
  func noteAnswer() { health.withLock { $0.didAnswer(at: now) } }

  private func note(_ problem: RcloneError, began: Duration, isProgress: Bool, isLast: Bool) {
    switch problem.kind {
    case .unreachable, .timedOut:
      if isProgress { return noteAnswer() }
      lastFailure.withLock { $0 = problem }
      health.withLock { $0.didFail(began: began, at: now, isLast: isLast) }
    case .cancelled, .programMissing, .programTooOld: break
    case .noSuchRemote, .accessDenied, .notFound, .rangeIgnored, .certificate, .changed, .tooManyRequests,
      .failed:
      noteAnswer()
    }
  }

  /// Waits until received bytes fit the rate limit.
  func waitForBytes(_ count: Int, isCancelled: () -> Bool) -> Bool {
    pace.waitForBytes(count, isCancelled: isCancelled)
  }

  func isGivenUp(_ isCancelled: () -> Bool) -> Bool {
    isStopped.load(ordering: .relaxed) || isCancelled()
  }

  func decoded<Answer: Decodable>(
    _ type: Answer.Type, from bytes: [UInt8], _ path: String
  ) throws(RcloneError) -> Answer {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw RcloneError(.failed, name(of: path), "rclone sent an invalid response")
    }
  }
}

extension RcloneRemote {
  /// Longer responses are rejected: a folder of a million files takes less.
  private static let longestAnswer = 384 << 20
  /// The number of bytes kept of an error response.
  static let longestError = 1 << 16

  /// Makes one attempt of a command.
  func call(
    _ command: String, _ body: [UInt8], _ path: String, _ daemon: RcloneDaemon, _ session: HTTPSession,
    isCancelled: () -> Bool
  ) throws(RequestFailure) -> [UInt8] {
    let request = HTTPRequest(
      url: "\(daemon.address)/\(command)", user: RcloneDaemon.user, password: daemon.password, body: body,
      // rclone sends nothing until a listing is complete, and itself detects a server that does not respond.
      idleTimeout: max(.seconds(120), settings.answerTimeout * 4))
    var answer: [UInt8] = []
    var isTooLong = false
    let result = session.perform(request, isCancelled: isCancelled) { head, bytes in
      isTooLong = answer.count + bytes.count > (head.status == 200 ? Self.longestAnswer : Self.longestError)
      if !isTooLong { answer += bytes }
      return !isTooLong
    }
    if isTooLong {
      throw RequestFailure(RcloneError(.failed, name(of: path), "rclone's response is too long"))
    }
    if let failure = failure(of: result, path, daemon) { throw failure }
    guard result.head.status == 200 else { throw failure(in: answer, result.head, path) }
    return answer
  }

  /// Returns why there is no complete response; nil if there is one.
  func failure(of result: HTTPSession.Result, _ path: String, _ daemon: RcloneDaemon) -> RequestFailure? {
    let subject = name(of: path)
    switch result.ending {
    case .answered, .stopped: return nil
    case .cancelled: return RequestFailure(RcloneError(.cancelled, subject))
    case .unreachable:
      keeper.lost(daemon, isForced: true)
      return RequestFailure(RcloneError(.unreachable, subject, "rclone has exited"))
    case .timedOut:
      keeper.lost(daemon, isForced: false)
      return RequestFailure(RcloneError(.timedOut, subject))
    case .brokenOff:
      keeper.lost(daemon, isForced: false)
      return RequestFailure(RcloneError(.unreachable, subject, "the connection was interrupted"))
    case .failed:
      keeper.lost(daemon, isForced: false)
      return RequestFailure(RcloneError(.failed, subject, RcloneMessage.cleaned(result.reason)))
    }
  }

  /// Returns the error in an error response from rclone.
  func failure(in answer: [UInt8], _ head: HTTPHead, _ path: String) -> RequestFailure {
    // The password is known to be right, so an error is never about rclone's own authentication.
    let told = try? decoded(ErrorAnswer.self, from: answer, path)
    let text = told?.error ?? String(decoding: answer, as: UTF8.self)
    let error = RcloneError(
      text: text, status: head.status, subject: name(of: path), hiding: secrets)
    return RequestFailure(error, wish: head.retryAfter)
  }
}

/// The parameters of a command of rclone's remote control.
struct EngineParameters: Encodable {
  /// The remote.
  var fs: String?
  /// A path in the remote.
  var remote: String?
  /// The name of a configured remote.
  var name: String?
  var opt: Options?

  /// Options of operations/list and operations/stat.
  struct Options: Encodable {
    var noMimeType = true
    var showHash = false
    var hashTypes: [String]?
    var filesOnly: Bool?

    /// Requests those digests that both tpick and the remote support.
    mutating func setHashes(_ known: [String]) {
      let wanted = known.filter { RcloneEntry.hashNames.contains($0) }
      showHash = !wanted.isEmpty
      hashTypes = wanted.isEmpty ? nil : wanted
    }
  }
}

/// A file or folder in a listing.
package struct RcloneEntry: Hashable, Sendable {
  package var name: String
  /// In bytes; -1 for folders, and for files whose size the server does not report.
  package var size: Int64
  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  package var modified: Int64
  package var isFolder: Bool
  /// The server's own identifier; nil if it has none.
  package var id: String?
  /// Digests of the contents, keyed by md5, sha1 and sha256: lower-case hexadecimal digits.
  package var hashes: [String: String]

  package init(
    name: String, size: Int64, modified: Int64, isFolder: Bool, id: String? = nil,
    hashes: [String: String] = [:]
  ) {
    self.name = name
    self.size = size
    self.modified = modified
    self.isFolder = isFolder
    self.id = id
    self.hashes = hashes
  }
}
