public import SystemPackage

/// The content of a new asset: files, or bytes in memory.
///
/// `AssetManager.prepareAsset` copies it into the library without showing it, and returns the identifier that the asset
/// will have, so that other changes of the same call can name it:
///
///     var creation = AssetCreation()
///     creation.addResource(.photo, .data(heic))
///     creation.addResource(.pairedVideo, .file("/tmp/clip.mov"))
///     let new = try manager.prepareAsset(creation)
///     try manager.performChanges([.createAsset(new), .setFavorite(new, true), .addAssets([new], to: album)])
public struct AssetCreation: Hashable, Sendable {
  /// Where the bytes of a resource come from.
  public enum Content: Hashable, Sendable {
    /// A local file, which is copied and stays where it is.
    case file(FilePath)
    /// Bytes in memory.
    case data([UInt8])
  }

  /// One of the files that the asset will consist of.
  public struct Resource: Hashable, Sendable {
    /// The role of the file.
    public var type: AssetResource.Kind
    /// Its bytes.
    public var content: Content
  }

  /// The files; the first one is the photo or video itself.
  public private(set) var resources: [Resource] = []
  /// The file name without extension; nil = that of the first file, or for data its date and time.
  public var name: String?
  /// The folder below the library's first folder, or an absolute path within the library; nil = where the library has
  /// photos of that date, else its first folder.
  public var folder: FilePath?

  /// Creates the content of an asset without files.
  /// - Parameters:
  ///   - name: the file name without extension; nil = that of the first file, or for data its date and time.
  ///   - folder: the folder to save into; nil = the library chooses.
  public init(name: String? = nil, folder: FilePath? = nil) {
    self.name = name
    self.folder = folder
  }

  /// Adds a file: first a photo or video, then at most one paired video and one alternate photo.
  ///
  /// In folders, only a JPEG or HEIC file has others: a QuickTime movie of at most 6 seconds as its paired video, and a
  /// raw file as its alternate photo.
  public mutating func addResource(_ type: AssetResource.Kind, _ content: Content) {
    resources.append(Resource(type: type, content: content))
  }

  /// Checks the roles of the files and the name.
  /// - Throws: `AssetError` if they can't be one asset.
  package func check() throws(AssetError) {
    guard let first = resources.first, first.type == .photo || first.type == .video else {
      throw AssetError("asset", "the first file of a new asset must be a photo or a video")
    }
    var types: Set<AssetResource.Kind> = [first.type]
    for resource in resources.dropFirst() {
      guard [.pairedVideo, .alternatePhoto].contains(resource.type), first.type == .photo,
        types.insert(resource.type).inserted
      else {
        throw AssetError(
          "asset",
          "a new photo can have one paired video and one alternate photo, and a new video nothing else")
      }
    }
    guard let name else { return }
    let isName =
      !name.isEmpty && name.utf8.count <= 200 && name.utf8.first != UInt8(ascii: ".")
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
    if !isName { throw AssetError(name, "is not the name of a file") }
  }

  /// Returns the file name without extension.
  /// - Parameter date: when it was taken.
  package func stem(for date: AssetDate) -> [UInt8] {
    if let name { return Array(name.utf8) }
    if case .file(let path)? = resources.first?.content {
      let name = path.nameBytes
      return Array(name[..<(name[...].fileExtension.map { $0.startIndex - 1 } ?? name.count)])
    }
    let (day, time) = date.wallText
    return Array("\(day)_\(time.replacing(":", with: "-"))".utf8)
  }
}
