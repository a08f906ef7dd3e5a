import AssetLibrary
import Fixtures
import Testing

@testable import PickerUI

/// Suggestions for typed text, and their counts.
@Suite struct SuggestionQueryTests {
  private let store = MemoryAssetStore()
  private var manager: any AssetManager {
    LibraryAccessController(
      store: store, images: NoImages(), status: .authorized, consentRequest: ConsentRequest(client: "test"),
      consent: NoConsentPresenter()
    ).manager
  }

  init() {
    for number in 0..<12 {
      var asset = Asset.photo("IMG_\(number).\(number == 4 ? "mov" : "jpg")")
      asset.creationDate = AssetDate(year: 2020 + number % 3, month: number + 1, day: 1)
      if number == 4 { asset.mediaType = .video }
      asset.rating = number == 5 ? 5 : 0
      var details = AssetDetails()
      details.camera = number.isMultiple(of: 2) ? "Canon EOS 90D" : "Leica Q2"
      if number.isMultiple(of: 2) == false { details.lens = "Summilux 28" }
      if number < 3 { details.keywords = ["boats", "6\" tall"] }
      if number == 7 { details.people = ["Lea Maas"] }
      store.add(
        asset, album: number < 8 ? "Trips/Lisbon/\(number < 4 ? "Sintra" : "Belém")" : "New York",
        details: details)
    }
  }

  private func query(
    _ text: String, _ change: (inout FetchOptions) -> Void = { _ in }
  ) throws -> SuggestionQuery {
    var options = FetchOptions()
    change(&options)
    return SuggestionQuery(
      completion: try #require(SearchCompletion(LineEditor(text))), collection: nil, options: options,
      mode: .picking, vocabulary: SearchVocabulary(today: AssetDate(year: 2023, month: 1, day: 1)),
      assetCount: 12)
  }

  static let texts: [(String, [String])] = [
    ("lis", ["Lisbon 8"]), ("l", ["last month 1", "last year 4", "Lisbon 8", "Leica Q2 6", "lens:"]),
    ("le", ["Lea Maas 1", "Leica Q2 6", "lens:"]),
    ("vid", ["videos 1"]), ("fav", []), ("ma", ["March 1", "May 1", "Lea Maas 1"]),
    ("20", ["2022 4", "2021 4", "2020 4"]), ("may 20", ["2021 1"]),
    ("ca", ["Canon EOS 90D 6", "camera:"]), ("camera:", ["Canon EOS 90D 6", "Leica Q2 6"]),
    ("camera:l", ["Leica Q2 6"]), ("album:new", ["New York 4"]), ("album:b", ["Belém 4"]),
    // Sorted by the number of matches within the other terms.
    ("-keyword:boats camera:", ["Leica Q2 5", "Canon EOS 90D 4"]), ("keyword:", ["boats 3"]),
    ("person:m", ["Lea Maas 1"]), ("type:vi", ["videos 1"]),
    ("after:", ["2022 4", "2021 8", "2020 12"]), ("before:202", ["2022 8", "2021 4"]),
    ("rating:", ["rating:5 1", "rating:>=4 1", "rating:>=3 1"]),
    ("rating:>", ["rating:>=4 1", "rating:>=3 1"]), ("near:", []), ("size:", ["size:>1MB 12"]), ("xyz", []),
    ("date:", ["2022 4", "2021 4", "2020 4"]), ("lens:", ["Summilux 28 6"]), ("ext:", ["jpg 11", "mov 1"]),
    ("ext:m", ["mov 1"]), ("ratio:", ["ratio:landscape 12"]), ("ratio:p", []),
    ("width:", ["width:>=1920 12", "width:>=3840 12"]),
    ("duration:", []), ("colour:", []), ("path:", []), ("title:", []),
    // Open parentheses are closed, and terms beside an "or" do not narrow.
    ("(lis", ["Lisbon 8"]), ("-(lis", ["Lisbon 4"]), ("(keyword:boats or lis", ["Lisbon 8"]),
    ("keyword:boats or camera:l", ["Leica Q2 8"]), ("(keyword:boats camera:l", ["Leica Q2 1"]),
    ("-lis", ["Lisbon 4"]),
    ("new york lis", []), ("leica lis", ["Lisbon 4"]), ("after:foo lis", []), ("videos", []),
  ]

