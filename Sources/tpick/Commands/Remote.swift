import ArgumentParser
import PhotoPicker
import Rclone

/// `tpick remote list|trust|forget|check`: the servers that photos come from.
struct Remote: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .remote,
    discussion: """
      Servers are reached by rclone, which has to be installed; rclone config makes them known, each by a name that a \
      colon follows.
      """,
    subcommands: [RemoteList.self, RemoteTrust.self, RemoteForget.self, RemoteCheck.self])

  /// Says which actions there are, where none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("remote: one of \(actions) is expected; for a folder of that name write ./remote")
  }

  /// The certificates that the user trusts.
  static var certificates: CertificateStore {
    CertificateStore(in: UserDirectories.configuration.appending("certificates").string)
  }
}

/// `tpick remote list`: tells which remotes there are.
struct RemoteList: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "list",
    abstract: "Print the remotes that rclone knows, and whether you trust a certificate of theirs.",
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
    if report.remotes.isEmpty { Messages.warn("rclone knows no remotes: rclone config makes one") }
    return report.remotes.isEmpty ? .nothing : .success
  }
}

/// `tpick remote trust`: trusts a server's certificate.
struct RemoteTrust: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "trust",
    abstract: "Look at a server's certificate, and trust it.",
    usage: "tpick remote trust [options] <server>",
    discussion: """
      Shows whose certificate it is and its fingerprint, and asks. From then on this server has to show this certificate \
      and no other one; other servers stay as they are.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The certificate's SHA-256; another one is refused. Needed with --yes.", valueName: "sha256"))
  var fingerprint: String?

  @Flag(help: "Don't ask. Only with --fingerprint.")
  var yes = false

  @Argument(
    help: ArgumentHelp("The server: HOST, HOST:PORT, or a remote with its colon.", valueName: "server"))
  var server: String

  func perform() throws(Failure) -> ExitStatus {
    var wanted: CertificateFingerprint?
    if let fingerprint {
      guard let parsed = CertificateFingerprint(fingerprint) else {
        throw .usage("--fingerprint: '\(fingerprint)' is no SHA-256: 64 hexadecimal digits are expected")
      }
      wanted = parsed
    }
    if yes, wanted == nil {
      throw .usage("--yes: only together with --fingerprint: nothing is trusted unseen")
    }
    let endpoint = try ServerWord.endpoint(server)
    let store = Remote.certificates
    do throws(RcloneError) {
      let certificate = try ServerCertificate(of: endpoint)
      if let wanted, wanted != certificate.fingerprint {
        throw RcloneError(
          .certificate, endpoint.description, "it shows another certificate: \(certificate.fingerprint)")
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
          question.tellCommand()
          throw RcloneError(.failed, endpoint.description, "not trusted: there is no terminal to ask on")
        }
      }
      try store.trust(certificate, for: endpoint)
    } catch { throw .error("\(error)") }
    return .success
  }
}

/// `tpick remote forget`: trusts a server's certificate no more.
struct RemoteForget: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .remote, "forget",
    abstract: "Forget the certificate that you trust for a server.",
    usage: "tpick remote forget <server>",
    discussion: "The server then has to show a certificate that your system trusts.")

  @Argument(
    help: ArgumentHelp("The server: HOST, HOST:PORT, or a remote with its colon.", valueName: "server"))
  var server: String

  func perform() throws(Failure) -> ExitStatus {
    let endpoint = try ServerWord.endpoint(server)
    do throws(RcloneError) {
      if try Remote.certificates.forget(endpoint) { return .success }
      Messages.warn("\(endpoint): no certificate is trusted for it")
      return .nothing
    } catch { throw .error("\(error)") }
  }
}

/// `tpick remote check`: tells whether a remote answers, and what it can do.
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
        "'\(PublicWord.text(of: remote))' is no remote: a name and a colon are expected, such as nas:")
    }
    let settings: RcloneSettings
    do throws(RcloneError) {
      settings = try CertificateTrust(Remote.certificates).settings(for: address.remote)
    } catch { throw .error("\(error)") }
    let check = RemoteExamination(address, settings: settings)
    return try check.run() ? .success : .nothing
  }
}
