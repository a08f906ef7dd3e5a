package import AssetLibrary
package import PickerUI
package import Pixels
package import TerminalGraphics

/// The values of all settings in the configuration.
package struct Settings: Hashable, Sendable {
  package var bindings = KeyBindings.standard
  /// Actions of single keys, programs among them; they come after `bindings`.
  package var actions: [BoundAction] = []
  package var theme = ThemeChoice()
  package var symbols = SymbolSet.unicode
  package var graphics = GraphicsMode.auto
  /// The size of a character cell in pixels; nil = what the terminal says.
  package var cellSize: PixelSize?
  package var mode = PickerConfiguration.Mode.default
  /// What is opened where the caller names nothing: paths, of which `~/` begins those in the home folder.
  package var sources: [String] = []
  package var screen = ScreenPreferences()
  package var sort = AssetSort.newest
  /// Whether warnings and the end of long work ring the bell.
  package var ringsBell = false
  /// Whether files are decoded where the kernel can't confine the programs that do it.
  package var allowsUnconfinedDecoding = false
  /// The sixel encoder; nil = chosen by the number of the terminal's color registers.
  package var sixelEncoder: SixelEncoderKind?
  /// The size in bytes of the memory caches of encoded and decoded pictures together.
  var cacheMemory = 56 << 20
  /// The size in bytes of the originals of servers that are kept on this machine.
  package var originalsLimit = 4 << 30
  /// For how many days an original that was picked stays after it was last used, whatever else is kept; nil = for ever.
  package var pickedDays: Int?
  /// How many requests a second are made of a server at most.
  package var requestsPerSecond = 50

  package init() {}

  /// The size in bytes of the cache of encoded pictures, by default 32 MiB.
  ///
  /// It is the larger part, because encoded pictures can be shown without any work.
  package var encodedMemory: Int { cacheMemory / 7 * 4 }

  /// The size in bytes of the cache of decoded pictures, by default 24 MiB.
  package var decodedMemory: Int { cacheMemory - encodedMemory }

  /// Takes over what the user changed of the screen with keys.
  package mutating func apply(_ changes: ScreenChanges) {
    if let size = changes.gridSize { screen.gridSize = size }
    if let isOn = changes.showsPreview { screen.showsPreview = isOn }
    if let columns = changes.albumColumns { screen.albumColumns = columns }
    if let share = changes.previewShare { screen.previewShare = share }
    if let sort = changes.sort { self.sort = sort }
    if let name = changes.toldFallback { screen.toldFallback = name }
  }

  /// Applies the settings that concern the picker to its options.
  package func apply(to options: inout PickerState.Options) {
    options.bindings = bindings
    options.symbols = symbols.symbols
    options.screen = screen
    options.configuration.sort = sort
    options.configuration.mode = mode
    options.ringsBell = ringsBell
  }
}
