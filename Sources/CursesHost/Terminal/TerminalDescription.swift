import CNcurses

/// What ncurses' database says of the terminal.
package enum TerminalDescription {
  /// How many colours text can have; 256 where the database does not know the terminal, as nearly all have.
  ///
  /// Not safe beside a screen of ncurses, which looks for itself.
  package static var colorCount: Int {
    var status: Int32 = 0
    guard setupterm(nil, 1, &status) == OK else { return 256 }
    return max(0, Int(tigetnum("colors")))
  }
}
