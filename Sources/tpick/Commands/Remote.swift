import ArgumentParser
import AssetLibrary
import PhotoPicker
import Rclone
import System

/// `tpick remote list|trust|forget|check`: the servers that photos come from.
struct Remote: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .remote,
    discussion: """
      Servers are accessed through rclone, which must be installed. rclone config adds them, each under a name. The name \
      is written with a colon, as in nas:Photos.
      """,
    subcommands: [RemoteList.self, RemoteTrust.self, RemoteForget.self, RemoteCheck.self])

  /// Lists the actions if none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("remote: expected one of \(actions); for a folder of that name write ./remote")
  }

  /// The certificates that the user trusts.
  static var certificates: CertificateStore {
    CertificateStore(in: UserDirectories.configuration.appending("certificates").string)
  }
}

/// `tpick remote list`: lists the remotes.
struct RemoteList: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "list",
    abstract: "Print the remotes of rclone, and whether you trust a certificate of theirs.",
    usage: "tpick remote list [options]")

  @Option(parsing: .unconditional, help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  func perform() throws(Failure) -> ExitStatus {
    let report: RemoteReport
    do throws(RcloneError) {
      report = try RemoteReport(try RcloneConfiguration().remotes(), trusting: Remote.certificates)
    } catch { throw .error("\(error)") }
    let output = format == .json ? try JSONText.line(report) + [0x0A] : Array(report.text.utf8)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    if report.remotes.isEmpty { Messages.warn("rclone has no remotes: add one with rclone config") }
    return report.remotes.isEmpty ? .nothing : .success
  }
}

