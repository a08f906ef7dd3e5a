/// The servers behind a remote that present certificates.
package struct RemoteServers: Hashable, Sendable {
  /// The known servers, without duplicates.
  package private(set) var endpoints: [ServerEndpoint] = []
  /// Whether there are also servers of commercial services, to which the system's certificates apply.
  package private(set) var hasOthers = false
  /// The reason if some servers are unknown, as a clause with which a message begins; nil if all are known.
  package private(set) var unknown: String?

  /// The only server; nil if there is none or more than one.
  package var single: ServerEndpoint? {
    unknown == nil && endpoints.count == 1 && !hasOthers ? endpoints[0] : nil
  }

  /// The maximum depth of nested remotes, and their maximum number.
  private static let (mostSteps, mostRemotes) = (8, 200)

  /// Backends that wrap exactly one other remote.
  private static let wrapping: Set = ["alias", "crypt", "chunker", "compress", "hasher", "cache", "archive"]
  /// Backends that join several remotes.
  private static let joining: Set = ["union", "combine"]
  /// Backends without TLS certificates: local ones, or those with their own keys.
  private static let withoutCertificates: Set = [
    "local", "memory", "sftp", "smb", "hdfs", "storj", "tardigrade",
  ]
  /// Backends whose server the user configures.
  private static let named: Set = [
    "webdav", "http", "ftp", "seafile", "swift", "filefabric", "sia", "netstorage",
  ]
  /// Backends whose servers belong to a company, unless the user configures another endpoint.
  private static let ofCompanies: Set = [
    "s3", "drive", "google photos", "gphotos", "google cloud storage", "gcs", "dropbox", "onedrive", "box",
    "pcloud", "yandex", "mailru", "mega", "b2", "azureblob", "azurefiles", "jottacloud", "koofr", "hidrive",
    "opendrive", "zoho", "putio", "premiumizeme", "sharefile", "sugarsync", "uptobox", "fichier",
    "amazon cloud drive", "internetarchive", "qingstor", "pikpak", "protondrive", "iclouddrive", "linkbox",
    "imagekit", "cloudinary", "gofile", "ulozto", "pixeldrain", "oracleobjectstorage", "quatrix", "filescom",
  ]
  /// Options of a remote that replace tpick's choice of the certificates to accept.
  private static let checkOptions = ["no_check_certificate", "ca_cert", "insecure_skip_verify"]

  /// - Parameters:
  ///   - remote: in rclone's syntax, with its colon; a path may follow.
  ///   - all: the options of configured remotes.
  init(of remote: String, in all: RemoteOptions) {
    var rest = Self.mostRemotes
    add(remote, all, 0, &rest)
  }

  private mutating func add(_ remote: String, _ all: RemoteOptions, _ steps: Int, _ rest: inout Int) {
    rest -= 1
    guard steps < Self.mostSteps, rest >= 0 else {
      return fail("it refers to too many other remotes")
    }
    guard let specification = RemoteSpecification(remote) else {
      // As in rclone: a colon before the first slash makes it a remote.
      let isPath = remote.prefix { $0 != "/" }.firstIndex(of: ":") == nil
      return isPath ? () : fail("it refers to a remote whose name tpick can't parse")
    }
    var options = specification.name.map { all[$0] } ?? ["type": specification.backend ?? ""]
    for option in specification.options { options[option.name] = option.value }
    guard let type = options["type"], !type.isEmpty else {
      return fail("\(specification.publicName) is not configured")
    }
    let isUnchecked = options.contains { name, value in
      let last = String(name.split(separator: ".").last ?? "")
      return Self.checkOptions.contains(last.replacing("-", with: "_")) && !["", "false"].contains(value)
    }
    if isUnchecked {
      return fail("an option of \(specification.publicName) changes how certificates are checked")
    }
    if Self.wrapping.contains(type) {
      guard let inner = options["remote"], !inner.isEmpty else {
        return fail("\(specification.publicName) does not name the remote it refers to")
      }
      add(inner, all, steps + 1, &rest)
    } else if Self.joining.contains(type) {
      let list = options["upstreams"] ?? options["remotes"] ?? ""
      guard let words = Self.words(list), !words.isEmpty else {
        return fail("\(specification.publicName) does not name the remotes it refers to")
      }
      for word in words {
        // The upstreams of a combine remote have the form "folder=remote".
        let inner =
          type == "combine" ? word.firstIndex(of: "=").map { word[word.index(after: $0)...] } : word[...]
        guard let inner, !inner.isEmpty else {
          return fail("\(specification.publicName) does not name the remotes it refers to")
        }
        add(String(inner), all, steps + 1, &rest)
      }
    } else {
      addServer(type, options, specification.publicName)
    }
  }

  /// Adds the server of a backend that refers to no other remote.
  private mutating func addServer(_ type: String, _ options: [String: String], _ name: String) {
    if Self.withoutCertificates.contains(type) { return }
    let isNamed = Self.named.contains(type)
    // A backend that tpick doesn't know may refer to other remotes, even if it has an address of its own.
    guard isNamed || Self.ofCompanies.contains(type) else {
      return fail("tpick does not know which servers \(type) uses")
    }
    if let endpoint = ServerEndpoint(options: options) {
      if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
      return
    }
    if type == "ftp" {
      // FTP with explicit TLS is verified like all else, but its certificate can't be fetched.
      if options["explicit_tls"] == "true" { hasOthers = true }
      return
    }
    let place = ["url", "endpoint", "auth", "api_url", "host"].lazy.compactMap { options[$0] }
      .first { !$0.isEmpty }
    guard let place else {
      if isNamed { fail("\(name) does not name its server") } else { hasOthers = true }
      return
    }
    // Without TLS there is no certificate.
    if !place.lowercased().hasPrefix("http://") { fail("\(name) does not name its server") }
  }

  private mutating func fail(_ reason: String) { unknown = unknown ?? reason }

  /// Splits a space-separated list of words, which may be in double quotes; a quote inside is doubled.
  ///
  /// Returns nil if the list is malformed.
  static func words(_ list: String) -> [String]? {
    var words: [String] = []
    var rest = Substring(list)
    while true {
      rest = rest.drop { $0 == " " }
      guard let first = rest.first else { return words }
      var word = ""
      if first == "\"" {
        rest = rest.dropFirst()
        while true {
          guard let next = rest.popFirst() else { return nil }
          if next != "\"" {
            word.append(next)
          } else if rest.first == "\"" {
            rest = rest.dropFirst()
            word.append("\"")
          } else {
            break
          }
        }
        guard rest.first.map({ $0 == " " }) ?? true else { return nil }
      } else {
        word = String(rest.prefix { $0 != " " })
        rest = rest.dropFirst(word.count)
      }
      words.append(word)
    }
  }
}
