/// What a program that opens a picker wants of it.
public struct PickerConfiguration: Hashable, Sendable {
  /// In which order the results come, and when.
  public enum Selection: String, CaseIterable, Hashable, Sendable {
    /// As the grid shows them.
    case `default`
    /// As they were picked.
    case ordered
    /// Each change of the selection is told as it happens; the order is the grid's.
    case continuous
    /// Each change of the selection is told as it happens; the order is that of the picking.
    case continuousAndOrdered
    /// Ours: the asset under the cursor is told as the cursor moves.
    case follow

    /// Whether the order of the picking counts.
    public var isOrdered: Bool { self == .ordered || self == .continuousAndOrdered }

    /// Whether changes of the selection are told as they happen.
    public var isContinuous: Bool { self == .continuous || self == .continuousAndOrdered }

    /// Ours: whether anything is told before the picker ends.
    public var isToldEarly: Bool { isContinuous || self == .follow }
  }

  /// Which representation of an asset a result gives.
  public typealias AssetRepresentationMode = RepresentationMode

  /// How much room the picker takes.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    case `default`
    /// One row of photos.
    case compact
  }

  /// Parts of the picker that can be turned off.
  public struct Capabilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    public static let search = Capabilities(rawValue: 1 << 0)
    /// The list of albums.
    public static let collectionNavigation = Capabilities(rawValue: 1 << 1)
    /// Actions on the whole selection.
    public static let selectionActions = Capabilities(rawValue: 1 << 2)
    /// Ours: the large picture of an asset.
    public static let preview = Capabilities(rawValue: 1 << 3)
  }

  /// How many images and videos may be picked; 0 = no limit but that of all.
  public struct KindLimits: Hashable, Sendable {
    public var images: Int
    public var videos: Int

    public init(images: Int = 0, videos: Int = 0) {
      self.images = images
      self.videos = videos
    }
  }

  /// How many may be picked; 0 = no limit.
  public var selectionLimit = 1
  /// How many of one kind may be picked, within the limit of all.
  public var kindLimits = KindLimits()
  /// What can't be picked although it is shown.
  public var requirements = PickerRequirements()
  public var selection: Selection = .ordered
  /// What is selected at the start.
  ///
  /// May exceed the limit: nothing can be confirmed then before the user has unselected some.
  public var preselectedAssetIdentifiers: [LocalIdentifier] = []
  public var preferredAssetRepresentationMode: AssetRepresentationMode {
    get { representation.mode }
    set { representation.mode = newValue }
  }
  /// Ours: which version of an edited asset the results stand for.
  public var version = AssetVersion.current
  /// In which shape the results are handed over; what can't be is shown and can't be picked.
  public var representation = RepresentationOptions()
  /// The caller's constraint: shown on the screen, never removable there.
  public var filter: PickerFilter?
  public var mode = Mode.default
  public var disabledCapabilities: Capabilities = []
  public var sort: AssetSort = .newest

  public init() {}
}

/// What an asset has to be to be picked, besides matching the filter: it is shown all the same.
public struct PickerRequirements: Hashable, Sendable {
  /// How long a video has to last at least, in seconds; nil = any time.
  public var minimumDuration: Double?
  /// How long a video may last, in seconds; nil = any time.
  public var maximumDuration: Double?
  /// The most bytes of the file that stands for the asset; nil = any number.
  public var maximumByteCount: Int64?

  public init(
    minimumDuration: Double? = nil, maximumDuration: Double? = nil, maximumByteCount: Int64? = nil
  ) {
    self.minimumDuration = minimumDuration
    self.maximumDuration = maximumDuration
    self.maximumByteCount = maximumByteCount
  }

  /// Why an asset does not meet them, with what would.
  public enum Shortfall: Hashable, Sendable {
    case tooShort(minimum: Double)
    case tooLong(maximum: Double)
    /// A video that does not say how long it lasts, where that counts.
    case unknownDuration
    case tooLarge(maximum: Int64)
  }

  /// Why an asset does not meet the requirements; nil where it does.
  public func shortfall(of asset: AssetBrief) -> Shortfall? {
    shortfall(asset.mediaType, asset.duration, asset.byteCount)
  }

  /// Why an asset does not meet the requirements; nil where it does.
  public func shortfall(of asset: Asset) -> Shortfall? {
    shortfall(asset.mediaType, asset.duration, asset.byteCount)
  }

  private func shortfall(_ mediaType: MediaType, _ duration: Double, _ byteCount: Int64) -> Shortfall? {
    if let maximumByteCount, byteCount > maximumByteCount {
      return .tooLarge(maximum: maximumByteCount)
    }
    guard mediaType == .video, minimumDuration != nil || maximumDuration != nil else { return nil }
    if duration <= 0 { return .unknownDuration }
    if let minimumDuration, duration < minimumDuration { return .tooShort(minimum: minimumDuration) }
    if let maximumDuration, duration > maximumDuration { return .tooLong(maximum: maximumDuration) }
    return nil
  }
}
