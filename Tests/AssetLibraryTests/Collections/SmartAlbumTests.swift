import AssetLibrary
import Testing

@Suite struct SmartAlbumTests {
  private static let now = AssetDate(year: 2024, month: 8, day: 1)

  private func albums(of asset: Asset) -> [SmartAlbum] {
    SmartAlbum.allCases.filter { $0.contains(asset, now: Self.now) }
  }

  @Test func `Smart albums have a fixed order`() {
    let titles = [
      "Recents", "Favorites", "Videos", "Selfies", "Live Photos", "Portrait", "Panoramas", "Time-lapse",
      "Slo-mo", "Bursts", "Screenshots", "Screen Recordings", "Animated", "RAW", "Recently Added", "Hidden",
      "Recently Deleted",
    ]
    #expect(SmartAlbum.allCases.map(\.title) == titles)
  }

  @Test(arguments: SmartAlbum.allCases)
  func `Each smart album has its own identifier and subtype`(album: SmartAlbum) {
    #expect(SmartAlbum(album.localIdentifier) == album)
    #expect(album.localIdentifier.rawValue == "smart.\(album.rawValue)")
    #expect(album.subtype.type == .smartAlbum)
    #expect(SmartAlbum.allCases.filter { $0.subtype == album.subtype } == [album])
    #expect(SmartAlbum(LocalIdentifier(album.rawValue)) == nil)
  }

  static let members: [([SmartAlbum], @Sendable (inout Asset) -> Void)] = [
    ([.recents], { _ in }), ([.recents, .favorites], { $0.isFavorite = true }),
    ([.recents, .videos], { $0.mediaType = .video }), ([.recents, .selfies], { $0.mediaSubtypes = .selfie }),
    ([.recents, .livePhotos], { $0.mediaSubtypes = .livePhoto }),
    ([.recents, .portrait], { $0.mediaSubtypes = .depthEffect }),
    ([.recents, .panoramas], { $0.mediaSubtypes = .panorama }),
    (
      [.recents, .videos, .timelapse],
      {
        $0.mediaType = .video
        $0.mediaSubtypes = .timelapse
      }
    ),
    ([.recents, .slomo], { $0.mediaSubtypes = .slomo }), ([.recents, .bursts], { $0.burstIdentifier = "b" }),
    ([.recents, .screenshots], { $0.mediaSubtypes = .screenshot }),
    ([.recents, .screenRecordings], { $0.mediaSubtypes = .screenRecording }),
    ([.recents, .animated], { $0.mediaSubtypes = .animated }),
    ([.recents, .raw], { $0.mediaSubtypes = .raw }),
    ([.recents, .recentlyAdded], { $0.addedDate = AssetDate(year: 2024, month: 7, day: 3) }),
    ([.recents], { $0.addedDate = AssetDate(year: 2024, month: 7, day: 2) }),
    (
      [.hidden],
      {
        $0.isHidden = true
        $0.isFavorite = true
      }
    ),
    (
      [.recents],
      {
        $0.defect = "the file is empty"
        $0.isFavorite = true
      }
    ),
  ]

  @Test(arguments: members.indices)
  func `An asset is in the smart albums that match its metadata`(index: Int) {
    var asset = Asset.photo("a")
    Self.members[index].1(&asset)
    #expect(albums(of: asset) == Self.members[index].0)
  }
}
