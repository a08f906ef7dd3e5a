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
