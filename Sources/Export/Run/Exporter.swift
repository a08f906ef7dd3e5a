package import AssetLibrary
import CFileCloning
package import Results
import SystemPackage

/// Copies assets into a folder, one after the other.
///
/// A copy is there whole under its name or not at all, whatever happens meanwhile, and takes nobody's name. What can't be
/// copied is reported, and the rest goes on. Used by one thread, which `export` blocks.
package struct Exporter {
  private let store: any AssetStore
  private let manager: AssetResourceManager
  private let folder: TargetFolder
  private let options: ExportOptions

  package init(_ store: any AssetStore, into folder: TargetFolder, _ options: ExportOptions) {
    self.store = store
    manager = AssetResourceManager(store)
    self.folder = folder
    self.options = options
  }

  /// Copies assets, each as its first resource stands for it.
  /// - Parameters:
  ///   - record: what names are made of.
  ///   - cancellation: ends it before the next chunk of bytes.
  ///   - progress: called after each chunk and each asset.
  /// - Throws: `AssetError` where there is no room for them; nothing was copied then.
  package func export(
    _ assets: [Asset], record: (Asset) -> AssetRecord, cancellation: Cancellation = Cancellation(),
    progress: (ExportProgress) -> Void = { _ in }
  ) throws(AssetError) -> ExportReport {
    let parts = assets.map(self.resources)
    let size = parts.joined().reduce(Int64(0)) { $0.addingReportingOverflow($1.byteCount).partialValue }
    try checkRoom(for: size, first: parts.lazy.flatMap { $0 }.first { $0.byteCount > 0 })
    var report = ExportReport()
    var state = ExportProgress(assetCount: assets.count, byteCount: size)
    progress(state)
    var numbers: [ExportName: Int] = [:]
    for (asset, resources) in zip(assets, parts) {
      let before = state.bytes
      do throws(AssetError) {
        report.copies.append(
          try copy(asset, resources, name: name(of: asset, record), &numbers, cancellation) { count in
            state.bytes += Int64(count)
            progress(state)
          })
      } catch .cancelled {
        report.isCancelled = true
        break
      } catch {
        report.failures.append(error)
      }
      state.assets += 1
      state.bytes = before + resources.reduce(0) { $0 + $1.byteCount }
      progress(state)
    }
    folder.synchronize()
    return report
  }

  /// The files to copy; what lies within another file goes along with it.
  private func resources(of asset: Asset) -> [AssetResource] {
    guard let primary = asset.primaryResource else { return [] }
    guard options.resources == .all else { return [primary] }
    return [primary] + asset.resources.dropFirst().filter { $0.byteRange == nil && $0.path != primary.path }
  }

  /// - Throws: where fewer bytes are free than are needed, unless copies share the blocks of their files.
  private func checkRoom(for size: Int64, first: AssetResource?) throws(AssetError) {
    guard let free = folder.freeBytes, size > free else { return }
    if let first, let source = try? store.reader(for: first), let descriptor = source.descriptor,
      let file = try? NewFile(in: folder, for: ""), file.clone(descriptor)
    {
      return
    }
    throw AssetError(
      String(decoding: folder.path.bytes, as: UTF8.self),
      "\(Self.size(size)) are needed and \(Self.size(free)) are free")
  }

  private static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\((bytes + 500) / 1000) kB"
    case ..<10_000_000_000: "\((bytes + 500_000) / 1_000_000) MB"
    default: "\((bytes + 500_000_000) / 1_000_000_000) GB"
    }
  }

  // MARK: Names

  private func name(of asset: Asset, _ record: (Asset) -> AssetRecord) -> ExportName {
    let own = ExportName(asset.nameBytes)
    guard let template = options.name else { return own }
    return ExportName(template.name(of: record(asset)), of: own)
  }

  /// What the copies of an asset are called.
  ///
  /// They keep the names that tell them apart; with a template they share its text, and those of one format are
  /// told apart by their kind.
  private func names(of resources: [AssetResource], first: ExportName) -> [ExportName] {
    var names = [first]
    var taken: Set = [first.folded]
    for resource in resources.dropFirst() {
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

  // MARK: Copies

  /// Copies the files of an asset, all of them or none.
  private func copy(
    _ asset: Asset, _ resources: [AssetResource], name: ExportName, _ numbers: inout [ExportName: Int],
    _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws(AssetError) -> Asset {
    if let defect = asset.defect {
      throw AssetError(String(decoding: asset.pathBytes, as: UTF8.self), defect)
    }
    let names = names(of: resources, first: name)
    if options.refusesLineBreaks, names[0].bytes().contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw AssetError(
        String(decoding: asset.pathBytes, as: UTF8.self), "has a line break in its copy's name: use --print0")
    }
    var files: [NewFile] = []
    for resource in resources {
      files.append(
        try manager.newFile(with: resource, in: folder, cancellation: cancellation, progress: progress))
    }
    let placed = try place(files, as: names, from: &numbers, cancellation)
    var copied = asset
    copied.resources = zip(resources, placed).map { resource, name in
      var copy = resource
      copy.path = FilePath(bytes: folder.path.appendingName(name))
      return copy
    }
    return copied
  }

  /// Gives files their names, all with the same number.
  /// - Parameter numbers: the last one that was free for each name: those before need not be tried again.
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

extension FilePath {
  fileprivate func appendingName(_ name: [UInt8]) -> [UInt8] {
    let folder = bytes
    if folder.isEmpty || folder.last == UInt8(ascii: "/") { return folder + name }
    return folder + [UInt8(ascii: "/")] + name
  }
}
