import AssetLibrary
import CodecProtocol
import Decoding

extension CodecError {
  /// Why a decode ended, for tpick.
  init(_ stop: DecodeStop) {
    self =
      switch stop {
      case .cancelled: .cancelled
      case .failed(let reason): .unreadable(reason)
      case .unreadable(let error): .readError(error.reason)
      case .noMemory: .noMemory
      case .late: .late
      }
  }

  /// Why there is no frame, for tpick.
  init(_ error: AssetError) {
    self = error.isStall ? .late : error.isTransient ? .readError(error.reason) : .unreadable(error.reason)
  }
}
