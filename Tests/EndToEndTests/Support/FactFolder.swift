import Fixtures
import TestTerminal
import Testing

/// A folder with a file for every property that a filter examines, and for similar ones that do not match.
///
/// Several programs are needed to make it, so it is made once for all tests of a run.
struct FactFolder: Sendable {
  let path: String
  /// The names that each filter matches.
  private let names: [String: Set<String>]

  /// All documented filter names of the command line.
  static let filters = [
    "images", "videos", "livePhotos", "bursts", "panoramas", "screenshots", "screenRecordings",
    "depthEffectPhotos", "cinematicVideos", "slomoVideos", "timelapseVideos", "spatialMedia", "animated",
    "raw",
    "hdr", "selfies", "longExposures", "favorites", "hidden", "edited", "geotagged",
  ]

  private static let made = Result { try FactFolder(in: SharedFolders.make()) }

  /// The single folder of this run.
  static func shared() throws -> FactFolder { try made.get() }

  private init(in folder: TemporaryFolder) throws {
    path = folder.path
    let clip = try FactTools.makeVideos(in: folder)
    let pictures =
      try FactFiles.photos() + FactFiles.pictures() + FactFiles.pairs(clip: clip) + FactTools.pictures
    let videos = FactFiles.videos() + FactTools.videos
    for file in pictures + videos {
      for (name, bytes) in file.files { try folder.write(bytes, to: name) }
    }
    try FactTools.tagPictures(in: folder)
    try folder.write(FactPhoto.photo(), to: "hidden-nomedia/photo.jpg")
    try folder.write([], to: "hidden-nomedia/.nomedia")
    // Other files, including one with a photo's name, match no filter.
    try folder.write(Array("no picture".utf8), to: "broken.jpg")
    try folder.write(Array("<xml/>".utf8), to: "IMG_1004.AAE")
    try folder.write(Array("words".utf8), to: "notes.txt")
    try folder.write(FactPhoto.photo(), to: ".folder-with-dot/never-entered.jpg")

    var names: [String: Set<String>] = [:]
    for (kind, files) in [("images", pictures), ("videos", videos)] {
      for file in files {
        // Hidden photos are shown only on request.
        for filter in file.filters.union(file.filters.contains("hidden") ? [] : [kind]) {
          names[filter, default: []].insert(file.name)
        }
      }
    }
    names["hidden", default: []].insert("hidden-nomedia/photo.jpg")
    self.names = names
  }

  /// The names that a filter matches.
  func matching(_ filter: String) -> Set<String> { names[filter] ?? [] }

  /// The names of everything that is not hidden.
  var everything: Set<String> { matching("images").union(matching("videos")) }

  /// The names that `tpick list` prints with arguments.
  func list(_ arguments: String...) throws -> [String] {
    let result = try Program.run(["list"] + arguments + [path])
    #expect(result.status == .exited(result.output.isEmpty ? 1 : 0))
    return result.lines.map { String($0.dropFirst(path.count + 1)) }
  }
}
