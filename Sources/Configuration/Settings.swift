package import AssetLibrary
package import PickerUI
package import TerminalGraphics

/// Everything that the configuration decides, as values.
package struct Settings: Hashable, Sendable {
  package var bindings = KeyBindings.standard
  package var theme = ThemeChoice()
  package var symbols = SymbolSet.unicode
  package var gridSize = GridSize.medium
  package var showsAlbums = true
  /// nil = where there is room.
  package var showsPreview: Bool?
  package var sort = AssetSort.newest
  /// Whether what can't be done is heard.
  package var rings = false
  /// What writes sixels; nil = what is better for the terminal's colour registers.
  package var sixelEncoder: SixelEncoderKind?
  /// Bytes of pictures to keep in memory: those made ready for the terminal and those decoded, together.
  package var cacheMemory = 56 << 20

  package init() {}

  /// The part of the memory that is for pictures as the terminal takes them: at the default 32 MiB.
  ///
  /// It is the larger one, because what is encoded can be shown without any work.
  package var encodedMemory: Int { cacheMemory / 7 * 4 }

  /// The part of the memory that is for decoded pictures: at the default 24 MiB.
  package var decodedMemory: Int { cacheMemory - encodedMemory }

  /// Enters what concerns the picker into its options.
  package func apply(to options: inout PickerState.Options) {
    options.bindings = bindings
    options.symbols = symbols.symbols
    options.gridSize = gridSize
    options.showsAlbums = showsAlbums
    options.showsPreview = showsPreview
    options.configuration.sort = sort
    options.ringsBell = rings
  }
}
