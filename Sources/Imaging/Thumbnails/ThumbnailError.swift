package import SystemPackage

/// Why a thumbnail was not kept, or not removed.
package enum ThumbnailError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is a thumbnail itself.
  case isThumbnail
  /// The picture is smaller than the thumbnail would have to be, or shows only a part of the original.
  case unfitPicture
  /// libspng refuses the picture, mostly for want of memory.
  case notEncoded
  /// The system refuses, with its cause.
  case refused(FilePath, Errno)

  /// Calls what may fail on a file.
  static func refusing<Value>(
    _ path: FilePath, _ body: () throws(Errno) -> Value
  ) throws(ThumbnailError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw .refused(path, error)
    }
  }

  package var description: String {
    switch self {
    case .isThumbnail: "it is a thumbnail itself"
    case .unfitPicture: "the picture is too small or not whole"
    case .notEncoded: "the thumbnail can't be encoded"
    case .refused(let path, let cause): "\(path.string): \(cause)"
    }
  }
}