/// `tpick remote trust`: trusts a server's certificate.
struct RemoteTrust: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "trust",
    abstract: "Show a server's certificate, and trust it.",
    usage: "tpick remote trust [options] <server>",
    discussion: """
      Shows the owner of the certificate and its fingerprint, and asks. From then on this server must present this \
      certificate and no other; other servers are not affected.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The certificate's SHA-256; any other certificate is refused. Required with --yes.", valueName: "sha256"
    ))
  var fingerprint: String?

  @Flag(help: "Don't ask. Requires --fingerprint.")
  var yes = false

  @Argument(
    help: ArgumentHelp("The server: HOST, HOST:PORT, or a remote with its colon.", valueName: "server"))
  var server: String

  func perform() throws(Failure) -> ExitStatus {
    var wanted: CertificateFingerprint?
    if let fingerprint {
      guard let parsed = CertificateFingerprint(fingerprint) else {
        throw .usage("--fingerprint: '\(fingerprint)' is not a SHA-256: expected 64 hexadecimal digits")
      }
      wanted = parsed
    }
    if yes, wanted == nil {
      throw .usage("--yes: requires --fingerprint")
    }
    let endpoint = try ServerWord.endpoint(server)
    let store = Remote.certificates
    do throws(RcloneError) {
      let certificate = try ServerCertificate(of: endpoint)
      if let wanted, wanted != certificate.fingerprint {
        throw RcloneError(
          .certificate, endpoint.description,
          "the server presents another certificate: \(certificate.fingerprint)")
      }
      if !yes {
        let former = try? store.certificate(for: endpoint)?.fingerprint
        let question = TrustQuestion(certificate, of: endpoint, insteadOf: former)
        switch question.ask() {
        case true?: break
        case false?:
          Messages.warn("\(endpoint): not trusted")
          return .nothing
        case nil:
          question.printCommand()
          throw RcloneError(.failed, endpoint.description, "not trusted: there is no terminal to ask on")
        }
      }
      try store.trust(certificate, for: endpoint)
    } catch { throw .error("\(error)") }
    return .success
  }
}

/// `tpick remote forget`: removes a trusted certificate.
struct RemoteForget: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "forget",
    abstract: "Forget the certificate that you trust for a server.",
    usage: "tpick remote forget <server>",
    discussion: "The server must then present a certificate that your system trusts.")

  @Argument(
    help: ArgumentHelp("The server: HOST, HOST:PORT, or a remote with its colon.", valueName: "server"))
  var server: String

  func perform() throws(Failure) -> ExitStatus {
    let endpoint = try ServerWord.endpoint(server)
    do throws(RcloneError) {
      if try Remote.certificates.forget(endpoint) { return .success }
      Messages.warn("\(endpoint): no trusted certificate")
      return .nothing
    } catch { throw .error("\(error)") }
  }
}

/// `tpick remote check`: tests whether a remote answers, and what it supports.
struct RemoteCheck: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "check",
    abstract: "Connect to a remote and print what works.",
    usage: "tpick remote check <remote>")

  @Argument(help: ArgumentHelp("The remote with its colon; a folder may follow.", valueName: "remote"))
  var remote: String

  func perform() throws(Failure) -> ExitStatus {
    guard let address = RemoteAddress(remote) else {
      throw .usage(
        "'\(RedactedWord.text(of: remote))' is not a remote: expected a name and a colon, such as nas:")
    }
    let settings: RcloneSettings
    do throws(RcloneError) {
      settings = try CertificateTrust(Remote.certificates).settings(for: address.remote)
    } catch { throw .error("\(error)") }
    let check = RemoteExamination(address, settings: settings)
    return try check.run() ? .success : .nothing
  }
}

/// Tests the features of a remote that tpick needs, and prints the results.
private struct RemoteExamination {
  private let address: RemoteAddress
  private let remote: RcloneRemote

  init(_ address: RemoteAddress, settings: RcloneSettings) {
    self.address = address
    remote = RcloneRemote(address.remote, settings: settings)
  }

  /// - Returns: whether photos can be read from the remote.
  func run() throws(Failure) -> Bool {
    let (features, entries): (RcloneFeatures, [RcloneEntry])
    do throws(RcloneError) {
      features = try remote.features()
      entries = try remote.list(address.path, wantsHashes: false, isCancelled: { false })
    } catch {
      Messages.warn("\(error)")
      return false
    }
    let folders = entries.count(where: \.isFolder)
    try say(
      "listing",
      "yes: \(Wording.count(entries.count - folders, "file")), \(Wording.count(folders, "folder")) (\(features.backend))"
    )
    let areRanges = try checkRanges(entries)
    let hashes = features.hashes.filter { ["md5", "sha1", "sha256"].contains($0) }.joined(separator: ", ")
    try say(
      "hashes", hashes.isEmpty ? "no" : features.hasSlowHashes ? "\(hashes), by reading whole files" : hashes)
    try say(
      "folder times",
      features.hasFolderTimes ? "yes" : "unreliable: folders are listed again to find changes")
    return areRanges
  }

  /// - Returns: false if reading fails.
  private func checkRanges(_ entries: [RcloneEntry]) throws(Failure) -> Bool {
    guard let file = entries.first(where: { !$0.isFolder && $0.size >= 2 }) else {
      try say("parts of files", "not tested: no file in this folder")
      return true
    }
    let path = address.path.isEmpty ? file.name : "\(address.path)/\(file.name)"
    do throws(RcloneError) {
      try remote.read(
        path, range: file.size / 2..<file.size / 2 + 1, of: file.size, modified: nil, isCancelled: { false },
        take: { _ in true })
    } catch {
      guard error.kind == .rangeIgnored else {
        Messages.warn("\(error)")
        return false
      }
      try say("parts of files", "no: every photo is downloaded whole")
      return true
    }
    try say("parts of files", "yes")
    return true
  }

  private func say(_ name: String, _ value: String) throws(Failure) {
    let line = "\(name)\(String(repeating: " ", count: 16 - name.count))\(OutputText.escaped(value))\n"
    guard StandardStream.output.write(Array(line.utf8)) else {
      throw .error("standard output: can't be written")
    }
  }
}

/// The output of `tpick remote list`.
private struct RemoteReport: Encodable {
  struct Entry: Encodable {
    /// With its colon.
    var name: String
    /// The backend of rclone.
    var type: String
    /// A host or a URL; omitted if unknown.
    var place: String?
    /// The server that presents a certificate, HOST or HOST:PORT; omitted if there is none.
    var server: String?
    /// The SHA-256 of the trusted certificate; omitted if the system decides.
    var trustedFingerprint: String?
  }

  var version = 1
  var remotes: [Entry]

  /// - Throws: `RcloneError` if a trusted certificate can't be read.
  init(
    _ remotes: [RcloneConfiguration.Configured], trusting store: CertificateStore
  ) throws(RcloneError) {
    self.remotes = try remotes.map { remote throws(RcloneError) in
      var trusted: CertificateStore.Trusted?
      if let server = remote.server { trusted = try store.certificate(for: server) }
      return Entry(
        name: remote.name, type: remote.type, place: remote.place.isEmpty ? nil : remote.place,
        server: remote.server?.description, trustedFingerprint: trusted?.fingerprint.description)
    }
  }

  /// One line per remote.
  var text: String {
    let (name, type) = (remotes.map(\.name.count).max() ?? 0, remotes.map(\.type.count).max() ?? 0)
    func padded(_ text: String, _ width: Int) -> String {
      OutputText.escaped(text) + String(repeating: " ", count: max(0, width - text.count))
    }
    return remotes.map { remote in
      let words = [
        remote.place.map(OutputText.escaped),
        remote.trustedFingerprint.map { _ in "(you trust a certificate)" },
      ]
      let rest = words.compactMap(\.self).map { "  \($0)" }.joined()
      return
        "\(padded(remote.name, name))  \(rest.isEmpty ? remote.type : padded(remote.type, type))\(rest)\n"
    }.joined()
  }
}

/// A server as given on the command line.
private enum ServerWord {
  /// The server of a remote if the word ends with a colon, else the host.
  static func endpoint(_ word: String) throws(Failure) -> ServerEndpoint {
    guard word.hasSuffix(":"), let address = RemoteAddress(word) else {
      guard let endpoint = ServerEndpoint(word) else {
        throw .usage(
          "'\(RedactedWord.text(of: word))' is not a server: expected HOST, HOST:PORT, or a remote with its colon"
        )
      }
      return endpoint
    }
    do throws(RcloneError) {
      let servers = try RcloneConfiguration().servers(of: address.remote)
      if let endpoint = servers.single { return endpoint }
      let all = servers.endpoints.map(\.description).joined(separator: ", ")
      let reason =
        if let unknown = servers.unknown { "\(unknown), so its server can't be determined" } else {
          all.isEmpty
            ? "it has no certificate to trust (it doesn't use https to a server of your own)"
            : "it uses several servers: name one of \(all)"
        }
      throw RcloneError(.failed, RedactedWord.text(of: word), reason)
    } catch { throw .error("\(error)") }
  }
}

/// Asks on the terminal whether to trust a certificate.
private struct TrustQuestion {
  private let description: String
  private let question: String
  private let command: String

  /// - Parameter former: the currently trusted certificate; nil if there is none.
  init(_ certificate: ServerCertificate, of server: ServerEndpoint, insteadOf former: CertificateFingerprint?)
  {
    let facts = [
      ("Subject", certificate.subject), ("Issuer", certificate.issuer), ("Names", certificate.names),
      ("Valid from", certificate.validFrom), ("Valid until", certificate.validUntil),
      ("SHA-256", certificate.fingerprint.description),
    ]
    var lines = "\(server) presents this certificate:\n"
    for (name, value) in facts where !value.isEmpty {
      lines += "  \(name)\(String(repeating: " ", count: 12 - name.count))\(OutputText.escaped(value))\n"
    }
    if let former {
      lines +=
        former == certificate.fingerprint
        ? "You already trust it.\n"
        : "You currently trust another certificate for this server:\n  SHA-256     \(former)\n"
    }
    description = lines + "Compare the fingerprint with the one from the server's owner.\n"
    question = "Trust this certificate for \(server)? [y/N] "
    command = "tpick remote trust \(server) --yes --fingerprint \(certificate.fingerprint)"
  }

  /// Prints the question to standard error, with the command that trusts this certificate without asking.
  func printCommand() {
    StandardStream.error.write(Array("\(description)To trust it without a terminal:\n  \(command)\n".utf8))
  }

  /// - Returns: whether the user agreed; nil if there is no terminal.
  func ask() -> Bool? { TerminalQuestion.ask(description + question) }
}
