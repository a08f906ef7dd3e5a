import AssetLibrary
import Metadata
import Pixels
import SystemPackage

/// Makes an asset of one file, by the file's content.
enum AssetReader {
  /// What a file turned out to be.
  enum Finding {
    case asset(Asset)
    /// Neither content nor name say that it is a medium.
    case somethingElse
  }

  /// Looks at a file.
  /// - Throws: `AssetError` when the file can't be read.
  static func read(_ path: FilePath) throws(AssetError) -> Finding {
    let file = try OpenFile(path)
    let facts: PhotoFacts?
    do {
      facts = try JPEGFacts.read(from: FileByteSource(file: file))
    } catch {
      throw AssetError(path.displayString, error.reason)
    }
    if let facts { return .asset(photo(path, file: file, facts: facts)) }
    guard let defect = try defect(of: file, at: path) else { return .somethingElse }
    var asset = Asset(
      localIdentifier: identifier(of: file, at: path), mediaType: .unknown, pixelSize: .zero,
      creationDate: file.modified,
      resources: [
        AssetResource(
          type: .photo, path: path, uniformTypeIdentifier: "public.data", byteCount: Int64(file.count))
      ])
    asset.defect = defect
    return .asset(asset)
  }

  private static func photo(_ path: FilePath, file: OpenFile, facts: PhotoFacts) -> Asset {
    let name = String(decoding: path.nameBytes, as: UTF8.self)
    var asset = Asset(
      localIdentifier: identifier(of: file, at: path), mediaType: .image,
      pixelSize: facts.orientation.upright(facts.storedSize),
      creationDate: facts.captureTime.map(AssetDate.init) ?? file.modified,
      modificationDate: file.modified,
      resources: [
        AssetResource(
          type: .photo, path: path, uniformTypeIdentifier: "public.jpeg", byteCount: Int64(file.count),
          orientation: facts.orientation, storedSize: facts.storedSize, thumbnail: facts.thumbnail)
      ])
    asset.mediaSubtypes = PhotoClassifier.subtypes(of: facts, named: name)
    asset.burstIdentifier = PhotoClassifier.burst(of: facts, named: name)
    asset.location = facts.coordinate.map { Location(latitude: $0.latitude, longitude: $0.longitude) }
    return asset
  }

  /// Why a file that calls itself a medium is none; nil where it makes no such claim.
  private static func defect(of file: OpenFile, at path: FilePath) throws(AssetError) -> String? {
    let head = try file.bytes(in: 0..<3)
    if JPEGFacts.announced(by: head) { return "the file ends before the picture begins" }
    guard let suffix = path.extension?.lowercased(), mediaSuffixes.contains(suffix) else { return nil }
    return head.isEmpty ? "the file is empty" : "its content is not a JPEG picture"
  }

  /// Names that promise a picture of a format that is read here.
  private static let mediaSuffixes: Set<String> = ["jpg", "jpeg", "jpe", "jfif"]

  /// The file's identity; where a file goes by several names each name is an asset of its own.
  static func identifier(of file: OpenFile, at path: FilePath) -> LocalIdentifier {
    let identity = file.identity
    guard identity.linkCount > 1 || path.isSymbolicLink else { return identity.localIdentifier }
    return LocalIdentifier("\(identity.localIdentifier)-\(String(path.canonicalNameHash, radix: 36))")
  }

  /// What the photograph tells of its camera.
  static func details(of resource: AssetResource) throws(AssetError) -> AssetDetails {
    let file = try OpenFile(resource.path)
    var details = AssetDetails()
    guard let facts = try JPEGFacts.read(from: FileByteSource(file: file)) else { return details }
    details.camera = cameraName(make: facts.make, model: facts.model)
    details.lens = facts.lens
    details.isoSpeed = facts.isoSpeed
    details.fNumber = facts.fNumber
    details.exposureTime = facts.exposureTime
    details.focalLength = facts.focalLength
    return details
  }

  /// "Canon" and "Canon EOS 90D" give "Canon EOS 90D": most models repeat their maker.
  static func cameraName(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let first = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(first) ? model : "\(make) \(model)"
  }
}
