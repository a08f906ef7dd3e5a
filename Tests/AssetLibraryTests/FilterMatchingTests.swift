import AssetLibrary
import Testing

@Suite struct FilterMatchingTests {
  static let changes: [(PickerFilter.Name, @Sendable (inout Asset) -> Void)] = [
    (.livePhotos, { $0.mediaSubtypes = .livePhoto }), (.bursts, { $0.burstIdentifier = "b" }),
    (.panoramas, { $0.mediaSubtypes = .panorama }), (.screenshots, { $0.mediaSubtypes = .screenshot }),
    (.screenRecordings, { $0.mediaSubtypes = .screenRecording }),
    (.depthEffectPhotos, { $0.mediaSubtypes = .depthEffect }),
    (.cinematicVideos, { $0.mediaSubtypes = .cinematic }), (.slomoVideos, { $0.mediaSubtypes = .slomo }),
    (.timelapseVideos, { $0.mediaSubtypes = .timelapse }), (.spatialMedia, { $0.mediaSubtypes = .spatial }),
    (.animated, { $0.mediaSubtypes = .animated }), (.raw, { $0.mediaSubtypes = .raw }),
    (.hdr, { $0.mediaSubtypes = .hdr }), (.selfies, { $0.mediaSubtypes = .selfie }),
    (.longExposures, { $0.mediaSubtypes = .longExposure }), (.favorites, { $0.isFavorite = true }),
    (.hidden, { $0.isHidden = true }), (.edited, { $0.hasAdjustments = true }),
    (.geotagged, { $0.location = Location(latitude: 0, longitude: 0) }),
    (.videos, { $0.mediaType = .video }),
  ]

  @Test(arguments: changes.indices)
  func `A name matches what it says and nothing else`(index: Int) {
    var asset = Asset.photo("a")
    let name = Self.changes[index].0
    #expect(!PickerFilter.matching(name).matches(asset))
    Self.changes[index].1(&asset)
    #expect(PickerFilter.matching(name).matches(asset))
    for other in PickerFilter.Name.allCases where other != name && other != .images {
      #expect(!PickerFilter.matching(other).matches(asset))
    }
  }

  @Test func `Live Photos are images too`() {
    var asset = Asset.photo("a")
    asset.mediaSubtypes = .livePhoto
    #expect(PickerFilter.matching(.images).matches(asset))
  }

  @Test func `Any, all and not combine`() {
    var asset = Asset.photo("a")
    asset.isFavorite = true
    let (yes, no) = (PickerFilter.matching(.favorites), PickerFilter.matching(.videos))
    #expect(PickerFilter.any([no, yes]).matches(asset))
    #expect(!PickerFilter.all([no, yes]).matches(asset))
    #expect(PickerFilter.all([yes, .matching(.images)]).matches(asset))
    #expect(PickerFilter.not(no).matches(asset))
    #expect(!PickerFilter.not(.any([no, yes])).matches(asset))
  }

  @Test func `Broken assets match no filter, and are there without one`() {
    var asset = Asset.photo("a")
    asset.defect = "the file is empty"
    #expect(FetchOptions().admits(asset))
    #expect(!FetchOptions(filter: .matching(.images)).admits(asset))
    #expect(!FetchOptions(filter: .not(.matching(.images))).admits(asset))
  }

  @Test func `Hidden assets are left out unless they are asked for`() {
    var asset = Asset.photo("a")
    asset.isHidden = true
    var options = FetchOptions()
    #expect(!options.admits(asset))
    options.includeHiddenAssets = true
    #expect(options.admits(asset))
  }
}
