/// The servers behind a remote, as far as they show certificates.
package struct RemoteServers: Hashable, Sendable {
  /// Those that are told, each once.
  package private(set) var endpoints: [ServerEndpoint] = []
  /// Whether there are others, those of a company, whose certificates are the system's matter.
  package private(set) var hasOthers = false
  /// Why not all of them are known, as words before a comma; nil where they are.
  package private(set) var unknown: String?

  /// The one server; nil where there is none, or more.
  package var single: ServerEndpoint? {
    unknown == nil && endpoints.count == 1 && !hasOthers ? endpoints[0] : nil
  }

  /// Aliases and the like that are followed, one to the next, and remotes in all.
  private static let (mostSteps, mostRemotes) = (8, 200)

  /// Backends that have everything from one other remote.
  private static let wrapping: Set = ["alias", "crypt", "chunker", "compress", "hasher", "cache", "archive"]
  /// Backends that join several.
  private static let joining: Set = ["union", "combine"]
  /// Backends that show no certificate of this kind: on this machine, or with keys of their own.
  private static let withoutCertificates: Set = [
    "local", "memory", "sftp", "smb", "hdfs", "storj", "tardigrade",
  ]
  /// Backends whose server the user names.
  private static let named: Set = [
    "webdav", "http", "ftp", "seafile", "swift", "filefabric", "sia", "netstorage",
  ]
  /// Backends whose servers belong to a company, unless the user names another one.
  private static let ofCompanies: Set = [
    "s3", "drive", "google photos", "gphotos", "google cloud storage", "gcs", "dropbox", "onedrive", "box",
    "pcloud", "yandex", "mailru", "mega", "b2", "azureblob", "azurefiles", "jottacloud", "koofr", "hidrive",
    "opendrive", "zoho", "putio", "premiumizeme", "sharefile", "sugarsync", "uptobox", "fichier",
    "amazon cloud drive", "internetarchive", "qingstor", "pikpak", "protondrive", "iclouddrive", "linkbox",
    "imagekit", "cloudinary", "gofile", "ulozto", "pixeldrain", "oracleobjectstorage", "quatrix", "filescom",
  ]
  /// Options that turn the check of certificates off, or change it, whatever is trusted.
  private static let checkOptions = ["no_check_certificate", "ca_cert", "insecure_skip_verify"]

  /// - Parameters:
  ///   - remote: as rclone writes it, with its colon; a path may follow.
  ///   - all: the options of configured remotes.
  init(of remote: String, in all: RemoteOptions) {
    var rest = Self.mostRemotes
    add(remote, all, 0, &rest)
  }

  private mutating func add(_ remote: String, _ all: RemoteOptions, _ steps: Int, _ rest: inout Int) {
    rest -= 1
    guard steps < Self.mostSteps, rest >= 0 else {
      return fail("it leads from one remote to the next without end")
    }
    guard let specification = RemoteSpecification(remote) else {
      // As rclone has it: a colon before the first slash makes it a remote.
      let isPath = remote.prefix { $0 != "/" }.firstIndex(of: ":") == nil
      return isPath ? () : fail("one of the remotes behind it has a name that tpick does not know")
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
        return fail("\(specification.publicName) does not say where it leads to")
      }
      add(inner, all, steps + 1, &rest)
    } else if Self.joining.contains(type) {
      let list = options["upstreams"] ?? options["remotes"] ?? ""
      guard let words = Self.words(list), !words.isEmpty else {
        return fail("\(specification.publicName) does not say where it leads to")
      }
      for word in words {
        // In a combined remote each has the name of a folder before it.
        let inner =
          type == "combine" ? word.firstIndex(of: "=").map { word[word.index(after: $0)...] } : word[...]
        guard let inner, !inner.isEmpty else {
          return fail("\(specification.publicName) does not say where it leads to")
        }
        add(String(inner), all, steps + 1, &rest)
      }
    } else {
      addServer(type, options, specification.publicName)
    }
  }

  /// Adds the server of a backend that leads to none other.
  private mutating func addServer(_ type: String, _ options: [String: String], _ name: String) {
    if Self.withoutCertificates.contains(type) { return }
    let isNamed = Self.named.contains(type)
    // A kind that is not known may lead to others, whatever address it names.
    guard isNamed || Self.ofCompanies.contains(type) else {
      return fail("tpick does not know where \(type) leads to")
    }
    if let endpoint = ServerEndpoint(options: options) {
      if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
      return
    }
    if type == "ftp" {
      // TLS that begins later is checked as all else is, and can't be looked at.
      if options["explicit_tls"] == "true" { hasOthers = true }
      return
    }
    let place = ["url", "endpoint", "auth", "api_url", "host"].lazy.compactMap { options[$0] }
      .first { !$0.isEmpty }
    guard let place else {
      if isNamed { fail("\(name) does not say where it is") } else { hasOthers = true }
      return
    }
    // Without TLS nothing is shown.
    if !place.lowercased().hasPrefix("http://") { fail("\(name) does not say where it is") }
  }

  private mutating func fail(_ reason: String) { unknown = unknown ?? reason }

  /// The words of a list between spaces, each in quotes where it has spaces, and a quote in these twice; nil where it is none.
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
