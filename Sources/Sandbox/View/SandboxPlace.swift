/// Where things stand in the sandbox, for every program and every user the same.
///
/// The paths that they have outside are not used: names of folders tell of the library.
package enum SandboxPlace {
  /// The granted photos.
  package static let photos = "/photos"
  /// The folder that results can be written into.
  package static let results = "/results"
  package static let home = "/home/user"
  /// What tpick and the command share: the socket of the portal and the list of granted photos.
  package static let session = "/tpick/session"
  package static let portal = "\(session)/\(portalName)"
  package static let granted = "\(session)/\(grantedName)"
  /// Which files and folders were checked before they were bound.
  package static let bound = "\(session)/\(boundName)"
  /// tpick's own programs, where they don't lie below /usr.
  package static let programs = "/tpick/bin"
  /// Sockets of the screen.
  package static let waylandSocket = "/tmp/.tpick-wayland"
  package static let xAuthority = "\(home)/.Xauthority"

  // The names of files in the session's folder.
  package static let portalName = "portal"
  package static let grantedName = "granted"
  package static let boundName = "bound"
  package static let usersName = "passwd"
  package static let groupsName = "group"
}
