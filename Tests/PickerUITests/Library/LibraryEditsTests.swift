import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Keys that change the library, and their undo.
@Suite struct LibraryEditsTests {
  private static let lisbon = AssetCollection(
    localIdentifier: LocalIdentifier("userAlbum.1"), title: "Lisbon", estimatedAssetCount: 15)
  private static let oslo = AssetCollection(
    localIdentifier: LocalIdentifier("userAlbum.2"), title: "Oslo", estimatedAssetCount: 2)

  /// A picker over a memory store, which performs requested changes like the host.
  private struct Session {
    var picker: TestPicker
    let store = MemoryAssetStore()
    private var performed = 0

    init(_ configure: (inout PickerState.Options) -> Void = { _ in }) throws {
      picker = TestPicker(.numbered(12), configure: configure)
      for asset in picker.library { store.add(asset) }
      try store.perform([
        .createAlbum(LibraryEditsTests.lisbon.id, title: "Lisbon"),
        .createAlbum(LibraryEditsTests.oslo.id, title: "Oslo"),
      ])
      picker.send(.authorization(.authorized))
      answer()
    }

    /// Answers all fetches from the store.
    mutating func answer() {
      while picker.isFetching, let query = picker.query {
        let assets = store.assets(in: query.collection, options: query.options)
        var everything = FetchOptions()
        everything.includeHiddenAssets = true
        let all = store.assets(in: nil, options: everything).map(\.id)
        picker.send(
          .fetched(
            FetchAnswer(
              query: query, assets: assets, status: store.status, allowed: [],
              vanished: Set(query.selected).subtracting(all))))
        guard let options = query.albums else { continue }
        picker.send(
          .albums(
            AlbumsAnswer(
              collections: store.collections(options: options), lists: FetchResult(), moments: FetchResult()))
        )
      }
    }

    /// Requested changes that have not been made.
    private var wanted: [LibraryEdit] {
      let edits = picker.effects.compactMap { if case .edit(let edit) = $0 { edit } else { nil } }
      return Array(edits.dropFirst(performed))
    }

    mutating func press(_ keys: Key...) { for key in keys { picker.press(key) } }

    /// Opens the sidebar and selects an album there.
    mutating func open(_ album: String) {
      press(.tab)
      for _ in 0..<20 where picker.sidebar?.first(where: \.isCurrent)?.text.contains(album) == false {
        press(.down)
        answer()
      }
    }

    mutating func type(_ text: String) {
      for character in text { picker.press(character == " " ? .space : .character(character)) }
    }

    /// Makes the changes and notifies the picker.
    @discardableResult
    mutating func perform() -> Int {
      var count = 0
      while let edit = wanted.first {
        performed += 1
        count += 1
        let changes = edit.changes(in: store.userAlbums) { identifiers in
          var options = FetchOptions()
          options.includeHiddenAssets = true
          return Array(store.assets(withLocalIdentifiers: identifiers, options: options))
        }
        let result: Result<[AssetChange], AssetError>
        do throws(AssetError) { result = .success(try store.perform(changes)) } catch {
          result = .failure(error)
        }
        picker.send(.libraryChanged)
        answer()
        picker.send(.edited(LibraryEditAnswer(edit, changes, result)))
      }
      return count
    }

    var favorites: [String] {
      store.assets(in: SmartAlbum.favorites.localIdentifier, options: FetchOptions(sort: .name)).map(
        \.id.rawValue
      )
      .sorted()
    }

    func members(_ title: String) -> [String]? {
      store.userAlbums.album(titled: title)?.assets.map(\.rawValue)
    }
  }

  @Test func `F toggles the favorite mark of the photo under the cursor`() throws {
    var session = try Session()
    session.press(.right, "F")
    #expect(session.perform() == 1)
    #expect(session.favorites == ["1"])
    #expect(session.picker.lastLine.contains("1 photo added to Favorites · Press U to undo"))
    session.press("F")
    session.perform()
    #expect(session.favorites.isEmpty)
    #expect(session.picker.lastLine.contains("removed from Favorites"))
  }

  @Test func `With a selection F applies to all of it, and marks the rest if only some are favorites`()
    throws
  {
    var session = try Session()
    session.press("F")
    session.perform()
    session.press(.space, .right, .space, .right, .space, .end, "F")
    session.perform()
    #expect(session.favorites == ["0", "1", "2"])
    session.press("F")
    session.perform()
    #expect(session.favorites.isEmpty)
  }

  @Test func `H hides the selection, and reports no missing photos`()
    throws
  {
    var session = try Session()
    session.press("H")
    session.perform()
    #expect(session.picker.tile("0") == nil)
    #expect(session.picker.lastLine.contains("1 photo hidden"))
    session.press("U")
    session.perform()
    #expect(session.picker.tile("0") != nil)
    #expect(session.picker.lastLine.contains("Undone: 1 photo hidden"))
  }

