/// The configuration of a picker, set by the program that opens it.
public struct PickerConfiguration: Hashable, Sendable {
  /// The order of the results, and when they are reported.
  public enum Selection: String, CaseIterable, Hashable, Sendable {
    /// The order of the grid.
    case `default`
    /// The order in which the assets were picked.
    case ordered
    /// Each change of the selection is reported immediately; the results are in the order of the grid.
    case continuous
    /// Each change of the selection is reported immediately; the results are in the order in which they were
    /// picked.
    case continuousAndOrdered
    /// tpick's own: the asset under the cursor is reported whenever the cursor moves.
    case follow

    /// Whether results are in the order in which they were picked.
    public var isOrdered: Bool { self == .ordered || self == .continuousAndOrdered }

    /// Whether changes of the selection are reported immediately.
    public var isContinuous: Bool { self == .continuous || self == .continuousAndOrdered }

    /// Whether anything is reported before the picker closes; tpick's own.
    public var isReportedContinuously: Bool { isContinuous || self == .follow }
  }

  /// The representation of an asset in a result.
  public typealias AssetRepresentationMode = RepresentationMode

  /// The layout of the picker.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// The full layout, with a grid of photos.
    case `default`
    /// A single row of photos.
    case compact
  }

  /// Features of the picker that can be disabled.
  public struct Capabilities: OptionSet, Hashable, Sendable {
    /// The bit mask.
    public let rawValue: UInt8

    /// Creates a set from a bit mask.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Searching.
    public static let search = Capabilities(rawValue: 1 << 0)
    /// Navigation in the list of albums.
    public static let collectionNavigation = Capabilities(rawValue: 1 << 1)
    /// Actions on the whole selection.
    public static let selectionActions = Capabilities(rawValue: 1 << 2)
    /// The strip of the picked assets.
    public static let stagingArea = Capabilities(rawValue: 1 << 4)
    /// The preview of an asset; tpick's own.
    public static let preview = Capabilities(rawValue: 1 << 3)
  }

  /// The maximum number of images and of videos in a selection; 0 = only the overall limit applies.
  public struct KindLimits: Hashable, Sendable {
    /// The maximum number of images; 0 = no separate limit.
    public var images: Int
    /// The maximum number of videos; 0 = no separate limit.
    public var videos: Int

    /// Creates limits; by default there are none.
    public init(images: Int = 0, videos: Int = 0) {
      self.images = images
      self.videos = videos
    }
  }

  /// The maximum number of picked assets; 0 = no limit.
  public var selectionLimit = 1
  /// Separate limits for images and videos, within `selectionLimit`.
  public var kindLimits = KindLimits()
  /// Requirements for picking; assets that don't meet them are shown but can't be picked.
  public var requirements = PickerRequirements()
  /// The order of the results, and when they are reported.
  public var selection: Selection = .ordered
  /// The identifiers that are selected initially.
  ///
  /// There may be more than `selectionLimit`: the user must then deselect some before confirming. Identifiers
  /// that the library does not know are reported once it is complete
  /// (`PhotoPicker.unknownPreselectedAssetIdentifiers`).
  public var preselectedAssetIdentifiers: [LocalIdentifier] = []
  /// The representation of an asset in a result; the same as `representation.mode`.
  public var preferredAssetRepresentationMode: AssetRepresentationMode {
    get { representation.mode }
    set { representation.mode = newValue }
  }
  /// Whether the results contain no location; the same as `representation.stripping`, which can also remove all
  /// metadata.
  ///
  /// Setting it to true keeps a stronger setting.
  public var removesLocation: Bool {
    get { representation.stripping != .nothing }
    set {
      if newValue, representation.stripping == .nothing { representation.stripping = .location }
      if !newValue, representation.stripping == .location { representation.stripping = .nothing }
    }
  }
  /// Whether the results contain no titles, captions and comments; the same as `representation.removesCaptions`, which
  /// `representation.stripping` includes if it removes all metadata.
  ///
  /// Setting it to false keeps that stronger setting.
  public var removesCaptions: Bool {
    get { representation.removesCaptions || representation.stripping == .all }
    set { representation.removesCaptions = newValue }
  }
  /// Which version of an edited asset the results contain; tpick's own.
  public var version = AssetVersion.current
  /// The formats and limits of the delivered files; assets that can't be delivered in this way are shown but
  /// can't be picked.
  public var representation = RepresentationOptions()
  /// Only assets that match are shown.
  ///
  /// The user sees this filter and can't remove it.
  public var filter: PickerFilter?
  /// The layout of the picker.
  public var mode = Mode.default
  /// The features that are disabled.
  public var disabledCapabilities: Capabilities = []
  /// The initial sort order.
  public var sort: AssetSort = .newest

  /// Creates a configuration for picking one asset.
  public init() {}

  /// Changes of a configuration while the picker is open; PhotosUI's `PHPickerConfiguration.Update`.
  public struct Update: Hashable, Sendable {
    /// The maximum number of picked assets, 0 = no limit; nil = unchanged.
    ///
    /// If more are picked already, the user must deselect some before confirming.
    public var selectionLimit: Int?

    /// Creates an update.
    /// - Parameter selectionLimit: the maximum number of picked assets, 0 = no limit; nil = unchanged.
    public init(selectionLimit: Int? = nil) { self.selectionLimit = selectionLimit }
  }
}

