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
  func `A filter name matches only what it says`(index: Int) {
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

  @Test func `Any, all and not can be combined`() {
    var asset = Asset.photo("a")
    asset.isFavorite = true
    let (yes, no) = (PickerFilter.matching(.favorites), PickerFilter.matching(.videos))
    #expect(PickerFilter.any([no, yes]).matches(asset))
    #expect(!PickerFilter.all([no, yes]).matches(asset))
    #expect(PickerFilter.all([yes, .matching(.images)]).matches(asset))
    #expect(PickerFilter.not(no).matches(asset))
    #expect(!PickerFilter.not(.any([no, yes])).matches(asset))
  }

  @Test func `Broken assets match no filter, and are included without one`() {
    var asset = Asset.photo("a")
    asset.defect = "the file is empty"
    #expect(FetchOptions().admits(asset))
    #expect(!FetchOptions(filter: .matching(.images)).admits(asset))
    #expect(!FetchOptions(filter: .not(.matching(.images))).admits(asset))
  }

  @Test func `Hidden assets are left out unless requested`() {
    var asset = Asset.photo("a")
    asset.isHidden = true
    var options = FetchOptions()
    #expect(!options.admits(asset))
    options.includeHiddenAssets = true
    #expect(options.admits(asset))
  }

  static let hiddenExpressions: [(String, Bool)] = [
    ("hidden", true), ("images,hidden", true), ("all(images,hidden)", true), ("!hidden", false),
    ("images", false), ("!!hidden", true), ("not(any(images,!hidden))", true), ("!all(images,hidden)", false),
  ]

  @Test(arguments: hiddenExpressions)
  func `A filter that includes hidden assets shows them`(text: String, isMentioned: Bool) throws {
    let filter = try PickerFilter(parsing: text)
    #expect(filter.mentions(.hidden) == isMentioned)
    #expect(FetchOptions(filter: filter).showsHidden == isMentioned)
    var options = FetchOptions()
    options.predicate = .filter(filter)
    #expect(options.showsHidden == isMentioned)
  }

  @Test func `A filter for hidden assets shows only them`() {
    var asset = Asset.photo("a")
    let options = FetchOptions(filter: .matching(.hidden))
    #expect(!options.admits(asset))
    asset.isHidden = true
    #expect(options.admits(asset))
  }

  @Test(arguments: [(nil, false, true), ("b", true, true), ("b", false, false)])
  func `One photo represents a burst`(burst: String?, represents: Bool, isShown: Bool) {
    var asset = Asset.photo("a")
    asset.burstIdentifier = burst
    asset.representsBurst = represents
    for filter in [nil, PickerFilter.matching(burst == nil ? .images : .bursts)] {
      var options = FetchOptions(filter: filter)
      #expect(options.admits(asset) == isShown)
      options.includeAllBurstAssets = true
      #expect(options.admits(asset))
    }
  }

  @Test func `Assets come from the requested sources`() {
    var options = FetchOptions()
    options.includeAssetSourceTypes = .cloudShared
    var asset = Asset.photo("a")
    #expect(!options.admits(asset))
    asset.sourceType = .cloudShared
    #expect(options.admits(asset))
  }

  @Test func `Broken assets match no predicate and no search`() throws {
    var asset = Asset.photo("a")
    asset.defect = "the file is empty"
    var options = FetchOptions()
    options.search = SearchQuery()
    #expect(options.admits(asset))
    options.search = try SearchQuery(parsing: "a")
    #expect(!options.admits(asset))
    options.search = nil
    options.predicate = .and([])
    #expect(!options.admits(asset))
    options.predicate = .not(.isFavorite)
    #expect(!options.admits(asset))
  }
}
