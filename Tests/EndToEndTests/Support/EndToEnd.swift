import Testing

/// Tests that run the real program on a screen: one after the other, so that one picker at a time has a core.
@Suite(.serialized) enum EndToEnd {}

/// Tests that run the real program as scripts do: one after the other, beside those on a screen.
@Suite(.serialized) enum Commands {}
