import Testing

/// All tests that run the real program: one after the other, so that two cores serve one picker at a time.
@Suite(.serialized) enum EndToEnd {}