  @Test(arguments: texts)
  func `Completions of the typed text are suggested with their match counts`(
    text: String, expected: [String]
  ) throws {
    let found = try query(text).suggestions(from: manager)
    #expect(found.map { $0.title + ($0.count.map { " \($0)" } ?? "") } == expected)
  }

  @Test(arguments: ["l", "2", "c", "s", "t", "m", "b", "camera:", "album:", "type:", "after:", "-l", "may "])
  func `An accepted suggestion finds as many photos as it promised`(text: String) throws {
    guard let completion = SearchCompletion(LineEditor(text)) else { return }
    let found = try query(text).suggestions(from: manager)
    #expect(found.count <= SuggestionQuery.most)
    for suggestion in found where suggestion.subject != .term {
      var options = FetchOptions()
      options.search = try SearchQuery(parsing: completion.replaced(by: suggestion.term).text)
      let isRelative = suggestion.title.hasPrefix("last") || suggestion.title.hasPrefix("t")
      if !isRelative { #expect(manager.fetchAssets(in: nil, options: options).count == suggestion.count) }
    }
  }

  @Test func `Suggestions are counted within the displayed photos`() throws {
    let videos = try query("lis") { $0.filter = .matching(.videos) }
    #expect(videos.suggestions(from: manager).map(\.count) == [1])
    let none = try query("lis") { $0.filter = .matching(.screenshots) }
    #expect(none.suggestions(from: manager).isEmpty)
  }

  @Test func `A stale query does not delay the next`() throws {
    #expect(try query("l").suggestions(from: manager, isStale: { true }).isEmpty)
  }

  @Test(arguments: [
    ("lixbon", "did you mean Lisbon? 8"), ("lisbom", "did you mean Lisbon? 8"),
    ("yorc", "did you mean York? 4"), ("kanon", "did you mean Canon? 6"), ("boots", "did you mean boats? 3"),
    ("camera:lieca", "did you mean camera:Leica? 6"), ("camrea:leica", "did you mean camera:leica? 6"),
    ("vidoes", "did you mean videos? 1"), ("type:vidoes", "did you mean type:videos? 1"),
    ("feburary", "did you mean February? 1"), ("leica sitnra", ""), ("leica belom", "did you mean Belém? 2"),
    ("-lixbon", ""), ("qqqqq", ""), ("lixbon ", ""),
  ])
  func `A search without matches suggests the probable spelling`(text: String, expected: String) throws {
    guard SearchCompletion(LineEditor(text)) != nil else { return }
    let found = try query(text).suggestions(from: manager).filter { $0.subject == .meant }
    #expect(found.map { "\($0.title) \($0.count ?? 0)" } == (expected.isEmpty ? [] : [expected]))
  }

  @Test func `An empty prompt suggests earlier searches, the newest albums and kinds`() throws {
    var query = try query("l")
    query.completion = .nothing
    query.recentSearches = ["leica", "nothing at all", "lisbon 2022", "boats", "videos"]
    let found = query.suggestions(from: manager)
    #expect(
      found.map { "\($0.subject) \($0.title) \($0.count ?? 0)" } == [
        "search leica 6", "search lisbon 2022 2", "kind photos 11", "kind videos 1", "album New York 4",
        "album Belém 4",
      ])
    for suggestion in found {
      var options = FetchOptions()
      options.search = try SearchQuery(parsing: suggestion.term)
      #expect(manager.assetCount(in: nil, options: options) == suggestion.count)
    }
  }
}
