/// What is wrong with a template or a list of fields, in words for whoever wrote it.
package struct FormatError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
