import MediaFormats

/// In which shape picked assets are handed over.
///
/// A value: what is changed for one result changes no other.
public struct RepresentationOptions: Hashable, Sendable {
  /// What is taken out of the metadata.
  public enum Stripping: String, CaseIterable, Hashable, Sendable {
    case nothing
    /// Where it was taken, and whatever can't be checked for that.
    case location
    /// Everything that is not needed to show it.
    case all
  }

  public var mode = RepresentationMode.automatic
  /// What the consumer can take; nil = anything.
  public var acceptedTypes: AcceptedTypes?
  /// The quality of JPEGs, 1 to 100; nil = as they are, and `standardQuality` for those that are made.
  public var quality: Int?
  /// The most pixels of a longer side; nil = as many as there are.
  public var longestSide: Int?
  /// The most bytes of a picture; nil = any number.
  public var byteCount: Int64?
  public var stripping = Stripping.nothing

  /// The quality of JPEGs of which nothing else is said.
  public static let standardQuality = 85

  public init() {}

  /// Whether every asset is handed over as its file is.
  public var isPlain: Bool {
    mode != .compatible && acceptedTypes == nil && quality == nil && longestSide == nil && byteCount == nil
      && stripping == .nothing
  }
}

extension RepresentationOptions {
  /// The extension, without its dot, that a file needs where it goes as it is; nil = it keeps its own.
  ///
  /// Who asks for types judges by names: a JPEG that is called `.HEIC` gets the extension of what it is. Where no type is
  /// asked for a name is the user's.
  /// - Parameter asksForType: whether a type is asked for, whatever the options say.
  package func neededSuffix(of resource: AssetResource, asksForType: Bool = false) -> String? {
    guard asksForType || mode == .compatible || acceptedTypes?.isDemanding ?? false,
      let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    else { return nil }
    let name = resource.filename
    let own = name.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased()
    }
    if let own, format.suffixes.contains(own) || isAsGood(own, for: format) { return nil }
    return acceptedTypes?.suffix(for: format) ?? format.suffixes.first
  }

  /// MP4 and M4V differ in their brand alone: either name will do where the consumer takes it.
  private func isAsGood(_ suffix: String, for format: FileFormat) -> Bool {
    let family: Set<FileFormat> = [.mp4, .m4v]
    guard let promised = FileFormat(suffix: suffix), family.isSuperset(of: [promised, format]) else {
      return false
    }
    return acceptedTypes?.admits(promised) ?? true
  }
}

/// Which representation of an asset a result gives.
///
/// PhotoKit's `PHPickerConfiguration.AssetRepresentationMode`.
public enum RepresentationMode: String, CaseIterable, Hashable, Sendable {
  /// Ours: the file as it is for videos, a compatible one only for a consumer that can't take the type.
  case automatic
  /// The file as it is.
  case current
  /// JPEG for stills of other formats.
  case compatible
}

/// How far the handing over of a result has come.
public struct DeliveryProgress: Hashable, Sendable {
  /// What is done with an asset.
  public enum Activity: String, Hashable, Sendable {
    case copying, converting, downloading
  }

  /// The assets that are done, well or not.
  public var assets: Int
  public var assetCount: Int
  /// The bytes that are written.
  public var bytes: Int64
  /// All bytes that are to be written; nil where that is not known.
  public var byteCount: Int64?
  /// What is done now.
  public var activity: Activity

  public init(
    assets: Int = 0, assetCount: Int, bytes: Int64 = 0, byteCount: Int64? = nil,
    activity: Activity = .copying
  ) {
    self.assets = assets
    self.assetCount = assetCount
    self.bytes = bytes
    self.byteCount = byteCount
    self.activity = activity
  }
}
