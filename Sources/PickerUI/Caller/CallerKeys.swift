/// The keys that the caller takes for itself.
package struct CallerKeys: Hashable, Sendable {
  /// Keys that use the selection as Enter does, and are told to the caller.
  package var expected: [Key] = []
  /// Keys that run programs of the caller's.
  package var programs: [ProgramKey] = []

  package init() {}
}
