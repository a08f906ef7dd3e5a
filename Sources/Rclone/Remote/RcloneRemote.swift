import System
import FoundationEssentials
import Synchronization

/// A remote of rclone: its folders and the bytes of its files.
///
/// Calls may come from any thread, and wait for the server. rclone is started with the first of them, started again after it died, and ended with
/// the last reference, with `stop`, or with tpick. What fails for a moment is tried again.
package final class RcloneRemote: Sendable {
  /// How the user named it, without secrets.
  let subject: String
  let settings: RcloneSettings
  let specification: RemoteSpecification?
  /// What must not be read in messages.
  let secrets: [String]
  /// As rclone is asked for it.
  let engineName: String
  let keeper: DaemonKeeper
  private let sessions: SessionPool
  private let pace: RequestPace
  /// Whether its server sends parts of files; nil before the first that does not begin with the file.
  let knownRanges = Mutex<Bool?>(nil)
  /// Whether somebody is about to find that out.
  let isProbing = Atomic(false)
  let knownQuickName = Mutex<String?>(nil)
  private let knownFeatures = Mutex<RcloneFeatures?>(nil)
  private let isStopped = Atomic(false)
  private let health: Mutex<ServerHealth>
  /// Why the server was given up.
  private let lastFailure = Mutex<RcloneError?>(nil)
  private let begin = ContinuousClock.now

  /// What remotes are called that are in no configuration: for whole files, and for all else.
  static let (madeName, madeQuickName) = ("tpick0:", "tpick1:")

  /// Makes it known; nothing is started yet.
  /// - Parameter remote: as rclone writes it, with its colon: `RemoteAddress.remote`.
  package init(_ remote: String, settings: RcloneSettings = RcloneSettings()) {
    self.settings = settings
    specification = RemoteSpecification(remote)
    let written = specification?.secrets ?? (remote.isEmpty ? [] : [remote])
    secrets = SecretTexts.forms(of: written + SecretTexts.inEnvironment(ProcessEnvironment.variables))
    if remote.isEmpty {
      // rclone alone, for its configuration.
      engineName = ""
      subject = "rclone"
      keeper = DaemonKeeper(settings, remotes: [])
    } else if let specification, specification.isPlain {
      engineName = remote
      subject = remote
      keeper = DaemonKeeper(settings, remotes: [])
    } else {
      // What it is made of may be secret: it goes into no address, and no line of a log.
      engineName = Self.madeName
      subject = specification?.publicName ?? ":"
      keeper = DaemonKeeper(settings, remotes: Self.madeRemotes(remote, specification))
    }
    health = Mutex(ServerHealth(patience: settings.patience, firstPause: settings.recovery))
    sessions = SessionPool(count: settings.limits.concurrentRequests)
    pace = RequestPace(settings.limits)
  }

  /// What it can do; asked once.
  package func features() throws(RcloneError) -> RcloneFeatures {
    if let known = knownFeatures.withLock({ $0 }) { return known }
    let answer = try call(Self.features, EngineParameters(fs: quickName()), "") { false }
    let info = try decoded(FeaturesAnswer.self, from: answer, "")
    let found = RcloneFeatures(info, backend: try backend())
    knownFeatures.withLock { $0 = found }
    return found
  }

  /// The entries of one folder, not those below.
  ///
  /// Waits for the server.
  /// - Parameter folder: a path in the remote, "" = its root.
  package func list(
    _ folder: String, wantsHashes: Bool, isCancelled: @Sendable () -> Bool
  ) throws(RcloneError) -> [RcloneEntry] {
    var options = EngineParameters.Options()
    if wantsHashes { options.setHashes(try features().hashes) }
    let parameters = EngineParameters(fs: try quickName(), remote: folder, opt: options)
    let answer = try call("operations/list", parameters, folder, isCancelled: isCancelled)
    return try decoded(ListAnswer.self, from: answer, folder).list.map(RcloneEntry.init)
  }

  /// The digests of a file that can be had, as hexadecimal digits in lower case, by the names md5, sha1 and sha256.
  package func hashes(of path: String) throws(RcloneError) -> [String: String] {
    var options = EngineParameters.Options()
    options.setHashes(try features().hashes)
    guard options.showHash else { return [:] }
    guard let found = try entry(at: path, options) else { throw RcloneError(.notFound, name(of: path)) }
    return found.hashes
  }

  /// What is at a path; nil = nothing.
  package func entry(at path: String) throws(RcloneError) -> RcloneEntry? {
    try entry(at: path, EngineParameters.Options())
  }

  private func entry(at path: String, _ options: EngineParameters.Options) throws(RcloneError) -> RcloneEntry?
  {
    let parameters = EngineParameters(fs: try quickName(), remote: path, opt: options)
    do throws(RcloneError) {
      let answer = try call("operations/stat", parameters, path) { false }
      return try decoded(StatAnswer.self, from: answer, path).item.map(RcloneEntry.init)
    } catch {
      // Where the folder around it is missing, some backends say so.
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  /// Has the server asked again, if it was given up.
  package func revive() { health.withLock { $0.revive() } }

  /// Ends rclone; what is under way and what is asked later is cancelled.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    keeper.stop()
    sessions.closeIdle()
  }

  /// A place in it, as the user knows it.
  func name(of path: String) -> String { subject + path }

  /// Calls a command of rclone's remote control (https://rclone.org/rc/), again where that helps.
  /// - Returns: the answer, JSON.
  func call(
    _ command: String, _ parameters: EngineParameters, _ path: String, isCancelled: () -> Bool
  ) throws(RcloneError) -> [UInt8] {
    let body: [UInt8]
    do { body = Array(try JSONEncoder().encode(parameters)) } catch {
      throw RcloneError(.failed, name(of: path), "a name can't be told to rclone")
    }
    let asked: Asked = command.hasPrefix("config/") ? .rclone : command == Self.features ? .either : .server
    return try trying(path, asked, isCancelled: isCancelled) { daemon, session throws(RequestFailure) in
      try self.call(command, body, path, daemon, session, isCancelled: { self.isGivenUp(isCancelled) })
    }
  }

  /// The command that tells what a remote can do.
  private static let features = "operations/fsinfo"

  /// What a request says of the server.
  enum Asked {
    case server
    /// rclone answers for the server where it need not connect for that.
    case either
    /// Nothing: rclone answers itself.
    case rclone
  }

  /// Does a request, again where that helps, within the limits.
  /// - Parameters:
  ///   - asked: what it says of the server.
  ///   - isOnce: whether it is not to be tried again.
  ///   - hasProgress: whether the last try got something; then those before do not count.
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
        // What is tried once finds out how the server sends parts of files: it may break off for that.
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

  /// - Throws: why the server was given up, if it was.
  private func checkHealth(_ path: String) throws(RequestFailure) {
    if health.withLock({ $0.admits(at: now) }) { return }
    let last = lastFailure.withLock { $0 }
    var error = RcloneError(last?.kind ?? .unreachable, name(of: path), last?.reason)
    error.reason += settings.recovery == nil ? "; it is not asked again" : "; it is asked again after a pause"
    throw RequestFailure(error)
  }

  /// Notes that something came from the server.
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

  /// Waits until bytes that have come may have come.
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
      throw RcloneError(.failed, name(of: path), "rclone's answer can't be read")
    }
  }
}

