import TestScheduling
import Testing

// Tests that run the real program.

/// The picker on a screen.
@Suite(.onOwnThreads) enum EndToEnd {}

/// The commands as scripts call them.
@Suite(.onOwnThreads) enum Commands {}

/// Output of the program: formats, copies, and the programs that consume them.
@Suite(.onOwnThreads) enum Outputs {}
