import AssetLibrary
import SystemPackage

/// What a library is made of: folders with all below them, and files that were named one by one.
struct LibrarySources: Sendable {
  /// Files of one folder.
  struct NamedFiles: Sendable {
    var folder: FilePath
    var names: [[UInt8]]
    /// Whether the other files of their stems belong to them as well, as far as they are media.
    var includesPartners = false
  }

  var folders: [FilePath] = []
  var files: [NamedFiles] = []

  /// A source that does not answer is taken for a folder, as which it is looked for again.
  init(_ sources: [FilePath], includesPartners: Bool = false, probes: MountProbes = .shared) {
    var places: [[UInt8]: Int] = [:]
    for source in sources {
      if !probes.answers(source, within: MountProbes.shortPatience) || source.isFolder {
        folders.append(source)
        continue
      }
      let parent = source.removingLastComponent()
      let folder = parent.isEmpty ? FilePath(".") : parent
      let isBare = parent.isEmpty
      let place = places[folder.bytes + [isBare ? 1 : 0]] ?? files.count
      if place == files.count {
        files.append(
          NamedFiles(folder: isBare ? FilePath("") : folder, names: [], includesPartners: includesPartners))
        places[folder.bytes + [isBare ? 1 : 0]] = place
      }
      files[place].names.append(source.nameBytes)
    }
  }
}

extension LibrarySources.NamedFiles {
  /// The names, and those of the files that describe them.
  func names(in folder: OpenFolder) throws(AssetError) -> NameTable {
    var table = NameTable()
    var wanted = Set(names)
    let stems = Set(names.map { FileName($0).stem })
    let all = try folder.entries().files
    for index in all.indices {
      let name = FileName(all[index])
      let describes = name.part != .plain && name.part != .edited
      if stems.contains(name.stem), describes || includesPartners { wanted.insert(Array(all[index])) }
    }
    for name in wanted.sorted(by: { $0.lexicographicallyPrecedes($1) }) { table.append(name) }
    return table
  }
}
