import AssetLibrary
import PickerUI
import Testing

@testable import Configuration

@Suite struct ScreenChangesTests {
  private func changes(_ change: (inout ScreenChanges) -> Void) -> ScreenChanges {
    var changes = ScreenChanges()
    change(&changes)
    return changes
  }

  @Test func `Stored changes are read back unchanged`() {
    for size in [nil, GridSize.small, .extraLarge, .columns(7), .columns(24)] {
      for preview in [nil, true, false] {
        for sort in [nil] + AssetSort.allCases.map(Optional.some) {
          let changes = changes {
            $0.gridSize = size
            $0.showsPreview = preview
            $0.albumColumns = preview.map { $0 ? 10 : 80 }
            $0.neededAlbumColumns = preview.map { $0 ? 1 : 500 }
            $0.previewShare = preview.map { $0 ? 15 : 70 }
            $0.sort = sort
            $0.reportedFallback = sort.map { _ in "blocks-256" }
            $0.recentSearches = preview.map { $0 ? [] : ["lis", "album:\"a b\" -\\x", "日本"] }
          }
          #expect(ScreenChanges(toml: Array(changes.toml.utf8)) == changes)
        }
      }
    }
  }

  @Test(arguments: [
    "", "sort = 'none'", "grid.size = 25", "grid.size = -1", "panes.preview = 'auto'", "grid = 7", "= = =",
    "\u{0}", "told = 7", "told = '\"'", "panes.albums-width = 9", "panes.preview-width = 71",
    "panes.albums-names = 0", "panes.albums-names = 501",
    "panes.preview-width = '40'", "searches = 'a'",
  ])
  func `Unreadable changes count as unchanged`(text: String) {
    #expect(ScreenChanges(toml: Array(text.utf8)).isEmpty)
  }

  @Test func `A long search is not stored`() {
    let stored = changes { $0.recentSearches = [String(repeating: "x", count: 500), "lis"] }
    #expect(ScreenChanges(toml: Array(stored.toml.utf8)).recentSearches == ["lis"])
  }

  @Test func `Searches of characters that are escaped do not make the file too long`() {
    let stored = changes { changes in
      changes.recentSearches = (0..<5).map { String(repeating: "\u{1}", count: 190) + "\($0)" }
    }
    #expect(stored.toml.utf8.count < 4096)
  }

  @Test func `Searches of two runs at once are both kept`() {
    var all = changes { $0.recentSearches = ["a", "b", "c"] }
    all.update(with: changes { $0.recentSearches = ["d", "b", "e"] })
    #expect(all.recentSearches == ["d", "b", "e", "a", "c"])
    all.update(with: changes { $0.recentSearches = ["f"] })
    #expect(all.recentSearches == ["f", "d", "b", "e", "a"])
  }

  @Test func `A later run updates only what it changed`() {
    var all = changes {
      $0.gridSize = .columns(9)
      $0.showsPreview = false
    }
    all.update(with: changes { $0.sort = .name })
    all.update(with: changes { $0.gridSize = .small })
    #expect(
      all
        == changes {
          $0.gridSize = .small
          $0.showsPreview = false
          $0.sort = .name
        })
    all.update(
      with: changes {
        $0.showsPreview = true
        $0.reportedFallback = "blocks-16"
      })
    #expect(all.showsPreview == true && all.reportedFallback == "blocks-16" && all.sort == .name)
  }

  @Test func `Settings apply stored changes and keep the rest`() {
    var settings = Settings()
    settings.screen.showsPreview = true
    settings.apply(
      changes {
        $0.gridSize = .columns(5)
        $0.sort = .oldest
        $0.neededAlbumColumns = 31
        $0.recentSearches = ["lis"]
      })
    #expect(settings.screen.neededAlbumColumns == 31)
    #expect(settings.screen.recentSearches == ["lis"])
    #expect(settings.screen.gridSize == .columns(5) && settings.sort == .oldest)
    #expect(settings.screen.showsPreview == true)
  }
}
