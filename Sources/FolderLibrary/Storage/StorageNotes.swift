import FoundationEssentials
import GRDB
import Synchronization
import SystemPackage
import System

/// Words to the user about what could not be kept, each said once.
final class StorageNotes: Sendable {
  private let words = Mutex<[String]>([])

  var all: [String] { words.withLock { $0 } }

  func add(_ word: String) { words.withLock { if !$0.contains(word) { $0.append(word) } } }

  /// Adds what went wrong, and why.
  func add(_ text: String, _ error: any Error) { add("\(text): \(Self.reason(error))") }

  /// The cause of an error in words.
  static func reason(_ error: any Error) -> String {
    if let error = error as? DatabaseError { return error.message ?? "\(error.resultCode)" }
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    return cause.map { Errno(rawValue: $0.code.rawValue).description } ?? "\(error)"
  }
}
