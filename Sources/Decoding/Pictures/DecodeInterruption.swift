package import AssetLibrary

/// Tells a decode whether anybody still wants the picture.
package protocol DecodeInterruption: Sendable {
  /// Whether nobody does; asked after every few rows.
  var isCancelled: Bool { get }
}

extension Cancellation: DecodeInterruption {}
