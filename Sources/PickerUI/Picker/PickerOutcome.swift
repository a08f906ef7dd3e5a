package import AssetLibrary

/// How the picker ended.
package enum PickerOutcome: Hashable, Sendable {
  /// The chosen assets in the configured order, empty = confirmed with nothing to pick; which of the keys that the
  /// caller expects confirmed them, nil = none of these; and the shape in which the user wants them.
  case picked([Asset], by: Key? = nil, as: RepresentationOptions = RepresentationOptions())
  /// A caller's program is to take the picker's place.
  case become(ProgramRun)
  case cancelled
  /// The choice of the photos that the client may see was confirmed, and is all that the picker was for.
  case accessChosen
  case refused(AuthorizationStatus)
  /// No album, or more than one, is called what the caller's `album` says.
  case albumNotFound
  /// Nothing can be made of the library, for this reason.
  case unavailable(AssetError)
}
