import PickerUI

/// The changed rows of a frame, in groups that ncurses is given one after the other.
///
/// ncurses looks for rows that moved and has the terminal scroll them (hashmap.c and hardscroll.c of ncurses 6;
/// `idlok` forbids insertion and deletion of lines only): pictures would move along, or not. It takes a row
/// for moved when it alone looks as one alone looked before, elsewhere. So no row of a group looks as another
/// of the group did; one that has not changed itself looks the same in both places, which is never a move.
struct RowGroups {
  private(set) var groups: [[Int]] = []

  /// - Parameters:
  ///   - rows: those that differ between the frames, which are equally large.
  init(of rows: [Int], from old: ScreenFrame, to new: ScreenFrame) {
    let before = Dictionary(uniqueKeysWithValues: rows.map { ($0, Self.look(of: old.row($0))) })
    let after = Dictionary(uniqueKeysWithValues: rows.map { ($0, Self.look(of: new.row($0))) })
    let places = Dictionary(grouping: rows) { before[$0] ?? [] }
    let moved = rows.filter { row in
      guard let found = after[row].flatMap({ places[$0] }) else { return false }
      return found != [row]
    }
    let others = Set(rows).subtracting(moved)
    if !others.isEmpty { groups.append(rows.filter(others.contains)) }
    let first = groups.count
    for row in moved {
      let free = groups.indices.dropFirst(first).first { index in
        !groups[index].contains { before[$0] == after[row] || after[$0] == before[row] }
      }
      if let free { groups[free].append(row) } else { groups.append([row]) }
    }
  }

  /// What ncurses compares: the base character of every cell, without its style.
  private static func look(of cells: ArraySlice<FrameCell>) -> [Unicode.Scalar] {
    cells.map { cell in
      switch cell.content {
      case .text(let text): text.unicodeScalars.first ?? " "
      case .picture, .continuation: " "
      }
    }
  }
}

/// The parts of a changed row that ncurses is given one after the other.
///
/// Between two cells that changed, ncurses writes those that did not where that takes fewer bytes than to move the
/// cursor (PutRange of tty_update.c in ncurses 6). Cells of a picture are blanks to it: the picture would be gone, as a
/// poster of two cells between the mark and the name of its album. So no update goes on beyond a narrow picture.
struct ChangedSpans {
  /// The columns of each part, from left to right; together they are the row.
  private(set) var spans: [Range<Int>] = []

  /// More cells than a movement of the cursor has bytes (`CSI 999;999H`) are never written over.
  private static let longestMove = 10

  /// - Precondition: both rows are equally long.
  init(from old: ArraySlice<FrameCell>, to new: ArraySlice<FrameCell>) {
    let (old, new) = (Array(old), Array(new))
    var start = 0
    var last: Int?
    for column in new.indices where old[column] != new[column] {
      defer { last = column }
      guard let last, column - last - 1 <= Self.longestMove,
        let picture = (last + 1..<column).first(where: { new[$0].content == .picture })
      else { continue }
      spans.append(start..<picture)
      start = picture
    }
    spans.append(start..<new.count)
  }
}
