import AssetLibrary
import CodecProtocol

/// What the helpers could not tell of the files of a folder, as issues and as what is known of the files.
struct HelperFaults {
  let context: ScanContext
  /// The index of the folder to which the issues belong.
  let issues: Int
  let folder: OpenFolder
  let names: NameTable
  /// In how many runs a helper stalled on the files.
  let stalledRuns: [HelperStalls.Key: UInt8]

  /// Notes that a helper could not tell of a file: for the moment, or, where it stalls on it again and again, for good.
  func note(_ error: CodecError, on finding: inout FileFinding) {
    if error == .noDescriptors || error == .exhausted {
      // What has not been looked at stays provisional, and is asked about again soon.
      let reason = "\(error.reason); it is tried again later"
      context.stalls.postpone(HelperStalls.Key(finding), reason)
      context.model.note(AssetError(name(of: finding), reason, isStall: true), in: issues)
      return
    }
    if error.isStall {
      let key = HelperStalls.Key(finding)
      let reason = "\(error.reason); it is tried again later"
      let runs = context.stalls.note(key, reason, earlier: stalledRuns[key] ?? 0)
      if runs < HelperStalls.mostRuns {
        finding.stalledRuns = runs
        context.model.note(AssetError(name(of: finding), reason, isStall: true), in: issues)
        return
      }
    }
    finding.failure = nil
    finding.content = .broken(error.reason)
    forget(finding)
  }

  /// Takes back what was said of a file while it could not be read.
  func forget(_ finding: FileFinding) {
    context.stalls.forget(HelperStalls.Key(finding))
    context.model.removeNote(on: name(of: finding), in: issues)
  }

  private func name(of finding: FileFinding) -> String {
    folder.subject(of: names[finding.index])
  }
}

extension LibraryModel {
  /// Adds an issue of a folder, in the place of what was said of the file before.
  func note(_ issue: AssetError, in folder: Int) {
    removeNote(on: issue.subject, in: folder)
    change { $0.issues[folder, default: []].append(issue) }
  }

  /// Takes back what passes and was said of a file.
  fileprivate func removeNote(on subject: String, in folder: Int) {
    let isSaid = read { state in
      state.issues[folder]?.contains { $0.isTransient && $0.subject == subject } ?? false
    }
    guard isSaid else { return }
    change { state in state.issues[folder]?.removeAll { $0.isTransient && $0.subject == subject } }
  }
}
