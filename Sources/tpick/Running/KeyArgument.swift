import PickerUI

/// Keys as options name them.
enum KeyArgument {
  /// The keys of a list, separated by commas.
  /// - Throws: `Failure` for a name of no key.
  static func keys(_ list: String, option: String) throws(Failure) -> [Key] {
    var keys: [Key] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      let key = try key(String(word), option: option)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// - Throws: `Failure` for a name of no key.
  static func key(_ word: String, option: String) throws(Failure) -> Key {
    guard let key = Key(name: word) else {
      throw .usage("\(option): '\(word)' is no key that terminals send; expected \(Key.nameKinds)")
    }
    return key
  }
}
