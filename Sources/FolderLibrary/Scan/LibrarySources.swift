import AssetLibrary
import SystemPackage

/// The sources of a library: folders with all their descendants, and individually named files.
struct LibrarySources: Sendable {
  /// Files of one folder, in all spellings of the folder.
  struct NamedFiles: Sendable {
    /// Files that were named with the same spelling of the folder.
    struct Spelling: Sendable {
      /// Empty if the files were named without a folder.
      var folder: FilePath
      var names: [[UInt8]] = []
    }

    var spellings: [Spelling]
    /// Whether images and videos with the same stems are included.
    var includesPartners = false
  }

  /// The location of a folder spelling in `files`.
  private struct Place {
    var group: Int
    /// nil as long as every file named with this spelling was already named with another one.
    var spelling: Int?
  }

  var folders: [FilePath] = []
  var files: [NamedFiles] = []
  var remotes: [any RemoteSource] = []
  /// The order in which all of them were named.
  let given: GivenOrder

  /// Splits the sources into folders and individually named files.
  ///
  /// A source that does not respond is treated as a folder and retried.
  /// - Parameter stream: the number of sources named before those that arrive one by one; nil if none do.
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

  /// Returns the group of a folder; a new folder gets the next number.
  private func group(of folder: FilePath, in groups: inout [FileIdentity: Int]) -> Int {
    guard let identity = FileIdentity(of: folder.isEmpty ? FilePath(".") : folder) else { return files.count }
    let group = groups[identity] ?? files.count
    groups[identity] = group
    return group
  }
}

extension LibrarySources.NamedFiles {
  /// Returns the names, and those of the files that describe them.
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
