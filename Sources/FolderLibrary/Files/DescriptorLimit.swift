import SystemPackage
import System

/// What is done where the process, or the system, may open no more files for the moment.
enum DescriptorLimit {
  /// The longest wait for others to close theirs.
  private static let patience: Duration = .seconds(3)

  /// Whether an error is one that passes once others have closed their files.
  static func isReached(_ error: Errno) -> Bool {
    error == .tooManyOpenFiles || error == .tooManyOpenFilesInSystem
  }

  /// Opens something; where the limit is reached again and again, for some time.
  /// - Parameter open: answers a descriptor, or a negative number with the cause in `errno`.
  static func waiting(_ open: () -> Int32) -> Int32 {
    var waited = Duration.zero
    var pause = Duration.microseconds(500)
    while true {
      let descriptor = open()
      let failure = errno
      guard descriptor < 0, isReached(Errno(rawValue: failure)), waited < patience else {
        errno = failure
        return descriptor
      }
      Waiting.pause(pause)
      waited += pause
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// How many files may be open at once.
  static var count: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }
}
