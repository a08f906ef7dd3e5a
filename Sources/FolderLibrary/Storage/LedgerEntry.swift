/// What must be known of a file although the index was lost: who it is, and since when.
struct LedgerEntry: BitwiseCopyable, Hashable, Sendable {
  var nameHash: UInt64
  var identifier: UInt64
  var added: Int64

  /// The number by which the ledger knows a name.
  static func hash(of name: some Sequence<UInt8>) -> UInt64 { StableHash.hash(name) }
}
