/// Why the helper gives no answer.
package enum CodecError: Error, Hashable, Sendable {
  /// There is no such program beside tpick, or none that starts: nothing is known about the file.
  case missing(HelperProgram)
  /// The kernel does not confine the helper, and the user has not allowed that: nothing is known about the file.
  case unconfined
  /// The file was looked at and can't be read; the reason as words after a colon.
  case unreadable(String)
  /// The file asks for more than it may have; the reason as words after a colon.
  case tooLarge(String)
  /// The picture that a file may carry of itself was asked for, and there is none.
  case nothingEmbedded
  /// Of a file of which parts are there: the range of bytes that is needed besides.
  case incomplete(Range<Int>)
  /// There was not enough memory to look at the file, or not enough of anything else that the system shares out.
  case noMemory
  /// The system has nothing left for another helper for the moment: open files, processes or memory. It is no fault of the
  /// file.
  case exhausted
  /// The file, or what became of it, could not be handed over: too many files are open in one process or the other.
  case noDescriptors
  /// The file is of no format that this helper knows.
  case unknownFormat
  /// The file could not be read; the reason as words after a colon.
  case readError(String)
  /// The helper gave up by itself: the file, or the machine, took too long.
  case late
  /// Nobody waits for the answer any more.
  case cancelled
  /// The helper died on this file.
  case died
  /// The helper took too long on this file.
  case hung
}

extension CodecError {
  /// A picture of more pixels than are shown, in the words that tpick has for those that it decodes itself.
  package static func tooLarge(width: Int, height: Int) -> CodecError {
    .tooLarge("the picture is \(width.grouped) x \(height.grouped) pixels, too large to be shown")
  }

  /// Words for the user that follow a file's name and a colon.
  package var reason: String {
    switch self {
    case .missing(let program): program.absence
    case .unconfined:
      "this system can't confine the program that would read it; \(ConfinementPolicy.setting) in the configuration allows it all the same"
    case .unreadable(let reason), .tooLarge(let reason), .readError(let reason): reason
    case .unknownFormat: "it is no picture of a known format"
    case .late: "it takes too long to be shown"
    case .cancelled: "was cancelled"
    case .nothingEmbedded: "no preview in the file"
    case .incomplete: "parts of the file are missing"
    case .noDescriptors: "too many open files"
    case .noMemory, .exhausted: "not enough memory or open files"
    case .died: "reading it took the reader of this format down"
    case .hung: "reading it takes too long"
    }
  }

  /// Whether the cause may have been a passing one, of the machine and not of the file: a slow disk, little memory,
  /// a helper that was killed from outside.
  ///
  /// Where the same file stalls again and again in several runs, the file is the cause.
  package var isStall: Bool {
    switch self {
    case .noMemory, .died, .hung, .late: true
    case .unknownFormat, .readError, .cancelled: false
    case .missing, .unconfined, .exhausted, .unreadable, .tooLarge, .nothingEmbedded, .incomplete,
      .noDescriptors:
      false
    }
  }

  /// Whether the same file may do another time.
  package var isTransient: Bool {
    switch self {
    case .missing, .unconfined, .exhausted, .noDescriptors, .readError, .cancelled: true
    default: isStall
    }
  }

  /// Whether there is no helper that any file may be given to.
  package var isAbsence: Bool {
    switch self {
    case .missing, .unconfined: true
    default: false
    }
  }
}

extension Int {
  /// The number with commas between its thousands, for people.
  fileprivate var grouped: String {
    let digits = Array(String(self))
    let parts = stride(from: digits.count, to: 0, by: -3).map { end in
      String(digits[Swift.max(0, end - 3)..<end])
    }
    return parts.reversed().joined(separator: ",")
  }
}
