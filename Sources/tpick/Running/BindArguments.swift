import AssetLibrary
import Configuration
import PickerUI
import Results

/// The keys that the configuration and `--bind` give to commands and programs.
struct BindArguments {
  /// The programs, as `ProgramKey.index` counts them.
  private(set) var programs: [CommandTemplate] = []
  private var keys: [ProgramKey] = []
  private var steps: [(key: Key, command: Command?)] = []

  /// - Parameters:
  ///   - actions: those of the configuration.
  ///   - words: each a key, `=` or fzf's `:`, and an action. Later ones overrule earlier ones.
  /// - Throws: `Failure` for what is no key or no action.
  init(_ actions: [BoundAction], _ words: [String]) throws(Failure) {
    for bound in actions { bind(bound.key, bound.action) }
    for word in words {
      // The key may be one of the separators itself.
      let separator = word.dropFirst().firstIndex { $0 == "=" || $0 == ":" }
      guard let separator else { throw .usage("--bind: '\(word)': expected KEY=ACTION") }
      do {
        let key = try KeyArgument.key(String(word[..<separator]))
        bind(key, try KeyAction(String(word[word.index(after: separator)...]), bytes: ArgumentBytes.bytes))
      } catch {
        throw .usage("--bind: \(error)")
      }
    }
  }

  private mutating func bind(_ key: Key, _ action: KeyAction) {
    keys.removeAll { $0.key == key }
    switch action {
    case .ignore: steps.append((key, nil))
    case .command(let command): steps.append((key, command))
    case .program(let kind, let template, let line):
      steps.append((key, nil))
      let placeholders = template.placeholders
      keys.append(
        ProgramKey(
          key, kind, index: programs.count, title: Self.title(line),
          needsCurrent: placeholders.contains(.current),
          needsPicks: placeholders.contains(.picks) || placeholders.contains(.identifiers)))
      programs.append(template)
    }
  }

  /// A command line as it fits into the help.
  private static func title(_ line: String) -> String {
    let line = OutputText.line(line)
    return line.count > 40 ? line.prefix(39) + "…" : line
  }

  /// - Throws: `Failure` if no key is left that leaves the picker.
  func apply(to options: inout PickerState.Options) throws(Failure) {
    options.callerKeys.programs = keys
    options.bindings = options.bindings.rebound(steps)
    guard !options.bindings.keys(for: .cancel).isEmpty || !options.bindings.keys(for: .close).isEmpty else {
      throw .usage("--bind: there must be a key to leave the picker: leave cancel or close one")
    }
  }
}
