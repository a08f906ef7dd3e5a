/// What a program in the sandbox sees of the machine; nothing else is there.
package struct SandboxView: Equatable, Sendable {
  /// A file or folder of the machine, by another path.
  package struct Binding: Equatable, Sendable {
    package var source: [UInt8]
    package var place: [UInt8]

    package init(_ source: [UInt8], at place: [UInt8]) {
      self.source = source
      self.place = place
    }

    package init(_ source: String, at place: String) {
      self.init(Array(source.utf8), at: Array(place.utf8))
    }
  }

  /// A folder of the root that holds programs and libraries, `/bin` or `/lib64`.
  package enum SystemFolder: Equatable, Sendable {
    case folder(String)
    /// A link, as where all of them lie below /usr.
    case link(String, target: [UInt8])
  }

  package var system: [SystemFolder] = []
  /// Files and folders below /etc; those that are not there are left out.
  package var configuration: [String] = SandboxView.configuration
  /// Read-only files: tpick's programs and their libraries.
  package var programs: [Binding] = []
  /// The folder outside that stands at `SandboxPlace.photos`.
  package var photos: [UInt8]
  /// Files outside by the names that they have there; each needs an empty file of its name in that folder.
  package var granted: [Binding] = []
  /// The folder outside that stands at `SandboxPlace.session`.
  package var session: [UInt8]
  /// The folder outside that stands at `SandboxPlace.results`.
  package var writable: [UInt8]?
  package var hasNetwork = false
  /// Sockets and files that a program with windows needs; empty where it may show none.
  package var display: [Binding] = []
  /// The variables that are set, and no others.
  package var environment: [SandboxEnvironment.Variable] = []

  /// - Parameters:
  ///   - photos: the folder that stands at `SandboxPlace.photos`.
  ///   - session: the folder that stands at `SandboxPlace.session`.
  package init(photos: [UInt8], session: [UInt8]) {
    self.photos = photos
    self.session = session
  }

  /// The most files that can be bound one by one: bubblewrap takes 9000 arguments, three for each.
  package static let mostGranted = 2500

  /// What programs need of /etc to find libraries, locale, fonts and their own settings.
  package static let configuration = [
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "locale.alias", "alternatives",
    "terminfo", "inputrc", "bash.bashrc", "zsh", "vim", "nanorc", "mime.types", "magic", "fonts", "papersize",
    "ImageMagick-6", "ImageMagick-7", "OpenCL", "perl", "python3", "gnutls",
  ].map { "/etc/\($0)" }

  /// What of /proc changes the machine (proc(5)).
  static let kernelSettings = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map {
    "/proc/\($0)"
  }

  /// What programs need of it besides where there is a network.
  package static let networkConfiguration = [
    "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "services", "protocols", "ssl/certs",
    "ssl/openssl.cnf", "ca-certificates.conf", "pki",
  ].map { "/etc/\($0)" }
}
