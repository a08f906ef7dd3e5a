/// The ordered answer to a fetch: an immutable snapshot, whatever happens to the library afterwards.
public struct FetchResult<Element>: RandomAccessCollection, Sendable
where Element: Identifiable & Sendable, Element.ID == LocalIdentifier {
  private let elements: [Element]

  public init(_ elements: [Element] = []) {
    self.elements = elements
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }

  /// Where the element with `identifier` stands; nil when it is not in the answer.
  ///
  /// Linear, but quick where the element is still near `hint`.
  public func index(of identifier: LocalIdentifier, near hint: Int = 0) -> Int? {
    if elements.indices.contains(hint), elements[hint].id == identifier { return hint }
    return elements.firstIndex { $0.id == identifier }
  }
}

extension FetchResult: Equatable where Element: Equatable {}
