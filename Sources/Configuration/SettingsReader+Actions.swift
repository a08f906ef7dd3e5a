import PickerUI
import Results

extension SettingsReader {
  /// Reads the table of actions: the names of keys, each with what the key does.
  mutating func readActions(_ node: TOMLNode) {
    guard case .table(let table) = node else { return reject("actions", node, expected: "a table") }
    for (name, node) in table.sorted(by: { $0.key < $1.key }) {
      let path = "actions.\(name)"
      guard let key = Key(name: name) else {
        reject(path, "'\(name)' is no key that terminals send; expected \(Key.nameKinds)")
        continue
      }
      guard case .string(let text) = node else {
        reject(path, node, expected: "an action such as \"execute(gimp {})\"")
        continue
      }
      do throws(FormatError) {
        settings.actions.append(BoundAction(key, try KeyAction(text)))
      } catch {
        reject(path, error.description)
      }
    }
  }
}
