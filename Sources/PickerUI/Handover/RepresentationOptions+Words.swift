import AssetLibrary

extension RepresentationOptions {
  /// What is not as the files are, in a few words each; none where nothing is.
  func words(_ locale: LocaleFormat) -> [String] {
    var words: [String] = []
    if mode == .compatible {
      words.append("as JPEG")
    } else if acceptedTypes != nil {
      words.append(mode == .current ? "some types only" : "converted where needed")
    }
    if let longestSide { words.append("\(longestSide) px") }
    if let byteCount { words.append("up to \(locale.size(byteCount))") }
    if let quality { words.append("quality \(quality)") }
    switch stripping {
    case .nothing: break
    case .location: words.append("without location")
    case .all: words.append("without metadata")
    }
    return words
  }
}
