/// The pool as one thread sees it for a while: what it asked once it does not ask again.
///
/// Pictures of one folder come from one camera; a lock a text would have the readers wait for each other.
final class PooledTexts {
  private let pool: StringPool
  private var numbers: [String: UInt32] = [:]

  init(_ pool: StringPool) {
    self.pool = pool
  }

  /// The number of a text.
  func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    let number = pool.number(of: text)
    numbers[text] = number
    return number
  }

  /// The number of a list of texts, kept as one.
  func number(of list: [String]) -> UInt32 {
    list.isEmpty ? 0 : number(of: list.joined(separator: StringPool.separator))
  }

  /// The texts of a list.
  func list(_ number: UInt32) -> [String] { pool.list(number) }
}
