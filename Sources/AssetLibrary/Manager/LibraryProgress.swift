/// How far the first look at a library has come.
public struct LibraryProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// Folders are walked, and the heads of their files read.
    case reading
    /// What their heads don't tell is looked for in the files.
    case describing
  }

  public var phase: Phase
  /// How much of the phase is done, from 0 to 1, as far as can be told.
  public var fraction: Double
  /// Seconds since the phase began.
  public var elapsed: Double

  public init(phase: Phase, fraction: Double, elapsed: Double) {
    self.phase = phase
    self.fraction = fraction
    self.elapsed = elapsed
  }
}
