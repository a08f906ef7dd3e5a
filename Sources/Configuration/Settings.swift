public import AssetLibrary
public import PickerUI
public import TerminalGraphics

/// Everything that the configuration decides, as values.
public struct Settings: Hashable, Sendable {
  public var bindings = KeyBindings.standard
  public var theme = ThemeChoice()
  public var symbols = SymbolSet.unicode
  public var gridSize = GridSize.medium
  public var showsAlbums = true
  /// nil = where there is room.
  public var showsPreview: Bool?
  public var sort = AssetSort.newest
  /// Whether what can't be done is heard.
  public var rings = false
  /// What writes sixels; nil = what is better for the terminal's colour registers.
  public var sixelEncoder: SixelEncoderKind?
  /// Bytes of pictures to keep in memory: those made ready for the terminal and those decoded, together.
  public var cacheMemory = 56 << 20

  public init() {}

  /// The part of the memory that is for pictures as the terminal takes them: at the default 32 MiB.
  ///
  /// It is the larger one, because what is encoded can be shown without any work.
  public var encodedMemory: Int { cacheMemory / 7 * 4 }

  /// The part of the memory that is for decoded pictures: at the default 24 MiB.
  public var decodedMemory: Int { cacheMemory - encodedMemory }

  /// Enters what concerns the picker into its options.
  public func apply(to options: inout PickerState.Options) {
    options.bindings = bindings
    options.symbols = symbols.symbols
    options.gridSize = gridSize
    options.showsAlbums = showsAlbums
    options.showsPreview = showsPreview
    options.configuration.sort = sort
    options.rings = rings
  }
}
