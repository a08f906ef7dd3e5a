/// A number for bytes, the same in every run, which `Hasher` does not give.
///
/// FNV-1a, Fowler, Noll and Vo, 64 bits.
enum StableHash {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
