import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Recently Deleted: what is shown, and which keys work there.
@Suite struct DeletedPhotosTests {
  /// A picker over a memory store from which photos were deleted, which performs requested changes like the host.
  private struct Session {
    static let album = "Recently Deleted"

    var picker: TestPicker
    let store = MemoryAssetStore { AssetDate(year: 2024, month: 5, day: 2, hour: 14, minute: 5) }
    private var performed = 0
    /// The error of the next change.
    var failure: AssetError?

    init(
      deleted: [String] = ["3", "5"], limit: Int = 0, size: CellSize = CellSize(columns: 120, rows: 40),
      _ configure: (inout PickerState.Options) -> Void = { _ in }
    ) throws {
      picker = TestPicker(.numbered(12), limit: limit, size: size, configure: configure)
      for asset in picker.library { store.add(asset) }
      if !deleted.isEmpty { try store.perform([.delete(deleted.map { LocalIdentifier($0) })]) }
      picker.send(.authorization(.authorized))
      answer()
    }

    /// Answers all fetches from the store.
    mutating func answer() {
      while picker.isFetching, let query = picker.query {
        var everything = FetchOptions()
        everything.includeHiddenAssets = true
        let all = store.assets(in: nil, options: everything).map(\.id)
        picker.send(
          .fetched(
            FetchAnswer(
              query: query, assets: store.assets(in: query.collection, options: query.options),
              status: store.status, allowed: [], vanished: Set(query.selected).subtracting(all))))
        guard let options = query.albums else { continue }
        let types: CollectionTypes = query.listsRecentlyDeleted ? [.default, .recentlyDeleted] : .default
        picker.send(.albums(AlbumsAnswer(collections: store.collections(of: types, options: options))))
      }
    }

    mutating func press(_ keys: Key...) { for key in keys { picker.press(key) } }

    /// Opens Recently Deleted in the sidebar, which keeps the focus.
    mutating func openInSidebar() {
      press(.tab)
      for _ in 0..<20 where picker.sidebar?.first(where: \.isCurrent)?.text.contains(Self.album) == false {
        press(.down)
        answer()
      }
    }

    /// Opens Recently Deleted and moves the focus to its photos.
    mutating func open() {
      openInSidebar()
      press(.tab)
    }

    /// The requested changes.
    var edits: [LibraryEdit.Request] {
      picker.effects.compactMap { if case .edit(let edit) = $0 { edit.request } else { nil } }
    }

    /// Makes the changes and notifies the picker.
    mutating func perform() {
      let edits = picker.effects.compactMap { if case .edit(let edit) = $0 { edit } else { nil } }
      for edit in edits.dropFirst(performed) {
        performed += 1
        let changes = edit.changes(in: store.userAlbums) { identifiers in
          Array(store.assets(withLocalIdentifiers: identifiers, options: FetchOptions()))
        }
        let result: Result<[AssetChange], AssetError>
        do throws(AssetError) {
          if let failure { throw failure }
          result = .success(try store.perform(changes))
        } catch {
          result = .failure(error)
        }
        picker.send(.libraryChanged)
        answer()
        picker.send(.edited(LibraryEditAnswer(edit, changes, result)))
      }
    }

    var deleted: [String] {
      store.assets(in: SmartAlbum.recentlyDeleted.localIdentifier, options: FetchOptions(sort: .name))
        .map(\.id.rawValue)
    }

    /// Whether the album is in the sidebar; its title may be in the first line.
    var isListed: Bool { picker.lines.dropFirst().contains { $0.contains(Self.album) } }

    var libraryCount: Int { store.assets(in: nil, options: FetchOptions()).count }
  }

