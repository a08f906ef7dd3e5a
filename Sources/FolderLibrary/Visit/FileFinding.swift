import CPlatform
import CodecProtocol
import MediaFormats
import Metadata

/// What a look into one file told.
struct FileFinding {
  enum Content {
    /// A medium. The facts are nil where only the codec helper can tell them.
    ///
    /// Facts are large: they are passed on by reference.
    indirect case media(FileFormat, MediaFacts?)
    /// It promises a medium, by its first bytes or its name, and is none; the reason as words after a colon.
    case broken(String)
    /// An XMP sidecar's facts.
    indirect case sidecar(MediaFacts)
    /// A companion that is known by its name alone.
    case adjustment
    case nothing
  }

  var name: FileName
  /// The index of the file among the names of its folder.
  var index: Int
  var status: file_status
  var content: Content
  /// Why the helper could not look into the file for the moment; the content is then what the name promises.
  var failure: CodecError?
  /// In how many runs a helper stalled on the file.
  var stalledRuns: UInt8 = 0
  /// Whether the file is on a server and nothing of it was read yet.
  var isAwaited = false

  /// Whether facts are still to come from the codec helper.
  var needsHelper: Bool {
    if failure == nil, !isAwaited, case .media(_, nil) = content { true } else { false }
  }

  /// Whether a further look will tell more.
  var isProvisional: Bool { needsHelper || failure != nil || isAwaited }
}
