import TestScheduling
import Testing

// Tests that run the real program.

/// The picker on a screen.
@Suite(.onOwnThreads) enum EndToEnd {}

/// The commands as scripts call them.
@Suite(.onOwnThreads) enum Commands {}

/// What leaves the program: formats, copies, and the programs that take them.
@Suite(.onOwnThreads) enum Outputs {}
