/// A term that the search can go on with, and how many photos it would find.
package struct SearchSuggestion: Hashable, Sendable {
  /// What the term asks for.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    /// A whole search, as it was typed before.
    case search
    case kind, date, album, person, camera, lens, keyword
    case fileExtension = "extension"
    /// A number to compare with, or the shape of a picture.
    case measure
    /// The name of a term, which finds nothing before it has a value.
    case term
    /// What was probably meant by a word that nothing is found by.
    case meant
  }

  package var subject: Subject
  /// As it is listed.
  package var title: String
  /// As it is written into the search.
  package var term: String
  /// nil for names of terms.
  package var count: Int?
}
