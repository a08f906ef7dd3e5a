import Testing

// Tests that run the real program: in three rows, so that two cores are busy and serve few programs at a time.

/// The picker on a screen.
@Suite(.serialized) enum EndToEnd {}

/// The commands as scripts call them.
@Suite(.serialized) enum Commands {}

/// What leaves the program: formats, copies, and the programs that take them.
@Suite(.serialized) enum Outputs {}
