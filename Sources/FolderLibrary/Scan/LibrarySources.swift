import AssetLibrary
import SystemPackage

/// What a library is made of: folders with all below them, and files that were named one by one.
struct LibrarySources: Sendable {
  /// Files of one folder, however it was spelled.
  struct NamedFiles: Sendable {
    /// Files that were named with the same spelling of the folder.
    struct Spelling: Sendable {
      /// Empty where the files were named without a folder.
      var folder: FilePath
      var names: [[UInt8]] = []
    }

    var spellings: [Spelling]
    /// Whether the other files of their stems belong to them as well, as far as they are media.
    var includesPartners = false
  }

  /// Where the files of a folder in one spelling are kept.
  private struct Place {
    var group: Int
    var spelling: Int
  }

  var folders: [FilePath] = []
  var files: [NamedFiles] = []
  /// In which order all of them were named.
  let given: GivenOrder

  /// A source that does not answer is taken for a folder, as which it is looked for again.
  init(_ sources: [FilePath], includesPartners: Bool = false, probes: MountProbes = .shared) {
    given = GivenOrder(sources)
    var places: [FilePath: Place] = [:]
    var groups: [FileIdentity: Int] = [:]
    for source in sources {
      if !probes.answers(source, within: MountProbes.shortPatience) || source.isFolder {
        folders.append(source)
        continue
      }
      let folder = source.removingLastComponent()
      let place = places[folder] ?? addSpelling(folder, to: &groups, includesPartners: includesPartners)
      places[folder] = place
      files[place.group].spellings[place.spelling].names.append(source.nameBytes)
    }
  }

  /// Adds a spelling of a folder to the files of the same folder, or begins with a folder that is new.
  private mutating func addSpelling(
    _ folder: FilePath, to groups: inout [FileIdentity: Int], includesPartners: Bool
  ) -> Place {
    let identity = FileIdentity(of: folder.isEmpty ? FilePath(".") : folder)
    let group = identity.flatMap { groups[$0] } ?? files.count
    if group == files.count { files.append(NamedFiles(spellings: [], includesPartners: includesPartners)) }
    if let identity { groups[identity] = group }
    files[group].spellings.append(NamedFiles.Spelling(folder: folder))
    return Place(group: group, spelling: files[group].spellings.count - 1)
  }
}

extension LibrarySources.NamedFiles {
  /// The names, and those of the files that describe them.
  func names(in folder: OpenFolder) throws(AssetError) -> NameTable {
    var table = NameTable()
    let names = spellings.flatMap(\.names)
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
