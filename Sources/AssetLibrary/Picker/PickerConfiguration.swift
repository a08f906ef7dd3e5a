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
