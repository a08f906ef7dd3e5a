package import AssetLibrary

/// How the caller configured a picker.
package struct PickerOptions: Sendable {
  package var configuration = PickerConfiguration()
  package var bindings = KeyBindings.standard
  package var callerKeys = CallerKeys()
  package var symbols = Symbols.unicode
  package var locale = LocaleFormat()
  /// The path of the user's home folder; empty if unknown.
  package var home: [UInt8] = []
  /// The initial preferences for the screen.
  package var screen = ScreenPreferences()
  /// Whether the output can hold names with line breaks.
  package var acceptsLineBreaks = false
  /// Whether an empty selection can be confirmed once something was picked.
  package var allowsEmpty = false
  /// Whether the results are exported before the picker ends, with a progress display.
  package var deliversResults = false
  /// Whether all files of an asset are results, rather than just the primary one.
  package var deliversAllResources = false
  package var search = SearchOptions()
  package var opening = OpeningOptions()
  package var client = ClientOptions()
  /// Whether the library can't be changed from the picker.
  package var isReadOnly = false
  /// Whether warnings and the end of long work ring the bell.
  package var ringsBell = false
  /// The largest number of photos picked at once on the run loop; larger ranges become bulk selections.
  var maximumSynchronousPicks = 2000

  package init() {}

  /// Whether the caller has not disabled a part of the picker.
  func allows(_ capability: PickerConfiguration.Capabilities) -> Bool {
    !configuration.disabledCapabilities.contains(capability)
  }

  /// The label of the first key bound to a command; nil if there is none.
  func keyLabel(_ command: Command) -> String? { bindings.key(for: command)?.label(symbols) }

  /// Keys with descriptions, such as "Esc back"; commands without a key are left out.
  func keyLabel(_ keys: KeyValuePairs<Command, String>, separator: String = " · ") -> String {
    keys.compactMap { command, text in keyLabel(command).map { "\($0) \(text)" } }
      .joined(separator: separator)
  }

  /// A hint with the first key that is bound to a command; nil if there is none.
  func hint(_ label: String, _ command: Command) -> StatusLine.Hint? {
    keyLabel(command).map {
      StatusLine.Hint(key: DisplayText($0), label: DisplayText(label), action: .command(command))
    }
  }

  /// A path for display: "~" replaces the home folder.
  func shownPath(_ path: [UInt8]) -> String {
    let isBelow =
      !home.isEmpty && path.starts(with: home)
      && (path.count == home.count || path[home.count] == UInt8(ascii: "/"))
    return isBelow
      ? "~" + DisplayText(bytes: Array(path.dropFirst(home.count))).string : DisplayText(bytes: path).string
  }

  /// With more folders, only their number is shown.
  private static let mostFoldersShown = 3

  /// The folders that the photos come from, as text; nil if there is none.
  var folderWords: String? {
    let folders = opening.folders
    guard let first = folders.first else { return nil }
    if folders.count > Self.mostFoldersShown {
      return "\(shownPath(first)) and \(locale.number(folders.count - 1)) others"
    }
    let names = folders.map(shownPath)
    return names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// The note about sources that do not exist; empty if there are none.
  var missingSourcesNote: [String] {
    opening.missingSources.first.map { first in
      let others = opening.missingSources.count - 1
      return [first + (others > 0 ? " · \(locale.number(others)) more" : "")]
    } ?? []
  }

  /// The caller's purpose for the photos; nil if there is none.
  var purposeText: String? {
    guard let purpose = client.purpose, !purpose.allSatisfy(\.isWhitespace) else { return nil }
    return DisplayText(purpose).string
  }
}

extension PickerOptions {
  /// The client that requests photos.
  package struct ClientOptions: Sendable {
    /// Its name in prompts about access.
    package var name = "tpick"
    /// The caller's purpose for the photos; shown before the title.
    package var purpose: String?
    /// The command that grants access after it was denied permanently; nil if it was denied for this run only.
    package var grantCommand: String?
    /// Whether the client reads the files: originals on servers are downloaded before it gets the result.
    package var needsOriginals = true
  }

  /// The initial state of the picker, apart from the search.
  package struct OpeningOptions: Sendable {
    /// Whether the picker opens with the choice of accessible photos under limited access.
    package var choosesAccess = false
    /// Whether the decision about the client's access is the only purpose of the picker.
    package var endsWithAccess = false
    /// The folders that the photos come from, as the user wrote them; empty if there are none.
    package var folders: [[UInt8]] = []
    /// The sources that do not exist, such as a folder on a disk that is not mounted, with the reason, for the last line.
    package var missingSources: [String] = []
    /// Whether servers are not contacted.
    package var isOffline = false
    /// Whether the caller's order also applies to the user's albums, which have one of their own.
    package var sortsUserAlbums = false
    /// The album, if the caller could find it.
    package var collection: AssetCollection?
    /// The title or identifier of the album if the caller could not find it: opened as soon as the library lists it.
    package var album: String?
  }

  /// The initial search, and the vocabulary of searches.
  package struct SearchOptions: Sendable {
    package var query: SearchQuery?
    /// The text as the caller wrote it.
    package var text: String?
    package var vocabulary: SearchVocabulary

    package init(
      query: SearchQuery? = nil, text: String? = nil, vocabulary: SearchVocabulary = SearchVocabulary()
    ) {
      self.query = query
      self.text = text
      self.vocabulary = vocabulary
    }
  }
}