  @Test func `H shows a hidden photo again`() throws {
    var session = try Session()
    session.press("H")
    session.perform()
    session.press(".")
    session.answer()
    session.press(.home)
    #expect(session.picker.tile("0") != nil)
    session.press("H")
    session.perform()
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 12)
  }

  @Test func `U and Ctrl-R undo and redo selections and changes in order`() throws {
    var session = try Session()
    session.press(.space, "F")
    session.perform()
    session.press(.right, .space, "H")
    session.perform()
    func state() -> [String] { session.picker.selected + ["favorites"] + session.favorites }
    // Hidden: 0 and 1, both picked; then undone step by step.
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 10)
    session.press("U")
    session.perform()
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 12)
    #expect(state() == ["0", "1", "favorites", "0"])
    session.press("U")
    session.perform()
    #expect(state() == ["0", "favorites", "0"])
    session.press("U")
    session.perform()
    #expect(state() == ["0", "favorites"])
    session.press("U")
    session.perform()
    #expect(state() == ["favorites"])
    session.press("U")
    #expect(session.picker.lastLine.contains("Nothing to undo"))
    session.press(.control("r"), .control("r"))
    session.perform()
    #expect(state() == ["0", "favorites", "0"])
  }

  @Test func `An undo pressed before the change is made reverts that change`() throws {
    var session = try Session()
    session.press("F", "U")
    session.perform()
    #expect(session.favorites.isEmpty)
    #expect(session.picker.lastLine.contains("Undone"))
  }

  @Test(arguments: [(120, 40), (80, 24)])
  func `Without own albums A asks for a name`(columns: Int, rows: Int) {
    var picker = TestPicker.open(size: CellSize(columns: columns, rows: rows))
    picker.press(.character("A"))
    #expect(picker.shows("Add to album  Type a name ") && picker.shows("Type a name for a new one"))
    #expect(!picker.shows("No match"))
  }

  @Test func `A lists the albums, and typing finds one or names a new one`() throws {
    var session = try Session()
    session.press("A")
    #expect(session.picker.shows("Add to album"))
    #expect(session.picker.shows("Lisbon") && session.picker.shows("Oslo"))
    session.type("osl")
    session.press(.enter)
    session.perform()
    #expect(session.members("Oslo") == ["0"])
    #expect(session.picker.lastLine.contains("added to Oslo"))
    session.press(.right, .space, .right, .space, "A")
    #expect(session.picker.shows("Add 2 to album"))
    session.type("Summer in Norway")
    #expect(session.picker.shows("new album “Summer in Norway”"))
    session.press(.enter)
    session.perform()
    #expect(session.members("summer in norway") == ["1", "2"])
    session.press("U")
    session.perform()
    #expect(session.members("summer in norway") == nil)
  }

  @Test func `Typing the name of an existing album, in any case, adds to it`() throws {
    var session = try Session()
    session.press("A")
    session.type("LISBON")
    #expect(!session.picker.shows("new album"))
    session.press(.enter)
    session.perform()
    #expect(session.members("Lisbon") == ["0"])
    session.press("A")
    session.type("lisbon")
    session.press(.enter)
    session.perform()
    #expect(session.picker.lastLine.contains("Nothing to change"))
  }

  @Test func `In a user's album photos can be removed and moved, and the album renamed`()
    throws
  {
    var session = try Session()
    try session.store.perform([.addAssets(session.picker.library.map(\.id), to: Self.lisbon.id)])
    session.open(Self.lisbon.title)
    session.press(.tab)
    #expect(session.picker.title.contains("album order"))
    session.press(.right, ">")
    session.perform()
    #expect(session.members("Lisbon")?.prefix(4) == ["0", "2", "1", "3"])
    session.press("U")
    session.perform()
    #expect(session.members("Lisbon")?.prefix(4) == ["0", "1", "2", "3"])
    session.press(.home, "D")
    session.perform()
    #expect(session.members("Lisbon")?.prefix(2) == ["1", "2"])
    #expect(session.picker.lastLine.contains("removed from Lisbon"))
    session.press("R")
    #expect(session.picker.shows("rename to “Lisbon”"))
    session.type(" 2024")
    session.press(.enter)
    session.perform()
    #expect(session.store.userAlbums.all.map(\.title) == ["Lisbon 2024", "Oslo"])
  }

  @Test func `In the sidebar an album can be moved and deleted, and is restored with its contents`()
    throws
  {
    var session = try Session()
    try session.store.perform([.addAssets(session.picker.library.map(\.id), to: Self.lisbon.id)])
    session.open(Self.lisbon.title)
    session.press(">")
    session.perform()
    #expect(session.store.userAlbums.all.map(\.title) == ["Oslo", "Lisbon"])
    session.press(.delete)
    session.perform()
    #expect(session.store.userAlbums.all.map(\.title) == ["Oslo"])
    session.press("U")
    session.perform()
    #expect(session.store.userAlbums.all.map(\.title) == ["Oslo", "Lisbon"])
    #expect(session.members("Lisbon")?.count == 12)
  }

  @Test func `D asks, shows what will go, and moves all files of the photos to the trash; U restores them`()
    throws
  {
    var session = try Session()
    session.press(.space, .right, .space, "D")
    #expect(session.picker.box?.title == "Move to the trash?")
    #expect(session.picker.shows("2 photos, 2 files"))
    session.press(.enter)
    session.perform()
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 10)
    #expect(session.picker.lastLine.contains("2 photos moved to the trash · Press U to undo"))
    #expect(session.picker.selected.isEmpty)
    session.press("U")
    session.perform()
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 12)
    #expect(session.picker.lastLine.contains("Undone: 2 photos moved to the trash"))
  }

  @Test(arguments: [true, false])
  func `D names a photo on a server, and asks nothing, even if its original is here`(isHere: Bool) {
    var library: [Asset] = .numbered(3)
    library[0].resources[0].remoteAddress = "nas:0.jpg"
    library[0].resources[0].isLocallyAvailable = isHere
    var picker = TestPicker.open(library)
    picker.press(.character("D"))
    #expect(picker.box == nil)
    #expect(picker.lastLine.contains("0 is on a server and can't be deleted"))
  }

  @Test(arguments: [.escape, "n", "q", .space, .control("c"), "D"] as [Key])
  func `Only Enter and y confirm moving to the trash`(key: Key) throws {
    var session = try Session()
    session.press(.delete, key)
    #expect(session.perform() == 0)
    #expect(session.picker.box == nil && session.picker.outcome == nil)
    session.press("D", "y")
    #expect(session.perform() == 1)
  }

  @Test func `Other keys do nothing while the deletion is being confirmed`() throws {
    var session = try Session()
    session.press("D")
    session.picker.mouse(.press, over: "5")
    #expect(session.picker.box == nil)
    #expect(session.perform() == 0)
    session.press("D")
    session.picker.send(.paste("y"))
    #expect(session.picker.box != nil)
    #expect(session.perform() == 0)
  }

  @Test func `The question names the first photos and counts the rest, on small screens too`() throws {
    for rows in [6, 9, 14, 40] {
      var session = try Session()
      session.picker.send(.resized(.size(CellSize(columns: 50, rows: rows))))
      session.press("a", "D")
      #expect(session.picker.shows("12 photos, 12 files"), "\(rows)")
    }
  }

  @Test(arguments: ["F", "H", "A", "D", "R"] as [Key])
  func `Keys do not change a read-only library`(key: Key) throws {
    var session = try Session { $0.isReadOnly = true }
    session.press(key)
    #expect(session.perform() == 0)
    #expect(session.picker.lastLine.contains("read-only"))
  }

  @Test func `In a read-only library albums stay as they are, and picks can be put into another order`()
    throws
  {
    var session = try Session { $0.isReadOnly = true }
    try session.store.perform([.addAssets(session.picker.library.map(\.id), to: Self.lisbon.id)])
    session.press(.space, .right, .space, "r", .end, "<")
    #expect(session.picker.selected == ["1", "0"])
    session.press(.escape, "u")
    session.open(Self.lisbon.title)
    for key in ["<", ">", "D", .delete, "R"] as [Key] {
      session.press(key)
      #expect(session.perform() == 0 && session.picker.box == nil, "\(key)")
      #expect(session.picker.lastLine.contains("read-only"), "\(key)")
    }
    session.press(.tab, .right)
    #expect(session.picker.title.contains("Lisbon"))
    for key in ["<", ">", "D", "R"] as [Key] {
      session.press(key)
      #expect(session.perform() == 0 && session.picker.box == nil, "\(key)")
      #expect(session.picker.lastLine.contains("read-only"), "\(key)")
    }
    #expect(session.store.userAlbums.all.map(\.title) == ["Lisbon", "Oslo"])
    #expect(session.members("Lisbon")?.count == 12)
  }

  @Test func `A failed undo, and a failed redo, can be tried again`() throws {
    var session = try Session()
    let photo = try #require(
      session.store.assets(withLocalIdentifiers: [LocalIdentifier("0")], options: .init()).first)
    session.press("F")
    session.perform()
    let favorite = try #require(
      session.store.assets(withLocalIdentifiers: [LocalIdentifier("0")], options: .init()).first)
    for (key, words, state) in [("U", "Undone", favorite), (.control("r"), "Redone", photo)]
      as [(Key, String, Asset)]
    {
      session.store.remove(photo.id)
      session.press(key)
      session.perform()
      #expect(session.picker.lastLine.contains("Nothing changed"))
      session.store.add(state)
      session.press(key)
      session.perform()
      #expect(session.picker.lastLine.contains(words))
    }
  }

  @Test func `A failed change is reported, and is no undo step`() throws {
    var session = try Session()
    session.press("F")
    session.store.remove(LocalIdentifier("0"))
    session.press("A", .enter)
    session.perform()
    #expect(session.picker.lastLine.contains("Nothing changed"))
    session.press("U")
    #expect(session.picker.lastLine.contains("Nothing to undo"))
  }
}
