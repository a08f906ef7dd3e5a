/// The assets that a client may see under limited access.
///
/// An identifier alone does not do: where a file is replaced by another one of its name, as programs save, the asset goes on
/// under its identifier. What the user allowed was the file that was there.
public struct AllowedAssets: Hashable, Sendable {
  /// The assets, whatever became of their files since.
  public private(set) var identifiers: Set<LocalIdentifier>
  /// The files that had taken the place of others already when the user chose.
  private var successorFiles: [LocalIdentifier: UInt64]

  /// - Parameters:
  ///   - identifiers: the assets.
  ///   - successorFiles: `AssetAttributes.successorFile` of those that have one.
  public init(_ identifiers: Set<LocalIdentifier> = [], successorFiles: [LocalIdentifier: UInt64] = [:]) {
    self.identifiers = identifiers
    self.successorFiles = successorFiles
  }

  /// Whether an asset may be seen whose file is `successorFile` now.
  @inlinable
  public func contains(_ identifier: LocalIdentifier, successorFile: @autoclosure () -> UInt64?) -> Bool {
    identifiers.contains(identifier) && self.successorFile(of: identifier) == successorFile()
  }

  /// The file that an asset's had been replaced by when it was allowed; nil = none.
  public func successorFile(of identifier: LocalIdentifier) -> UInt64? { successorFiles[identifier] }
}
