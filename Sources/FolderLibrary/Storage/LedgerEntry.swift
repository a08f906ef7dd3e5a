/// What must be known of a file although the index was lost: who it is, and since when.
struct LedgerEntry: BitwiseCopyable, Hashable, Sendable {
  var nameHash: UInt64
  var identifier: UInt64
  var added: Int64

  /// A number for a name, the same in every run (FNV-1a, Fowler, Noll and Vo, 64 bits).
  static func hash(of name: some Sequence<UInt8>) -> UInt64 {
    name.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