  @Test func `The album is listed with its count as long as there are deleted photos`() throws {
    var session = try Session()
    #expect(
      session.picker.sidebar?.contains { $0.text.contains(Session.album) && $0.text.contains("2") } == true)
    session.openInSidebar()
    session.press("R")
    session.perform()
    #expect(!session.isListed)
    let empty = try Session(deleted: [])
    #expect(!empty.isListed)
  }

  @Test func `A read-only library, and the choice of accessible photos, don't list the album`() throws {
    let session = try Session { $0.isReadOnly = true }
    #expect(!session.isListed)
    #expect(session.picker.query?.listsRecentlyDeleted == false)
    var limited = TestPicker.open(status: .limited, allowed: [LocalIdentifier("1")])
    limited.press("m")
    limited.answerFetches()
    #expect(limited.query?.mode == .managing && limited.query?.listsRecentlyDeleted == false)
  }

  @Test func `The photos deleted last come first, and other orders apply to this album only`() throws {
    var session = try Session()
    session.open()
    #expect(session.picker.title.contains(Session.album) && session.picker.title.contains("last deleted"))
    #expect(session.picker.tiles.map(\.name) == ["3", "5"])
    session.press("s")
    #expect(session.picker.shows("last deleted"))
    session.press(.down, .enter)
    session.answer()
    #expect(session.picker.title.contains("newest"))
    session.press(.tab, .home)
    session.answer()
    #expect(session.picker.title.contains("Recents") && session.picker.title.contains("newest"))
  }

  @Test(arguments: [.space, "x", "X", .enter, "a", "v", .control(" ")] as [Key])
  func `No key picks a deleted photo, and the reason is shown`(key: Key) throws {
    var session = try Session()
    session.open()
    session.press(key)
    #expect(session.picker.selected.isEmpty && session.picker.outcome == nil)
    #expect(session.picker.lastLine.contains("can't be picked"))
  }

  @Test func `The reason names the key that restores the photo`() throws {
    var session = try Session()
    session.open()
    session.press(.space)
    #expect(session.picker.lastLine.contains("3 is deleted and can't be picked. Press R to restore it"))
  }

  @Test(arguments: [0, 1]) func `No mouse click picks a deleted photo`(limit: Int) throws {
    var session = try Session(limit: limit)
    session.open()
    session.picker.makeDemanded()
    for _ in 0..<3 {
      session.picker.mouse(.press, over: "5")
      session.picker.mouse(.release, over: "5")
    }
    #expect(session.picker.selected.isEmpty && session.picker.outcome == nil)
  }

  @Test func `Picks from the library can be used while deleted photos are shown`() throws {
    var session = try Session()
    session.press(.space)
    session.open()
    session.press(.enter)
    guard case .picked(let picked, _, _)? = session.picker.outcome else {
      Issue.record("not finished")
      return
    }
    #expect(picked.map(\.id.rawValue) == ["0"])
  }

  @Test(arguments: ["F", "H", "A", "y"] as [Key])
  func `Deleted photos can't be marked, added to albums or copied`(key: Key) throws {
    var session = try Session()
    session.open()
    session.press(key)
    #expect(session.edits.isEmpty && session.picker.box == nil)
    #expect(session.picker.lastLine.contains("eleted"))
  }

  @Test func `A program that the caller has bound to a key is not run on a deleted photo`() throws {
    var session = try Session { options in
      options.callerKeys.programs = [
        ProgramKey(
          .alt("e"), .executeSilently, index: 0, title: "edit", needsCurrent: true, needsPicks: false)
      ]
    }
    session.open()
    session.press(.alt("e"))
    #expect(!session.picker.effects.contains { if case .run = $0 { true } else { false } })
  }

  @Test func `R restores the photo under the cursor, also in full screen, and U deletes it again`() throws {
    var session = try Session()
    session.open()
    session.press(.right, "R")
    #expect(session.edits == [.changes([.restore([LocalIdentifier("5")])])])
    session.perform()
    #expect(session.deleted == ["3"] && session.libraryCount == 11)
    #expect(session.picker.lastLine.contains("5 restored · Press U to undo"))
    #expect(session.picker.tiles.map(\.name) == ["3"])
    session.press("U")
    session.perform()
    #expect(session.deleted == ["3", "5"])
    session.press("o", "R")
    session.perform()
    #expect(session.deleted.count == 1)
  }

  @Test func `D asks with the number of photos, files and bytes, and only y deletes for good`() throws {
    var session = try Session()
    session.open()
    session.press("D")
    #expect(session.picker.box?.title == "Delete for good?")
    #expect(session.picker.shows("1 photo, 1 file, ") && session.picker.shows("This can't be undone."))
    #expect(session.picker.box?.lines.contains { $0.contains("3") } == true)
    session.press("y")
    #expect(session.edits == [.changes([.deletePermanently([LocalIdentifier("3")])])])
    session.perform()
    #expect(session.deleted == ["5"] && session.libraryCount == 10)
    #expect(session.picker.lastLine.contains("3 deleted for good"))
    #expect(!session.picker.lastLine.contains("undo"))
    session.press("U")
    #expect(session.picker.lastLine.contains("Nothing to undo"))
  }

  @Test(arguments: [.escape, .enter, "n", .space, "D", .delete, .control("c")] as [Key])
  func `Any other key keeps the photo`(key: Key) throws {
    var session = try Session()
    session.open()
    session.press(.delete, key)
    #expect(session.edits.isEmpty && session.picker.box == nil && session.picker.outcome == nil)
    #expect(session.picker.lastLine.contains("Nothing deleted for good"))
  }

  @Test func `In the sidebar R restores all photos of the album, and D deletes all for good`() throws {
    var session = try Session(deleted: ["3", "5", "7"])
    session.openInSidebar()
    session.press("D")
    #expect(session.picker.shows("3 photos, 3 files, "))
    session.press(.escape, "R")
    session.perform()
    #expect(session.deleted.isEmpty && session.libraryCount == 12)
    session.press("U")
    session.perform()
    #expect(session.deleted == ["3", "5", "7"])
  }

  @Test func `With a search, "all" are the photos that are shown`() throws {
    var session = try Session(deleted: ["3", "5", "7"])
    session.open()
    session.press("/", "5", ".", "j", "p", "g")
    session.answer()
    session.press(.enter)
    session.answer()
    session.press(.tab, "D")
    #expect(session.picker.shows("1 photo, 1 file, "))
    session.press("y")
    session.perform()
    #expect(session.deleted == ["3", "7"])
  }

  @Test func `What was deleted for good is no longer part of the steps to undo`() throws {
    var session = try Session(deleted: [])
    session.press(.space, .right, .space, "D", "y")
    session.perform()
    #expect(session.deleted == ["0", "1"])
    session.open()
    session.press("D", "y")
    session.perform()
    #expect(session.deleted.count == 1)
    let last = session.deleted
    session.press("U")
    session.perform()
    #expect(session.edits.last == .changes([.restore(last.map { LocalIdentifier($0) })]))
    #expect(session.deleted.isEmpty && session.libraryCount == 11)
  }

  @Test func `If a file can't be deleted, the notice names it`() throws {
    var session = try Session()
    session.open()
    session.failure = AssetError("p/3", "Read-only file system")
    session.press("D", "y")
    session.perform()
    #expect(session.picker.lastLine.contains("Not deleted: p/3: Read-only file system"))
  }

  @Test func `Photos of a deletion that failed in part are no longer part of the steps to undo`() throws {
    var session = try Session(deleted: [])
    session.press(.space, "D", "y")
    session.perform()
    session.open()
    session.failure = AssetError("p/0", "Read-only file system")
    session.press("D", "y")
    session.perform()
    session.failure = nil
    let count = session.edits.count
    session.press("U")
    session.perform()
    #expect(session.edits.count == count)
  }

  @Test func `D asks about nothing until the photos of the album are fetched`() throws {
    var session = try Session()
    session.press(.tab)
    for _ in 0..<20
    where session.picker.sidebar?.first(where: \.isCurrent)?.text.contains(Session.album) == false {
      session.press(.down)
    }
    session.press("D", "R")
    #expect(session.picker.box == nil && session.edits.isEmpty)
  }

  @Test func `The last line shows the keys, and the info when and from where the photo was deleted`() throws {
    var session = try Session()
    session.open()
    #expect(
      session.picker.lastLine.contains("R restore") && session.picker.lastLine.contains("delete for good"))
    session.press("i")
    #expect(session.picker.shows("Deleted") && session.picker.shows("2 May 2024, 14:05"))
    #expect(session.picker.shows("From") && !session.picker.shows("Folder"))
  }
}
