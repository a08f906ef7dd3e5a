import Rclone

/// The output of `tpick remote list`.
struct RemoteReport: Encodable {
  struct Entry: Encodable {
    /// With its colon.
    var name: String
    /// The backend of rclone.
    var type: String
    /// A host or a URL; omitted where it is not told.
    var place: String?
    /// The server that shows a certificate, HOST or HOST:PORT; omitted where none does.
    var server: String?
    /// The SHA-256 of the certificate that is trusted; omitted where it is left to the system.
    var trustedFingerprint: String?
  }

  var version = 1
  var remotes: [Entry]

  /// - Throws: `RcloneError` where a certificate that is trusted can't be read.
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

  /// A line each.
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
