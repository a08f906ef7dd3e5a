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
    /// nil while no file is known by it that was not named before.
    var spelling: Int?
  }

  var folders: [FilePath] = []
  var files: [NamedFiles] = []
  var remotes: [any RemoteSource] = []
  /// In which order all of them were named.
  let given: GivenOrder

  /// A source that does not answer is taken for a folder, as which it is looked for again.
  /// - Parameter stream: how many of them were named before those that come one by one; nil where none do.
  init(
    _ sources: [FilePath], includesPartners: Bool = false, stream: Int? = nil, probes: MountProbes = .shared
  ) {
    given = GivenOrder(sources, stream: stream)
    var places: [FilePath: Place] = [:]
    var groups: [FileIdentity: Int] = [:]
    var seen: [Set<[UInt8]>] = []
    for source in sources {
      if !probes.answers(source, within: MountProbes.shortPatience) || source.isFolder {
        folders.append(source)
        continue
      }
      let folder = source.removingLastComponent()
      var place = places[folder] ?? Place(group: group(of: folder, in: &groups))
      if place.group == files.count {
        files.append(NamedFiles(spellings: [], includesPartners: includesPartners))
        seen.append([])
      }
      if seen[place.group].insert(source.nameBytes).inserted {
        let spelling = place.spelling ?? files[place.group].spellings.count
        if place.spelling == nil {
          files[place.group].spellings.append(NamedFiles.Spelling(folder: folder))
        }
        files[place.group].spellings[spelling].names.append(source.nameBytes)
        place.spelling = spelling
      }
      places[folder] = place
    }
  }

  /// The number of a folder's group, the next one where it is new.
  private func group(of folder: FilePath, in groups: inout [FileIdentity: Int]) -> Int {
    guard let identity = FileIdentity(of: folder.isEmpty ? FilePath(".") : folder) else { return files.count }
    let group = groups[identity] ?? files.count
    groups[identity] = group
    return group
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
      if stems.contains(name.stem), name.describesOthers || includesPartners {
        wanted.insert(Array(all[index]))
      }
    }
    for name in wanted.sorted(by: { $0.lexicographicallyPrecedes($1) }) { table.append(name) }
    return table
  }
}
