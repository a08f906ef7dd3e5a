import AssetLibrary
import Pixels
import Results
import SystemPackage

// The files of one asset: made without names, then named.
extension Exporter {
  /// - Throws: where nothing can be made of an asset, or nobody wants it any more.
  func check(_ job: ExportJob, _ cancellation: Cancellation) throws(AssetError) {
    if let defect = job.asset.defect {
      throw AssetError(job.asset.subject, defect)
    }
    if cancellation.isCancelled { throw .cancelled }
  }

  /// Has the files of an asset be here and stay, downloads what is on a server alone, and makes what is to be handed over of
  /// them, on any thread.
  /// - Parameters:
  ///   - downloaded: hears how many bytes are here, of how many; not called where all are.
  ///   - began: called once nothing has to come any more before something is made.
  func make(
    _ job: ExportJob, _ cancellation: Cancellation, downloaded: (_ bytes: Int64, _ byteCount: Int64) -> Void,
    began: () -> Void = {}, copied: (Int) -> Void, _ progress: (Double) -> Void
  ) throws(AssetError) -> PreparedExport {
    let held = job.asset.resources.filter { $0.remoteVersion != nil }
    held.forEach(store.hold)
    defer { held.forEach(store.release) }
    try download(job, cancellation, downloaded: downloaded)
    began()
    return try prepare(job, cancellation, downloaded: { downloaded($0, $1) }, copied: copied, progress)
  }

  /// Downloads what is on a server alone of an asset, but for what there is no room for and goes to its copy directly.
  private func download(
    _ job: ExportJob, _ cancellation: Cancellation, downloaded: (_ bytes: Int64, _ byteCount: Int64) -> Void
  ) throws(AssetError) {
    let missing = job.asset.resources.filter { $0.byteRange == nil && !store.isLocal($0) }
    let byteCount = missing.lazy.map(\.byteCount).saturatedSum()
    var before: Int64 = 0
    let isCopied = if case .file = job.plan { options.copiesFiles } else { false }
    for resource in missing where !isCopied || store.hasRoom(for: resource) {
      do throws(AssetError) {
        try store.download(resource) { fraction in
          let bytes = Int64(saturating: fraction * Double(resource.byteCount))
          downloaded(before.addingSaturated(bytes), byteCount)
          return cancellation.isCancelled ? .stop : .proceed
        }
      } catch  where error.isLackOfRoom && isCopied {
        continue
      }
      before = before.addingSaturated(resource.byteCount)
    }
  }

  /// Makes the files of an asset.
  private func prepare(
    _ job: ExportJob, _ cancellation: Cancellation, downloaded: (_ bytes: Int64, _ byteCount: Int64) -> Void,
    copied: (Int) -> Void, _ progress: (Double) -> Void
  ) throws(AssetError) -> PreparedExport {
    let path = job.asset.subject
    try check(job, cancellation)
    try folder.checkAnswers { cancellation.isCancelled }
    var prepared = PreparedExport(files: [])
    switch job.plan {
    case .unavailable(let reason): throw AssetError(path, reason)
    case .file(let resource): prepared.original = resource
    case .picture(let resource, _), .video(let resource), .stripped(let resource):
      guard let maker else { throw AssetError(path, "can't be converted here") }
      // Before it is made: the date of the original is to be that of these bytes.
      let traits = try manager.traits(of: resource)
      let file = try NewFile(in: folder, for: path)
      let made = try maker.make(
        job.plan, options.representation, into: file.descriptor, cancellation: cancellation,
        progress: progress)
      switch made {
      case .file(let facts):
        // Pictures of one day stay in the order of their dates.
        try file.finish(like: traits)
        prepared.files.append(file)
        prepared.facts = facts
      case .resource(let reason):
        prepared.original = resource
        prepared.remark = reason
      }
    }
    if let original = prepared.original,
      options.copiesFiles || original.byteRange != nil || neededSuffix(of: original) != nil
    {
      prepared.files.append(
        try manager.newFile(
          with: original, in: folder, cancellation: cancellation, downloaded: downloaded, progress: copied))
      if original.byteRange != nil {
        // What was part of a file has a name of its own, by what it is.
        prepared.facts = MadeRepresentation.Facts(
          uniformTypeIdentifier: original.uniformTypeIdentifier, suffix: "mp4")
      }
    }
    // What was made of it has its type's.
    prepared.suffix =
      prepared.facts?.suffix ?? (prepared.original ?? job.plan.resource).flatMap(neededSuffix)
    for partner in job.partners where options.copiesFiles {
      prepared.files.append(
        try manager.newFile(
          with: partner, in: folder, cancellation: cancellation, downloaded: downloaded, progress: copied))
    }
    return prepared
  }

  // MARK: Names

  private func neededSuffix(of resource: AssetResource) -> String? {
    options.representation.neededSuffix(of: resource, asksForType: options.namesTypes)
  }

