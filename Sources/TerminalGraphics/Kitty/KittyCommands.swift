package import Pixels

/// The commands of kitty's graphics protocol that place and free pictures.
///
/// All of them ask for silence (`q=2`): answers would arrive between keys.
package struct KittyCommands: Hashable, Sendable {
  /// The most base 64 bytes in one command.
  static let chunk = 4096

  /// Whether pictures stand where placeholder characters are, as inside tmux.
  package let usesPlaceholders: Bool
  /// Whether commands are wrapped for tmux.
  let needsPassthrough: Bool

  package init(usesPlaceholders: Bool = false, needsPassthrough: Bool = false) {
    self.usesPlaceholders = usesPlaceholders
    self.needsPassthrough = needsPassthrough
  }

  /// Hands a picture over, which is not shown by that.
  ///
  /// - Parameters:
  ///   - cells: the box of its placeholders.
  ///   - share: puts bytes where the terminal finds them; without such a place they go inline.
  package func transmit(
    _ image: KittyImage, as number: KittyNumber, cells: CellSize,
    share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    var keys = "i=\(number.value),q=2,f=\(image.format.rawValue)"
    // A PNG says itself how large it is.
    if image.format != .png { keys += ",s=\(image.size.width),v=\(image.size.height)" }
    // A virtual placement tells how many cells the placeholders cover.
    keys += usesPlaceholders ? ",a=T,U=1,c=\(cells.columns),r=\(cells.rows)" : ",a=t"
    switch image.payload {
    case .inline(let base64, let isCompressed):
      return inline(base64, isCompressed ? keys + ",o=z" : keys)
    case .shared(let pixels):
      guard let place = share(pixels) else { return inline(Base64.encode(pixels), keys) }
      return command(
        keys + ",t=\(place.medium),S=\(pixels.count)", Base64.encode(Array(place.name.utf8))[...])
    }
  }

  private func inline(_ base64: [UInt8], _ keys: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(base64.count + base64.count / Self.chunk * 16 + 128)
    var start = 0
    repeat {
      let end = min(base64.count, start + Self.chunk)
      let more = end < base64.count ? 1 : 0
      bytes += command(start == 0 ? "\(keys),t=d,m=\(more)" : "m=\(more),q=2", base64[start..<end])
      start = end
    } while start < base64.count
    return bytes
  }

  /// Shows a picture with its top left cell at a place; what is shown under the same two numbers moves.
  ///
  /// The cursor is moved, and stays where the picture begins.
  /// - Parameter isEnlarged: whether the terminal fits the picture into the cells.
  package func place(
    _ number: KittyNumber, placement: Int, cells: CellSize, row: Int, column: Int, depth: Int = 0,
    isEnlarged: Bool = false
  ) -> [UInt8] {
    guard usesPlaceholders else {
      return Placement.move(row: row, column: column)
        + placeAtCursor(number, placement: placement, depth: depth, box: isEnlarged ? cells : nil)
    }
    return (0..<cells.rows).flatMap { line in
      Placement.move(row: row + line, column: column) + KittyPlaceholders.row(line, of: cells, number)
    }
  }

  /// Shows a picture where the cursor is, which stays there.
  /// - Parameter box: the cells that it is fitted into; nil = it has its own size.
  func placeAtCursor(
    _ number: KittyNumber, placement: Int, depth: Int = 0, box: CellSize? = nil
  ) -> [UInt8] {
    let fit = box.map { "c=\($0.columns),r=\($0.rows)," } ?? ""
    return command("a=p,i=\(number.value),p=\(placement),\(fit)\(depth == 0 ? "" : "z=\(depth),")C=1,q=2")
  }

  /// The depth at which text stands over a picture, its background below.
  static let belowText = -1
  /// The depth at which text stands over a picture with its background, unless that is the terminal's own.
  static let belowBackgrounds = -1_073_741_825

  /// A picture with its data and its place in its strips: for output that is not taken back.
  package func drawing(_ picture: EncodedPicture, as number: KittyNumber) -> EncodedPicture {
    guard let image = picture.image else { return picture }
    let data = transmit(image, as: number, cells: picture.size)
    var placed = placing(picture, as: number)
    if !placed.strips.isEmpty { placed.strips[0].bytes = data + placed.strips[0].bytes }
    return placed
  }

  /// A picture with its place alone in its strips: the terminal has its data already.
  package func placing(_ picture: EncodedPicture, as number: KittyNumber) -> EncodedPicture {
    var lines = [placeAtCursor(number, placement: 1)]
    if usesPlaceholders {
      lines = (0..<picture.size.rows).map { KittyPlaceholders.row($0, of: picture.size, number) }
    }
    let strips = lines.enumerated().map { row, line in
      EncodedPicture.Strip(row: row, bytes: line)
    }
    return EncodedPicture(size: picture.size, covered: picture.covered, strips: strips)
  }

  /// Takes a picture from the screen and keeps its data.
  package func remove(_ number: KittyNumber, placement: Int) -> [UInt8] {
    command("a=d,d=i,i=\(number.value),p=\(placement),q=2")
  }

  /// Frees a picture wherever it is shown.
  package func free(_ number: KittyNumber) -> [UInt8] {
    command("a=d,d=I,i=\(number.value),q=2")
  }

  /// Frees all pictures on the screen, whoever sent them.
  package var freeAll: [UInt8] { command("a=d,d=A,q=2") }

  private func command(_ keys: String, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
    var bytes = Array("\u{1B}_G\(keys)".utf8)
    if !payload.isEmpty {
      bytes.append(UInt8(ascii: ";"))
      bytes += payload
    }
    bytes += "\u{1B}\\".utf8
    return needsPassthrough ? TmuxPassthrough.wrap(bytes) : bytes
  }
}
