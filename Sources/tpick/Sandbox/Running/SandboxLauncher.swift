import AssetLibrary
import CPlatform
import Sandbox
import SystemPackage
import System

/// tpick as the first program in the sandbox, which then executes the command.
///
/// bubblewrap ignores the signals that end programs, so that it outlives a Ctrl-C which the command handles; the
/// launcher restores their handling. It also verifies that each bound file is the one that was checked: bubblewrap
/// takes names, and another file may have got one meanwhile.
enum SandboxLauncher {
  /// A checked file or folder outside, and its path inside.
  struct Bound {
    private var place: [UInt8]
    private var device: UInt64
    private var inode: UInt64

    /// - Parameter facts: those of the open file or folder.
    init(_ facts: stat, at place: [UInt8]) {
      (self.place, device, inode) = (place, UInt64(facts.st_dev), UInt64(facts.st_ino))
    }

    /// - Parameter record: in the format of `record`.
    init?(_ record: [UInt8]) {
      let fields = record.split(separator: 0x20, maxSplits: 2)
      guard fields.count == 3, let device = UInt64(String(decoding: fields[0], as: UTF8.self)),
        let inode = UInt64(String(decoding: fields[1], as: UTF8.self))
      else { return nil }
      (place, self.device, self.inode) = (Array(fields[2]), device, inode)
    }

    var record: [UInt8] { Array("\(device) \(inode) ".utf8) + place }

    /// Whether the file at the path inside is the checked one.
    var isInPlace: Bool {
      var facts = stat()
      return SandboxStage.call(place, { lstat($0, &facts) }) == 0 && UInt64(facts.st_dev) == device
        && UInt64(facts.st_ino) == inode
    }

    var name: String { String(decoding: place, as: UTF8.self) }
  }

  /// The content of `SandboxPlace.bound`.
  static func list(_ bound: [Bound]) -> [UInt8] { bound.flatMap { $0.record + [0] } }

  /// - Returns: why the command must not run; nil if all files are verified.
  private static func problem() -> String? {
    let file = open(SandboxPlace.bound, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "\(SandboxPlace.bound): \(Errno(rawValue: errno))" }
    defer { close(file) }
    for record in DescriptorText.read(file).split(separator: 0) {
      guard let bound = Bound(Array(record)) else { return "\(SandboxPlace.bound): can't be read" }
      if !bound.isInPlace {
        return "\(bound.name): was replaced after it was checked"
      }
    }
    return nil
  }

  /// The first argument, followed by a comma-separated list of signals to ignore, and the words of the command.
  static let word = "--sandbox-launch"

  /// The arguments of this program that launch a command.
  static func arguments(_ command: [[UInt8]], ignored: [Int32]) -> [[UInt8]] {
    [Array(word.utf8), Array(ignored.map(String.init).joined(separator: ",").utf8)] + command
  }

  /// The signals that end programs and are ignored by this process, as by `nohup`.
  static var ignoredSignals: [Int32] {
    SignalInbox.ending.filter { number in
      var action = sigaction()
      // SIG_IGN is the function at address 1: Swift can't import the macro or compare C functions.
      return sigaction(number, nil, &action) == 0
        && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
  }

  /// Executes the command if the program's arguments request that; returns otherwise.
  static func launchIfAsked() {
    guard process_argument_count() >= 4, let first = process_argument(1), strcmp(first, word) == 0 else {
      return
    }
    if let problem = problem() {
      Messages.warn("run: \(problem)")
      exit(126)
    }
    let arguments = ArgumentBytes.ofProcess
    let kept = String(decoding: arguments[1], as: UTF8.self).split(separator: ",").compactMap { Int32($0) }
    for number in SignalInbox.ending where !kept.contains(number) { signal(number, SIG_DFL) }
    let command = Array(arguments[2...])
    let error = CStrings.withPointers(command) { words in
      guard let name = words[0] else { return EINVAL }
      execvp(name, words)
      return errno
    }
    Messages.warn(
      "run: \(Wording.name(String(decoding: command[0], as: UTF8.self))): \(Errno(rawValue: error))")
    exit(error == ENOENT ? 127 : 126)
  }
}