  func name(of asset: Asset, _ record: (Asset) -> AssetRecord) -> ExportName {
    let own = ExportName(asset.nameBytes)
    guard let template = options.name else { return own }
    return ExportName(path: template.name(of: record(asset)), of: own)
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
      names.append(distinct.inFolders(of: first))
    }
    return names
  }

  /// The same of those of a job.
  /// - Parameters:
  ///   - original: the file that stands for the asset.
  ///   - suffix: the extension of what was made of it; nil = its own.
  private func names(
    of job: ExportJob, _ name: ExportName, original: AssetResource?, suffix: String?
  ) -> [ExportName] {
    var first = name
    if let original, options.name == nil, original.path != job.asset.primaryResource?.path {
      first = ExportName(original.filename)
    } else if let original {
      first.suffix = ExportName(original.filename).suffix
    }
    if let suffix { first.take(suffix: suffix) }
    return names(of: job.partners, first: first)
  }

  /// Gives the files of an asset their names, all of them or none.
  /// - Returns: the asset as it is handed over.
  func place(
    _ prepared: PreparedExport, of job: ExportJob, name: ExportName, _ places: inout ExportPlaces,
    _ cancellation: Cancellation
  ) throws(AssetError) -> Asset {
    if prepared.files.isEmpty { return handed(job, prepared.original) }
    let names = names(
      of: job, name, original: prepared.original ?? job.plan.resource, suffix: prepared.suffix)
    let isLine = { (bytes: [UInt8]) in !bytes.contains { $0 == 0x0A || $0 == 0x0D } }
    if options.refusesLineBreaks, !isLine(names[0].bytes()) || !names[0].folders.allSatisfy(isLine) {
      throw AssetError(
        job.asset.subject,
        "has a line break in its copy's name: use --print0")
    }
    // Making the files may have taken long.
    try folder.checkAnswers { cancellation.isCancelled }
    let target = try places.folder(of: names[0])
    let placed = try place(prepared.files, as: names, in: target, &places, cancellation)
    return handed(job, prepared.original, as: placed, in: target, prepared)
  }

  /// An asset as it is handed over.
  /// - Parameters:
  ///   - original: the file that stands for it.
  ///   - names: those of its copies; nil = it has none, and is handed over where it lies.
  ///   - prepared: what was made of it; nil where the copies are as the files.
  private func handed(
    _ job: ExportJob, _ original: AssetResource?, as names: [[UInt8]]? = nil, in target: TargetFolder? = nil,
    _ prepared: PreparedExport? = nil
  ) -> Asset {
    var handed = job.asset
    if let original, original != job.asset.primaryResource {
      handed.resources.removeAll { $0 == original }
      handed.resources.insert(original, at: 0)
    }
    guard let names, let target else { return handed }
    let primary = original ?? job.plan.resource ?? handed.resources[0]
    handed.resources = zip([primary] + job.partners, names).enumerated().map { index, pair in
      var copy = pair.0
      copy.path = FilePath(bytes: target.path.appendingName(pair.1))
      // A copy is here, wherever its original was when it was asked for.
      (copy.isLocallyAvailable, copy.remoteVersion) = (true, nil)
      (copy.remoteAddress, copy.remoteScheme) = (nil, nil)
      copy.fileVersion = nil
      if index == 0, let facts = prepared?.facts, let file = prepared?.files.first {
        copy.take(facts, byteCount: file.byteCount)
      }
      return copy
    }
    if let size = prepared?.facts?.size, !size.isEmpty { handed.pixelSize = size }
    return handed
  }

  /// Gives files their names, all with the same number.
  private func place(
    _ files: [NewFile], as names: [ExportName], in target: TargetFolder, _ places: inout ExportPlaces,
    _ cancellation: Cancellation
  ) throws(AssetError) -> [[UInt8]] {
    // What lies there may be the one that is to be skipped, whatever the last number was.
    var number = options.existing == .skip ? 1 : places.numbers[names[0]] ?? 1
    do throws(AssetError) {
      while !cancellation.isCancelled {
        let numbered = names.map { $0.bytes(number: number) }
        places.numbers[names[0]] = number
        if try place(files, as: numbered, in: target, &places) { return numbered }
        number += 1
      }
      throw .cancelled
    } catch {
      files.forEach { $0.remove() }
      throw error
    }
  }

  /// - Returns: whether all of them have their names; else those before have, and need others.
  private func place(
    _ files: [NewFile], as names: [[UInt8]], in target: TargetFolder, _ places: inout ExportPlaces
  ) throws(AssetError) -> Bool {
    var waiting = Array(zip(files, names))
    switch options.existing {
    case .number: break
    case .skip:
      // Those that are there already stay as they are.
      waiting.removeAll { file, name in file.hasContent(of: name, in: target) }
      if waiting.contains(where: { _, name in target.entry(name) != nil }) { return false }
    case .replace: if names.contains(where: { !places.mayReplace($0, in: target) }) { return false }
    }
    for (file, name) in waiting {
      guard try file.place(as: name, in: target, replaces: options.existing == .replace) else { return false }
    }
    if options.existing == .replace { places.note(names, in: target) }
    return true
  }

  /// The asset as it is handed over where the copies of its files are there already, which is seen without making others.
  func existing(
    _ job: ExportJob, name: ExportName, _ places: inout ExportPlaces, _ cancellation: Cancellation
  ) -> Asset? {
    guard options.existing == .skip, options.copiesFiles, job.asset.defect == nil,
      case .file(let resource) = job.plan, resource.byteRange == nil
    else { return nil }
    let names = names(of: job, name, original: resource, suffix: neededSuffix(of: resource))
    guard let target = try? folder.subfolder(names[0].folders, makes: false),
      target.entry(names[0].bytes()) != nil
    else { return nil }
    var sources: [any ResourceReader] = []
    defer { withExtendedLifetime(sources) {} }
    for resource in [resource] + job.partners {
      guard let source = try? store.reader(for: resource), source.descriptor != nil else { return nil }
      sources.append(source)
    }
    var number = 1
    while !cancellation.isCancelled, target.entry(names[0].bytes(number: number)) != nil {
      let numbered = names.map { $0.bytes(number: number) }
      let areSame = zip(sources, numbered).allSatisfy { source, name in
        target.withFile(name) { file in source.descriptor.map { FileContent.isSame($0, file) } ?? false }
      }
      if areSame { return handed(job, resource, as: numbered, in: target) }
      number += 1
    }
    return nil
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
