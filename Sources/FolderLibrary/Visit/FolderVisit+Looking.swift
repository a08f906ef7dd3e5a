import AssetLibrary
import Metadata
import SystemPackage

// Looks into files, many at a time.
extension FolderVisit {
  /// Looks into the files of stems, and makes rows of what is found; nothing where nobody waits any more.
  func read(_ groups: some Collection<[Int]>, into builder: inout SegmentBuilder, complaining: Bool) {
    let maker = rowMaker(isElsewhere: { _ in false })
    for findings in look(at: groups.map { $0.sorted() }) ?? [] {
      maker.add(findings, to: &builder)
      if complaining { complain(about: findings) }
    }
  }

  /// Looks into the files of stems; what can't be read is an issue of the folder.
  /// - Returns: nil where nobody waits any more.
  func look(at groups: [[Int]]) -> [[FileFinding]]? {
    guard let looks = lookInto(groups.flatMap { $0 }) else { return nil }
    var rest = looks[...]
    return groups.map { group in
      defer { rest = rest.dropFirst(group.count) }
      return rest.prefix(group.count).compactMap { look in
        do throws(AssetError) {
          return try look.get()
        } catch {
          context.model.change { $0.issues[index, default: []].append(error) }
          return nil
        }
      }
    }
  }

  /// Looks into files, as many at once as may be open.
  /// - Returns: in their order; nil for one that is gone. Nil where nobody waits any more.
  func lookInto(_ files: [Int]) -> [Result<FileFinding?, AssetError>]? {
    guard let onDisk = folder.onDisk else { return files.map { .success(awaited($0)) } }
    var looks: [Result<FileFinding?, AssetError>] = []
    looks.reserveCapacity(files.count)
    var rest = files[...]
    while !rest.isEmpty {
      var batch = FindingBatch(names, of: onDisk)
      let first = looks.count
      while !batch.isFull, let file = rest.first {
        do throws(AssetError) {
          try check(file, .content)
          guard batch.open(file) else { break }
        } catch {
          batch.fail(error)
        }
        rest.removeFirst()
      }
      let control = context.control
      guard !control.isCancelled,
        let read = batch.read(by: context.reader, isCancelled: { control.isCancelled })
      else { return nil }
      for (file, look) in zip(files[first...], read) {
        looks.append(
          look.mapError { error in
            var issue = error
            issue.subject = subject(of: names[file])
            return issue
          })
      }
    }
    return looks
  }

  /// What the listing of a server tells of a file; nil for one that is gone.
  func awaited(_ file: Int) -> FileFinding? {
    guard let status = names.withCString(file, { folder.status(of: $0) }) else { return nil }
    return FileFinding(awaiting: FileName(names[file]), index: file, status: status)
  }

  private func complain(about findings: [FileFinding]) {
    for complaint in findings.compactMap(complaint(about:)) {
      context.model.change { $0.issues[index, default: []].append(complaint) }
    }
  }

  func complaint(about finding: FileFinding) -> AssetError? {
    guard case .nothing = finding.content, finding.failure == nil else { return nil }
    return AssetError(subject(of: names[finding.index]), "not a picture or video")
  }
}
