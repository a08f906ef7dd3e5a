import AssetLibrary
import Pixels
import Results
import SystemPackage

// The files of one asset: created without names, then named.
extension Exporter {
  /// - Throws: `AssetError` if the asset can't be exported, or the export was cancelled.
  func check(_ job: ExportJob, _ cancellation: Cancellation) throws(AssetError) {
    if let defect = job.asset.defect {
      throw AssetError(job.asset.subject, defect)
    }
    if cancellation.isCancelled { throw .cancelled }
  }

  /// Holds and downloads the files of an asset, then makes the files to deliver, on any thread.
  /// - Parameters:
  ///   - downloaded: receives the number of downloaded bytes and their total; not called if all files are
  ///     local.
  ///   - began: called when all downloads are finished, before files are made.
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

  /// Downloads the remote files of an asset, except those that don't fit into the cache and are downloaded
  /// directly to their copies.
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
      } catch  where error.isOutOfSpace && isCopied {
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
    case .picture(let resource, _), .keyPhoto(let resource, _, _, _), .video(let resource),
      .videoPart(let resource, _), .stripped(let resource):
      guard let maker else { throw AssetError(path, "can't be converted here") }
      // Read the attributes before converting, so that they belong to the converted bytes.
      let traits = try manager.traits(of: resource)
      let file = try NewFile(in: folder, for: path)
      let made = try maker.make(
        job.plan, options.representation, into: file.descriptor, cancellation: cancellation,
        progress: progress)
      switch made {
      case .file(let facts):
        if case .videoPart = job.plan { try checkPart(file, of: path) }
        // Copy the date, so that converted images sort together with copied ones.
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
        // A part of a file gets the extension of its own format.
        prepared.facts = MadeRepresentation.Facts(
          uniformTypeIdentifier: original.uniformTypeIdentifier, suffix: "mp4")
      }
    }
    // A converted file has the extension of its format.
    prepared.suffix =
      prepared.facts?.suffix ?? (prepared.original ?? job.plan.resource).flatMap(neededSuffix)
    for partner in job.partners where options.copiesFiles {
      prepared.files.append(
        try manager.newFile(
          with: partner, in: folder, cancellation: cancellation, downloaded: downloaded, progress: copied))
    }
    return prepared
  }

  /// - Throws: `AssetError` if the part of a video is larger than the limit for it.
  private func checkPart(_ file: NewFile, of path: String) throws(AssetError) {
    let limits = [options.maximumPartByteCount, options.representation.byteCount]
    guard let limit = limits.compactMap(\.self).min(), file.byteCount > limit else { return }
    var sizes = [file.byteCount, limit].map { MeasureText.text(ofBytes: $0) }
    if sizes[0] == sizes[1] { sizes = [file.byteCount, limit].map { Wording.count(Int($0), "byte") } }
    throw AssetError(
      path, "the chosen part has \(sizes[0]), and the maximum is \(sizes[1]): choose a shorter part")
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

  /// Returns the names of an asset's copies.
  ///
  /// Without a template each file keeps its own name. With a template all files get the template's text, and
  /// files with the same extension also their kind.
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

  /// Returns the names of a job's copies.
  /// - Parameters:
  ///   - original: the primary file.
  ///   - suffix: the extension of the converted file; nil = that of the original.
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

  /// Gives the files of an asset their names, either all or none.
  /// - Returns: the asset with its delivered files.
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

  /// Returns an asset with its delivered files.
  /// - Parameters:
  ///   - original: the primary file.
  ///   - names: the names of its copies; nil = its original files are delivered.
  ///   - prepared: the files that were made; nil if the copies are unchanged files.
  private func handed(
    _ job: ExportJob, _ original: AssetResource?, as names: [[UInt8]]? = nil, in target: TargetFolder? = nil,
    _ prepared: PreparedExport? = nil
  ) -> Asset {
    var handed = job.asset
    if let original, original != job.asset.primaryResource {
      handed.resources.removeAll { $0 == original }
      handed.resources.insert(original, at: 0)
    }
    if case .keyPhoto = job.plan { handed = handed.deliveringKeyPhoto() }
    // The clip alone has no still image.
    handed.keyPhotoTime = nil
    guard let names, let target else { return handed }
    let primary = original ?? job.plan.resource ?? handed.resources[0]
    handed.resources = zip([primary] + job.partners, names).enumerated().map { index, pair in
      var copy = pair.0
      copy.path = FilePath(bytes: target.path.appendingName(pair.1))
      // A copy is local, even if its original was remote.
      (copy.isLocallyAvailable, copy.remoteVersion) = (true, nil)
      (copy.remoteAddress, copy.remoteScheme) = (nil, nil)
      copy.fileVersion = nil
      if index == 0, let facts = prepared?.facts, let file = prepared?.files.first {
        copy.take(facts, byteCount: file.byteCount)
      }
      return copy
    }
    if let size = prepared?.facts?.size, !size.isEmpty { handed.pixelSize = size }
    return handed.deliveringPart()
  }

  /// Gives files their names, all with the same number.
  private func place(
    _ files: [NewFile], as names: [ExportName], in target: TargetFolder, _ places: inout ExportPlaces,
    _ cancellation: Cancellation
  ) throws(AssetError) -> [[UInt8]] {
    // For `skip`, start with 1: a file with the same content may have any number.
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

  /// Gives files these names.
  /// - Returns: false if a name is taken; files that were already named then get another name with the next
  ///   number.
  private func place(
    _ files: [NewFile], as names: [[UInt8]], in target: TargetFolder, _ places: inout ExportPlaces
  ) throws(AssetError) -> Bool {
    var waiting = Array(zip(files, names))
    switch options.existing {
    case .number: break
    case .skip:
      // Existing files with the same content are left untouched.
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

  /// Returns the asset with its existing copies, if all of them have the content of its files; nil otherwise.
  ///
  /// Compares the originals themselves, without making copies.
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
  /// Takes on the properties of the file that was made from the resource.
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
