package import Pixels

/// The pictures on a screen, and the bytes that make them others.
///
/// A value that knows what was sent; it sends nothing itself. A frame is `begin`, then `blanks` over the cells that
/// it named and the text, then `draw` for every picture that it named; what is not drawn because something else is more
/// urgent is left to the next frame.
package struct PictureScreen: Sendable {
  /// A picture that the terminal keeps.
  private struct Kept {
    var number: KittyNumber
    var cost: Int
    var lastUse: Int
    var isTransient: Bool
  }

  private let kitty: KittyCommands
  private let limit: Int
  private let ground: [UInt8]
  private var shown: [PlacedPicture] = []
  private var leaving: [PlacedPicture] = []
  private var stale: [CellRect] = []
  private var kept: [UInt64: Kept] = [:]
  private var nextNumber: UInt64
  private var clock = 0

  /// - Parameters:
  ///   - firstNumber: where the terminal's numbers for pictures begin, so that programs side by side differ.
  ///   - limit: bytes of pixels that the terminal is to keep.
  ///   - ground: the bytes that choose the background of what is erased; none = the terminal's own.
  package init(
    kitty: KittyCommands = KittyCommands(), firstNumber: UInt64 = 0, limit: Int = PictureScreen.usualLimit,
    ground: [UInt8] = []
  ) {
    self.kitty = kitty
    self.ground = ground
    nextNumber = firstNumber
    self.limit = limit
  }

  /// A part of what kitty grants all programs together (320 MB).
  private static let usualLimit = 96 << 20

  /// Whether nothing is on the screen and nothing is kept by the terminal.
  package var isBlank: Bool { shown.isEmpty && leaving.isEmpty && stale.isEmpty && kept.isEmpty }

  /// Whether the screen is right as it is.
  package func shows(_ wanted: [PlacedPicture]) -> Bool {
    stale.isEmpty && ScreenPlan(from: shown + leaving, to: wanted).isEmpty
  }

  /// What a frame does to the pictures of the one before.
  package struct Changes {
    /// What removes pictures above the cells, sent before the text.
    package var removal: [UInt8]
    /// The cells that have to be blanked before text comes there.
    package var erase: [CellRect]
    /// The pictures to draw, each after the text of its rows.
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

  /// The bytes that draw one of the pictures of the frame.
  /// - Parameter share: puts bytes where kitty finds them; nil = nowhere.
  package mutating func draw(
    _ place: PlacedPicture, _ picture: EncodedPicture, share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    if let image = picture.image {
      let number = keep(image, place, &bytes, share)
      bytes += Self.begin
      bytes += kitty.place(image, as: number, at: place)
    } else {
      bytes += Self.begin
      bytes += Placement.draw(picture, row: place.row, column: place.column)
    }
    bytes += Self.end
    // What was there before goes when the new one is there: nothing flashes.
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

  /// Whether a picture is on the screen.
  package func contains(_ place: PlacedPicture) -> Bool { shown.contains(place) }

  /// The pictures on the screen.
  package var shownVersions: Set<UInt64> { Set(shown.map(\.version)) }

  /// The bytes that draw a picture in the place of its draft.
  package mutating func refine(
    _ draft: PlacedPicture, to place: PlacedPicture, _ picture: EncodedPicture,
    share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    guard let index = shown.firstIndex(of: draft) else { return [] }
    shown.remove(at: index)
    if draft.livesInCells { stale.append(draft.rect) } else { leaving.append(draft) }
    return draw(place, picture, share: share)
  }

  /// The bytes that draw one strip of a picture over its draft, which counts as shown until the last one is there.
  package func strip(_ index: Int, of picture: EncodedPicture, at place: PlacedPicture) -> [UInt8] {
    let strip = picture.strips[index]
    return Self.begin + Placement.move(row: place.row + strip.row, column: place.column) + strip.bytes
      + Self.end
  }

  /// All strips of a picture are drawn over its draft.
  package mutating func completeRefinement(of draft: PlacedPicture, to place: PlacedPicture) {
    if let index = shown.firstIndex(of: draft) { shown[index] = place }
  }

  // MARK: What goes

  /// What is on the screen of a picture does not count any more: it is drawn anew, or its cells are erased.
  package mutating func forget(_ place: PlacedPicture) {
    guard let index = shown.firstIndex(of: place) else { return }
    shown.remove(at: index)
    stale.append(place.rect)
  }

  /// The bytes that print blanks over cells.
  package func blanks(_ cells: [CellRect]) -> [UInt8] {
    cells.isEmpty ? [] : Self.begin + ground + cells.flatMap(Placement.erase) + Self.end
  }

  /// Erases all pictures and has the terminal forget them.
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

  // Save the cursor with its attributes, then plain text: what is printed must be blank.
  private static let begin = Array("\u{1B}7\u{1B}[0m".utf8)
  private static let end = Array("\u{1B}8".utf8)

  private func removal(of old: PlacedPicture, from part: Int = 0) -> [UInt8] {
    kept[old.version].map { kitty.remove($0.number, at: old, from: part) } ?? []
  }

  /// Sees to it that the terminal has the data of a picture.
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

  /// Frees what was shown for a moment only, and what was not used for longest, down to the limit; nothing that is on
  /// the screen.
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
