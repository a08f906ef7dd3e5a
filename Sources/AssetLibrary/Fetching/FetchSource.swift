/// Where a fetch result gets its elements from when it holds no more than their handles.
///
/// A source never changes what a handle gives: a library that changes makes a new source, or new handles.
/// Calls may come from any thread.
public protocol FetchSource<Element>: Sendable {
  associatedtype Element: Identifiable & Sendable where Element.ID == LocalIdentifier

  /// Makes the element behind a handle.
  func element(at handle: FetchHandle) -> Element

  /// The identifier alone, without the element.
  func identifier(at handle: FetchHandle) -> LocalIdentifier

  /// The handle of an identifier; nil where the source does not know it.
  func handle(of identifier: LocalIdentifier) -> FetchHandle?

  /// When the asset behind a handle was taken, where that is quicker to tell than to make the element; nil
  /// where it is not.
  func creationDate(at handle: FetchHandle) -> AssetDate?

  /// What kind of medium is behind a handle, unknown where it can't be read, where that is quicker to tell than to
  /// make the element; nil where it is not.
  func readableMediaType(at handle: FetchHandle) -> MediaType?

  /// What a selection has to know of the asset behind a handle, where that is quicker to tell than to make the
  /// element; nil where it is not.
  func brief(at handle: FetchHandle) -> AssetBrief?
}

extension FetchSource {
  public func creationDate(at handle: FetchHandle) -> AssetDate? { nil }

  public func readableMediaType(at handle: FetchHandle) -> MediaType? { nil }

  public func brief(at handle: FetchHandle) -> AssetBrief? { nil }
}
