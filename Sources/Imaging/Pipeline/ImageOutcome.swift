import AssetLibrary
import Pixels

/// What a job or a download has led to.
enum ImageOutcome: Sendable {
  case picture(PixelBuffer, isDegraded: Bool, note: String?)
  case data([UInt8], AssetResource)
  /// No picture: none at hand, or nobody wants it any more.
  case nothing
  case failure(AssetError)

  /// Which half of the work this is; nil where it is neither.
  var phase: JobPhase? {
    switch self {
    case .picture(_, let isDegraded, _): isDegraded ? .degraded : .final
    case .data: .final
    case .nothing, .failure: nil
    }
  }
}
