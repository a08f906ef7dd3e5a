import Glibc
import Synchronization
import System
import SystemPackage
import TestScheduling
import Testing

/// A folder that is removed with its contents.
private final class Folder: Sendable {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/tpick-system.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit { _ = try? ChildProcess([Array("rm".utf8), Array("-rf".utf8), Array(path.string.utf8)]).wait() }

  func open(_ name: String) -> Int32 {
    Glibc.open(path.appending(name).string, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  }

  func mode(_ name: String) -> mode_t {
    var facts = stat()
    return stat(path.appending(name).string, &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  var names: [String] {
    guard let stream = opendir(path.string) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct WaitingTests {
  @Test func `A pause has its full length, whatever an earlier call was interrupted by`() {
    let begin = ContinuousClock.now
    errno = EINTR
    Waiting.pause(.milliseconds(30))
    #expect(begin.duration(to: .now) >= .milliseconds(30))
    Waiting.pause(.seconds(-5))
  }

  @Test func `A fulfilled condition is not waited for, and one that becomes true is`() {
    var questions = 0
    func after(_ count: Int) -> () -> Bool {
      questions = 0
      return {
        questions += 1
        return questions > count
      }
    }
    #expect(Waiting.until(every: .seconds(3600), after(0)) && questions == 1)
    #expect(Waiting.until(every: .milliseconds(1), after(3)) && questions == 4)
    #expect(Waiting.until(.now + .seconds(3600), every: .milliseconds(1), after(3)) && questions == 4)
    // An expired deadline causes no pause, and the condition is checked at least once.
    #expect(!Waiting.until(.now - .seconds(1), every: .seconds(3600), after(1)) && questions == 1)
    #expect(!Waiting.until(.now + .milliseconds(20), every: .seconds(3600)) { false })
  }
}

@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ConcurrentWorkTests {
  @Test func `Work on several threads runs concurrently, and is waited for`() {
    let begun = Mutex(0)
    let ended = Mutex(0)
    ConcurrentWork.perform(3) {
      begun.withLock { $0 += 1 }
      // Each waits for the others: with fewer threads this would not end.
      _ = Waiting.until(every: .milliseconds(1)) { begun.withLock { $0 } == 3 }
      ended.withLock { $0 += 1 }
    }
    #expect(ended.withLock { $0 } == 3)
    ConcurrentWork.perform(0) { begun.withLock { $0 += 1 } }
    #expect(begun.withLock { $0 } == 4)
  }

  @Test(arguments: [0, 1, 2, 1000]) func `Each index is processed once`(count: Int) {
    let seen = Mutex([Int](repeating: 0, count: count))
    ConcurrentWork.forEach(below: count) { index in seen.withLock { $0[index] += 1 } }
    #expect(seen.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test(arguments: [1, 3]) func `Jobs of a queue run once each, and no more at a time than allowed`(
    width: Int
  ) {
    let queue = WorkQueue(width: width)
    let state = Mutex((running: 0, most: 0, order: [Int]()))
    for job in 0..<40 {
      queue.async {
        state.withLock {
          $0.running += 1
          $0.most = max($0.most, $0.running)
          $0.order.append(job)
        }
        // Some are long enough for the queue to start more threads.
        Waiting.pause(.milliseconds(job.isMultiple(of: 10) ? 25 : 1))
        state.withLock { $0.running -= 1 }
      }
    }
    _ = Waiting.until(every: .milliseconds(1)) { state.withLock { $0.order.count == 40 && $0.running == 0 } }
    let (most, order) = state.withLock { ($0.most, $0.order) }
    #expect((1...width).contains(most))
    #expect(width == 1 ? order == Array(0..<40) : order.sorted() == Array(0..<40))
    // It starts again after it was empty.
    let again = Mutex(false)
    queue.async { again.withLock { $0 = true } }
    _ = Waiting.until(every: .milliseconds(1)) { again.withLock { $0 } }
  }

  @Test func `Low-priority work affects only its own thread`() {
    let own = getpriority(Int32(PRIO_PROCESS.rawValue), 0)
    for givesWay in [true, false] {
      let found = Mutex<(thread: pthread_t, niceness: Int32)?>(nil)
      #expect(
        WorkerThread.start(givesWay: givesWay) {
          found.withLock { $0 = (pthread_self(), getpriority(Int32(PRIO_PROCESS.rawValue), 0)) }
        })
      _ = Waiting.until(every: .milliseconds(1)) { found.withLock { $0 != nil } }
      let thread = found.withLock { $0 }
      #expect(thread?.thread != pthread_self() && thread?.niceness == (givesWay ? 10 : own))
    }
    #expect(getpriority(Int32(PRIO_PROCESS.rawValue), 0) == own)
    let hasRun = Mutex(0)
    WorkerThread.run { hasRun.withLock { $0 += 1 } }
    WorkerThread.call(after: .seconds(-1)) { hasRun.withLock { $0 += 1 } }
    _ = Waiting.until(every: .milliseconds(1)) { hasRun.withLock { $0 == 2 } }
  }

  /// Whether the calling thread blocks signals, in order.
  private static func blocks(_ signals: [Int32]) -> [Bool] {
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    return signals.map { sigismember(&mask, $0) == 1 }
  }

  @Test func `A thread that blocks signals still receives its own faults, and blocks none for other threads`()
  {
    let signals = [SIGTERM, SIGTTIN, SIGWINCH, SIGSEGV, SIGTRAP]
    let found = Mutex<(started: [Bool], starting: [Bool])?>(nil)
    // The thread of a test may block signals itself.
    WorkerThread.run {
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      let started = Mutex<[Bool]?>(nil)
      _ = WorkerThread.start(takesSignals: false) {
        let blocked = Self.blocks(signals)
        started.withLock { $0 = blocked }
      }
      _ = Waiting.until(every: .milliseconds(1)) { started.withLock { $0 != nil } }
      let starting = Self.blocks(signals)
      found.withLock { $0 = (started.withLock { $0 } ?? [], starting) }
    }
    _ = Waiting.until(every: .milliseconds(1)) { found.withLock { $0 != nil } }
    #expect(found.withLock { $0?.started } == [true, true, true, false, false])
    #expect(found.withLock { $0?.starting } == [false, false, false, false, false])
  }
}

@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct FileLockTests {
  @Test func `A lock is available to others only once it is released`() throws {
    let folder = try Folder()
    let second = FileLock(owning: folder.open("lock"))
    do {
      let first = FileLock(owning: folder.open("lock"))
      errno = 0
      let isLocked = first.lock()
      let (outcome, shared) = (second.tryLock(), second.tryLock(.shared))
      var questions = 0
      let given = second.lock(every: .milliseconds(1)) {
        questions += 1
        return questions < 3
      }
      let late = second.lock(within: .milliseconds(5))
      #expect(isLocked && outcome == .busy && shared == .busy && late == .busy)
      #expect(given == .busy && questions == 3)
    }
    let outcome = second.lock(within: .seconds(60))
    #expect(outcome == .locked)
  }

  @Test func `A shared lock is shared with others of its kind`() throws {
    let folder = try Folder()
    let first = FileLock(owning: folder.open("lock"))
    let second = FileLock(owning: folder.open("lock"))
    let outcomes = [first.tryLock(.shared), second.tryLock(.shared), second.tryLock()]
    #expect(outcomes == [.locked, .locked, .busy])
  }

  @Test func `Only a file can be locked`() {
    let lock = FileLock(owning: -1)
    let (outcome, waited, isLocked) = (lock.tryLock(), lock.lock(within: .seconds(3600)), lock.lock())
    #expect(outcome == .unsupported && waited == .unsupported && !isLocked)
  }
}

@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct PrivateFilesTests {
  @Test(arguments: [
    (".tpick.1f", true), (".tpick.0", true), (".tpick.ffffffffffffffff", true), (".tpick.1F", false),
    (".tpick.01", false), (".tpick.", false), (".tpick.x", false), ("tpick.1f", false), (".tpick.-1", false),
    (".tpick.1ffffffffffffffff", false),
  ])
  func `The names of unfinished files are distinguishable from others`(name: String, isDraft: Bool) {
    #expect(PrivateFile.isDraft(name) == isDraft)
  }

  @Test(arguments: [true, false])
  func `A file appears complete, accessible only to its owner, in created folders`(isDurable: Bool) throws {
    let folder = try Folder()
    let path = folder.path.appending("a").appending("b").appending("file")
    for bytes in [[1, 2, 3], [4]] as [[UInt8]] {
      try PrivateFile.write(bytes, to: path, isDurable: isDurable)
      #expect(PrivateFile.read(path, limit: bytes.count) == bytes)
      #expect(PrivateFile.read(path, limit: bytes.count - 1) == nil)
    }
    #expect(folder.mode("a") == 0o700 && folder.mode("a/b") == 0o700 && folder.mode("a/b/file") == 0o600)
  }

  @Test func `A file that can't get its name leaves nothing behind`() throws {
    let folder = try Folder()
    try PrivateFolder.make(folder.path.appending("taken"))
    #expect(throws: Errno.isDirectory) { try PrivateFile.write([1], to: folder.path.appending("taken")) }
    #expect(folder.names == ["taken"])
    try PrivateFile.write([1], to: folder.path.appending("file"))
    #expect(throws: Errno.notDirectory) {
      try PrivateFile.write([1], to: folder.path.appending("file").appending("below"))
    }
  }

  @Test func `A link is not written through, and only regular files are read`() throws {
    let folder = try Folder()
    let target = folder.path.appending("target")
    try PrivateFile.write([1], to: target)
    try #require(symlink("target", folder.path.appending("link").string) == 0)
    #expect(throws: Errno.tooManySymbolicLinkLevels) {
      try PrivateFile.open(folder.path.appending("link"), O_WRONLY)
    }
    // Without a writer, a pipe would block.
    try #require(mkfifo(folder.path.appending("pipe").string, 0o600) == 0)
    for name in ["pipe", "none", "."] {
      #expect(PrivateFile.read(folder.path.appending(name), limit: 100) == nil)
    }
  }

  @Test func `Files accessible to others are made private`() throws {
    let folder = try Folder()
    mkdir(folder.path.appending("open").string, 0o755)
    try PrivateFolder.make(folder.path.appending("open"))
    try PrivateFolder.make(folder.path.appending("x").appending("y"))
    PrivateFolder.makeFile(folder.path.appending("new"))
    close(folder.open("file"))
    chmod(folder.path.appending("file").string, 0o644)
    PrivateFolder.makeFile(folder.path.appending("file"))
    #expect(["open", "x", "x/y"].allSatisfy { folder.mode($0) == 0o700 })
    #expect(["new", "file"].allSatisfy { folder.mode($0) == 0o600 })
    #expect(throws: Errno.notDirectory) { try PrivateFolder.make(folder.path.appending("file")) }
  }
}

@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ChildProcessTests {
  private func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

  /// The output of a script.
  private func said(
    _ script: String, environment: [[UInt8]]? = nil, resetting: ChildProcess.SignalReset = .ignoredHere,
    hasOwnSession: Bool = false
  ) throws -> String {
    let (reading, writing) = try ChildProcess.pipe()
    defer { close(reading) }
    let child = try ChildProcess(
      words("sh", "-c", script), environment: environment, input: .null, output: .descriptor(writing),
      errors: .null, resetting: resetting, hasOwnSession: hasOwnSession)
    close(writing)
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while read(reading, &byte, 1) == 1 { text.append(byte) }
    #expect(child.wait() == 0 && child.wait() == nil)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `A child ends with its status, or that of the signal that ended it`() throws {
    for (script, status) in [("exit 0", 0), ("exit 3", 3), ("kill -1 $$", 129), ("kill -9 $$", 137)] {
      #expect(try ChildProcess(words("sh", "-c", script)).wait() == Int32(status))
    }
    #expect(ChildProcess.exitStatus(of: 0) == 0 && ChildProcess.exitStatus(of: 255 << 8) == 255)
    #expect((1...64).allSatisfy { ChildProcess.exitStatus(of: $0) == 128 + $0 })
    #expect(try ChildProcess(words("any", "-c", "exit 4"), path: "/bin/sh").wait() == 4)
    #expect(throws: Errno.noSuchFileOrDirectory) { try ChildProcess([]) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try ChildProcess(words("tpick-no-such-program")) }
  }

  @Test func `A child has the streams, environment and session it is given`() throws {
    #expect(try said("echo $A; read x || echo end", environment: words("A=b", "PATH=/bin")) == "b\nend\n")
    for hasOwnSession in [true, false] {
      let session = try said("echo $(($$)) $(cut -d' ' -f6 /proc/$$/stat)", hasOwnSession: hasOwnSession)
      let numbers = session.split(whereSeparator: \.isWhitespace)
      try #require(numbers.count == 2)
      #expect((numbers[0] == numbers[1]) == hasOwnSession)
    }
  }

  @Test func `A child ignores none of the signals that tpick ignores`() throws {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    func ignored(_ reset: ChildProcess.SignalReset) throws -> UInt64 {
      let line = try said("grep SigIgn /proc/$$/status", resetting: reset)
      return try #require(UInt64(line.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16))
    }
    let (pipe, other) = (UInt64(1) << UInt64(SIGPIPE - 1), UInt64(1) << UInt64(SIGUSR2 - 1))
    #expect(try ignored(.ignoredHere) & (pipe | other) == other)
    #expect(try ignored(.all) & (pipe | other) == 0)
  }
}
