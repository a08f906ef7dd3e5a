import MediaFormats

/// The formats, limits and metadata of delivered files.
///
/// Changing the options of one result does not affect others.
public struct RepresentationOptions: Hashable, Sendable {
  /// Which metadata is removed.
  public enum Stripping: String, CaseIterable, Hashable, Sendable {
    /// Keeps all metadata.
    case nothing
    /// Removes the location, and all metadata that can't be checked for locations.
    case location
    /// Removes all metadata that is not needed for display.
    case all
  }

  /// The preferred representation.
  public var mode = RepresentationMode.automatic
  /// The types that the consumer accepts; nil = any type.
  public var acceptedTypes: AcceptedTypes?
  /// The JPEG quality, 1 to 100; nil = existing JPEGs are not recompressed, new ones have `standardQuality`.
  public var quality: Int?
  /// The maximum length of the longer side in pixels; nil = no maximum.
  public var longestSide: Int?
  /// The maximum size of an image file in bytes; nil = no maximum.
  public var byteCount: Int64?
  /// Which metadata is removed.
  public var stripping = Stripping.nothing
  /// Whether titles, captions and comments are removed, also if other metadata stays.
  ///
  /// A file without any is delivered unchanged; in others, only these texts are overwritten.
  public var removesCaptions = false

  /// The quality of new JPEGs if no other is set.
  public static let standardQuality = 85

  /// Creates options for delivering files unchanged.
  public init() {}

  /// Whether the options allow every file to be delivered unchanged.
  public var isPlain: Bool {
    mode != .compatible && acceptedTypes == nil && quality == nil && longestSide == nil && byteCount == nil
      && keepsMetadata
  }

  /// Whether nothing is removed from the metadata.
  package var keepsMetadata: Bool { stripping == .nothing && !removesCaptions }
}

extension RepresentationOptions {
  /// Returns the extension, without its dot, that an unchanged file needs; nil = it keeps its own.
  ///
  /// A consumer that requests types relies on file names: a JPEG named `.HEIC` gets the extension of its
  /// actual format. If no types are requested, names are left as the user chose them.
  /// - Parameter asksForType: whether a type is requested regardless of the options.
  package func neededSuffix(of resource: AssetResource, asksForType: Bool = false) -> String? {
    guard asksForType || mode == .compatible || acceptedTypes?.isDemanding ?? false,
      let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    else { return nil }
    let name = resource.filename
    let own = name.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased()
    }
    if let own, format.suffixes.contains(own) || isEquivalentSuffix(own, for: format) { return nil }
    return acceptedTypes?.suffix(for: format) ?? format.suffixes.first
  }

  /// MP4 and M4V differ only in their brand, so either extension is valid if the consumer accepts it.
  private func isEquivalentSuffix(_ suffix: String, for format: FileFormat) -> Bool {
    let family: Set<FileFormat> = [.mp4, .m4v]
    guard let promised = FileFormat(suffix: suffix), family.isSuperset(of: [promised, format]) else {
      return false
    }
    return acceptedTypes?.admits(promised) ?? true
  }
}

/// The preferred representation of an asset in a result.
///
/// Corresponds to PhotoKit's `PHPickerConfiguration.AssetRepresentationMode`.
public enum RepresentationMode: String, CaseIterable, Hashable, Sendable {
  /// tpick's own: the unchanged file, or a converted one if the consumer does not accept its type.
  case automatic
  /// The unchanged file.
  case current
  /// Widely supported formats: JPEG or PNG instead of other image formats, and MP4 for videos.
  case compatible
}

/// The progress of delivering a result.
public struct DeliveryProgress: Hashable, Sendable {
  /// The current operation.
  public enum Activity: String, Hashable, Sendable {
    /// Copying a file.
    case copying
    /// Converting an image or a video.
    case converting
    /// Downloading a remote original.
    case downloading
  }

  /// The number of assets that were finished, successfully or not.
  public var assets: Int
  /// The total number of assets.
  public var assetCount: Int
  /// The number of bytes that were written.
  public var bytes: Int64
  /// The total number of bytes to write; nil if unknown.
  public var byteCount: Int64?
  /// The current operation.
  public var activity: Activity

  /// Creates a progress value.
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
