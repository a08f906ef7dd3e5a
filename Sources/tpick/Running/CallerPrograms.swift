import AssetLibrary
import Configuration
import PickerUI
import Results

/// Runs the programs of `--bind` on what the client may see.
struct CallerPrograms: Sendable {
  let templates: [CommandTemplate]
  let manager: any AssetManager
  let version: AssetVersion
  /// The printed path of an asset's file.
  let path: @Sendable (Asset) -> [UInt8]

  /// Runs the program of a key to its end.
  /// - Returns: the message for the user if it fails.
  func run(_ run: ProgramRun) -> String? {
    let name = templates[run.program.index].name
    do throws(Failure) {
      let status = try status(of: run, run.program.kind == .execute ? .terminal : .none)
      if status.rawValue > 128 { return "\(name): ended by signal \(status.rawValue - 128)" }
      return status == .success ? nil : "\(name): ended with status \(status.rawValue)"
    } catch {
      return error.message
    }
  }

  /// Runs a program to its end.
  /// - Throws: `Failure` if it can't be run.
  func status(of run: ProgramRun, _ streams: ChildCommand.Streams) throws(Failure) -> ExitStatus {
    let template = templates[run.program.index]
    let (current, picks) = (accessible(run.current.map { [$0] } ?? []), accessible(run.picks))
    guard run.current == nil || !current.isEmpty, run.picks.isEmpty || !picks.isEmpty else {
      throw .error("\(template.name): the photo no longer exists")
    }
    let values = CommandTemplate.Values(
      current: current.map(path), picks: picks.map(path),
      identifiers: picks.map { Array($0.localIdentifier.rawValue.utf8) })
    do throws(ChildCommand.LaunchFailure) {
      return ExitStatus(
        rawValue: try ChildCommand(arguments: template.arguments(values), streams: streams).run())
    } catch {
      throw Failure(status: ExitStatus(rawValue: error.status), message: "\(template.name): \(error.reason)")
    }
  }

  /// The assets that the client may see, in their current state.
  private func accessible(_ assets: [Asset]) -> [Asset] {
    if assets.isEmpty { return [] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
      .map { $0.presenting(version) }
  }
}

/// The keys assigned to commands and programs by the configuration and `--bind`.
struct BindArguments {
  /// The programs, as `ProgramKey.index` counts them.
  private(set) var programs: [CommandTemplate] = []
  private var keys: [ProgramKey] = []
  private var steps: [(key: Key, command: Command?)] = []

  /// - Parameters:
  ///   - actions: those of the configuration.
  ///   - words: each a key, `=` or fzf's `:`, and an action. Later ones override earlier ones.
  /// - Throws: `Failure` for an invalid key or action.
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

  /// A command line in a form that fits into the help.
  private static func title(_ line: String) -> String {
    let line = OutputText.line(line)
    return line.count > 40 ? line.prefix(39) + "…" : line
  }

  /// - Throws: `Failure` if no key is left to leave the picker.
  func apply(to options: inout PickerState.Options) throws(Failure) {
    options.callerKeys.programs = keys
    options.bindings = options.bindings.rebound(steps)
    guard !options.bindings.keys(for: .cancel).isEmpty || !options.bindings.keys(for: .close).isEmpty else {
      throw .usage("--bind: there must be a key to leave the picker: leave cancel or close one")
    }
  }
}
