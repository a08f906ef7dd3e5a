import AssetLibrary
import PickerUI
import Results

/// Runs the programs of `--bind` on what the client may see.
struct CallerPrograms: Sendable {
  let templates: [CommandTemplate]
  let manager: any AssetManager
  let version: AssetVersion
  /// The path of an asset's file as it is printed.
  let path: @Sendable (Asset) -> [UInt8]

  /// Runs a program of a key to its end.
  /// - Returns: what the user is told if it fails.
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
      throw .error("\(template.name): the photo is gone")
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

  /// What the client may see of assets, as they are by now.
  private func accessible(_ assets: [Asset]) -> [Asset] {
    if assets.isEmpty { return [] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
      .map { $0.presenting(version) }
  }
}