extension RcloneRemote {
  /// Longer answers are refused: a folder of a million files takes less.
  private static let longestAnswer = 384 << 20
  /// What is kept of an answer that says what went wrong.
  static let longestError = 1 << 16

  /// One try of a command.
  func call(
    _ command: String, _ body: [UInt8], _ path: String, _ daemon: RcloneDaemon, _ session: HTTPSession,
    isCancelled: () -> Bool
  ) throws(RequestFailure) -> [UInt8] {
    let request = HTTPRequest(
      url: "\(daemon.address)/\(command)", user: RcloneDaemon.user, password: daemon.password, body: body,
      // rclone says nothing before it has all of a listing, and notices itself that the server is silent.
      idleTimeout: max(.seconds(120), settings.answerTimeout * 4))
    var answer: [UInt8] = []
    var isTooLong = false
    let result = session.perform(request, isCancelled: isCancelled) { head, bytes in
      isTooLong = answer.count + bytes.count > (head.status == 200 ? Self.longestAnswer : Self.longestError)
      if !isTooLong { answer += bytes }
      return !isTooLong
    }
    if isTooLong {
      throw RequestFailure(RcloneError(.failed, name(of: path), "the answer is too long"))
    }
    if let failure = failure(of: result, path, daemon) { throw failure }
    guard result.head.status == 200 else { throw failure(in: answer, result.head, path) }
    return answer
  }

  /// Why there is no whole answer; nil where there is one.
  func failure(of result: HTTPSession.Result, _ path: String, _ daemon: RcloneDaemon) -> RequestFailure? {
    let subject = name(of: path)
    switch result.ending {
    case .answered, .stopped: return nil
    case .cancelled: return RequestFailure(RcloneError(.cancelled, subject))
    case .unreachable:
      keeper.lost(daemon, isHopeless: true)
      return RequestFailure(RcloneError(.unreachable, subject, "rclone is gone"))
    case .timedOut:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.timedOut, subject))
    case .brokenOff:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.unreachable, subject, "the connection broke off"))
    case .failed:
      keeper.lost(daemon, isHopeless: false)
      return RequestFailure(RcloneError(.failed, subject, EngineText.cleaned(result.reason)))
    }
  }

  /// What an answer of rclone says went wrong.
  func failure(in answer: [UInt8], _ head: HTTPHead, _ path: String) -> RequestFailure {
    // rclone itself is asked with the right password: what it does not know is a command.
    let told = try? decoded(ErrorAnswer.self, from: answer, path)
    let text = told?.error ?? String(decoding: answer, as: UTF8.self)
    let error = RcloneError(
      text: text, status: head.status, subject: name(of: path), hiding: secrets)
    return RequestFailure(error, wish: head.retryAfter)
  }
}

/// What a command of rclone's remote control is told.
struct EngineParameters: Encodable {
  /// The remote.
  var fs: String?
  /// A path in it.
  var remote: String?
  /// The name of a configured remote.
  var name: String?
  var opt: Options?

  /// Of operations/list and operations/stat.
  struct Options: Encodable {
    var noMimeType = true
    var showHash = false
    var hashTypes: [String]?
    var filesOnly: Bool?

    /// Has those digests told that tpick knows and the remote has.
    mutating func setHashes(_ known: [String]) {
      let wanted = known.filter { RcloneEntry.hashNames.contains($0) }
      showHash = !wanted.isEmpty
      hashTypes = wanted.isEmpty ? nil : wanted
    }
  }
}

/// A file or a folder in a listing.
package struct RcloneEntry: Hashable, Sendable {
  package var name: String
  /// In bytes; -1 where the server does not know before it is read, and of folders.
  package var size: Int64
  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  package var modified: Int64
  package var isFolder: Bool
  /// The server's own identifier; nil where it has none.
  package var id: String?
  /// Digests of the contents by their names (md5, sha1, sha256), as hexadecimal digits in lower case.
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
