import AssetLibrary
import Pixels

/// A part of the screen over the photos or beside them that handles input first.
///
/// It handles input before the layers below it, and is drawn over them. Its state is its own; what it shares with
/// others (the library, the picks, the pictures, the layout) is in the picker passed to it.
protocol Layer: Sendable {
  /// Handles input, or passes it on to the layers below.
  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled

  func draw(on frame: inout ScreenFrame, in picker: PickerState)

  /// The hints for the last line; nil = those of the layers below.
  func hints(in picker: PickerState) -> [StatusLine.Hint]?

  /// The area of the photos that it covers; nil = none.
  func cover(in picker: PickerState) -> CellRect?

  /// The rows that it takes beside the photos; nil = none.
  func rows(in picker: PickerState) -> Int?

  /// The keys that help if the user's own search or filters find nothing; nil = the default ones.
  func helpfulKeys(in picker: PickerState) -> [String]?

  var kind: LayerKind { get }
}

extension Layer {
  func hints(in picker: PickerState) -> [StatusLine.Hint]? { nil }
  func cover(in picker: PickerState) -> CellRect? { nil }
  func rows(in picker: PickerState) -> Int? { nil }
  func helpfulKeys(in picker: PickerState) -> [String]? { nil }
  var kind: LayerKind { .box }
}

enum LayerKind: Hashable, Sendable {
  /// Fills the screen: nothing of the library is visible or reachable.
  case page
  /// Blocks everything else while it is open, including the caller's keys.
  case modal
  /// A box or a menu; only one is open at a time.
  case box
  /// A line for text input.
  case prompt
}

/// Input by the user.
enum LayerInput {
  /// A key, and the command that it is bound to.
  case key(Key, Command?)
  case mouse(MouseEvent)
  case paste(String)
}

/// The result of handling input.
enum Handled {
  case handled([PickerEffect])
  /// The input closed the layer.
  case closed([PickerEffect])
  /// The layers below handle the input.
  case passed
  /// The input closed the layer, and the layers below handle it as well.
  case closedAndPassed
}

/// The open layers, at most one of each kind, the topmost last.
struct LayerStack: Sendable {
  private var layers: [any Layer] = []
  /// The page that replaces the library; nil = none.
  var page: (any Layer)?

  /// Whether the library is shown, rather than a page in its place.
  var showsLibrary: Bool { page == nil }

  /// The open layer of a type; nil = not open.
  ///
  /// Setting a layer that is not open puts it on top.
  subscript<L: Layer>(type: L.Type) -> L? {
    get {
      for layer in layers { if let layer = layer as? L { return layer } }
      return nil
    }
    set {
      guard let newValue else { return layers.removeAll { $0 is L } }
      if let index = layers.firstIndex(where: { $0 is L }) {
        layers[index] = newValue
      } else {
        layers.append(newValue)
      }
    }
  }

  var isEmpty: Bool { layers.isEmpty }
  var fromBottom: [any Layer] { layers }
  var fromTop: [any Layer] { layers.reversed() }

  /// The areas of the photos that boxes and the albums of a narrow screen cover.
  func covers(in picker: PickerState) -> [CellRect] {
    // A blank column keeps pictures from touching the edge of the albums.
    let albums = picker.layout.sidebarFloats ? picker.layout.sidebar?.inset(right: -1) : nil
    return [albums].compactMap { $0 } + layers.compactMap { $0.cover(in: picker) }
  }

  func has(_ kind: LayerKind) -> Bool { layers.contains { $0.kind == kind } }

  /// Opens a layer in place of those of its kind.
  mutating func open(_ layer: some Layer) {
    close(layer.kind)
    layers.append(layer)
  }

  mutating func close(_ kind: LayerKind) { layers.removeAll { $0.kind == kind } }

  mutating func closeAll() { layers = [] }

  /// Stores the changed state of a layer after it handled input, unless it was closed meanwhile.
  fileprivate mutating func keep(_ layer: any Layer) {
    guard let index = layers.firstIndex(where: { type(of: $0) == type(of: layer) }) else { return }
    layers[index] = layer
  }

  fileprivate mutating func close(_ layer: any Layer) { layers.removeAll { type(of: $0) == type(of: layer) } }
}

extension PickerState {
  /// Offers input to the open layers, the topmost first; if a page replaces the library, only to a modal layer or to
  /// the page.
  /// - Returns: the effects; nil if the panes should handle it.
  mutating func offer(_ input: LayerInput) -> [PickerEffect]? {
    if !layers.showsLibrary, !layers.has(.modal) { return offerToPage(input) }
    for var layer in layers.fromTop {
      let handled = layer.handle(input, in: &self)
      if let effects = settle(layer, handled) { return effects }
    }
    return nil
  }

  /// Sends an open layer something other than input; does nothing if it is not open.
  mutating func updateLayer<L: Layer>(
    _ type: L.Type, _ what: (inout L, inout PickerState) -> Handled
  ) -> [PickerEffect] {
    guard var layer = layers[type] else { return [] }
    let handled = what(&layer, &self)
    return settle(layer, handled) ?? []
  }

  /// Offers input to the page that replaces the library.
  private mutating func offerToPage(_ input: LayerInput) -> [PickerEffect] {
    guard var shown = layers.page else { return [] }
    switch shown.handle(input, in: &self) {
    case .handled(let effects):
      layers.page = shown
      return effects
    // Another page, or the library, has replaced it.
    case .closed(let effects): return effects
    case .passed, .closedAndPassed: return []
    }
  }

  private mutating func settle(_ layer: any Layer, _ handled: Handled) -> [PickerEffect]? {
    switch handled {
    case .handled(let effects):
      layers.keep(layer)
      return effects
    case .closed(let effects):
      layers.close(layer)
      return effects
    case .passed:
      layers.keep(layer)
      return nil
    case .closedAndPassed:
      layers.close(layer)
      return nil
    }
  }
}
