import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct SidebarTests {
  private static func album(_ name: String) -> AssetCollection {
    AssetCollection(localIdentifier: LocalIdentifier(name), title: name, estimatedAssetCount: 3)
  }

  /// Recents under a heading, a blank line, then albums "a" to "h" under another heading.
  private static func sidebar() -> Sidebar {
    var sidebar = Sidebar(albums: AlbumTree())
    let recents = AssetCollection(.recents, estimatedAssetCount: 9)
    sidebar.list(
      AlbumsAnswer(
        collections: FetchResult([recents] + "abcdefgh".map { Self.album(String($0)) })),
      shown: .recents, isReading: false)
    return sidebar
  }

  private static func target(_ name: String) -> AlbumTarget { .collection(LocalIdentifier(name)) }

  @Test func `Commands move from album to album, across headings`() {
    var sidebar = Self.sidebar()
    #expect(sidebar.target(after: .down) == Self.target("a"))
    #expect(sidebar.target(after: .up) == .recents)
    #expect(sidebar.target(after: .last) == Self.target("h"))
    // A page ends where a section begins.
    #expect(sidebar.target(after: .pageDown, page: 3) == Self.target("a"))
    sidebar.target = Self.target("a")
    #expect(sidebar.target(after: .pageDown, page: 3) == Self.target("d"))
    sidebar.target = Self.target("c")
    #expect(sidebar.target(after: .first) == .recents)
    #expect(sidebar.target(after: .left) == nil)
    #expect(Sidebar(albums: AlbumTree()).target(after: .down) == nil)
  }

  @Test func `If an album disappears the cursor moves to the displayed one`() {
    var sidebar = Self.sidebar()
    sidebar.target = Self.target("b")
    sidebar.list(
      AlbumsAnswer(collections: FetchResult([Self.album("a")])),
      shown: Self.target("a"), isReading: false)
    #expect(sidebar.target == Self.target("a"))
  }

  @Test func `Albums are counted once for the same options`() {
    var sidebar = Self.sidebar()
    let options = FetchOptions(filter: .matching(.images))
    #expect(sidebar.needsCount(options) == options)
    #expect(sidebar.needsCount(options) == nil)
    sidebar.markCountsStale()
    #expect(sidebar.needsCount(options) == options)
  }

  @Test func `The list scrolls no further than necessary`() {
    var sidebar = Self.sidebar()
    let lines = sidebar.albums.lines.count
    sidebar.scroll(to: Self.target("h"), rows: 4)
    #expect(sidebar.top == lines - 4)
    sidebar.scroll(to: .recents, rows: 4)
    #expect(sidebar.top == 0)
    sidebar.top = 6
    sidebar.scroll(to: Self.target("d"), rows: 100)
    #expect(sidebar.top == 0)
  }
}
