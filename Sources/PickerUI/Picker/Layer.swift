import AssetLibrary
import Pixels

/// Something that is open over the photos or beside them.
///
/// It takes input before what is below it, and is drawn over that. Its state is its own; what it shares with others (the
/// library that is shown, the picks, the pictures, the layout) is in the picker that it is given.
protocol Layer: Sendable {
  /// Takes input, or leaves it to what is below.
  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled

  func draw(on frame: inout ScreenFrame, in picker: PickerState)

  /// The keys that the last line offers; nil = those of what is below.
  func hints(in picker: PickerState) -> [StatusLine.Hint]?

  /// What is covered of the photos; nil = nothing.
  func cover(in picker: PickerState) -> CellRect?

  /// The rows that it takes beside the photos; nil = it takes none.
  func rows(in picker: PickerState) -> Int?

  /// The keys that help where the user's own search or filters find nothing; nil = as without it.
  func waysOut(in picker: PickerState) -> [String]?

  var kind: LayerKind { get }
}

extension Layer {
  func hints(in picker: PickerState) -> [StatusLine.Hint]? { nil }
  func cover(in picker: PickerState) -> CellRect? { nil }
  func rows(in picker: PickerState) -> Int? { nil }
  func waysOut(in picker: PickerState) -> [String]? { nil }
  var kind: LayerKind { .box }
}

enum LayerKind: Hashable, Sendable {
  /// It fills the screen: nothing of the library is seen or reached.
  case page
  /// Nothing else can be done while it is open; also not by the caller's keys.
  case modal
  /// A box or a menu, of which one is open at a time.
  case box
  /// A line that is typed in.
  case prompt
}

/// What the user does.
enum LayerInput {
  /// A key, and the command that it is bound to.
  case key(Key, Command?)
  case mouse(MouseEvent)
  case paste(String)
}

/// What a layer made of input.
enum Handled {
  case handled([PickerEffect])
  /// The layer is closed by it.
  case closed([PickerEffect])
  /// What is below gets the input.
  case passed
  /// The layer is closed by it, and what is below gets the input.
  case closedAndPassed
}

/// What is open, each kind of layer once, the topmost last.
struct LayerStack: Sendable {
  private var layers: [any Layer] = []
  /// What stands in the place of the library; nil = nothing.
  var page: (any Layer)?

  /// Whether the library is shown, rather than a page in its place.
  var showsLibrary: Bool { page == nil }

  /// The open layer of a type; nil = it is not open.
  ///
  /// One that is set and was not open is on top.
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

  func has(_ kind: LayerKind) -> Bool { layers.contains { $0.kind == kind } }

  /// Opens a layer in place of those of its kind.
  mutating func open(_ layer: some Layer) {
    close(layer.kind)
    layers.append(layer)
  }

  mutating func close(_ kind: LayerKind) { layers.removeAll { $0.kind == kind } }

  mutating func closeAll() { layers = [] }

  /// Keeps what a layer has become while it handled something, unless it was closed meanwhile.
  fileprivate mutating func keep(_ layer: any Layer) {
    guard let index = layers.firstIndex(where: { type(of: $0) == type(of: layer) }) else { return }
    layers[index] = layer
  }

  fileprivate mutating func close(_ layer: any Layer) { layers.removeAll { type(of: $0) == type(of: layer) } }
}

extension PickerState {
  /// Offers input to what is open, the topmost first.
  /// - Returns: the effects; nil where it is left to the panes.
  mutating func offer(_ input: LayerInput) -> [PickerEffect]? {
    for var layer in layers.fromTop {
      let handled = layer.handle(input, in: &self)
      if let effects = settle(layer, handled) { return effects }
    }
    return nil
  }

  /// Tells an open layer something that is no input; nothing where it is not open.
  mutating func tell<L: Layer>(
    _ type: L.Type, _ what: (inout L, inout PickerState) -> Handled
  ) -> [PickerEffect] {
    guard var layer = layers[type] else { return [] }
    let handled = what(&layer, &self)
    return settle(layer, handled) ?? []
  }

  /// Offers input to the page that stands in the place of the library.
  mutating func offerToPage(_ input: LayerInput) -> [PickerEffect] {
    guard var shown = layers.page else { return [] }
    switch shown.handle(input, in: &self) {
    case .handled(let effects):
      layers.page = shown
      return effects
    // Another page, or the library, is in its place now.
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
