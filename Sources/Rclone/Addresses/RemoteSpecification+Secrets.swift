extension RemoteSpecification {
  /// Options that say where a remote is, and nothing that others may not know.
  private static let publicOptions: Set<String> = ["url", "host", "endpoint", "remote", "region", "provider"]

  /// How it is called in messages: with those options only that say where it is, without users and passwords.
  var publicName: String {
    let shown = options.filter { Self.publicOptions.contains($0.name) && !$0.value.contains(":pass") }
      .map { ",\($0.name)=\(EngineText.cleaned($0.value))" }
    return "\(name ?? ":" + (backend ?? ""))\(shown.joined()):"
  }

  /// What must not be read in messages.
  var secrets: [String] {
    options.filter { !Self.publicOptions.contains($0.name) && $0.value.utf8.count > 3 && $0.value != "true" }
      .map(\.value)
  }
}
