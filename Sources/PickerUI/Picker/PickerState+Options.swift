package import AssetLibrary

extension PickerState {
  /// How the caller configured this picker.
  package struct Options: Sendable {
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
    /// Whether warnings and the end of long work ring the bell.
    package var ringsBell = false
    /// The largest number of photos picked at once on the run loop; larger ranges become bulk selections.
    var maximumSynchronousPicks = 2000

    package init() {}
  }

  /// Who asks for photos.
  package struct ClientOptions: Sendable {
    /// Its name in prompts about access.
    package var name = "tpick"
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
