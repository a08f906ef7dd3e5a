/// What the user said of assets in tpick itself, over what their files say.
struct AssetMarks: Hashable, Sendable {
  var favorites: [UInt64: Bool] = [:]
  var hidden: [UInt64: Bool] = [:]
}
