/// Why the helper gives no answer.
package enum CodecError: Error, Hashable, Sendable {
  /// The program is not installed beside tpick or does not start.
  ///
  /// Says nothing about the file.
  case missing(HelperProgram)
  /// The kernel does not confine the helper, and the user has not allowed that.
  ///
  /// Says nothing about the file.
  case unconfined
  /// The file was examined and is unreadable; the reason reads as words after a colon.
  case unreadable(String)
  /// The file needs more than the limits allow; the reason reads as words after a colon.
  case tooLarge(String)
  /// The request was for an embedded picture, and the file has none.
  case nothingEmbedded
  /// The request read a part of the file that is not available; the range is the one needed.
  case incomplete(Range<Int>)
  /// Memory or another system resource was too short to examine the file.
  case noMemory
  /// The system currently lacks resources for another helper: descriptors, processes or memory.
  ///
  /// Says nothing about the file.
  case exhausted
  /// The descriptor of the file or of the result could not be sent: too many files are open in one of the two
  /// processes.
  case noDescriptors
  /// This helper does not support the file's format.
  case unknownFormat
  /// Reading the file failed; the reason reads as words after a colon.
  case readError(String)
  /// The helper gave up by itself: the file or the machine was too slow.
  case late
  /// The request was cancelled.
  case cancelled
  /// The helper died on this file.
  case died
  /// The helper exceeded the deadline on this file.
  case hung
}

extension CodecError {
  /// Returns the error for a picture with too many pixels, worded as for pictures that tpick decodes itself.
  package static func tooLarge(width: Int, height: Int) -> CodecError {
    .tooLarge("the picture is \(width.grouped) x \(height.grouped) pixels, too large to be shown")
  }

  /// A message for the user, to follow a file name and a colon.
  package var reason: String {
    switch self {
    case .missing(let program): program.missingMessage
    case .unconfined:
      "this system can't confine the program that reads it; set \(ConfinementPolicy.setting) in the configuration to run it unconfined"
    case .unreadable(let reason), .tooLarge(let reason), .readError(let reason): reason
    case .unknownFormat: "not a picture in a known format"
    case .late: "decoding it takes too long"
    case .cancelled: "was cancelled"
    case .nothingEmbedded: "no preview in the file"
    case .incomplete: "parts of the file are missing"
    case .noDescriptors: "too many open files"
    case .noMemory, .exhausted: "not enough memory or open files"
    case .died: "the reader of this format crashed on it"
    case .hung: "reading it takes too long"
    }
  }

  /// Whether the cause may be temporary and outside the file: a slow disk, little memory, a helper killed from
  /// outside.
  ///
  /// If the same file stalls repeatedly in several runs, the file is the cause.
  package var isStall: Bool {
    switch self {
    case .noMemory, .died, .hung, .late: true
    case .unknownFormat, .readError, .cancelled: false
    case .missing, .unconfined, .exhausted, .unreadable, .tooLarge, .nothingEmbedded, .incomplete,
      .noDescriptors:
      false
    }
  }

  /// Whether the same file may succeed later.
  package var isTransient: Bool {
    switch self {
    case .missing, .unconfined, .exhausted, .noDescriptors, .readError, .cancelled: true
    default: isStall
    }
  }

  /// Whether no helper is available that may be given files.
  package var isHelperUnavailable: Bool {
    switch self {
    case .missing, .unconfined: true
    default: false
    }
  }
}

extension Int {
  /// The number with commas between the thousands, for display.
  fileprivate var grouped: String {
    let digits = Array(String(self))
    let parts = stride(from: digits.count, to: 0, by: -3).map { end in
      String(digits[Swift.max(0, end - 3)..<end])
    }
    return parts.reversed().joined(separator: ",")
  }
}