/// Requirements that an asset must meet to be picked.
///
/// In contrast to a filter, they don't hide assets.
public struct PickerRequirements: Hashable, Sendable {
  /// The minimum duration of a video in seconds; nil = no minimum.
  public var minimumDuration: Double?
  /// The maximum duration of a video in seconds, to a tenth of a second; nil = no maximum.
  public var maximumDuration: Double?
  /// The maximum length of the primary file in bytes; nil = no maximum.
  ///
  /// If a part of a video is delivered, what counts is the file with that part: it is estimated when it is picked, and
  /// loading or exporting it fails if it became larger.
  public var maximumByteCount: Int64?

  /// Creates requirements; by default there are none.
  public init(
    minimumDuration: Double? = nil, maximumDuration: Double? = nil, maximumByteCount: Int64? = nil
  ) {
    self.minimumDuration = minimumDuration
    self.maximumDuration = maximumDuration
    self.maximumByteCount = maximumByteCount
  }

  /// The requirement that an asset does not meet.
  public enum Shortfall: Hashable, Sendable {
    /// The video is shorter than the minimum duration in seconds.
    case tooShort(minimum: Double)
    /// The video is longer than the maximum duration in seconds.
    case tooLong(maximum: Double)
    /// The video's duration is unknown, and there is a requirement for it.
    case unknownDuration
    /// The file is longer than the maximum length in bytes.
    case tooLarge(maximum: Int64)
  }

  /// Returns the requirement that an asset does not meet; nil if it meets all.
  public func shortfall(of asset: AssetBrief) -> Shortfall? {
    shortfall(asset.mediaType, asset.duration, asset.byteCount)
  }

  /// Returns the requirement that an asset does not meet; nil if it meets all.
  /// - Parameters:
  ///   - asset: the asset; if it is trimmed, what counts is the part.
  ///   - options: how it is delivered, which determines the size of a part.
  public func shortfall(
    of asset: Asset, as options: RepresentationOptions = RepresentationOptions()
  ) -> Shortfall? {
    let byteCount =
      asset.trim == nil
      ? asset.byteCount : RepresentationPlan.estimatedByteCount(of: asset, options).byteCount
    return shortfall(asset.mediaType, asset.deliveredDuration, byteCount)
  }

  /// How many seconds longer than the maximum still counts as equal: recorders stop at the end of a frame, and a clip of
  /// "60 seconds" has 60.03.
  private static let tolerance = 0.1

  private func shortfall(_ mediaType: MediaType, _ duration: Double, _ byteCount: Int64) -> Shortfall? {
    if let maximumByteCount, byteCount > maximumByteCount {
      return .tooLarge(maximum: maximumByteCount)
    }
    guard mediaType == .video, minimumDuration != nil || maximumDuration != nil else { return nil }
    if duration <= 0 { return .unknownDuration }
    if let minimumDuration, duration < minimumDuration { return .tooShort(minimum: minimumDuration) }
    if let maximumDuration, duration > maximumDuration + Self.tolerance {
      return .tooLong(maximum: maximumDuration)
    }
    return nil
  }
}
