import PickerUI

/// Keys as options name them.
enum KeyArgument {
  /// The keys of a list, separated by commas.
  /// - Throws: `ArgumentProblem` for a name of no key.
  static func keys(_ list: String) throws(ArgumentProblem) -> [Key] {
    var keys: [Key] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      let key = try key(String(word))
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// - Throws: `ArgumentProblem` for a name of no key.
  static func key(_ word: String) throws(ArgumentProblem) -> Key {
    guard let key = Key(name: word) else {
      throw ArgumentProblem("'\(word)' is no key that terminals send; expected \(Key.nameKinds)")
    }
    return key
  }
}
