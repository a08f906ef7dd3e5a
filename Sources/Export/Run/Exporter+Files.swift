import AssetLibrary
import Pixels
import Results
import SystemPackage

// The files of one asset: made without names, then named.
extension Exporter {
  /// Makes the files of an asset, on any thread.
  func prepare(
    _ job: ExportJob, _ cancellation: Cancellation, copied: (Int) -> Void, _ progress: (Double) -> Void
  ) throws(AssetError) -> PreparedExport {
    let path = String(decoding: job.asset.pathBytes, as: UTF8.self)
    if let defect = job.asset.defect { throw AssetError(path, defect) }
    if cancellation.isCancelled { throw .cancelled }
    // What is on a server alone is brought first.
    for resource in job.asset.resources where resource.byteRange == nil && !store.isLocal(resource) {
      try store.download(resource) { _ in cancellation.isCancelled ? .stop : .proceed }
    }
    var prepared = PreparedExport(files: [])
    switch job.plan {
    case .unavailable(let reason): throw AssetError(path, reason)
    case .file(let resource): prepared.original = resource
    case .picture(let resource, _), .video(let resource), .stripped(let resource):
      guard let maker else { throw AssetError(path, "can't be converted here") }
      let file = try NewFile(in: folder, for: path)
      let made = try maker.make(
        job.plan, options.representation, into: file.descriptor, cancellation: cancellation,
        progress: progress)
      switch made {
      case .file(let facts):
        // Pictures of one day stay in the order of their dates.
        try file.finish(asOldAs: try? store.reader(for: resource).descriptor)
        prepared.files.append(file)
        prepared.facts = facts
      case .resource(let reason):
        prepared.original = resource
        prepared.remark = reason
      }
    }
    if let original = prepared.original, options.copiesFiles || original.byteRange != nil {
      prepared.files.append(
        try manager.newFile(with: original, in: folder, cancellation: cancellation, progress: copied))
      if original.byteRange != nil {
        // What was part of a file has a name of its own, by what it is.
        prepared.facts = MadeRepresentation.Facts(
          uniformTypeIdentifier: original.uniformTypeIdentifier, suffix: "mp4")
      }
    }
    for partner in job.partners where options.copiesFiles {
      prepared.files.append(
        try manager.newFile(with: partner, in: folder, cancellation: cancellation, progress: copied))
    }
    return prepared
  }

  // MARK: Names

  func name(of asset: Asset, _ record: (Asset) -> AssetRecord) -> ExportName {
    let own = ExportName(asset.nameBytes)
    guard let template = options.name else { return own }
    return ExportName(template.name(of: record(asset)), of: own)
  }

  /// What the copies of an asset are called.
  ///
  /// They keep the names that tell them apart; with a template they share its text, and those of one format are
  /// told apart by their kind.
  private func names(of partners: [AssetResource], first: ExportName) -> [ExportName] {
    var names = [first]
    var taken: Set = [first.folded]
    for resource in partners {
      let own = ExportName(resource.filename)
      let name = options.name == nil ? own : ExportName(stem: first.stem, suffix: own.suffix)
      var distinct = name
      var number = 1
      while !taken.insert(distinct.folded).inserted {
        distinct = name.appending("_\(resource.type.rawValue)" + (number > 1 ? "_\(number)" : ""))
        number += 1
      }
      names.append(distinct)
    }
    return names
  }

  /// Gives the files of an asset their names, all of them or none.
  /// - Returns: the asset as it is handed over.
  func place(
    _ prepared: PreparedExport, of job: ExportJob, name: ExportName, _ numbers: inout [ExportName: Int],
    _ cancellation: Cancellation
  ) throws(AssetError) -> Asset {
    var handed = job.asset
    if let resource = prepared.original, resource != job.asset.primaryResource {
      handed.resources.removeAll { $0 == resource }
      handed.resources.insert(resource, at: 0)
    }
    guard !prepared.files.isEmpty else { return handed }
    var first = name
    if let resource = prepared.original ?? job.plan.resource, options.name == nil,
      resource.path != job.asset.primaryResource?.path
    {
      first = ExportName(resource.filename)
    } else if let resource = prepared.original ?? job.plan.resource {
      first.suffix = ExportName(resource.filename).suffix
    }
    if let suffix = prepared.facts?.suffix { first.take(suffix: suffix) }
    let names = names(of: job.partners, first: first)
    if options.refusesLineBreaks, names[0].bytes().contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw AssetError(
        String(decoding: job.asset.pathBytes, as: UTF8.self),
        "has a line break in its copy's name: use --print0")
    }
    let placed = try place(prepared.files, as: names, from: &numbers, cancellation)
    let primary = prepared.original ?? job.plan.resource ?? handed.resources[0]
    handed.resources = zip([primary] + job.partners, placed).enumerated().map { index, pair in
      var copy = pair.0
      copy.path = FilePath(bytes: folder.path.appendingName(pair.1))
      // A copy is here, wherever its original was when it was asked for.
      (copy.isLocallyAvailable, copy.remoteVersion, copy.remoteAddress) = (true, nil, nil)
      if index == 0, let facts = prepared.facts { copy.take(facts, byteCount: prepared.files[0].byteCount) }
      return copy
    }
    if let size = prepared.facts?.size, !size.isEmpty { handed.pixelSize = size }
    return handed
  }

  /// Gives files their names, all with the same number.
  private func place(
    _ files: [NewFile], as names: [ExportName], from numbers: inout [ExportName: Int],
    _ cancellation: Cancellation
  ) throws(AssetError) -> [[UInt8]] {
    var number = numbers[names[0]] ?? 1
    do throws(AssetError) {
      while !cancellation.isCancelled {
        let numbered = names.map { $0.bytes(number: number) }
        numbers[names[0]] = number
        if try place(files, as: numbered) { return numbered }
        number += 1
      }
      throw .cancelled
    } catch {
      files.forEach { $0.remove() }
      throw error
    }
  }

  /// - Returns: whether all of them have their names; else those before have, and need others.
  private func place(_ files: [NewFile], as names: [[UInt8]]) throws(AssetError) -> Bool {
    for (file, name) in zip(files, names) {
      guard try file.place(as: name) else { return false }
    }
    return true
  }
}

extension AssetResource {
  /// Becomes what was made of it.
  fileprivate mutating func take(_ facts: MadeRepresentation.Facts, byteCount count: Int64) {
    uniformTypeIdentifier = facts.uniformTypeIdentifier
    byteCount = count
    byteRange = nil
    thumbnail = nil
    guard !facts.size.isEmpty else { return }
    storedSize = facts.size
    orientation = .topLeft
  }
}

extension FilePath {
  fileprivate func appendingName(_ name: [UInt8]) -> [UInt8] {
    let folder = bytes
    if folder.isEmpty || folder.last == UInt8(ascii: "/") { return folder + name }
    return folder + [UInt8(ascii: "/")] + name
  }
}
