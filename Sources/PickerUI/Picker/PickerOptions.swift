package import AssetLibrary

/// How the caller configured a picker.
package struct PickerOptions: Sendable {
  package var configuration = PickerConfiguration()
  package var bindings = KeyBindings.standard
  package var callerKeys = CallerKeys()
  package var symbols = Symbols.unicode
  package var locale = LocaleFormat()
  /// The path of the user's home folder; empty where it is not known.
  package var home: [UInt8] = []
  /// How the screen looks at first.
  package var screen = ScreenPreferences()
  /// Whether the output can hold names with line breaks.
  package var acceptsLineBreaks = false
  /// Whether an empty selection can be confirmed once something was picked.
  package var allowsEmpty = false
  /// Whether the results are copied before the picker ends, which shows how far that has come.
  package var deliversResults = false
  /// Whether all files of an asset are handed over rather than the one that stands for it.
  package var handsOverAllResources = false
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

  /// Whether a part of the picker is not disabled by the caller.
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

  /// A path as people write it: "~" stands for the home folder.
  func shownPath(_ path: [UInt8]) -> String {
    let isBelow =
      !home.isEmpty && path.starts(with: home)
      && (path.count == home.count || path[home.count] == UInt8(ascii: "/"))
    return isBelow
      ? "~" + DisplayText(bytes: Array(path.dropFirst(home.count))).string : DisplayText(bytes: path).string
  }

  /// Of more folders only the number is told.
  private static let mostFoldersShown = 3

  /// Where the photos come from, in words; nil where that is no folder.
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

  /// What the photos are for, as the caller says it; nil where it does not.
  var purposeText: String? {
    guard let purpose = client.purpose, !purpose.allSatisfy(\.isWhitespace) else { return nil }
    return DisplayText(purpose).string
  }
}

extension PickerOptions {
  /// Who asks for photos.
  package struct ClientOptions: Sendable {
    /// Its name in prompts about access.
    package var name = "tpick"
    /// What the photos are for, in the caller's words; it stands before the title.
    package var purpose: String?
    /// The command that gives it access, once it was denied for good; nil where it was for this run alone.
    package var grantCommand: String?
    /// Whether it reads the files: originals on servers are brought before it gets the result.
    package var needsOriginals = true
  }

  /// What the picker opens with, besides a search.
  package struct OpeningOptions: Sendable {
    /// Whether it is the choice of accessible photos under limited access.
    package var choosesAccess = false
    /// Whether what is decided on the client's access is all that the picker is for.
    package var endsWithAccess = false
    /// Where the photos come from, as the user wrote it; empty where that is no folder.
    package var folders: [[UInt8]] = []
    /// Whether no server is asked anything.
    package var isOffline = false
    /// Whether the caller's order holds in albums of the user's too, which have one of their own.
    package var sortsUserAlbums = false
    /// The album, as far as the caller could find it.
    package var collection: AssetCollection?
    /// The title or identifier of the album where the caller could not: opened as soon as the library lists it.
    package var album: String?
  }

  /// The search that the picker opens with, and the words that searches understand.
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
