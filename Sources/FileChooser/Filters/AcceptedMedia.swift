import AssetLibrary
import MediaFormats

/// Which of tpick's files a program takes.
package enum AcceptedMedia: Hashable, Sendable {
  case anything
  /// Words for `--accept`: MIME types, kinds such as `image/*`, and ends of names such as `.heic`.
  case types([String])
  /// Nothing that tpick has, such as documents.
  case nothing
}

extension AcceptedMedia {
  /// What a filter lets through; without one, anything.
  package init(_ filter: ChooserFilter?) {
    guard let filter else {
      self = .anything
      return
    }
    var words: [String] = []
    for rule in filter.rules {
      switch Self(rule) {
      case .anything:
        self = .anything
        return
      case .types(let types): words += types.filter { !words.contains($0) }
      case .nothing: break
      }
    }
    self = words.isEmpty ? .nothing : .types(words)
  }

  private init(_ rule: ChooserFilter.Rule) {
    switch rule {
    case .glob(let text): self.init(glob: text)
    case .mimeType(let text): self.init(mimeType: text)
    }
  }

  private init(mimeType: String) {
    let type = mimeType.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    if ["*/*", "application/octet-stream", "all/all", "all/allfiles"].contains(type) {
      self = .anything
      return
    }
    // A comma would make several words of it.
    guard type.contains("/"), !type.contains(","), let accepted = try? AcceptedTypes(parsing: type),
      FileFormat.allCases.contains(where: accepted.admits)
    else {
      self = .nothing
      return
    }
    self = .types([type])
  }

  /// A pattern of names tells formats by the ends that it admits; what it asks of the rest of the name is let go.
  private init(glob: String) {
    let pattern = GlobPattern(glob).anyStem
    let suffixes = FileFormat.allCases.flatMap(\.suffixes)
    let admitted = suffixes.filter { suffix in
      pattern.matches("photo.\(suffix)") || pattern.matches("PHOTO.\(suffix.uppercased())")
    }
    if admitted.isEmpty {
      self = .nothing
    } else if admitted.count == suffixes.count {
      self = .anything
    } else {
      self = .types(admitted.map { ".\($0)" })
    }
  }

  /// Whether a file of this name is taken, or can become what is taken.
  package func isServed(by name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."),
      let format = FileFormat(suffix: String(name[name.index(after: dot)...]))
    else { return false }
    switch self {
    case .anything: return true
    case .nothing: return false
    case .types(let words):
      guard let accepted = try? AcceptedTypes(parsing: words.joined(separator: ",")) else { return false }
      if accepted.admits(format) { return true }
      return format.isVideo
        ? accepted.admits(.mp4) : accepted.admits(.jpeg) || accepted.admits(.png)
    }
  }
}
