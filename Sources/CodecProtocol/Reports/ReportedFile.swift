/// An open file, and what is to be read of it.
package struct ReportedFile: Sendable {
  /// Open for reading; stays its owner's, its position as it was.
  package var descriptor: Int32
  package var request: ReportRequest

  package init(_ descriptor: Int32, _ request: ReportRequest) {
    (self.descriptor, self.request) = (descriptor, request)
  }
}
