import AssetLibrary

// What fetch results ask.
extension LibraryTable: FetchSource {
  typealias Element = Asset

  func view(of handle: FetchHandle) -> AssetRowView {
    let segment = state.segment(of: handle)
    return AssetRowView(
      table: self, segment: segment, row: segment.assets[handle.row], handle: handle)
  }

  func identifier(at handle: FetchHandle) -> LocalIdentifier {
    LocalIdentifier(number: state.row(of: handle).identifier)
  }

  func handle(of identifier: LocalIdentifier) -> FetchHandle? {
    identifier.number.flatMap { state.handles[$0] }
  }

  func element(at handle: FetchHandle) -> Asset { view(of: handle).asset }

  func creationDate(at handle: FetchHandle) -> AssetDate? { view(of: handle).creationDate }

  func readableMediaType(at handle: FetchHandle) -> MediaType? {
    let view = view(of: handle)
    return view.isBroken ? .unknown : view.mediaType
  }

  func brief(at handle: FetchHandle) -> AssetBrief? { view(of: handle).brief }
}
