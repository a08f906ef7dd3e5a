/// One element that is taken out at `from` and put in again at `to`.
struct IndexMove: Hashable, Sendable {
  var from: Int
  var to: Int
}
