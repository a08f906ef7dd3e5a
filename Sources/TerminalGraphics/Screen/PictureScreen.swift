package import Pixels

/// The pictures on a screen, and the bytes that change them.
///
/// A value that records what was sent, but sends nothing itself. For each frame, call `begin`; send `blanks`
/// of the cells to erase, then the text; then call `draw` for every picture to draw. If the caller stops
/// early because something else is more urgent, the next frame draws the rest.
package struct PictureScreen: Sendable {
  /// A picture that the terminal stores.
  private struct Kept {
    var number: KittyNumber
    var cost: Int
    var lastUse: Int
    var isTransient: Bool
  }

  private let kitty: KittyCommands
  private let limit: Int
  private let ground: [UInt8]
  private let begin: [UInt8]
  private let end: [UInt8]
  private let erasesFirst: Bool
  private var shown: [PlacedPicture] = []
  private var leaving: [PlacedPicture] = []
  private var stale: [CellRect] = []
  private var kept: [UInt64: Kept] = [:]
  private var nextNumber: UInt64
  private var clock = 0

  /// - Parameters:
  ///   - firstNumber: start of the terminal's picture numbers, so that concurrent programs differ.
  ///   - limit: bytes of pixels that the terminal should store.
  ///   - ground: bytes that set the background of erased cells; empty for the terminal's own.
  ///   - savesCursor: whether the cursor is put back after each change; otherwise the caller does so.
  ///   - erasesFirst: whether to erase a picture before another one is drawn over it: tmux would keep both.
  package init(
    kitty: KittyCommands = KittyCommands(), firstNumber: UInt64 = 0, limit: Int = PictureScreen.usualLimit,
    ground: [UInt8] = [], savesCursor: Bool = true, erasesFirst: Bool = false
  ) {
    self.erasesFirst = erasesFirst
    self.kitty = kitty
    // Saves the cursor with its attributes, and resets them, so that printed cells are blank.
    begin = Array((savesCursor ? "\u{1B}7\u{1B}[0m" : "\u{1B}[0m").utf8)
    end = Array((savesCursor ? "\u{1B}8" : "\u{1B}[0m").utf8)
    self.ground = ground
    nextNumber = firstNumber
    self.limit = limit
  }

  /// Leaves room for other programs: kitty stores 320 MB for all of them together.
  private static let usualLimit = 96 << 20

  /// Whether the screen has no pictures and the terminal stores none.
  package var isBlank: Bool { shown.isEmpty && leaving.isEmpty && stale.isEmpty && kept.isEmpty }

  /// Returns whether the screen already shows exactly these pictures.
  package func shows(_ wanted: [PlacedPicture]) -> Bool {
    stale.isEmpty && ScreenPlan(from: shown + leaving, to: wanted).isEmpty
  }

  /// The changes from the previous frame's pictures to the next one's.
  package struct Changes {
    /// Sequences that remove pictures above the cells, sent before the text.
    package var removal: [UInt8]
    /// Cells to blank before text is written there.
    package var erase: [CellRect]
    /// Pictures to draw, each after the text of its rows.
    package var draw: [PlacedPicture]
  }

  /// Begins a frame.
  package mutating func begin(_ wanted: [PlacedPicture]) -> Changes {
    let plan = ScreenPlan(from: shown + leaving, stale: stale, to: wanted)
    let new = Set(plan.draw)
    shown = wanted.filter { !new.contains($0) }
    leaving = plan.leaving
    stale = plan.stale
    return Changes(
      removal: plan.remove.flatMap { removal(of: $0) }, erase: plan.erase, draw: plan.draw)
  }

  /// Returns the bytes that draw one of the frame's pictures.
  /// - Parameter share: stores bytes where kitty can read them; returns nil if that fails.
  package mutating func draw(
    _ place: PlacedPicture, _ picture: EncodedPicture, share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    if let image = picture.image {
      let number = keep(image, place, &bytes, share)
      bytes += begin
      bytes += kitty.place(image, as: number, at: place)
    } else {
      bytes += begin
      if erasesFirst {
        let old = stale.filter { $0.intersects(place.rect) }
        bytes += ground + old.flatMap(Placement.erase)
      }
      bytes += Placement.draw(picture, row: place.row, column: place.column)
    }
    bytes += end
    // The previous picture is removed after the new one is shown, so that nothing flickers.
    for old in leaving {
      if old.isSamePicture(as: place) {
        bytes += removal(of: old, from: place.parts.count)
      } else if old.rect.intersects(place.rect) {
        bytes += removal(of: old)
      }
    }
    leaving.removeAll { $0.isSamePicture(as: place) || $0.rect.intersects(place.rect) }
    stale = stale.flatMap { $0.parts(outside: [place.rect]) }
    shown.append(place)
    return bytes + freeing()
  }

  // MARK: Drafts

  /// Returns whether a picture is on the screen.
  package func contains(_ place: PlacedPicture) -> Bool { shown.contains(place) }

  /// Versions of the pictures on the screen.
  package var shownVersions: Set<UInt64> { Set(shown.map(\.version)) }

  /// Returns the bytes that replace a draft with its picture.
  package mutating func refine(
    _ draft: PlacedPicture, to place: PlacedPicture, _ picture: EncodedPicture,
    share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    guard let index = shown.firstIndex(of: draft) else { return [] }
    shown.remove(at: index)
    if draft.livesInCells { stale.append(draft.rect) } else { leaving.append(draft) }
    return draw(place, picture, share: share)
  }

  /// Returns the bytes that draw one strip of a picture over its draft, which counts as shown until the last strip
  /// is drawn.
  package func strip(_ index: Int, of picture: EncodedPicture, at place: PlacedPicture) -> [UInt8] {
    let strip = picture.strips[index]
    return begin + Placement.move(row: place.row + strip.row, column: place.column) + strip.bytes
      + end
  }

  /// Notes that all strips of a picture are drawn over its draft.
  package mutating func completeRefinement(of draft: PlacedPicture, to place: PlacedPicture) {
    if let index = shown.firstIndex(of: draft) { shown[index] = place }
  }

  // MARK: Removal

  /// Marks a picture on the screen as invalid: it is drawn again, or its cells are erased.
  package mutating func forget(_ place: PlacedPicture) {
    guard let index = shown.firstIndex(of: place) else { return }
    shown.remove(at: index)
    stale.append(place.rect)
  }

  /// Returns the bytes that print blanks over cells.
  package func blanks(_ cells: [CellRect]) -> [UInt8] {
    cells.isEmpty ? [] : begin + ground + cells.flatMap(Placement.erase) + end
  }

  /// Returns the bytes that erase all pictures and free them in the terminal.
  package mutating func clear(_ size: CellSize) -> [UInt8] {
    if isBlank { return [] }
    var bytes = kept.values.sorted { $0.number.value < $1.number.value }.flatMap { kitty.free($0.number) }
    if !stale.isEmpty || (shown + leaving).contains(where: \.livesInCells) {
      let everything = CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
      bytes += blanks([everything])
    }
    shown = []
    leaving = []
    stale = []
    kept = [:]
    return bytes
  }

  private func removal(of old: PlacedPicture, from part: Int = 0) -> [UInt8] {
    kept[old.version].map { kitty.remove($0.number, at: old, from: part) } ?? []
  }

  /// Transmits the data of a picture unless the terminal stores it already.
  private mutating func keep(
    _ image: KittyImage, _ place: PlacedPicture, _ bytes: inout [UInt8],
    _ share: ([UInt8]) -> KittyHandover?
  ) -> KittyNumber {
    clock += 1
    if let known = kept[place.version] {
      kept[place.version]?.lastUse = clock
      return known.number
    }
    let number = KittyNumber(nextNumber)
    nextNumber &+= 1
    bytes += kitty.transmit(image, as: number, cells: place.size, share: share)
    kept[place.version] = Kept(
      number: number, cost: image.terminalCost, lastUse: clock, isTransient: place.isTransient)
    return number
  }

  /// Frees transient pictures, and the least recently used ones above the limit; never those on the screen.
  private mutating func freeing() -> [UInt8] {
    var cost = kept.values.reduce(0) { $0 + $1.cost }
    guard cost > limit || kept.values.contains(where: \.isTransient) else { return [] }
    let used = Set((shown + leaving).map(\.version))
    var bytes: [UInt8] = []
    for (version, old) in kept.sorted(by: { $0.value.lastUse < $1.value.lastUse })
    where (cost > limit || old.isTransient) && !used.contains(version) {
      bytes += kitty.free(old.number)
      kept[version] = nil
      cost -= old.cost
    }
    return bytes
  }
}
