/// Who serves a request.
package enum ChooserRoute: Hashable, Sendable {
  /// tpick, with these types.
  case picker(AcceptedMedia)
  /// Another file chooser of the desktop; where there is none, a prompt in the terminal.
  case other

  /// - Parameter leavesAnyFile: whether what is not confined to photos and videos is for another chooser too.
  package init(_ request: ChooserRequest, leavesAnyFile: Bool) {
    let media = AcceptedMedia(request.filter)
    guard request.method == .openFile, !request.wantsFolder, media != .nothing,
      media != .anything || !leavesAnyFile
    else {
      self = .other
      return
    }
    self = .picker(media)
  }
}
