/// What a program that opens a picker wants of it.
public struct PickerConfiguration: Hashable, Sendable {
  /// In which order the results come.
  public enum Selection: Hashable, Sendable {
    /// As the grid shows them.
    case `default`
    /// As they were picked.
    case ordered
  }

  /// How many may be picked; 0 = no limit.
  public var selectionLimit = 1
  public var selection: Selection = .ordered
  /// The caller's constraint: shown on the screen, never removable there.
  public var filter: PickerFilter?
  public var sort: AssetSort = .newest

  public init() {}
}
