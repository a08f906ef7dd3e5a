import AssetLibrary
import Pixels
import Testing

@Suite struct AssetPredicateTests {
  private static let asset: Asset = {
    var asset = Asset.photo("a", day: 15, size: 2000)
    asset.isFavorite = true
    asset.rating = 4
    asset.duration = 2.5
    asset.pixelSize = PixelSize(width: 40, height: 30)
    asset.mediaSubtypes = [.panorama, .hdr]
    asset.burstIdentifier = "b"
    asset.location = Location(latitude: 38.7223, longitude: -9.1393)
    return asset
  }()

  static let day = AssetDate(year: 2024, month: 5, day: 15)
  static let porto = Location(latitude: 41.1579, longitude: -8.6291)

  static let predicates: [(AssetPredicate, Bool)] = [
    (.mediaType(.image), true), (.mediaType(.video), false),
    (.playbackStyle(.image), true), (.playbackStyle(.livePhoto), false),
    (.mediaSubtypes(.panorama), true), (.mediaSubtypes([.panorama, .hdr]), true),
    (.mediaSubtypes([.panorama, .raw]), false), (.mediaSubtypes([]), true),
    (.isFavorite, true), (.isHidden, false), (.hasAdjustments, false), (.representsBurst, false),
    (.hasLocation, true),
    (AssetPredicate.creationDate == day, true), (AssetPredicate.creationDate != day, false),
    (AssetPredicate.creationDate < day, false), (AssetPredicate.creationDate <= day, true),
    (AssetPredicate.creationDate > day, false), (AssetPredicate.creationDate >= day, true),
    (AssetPredicate.modificationDate <= day, true), (AssetPredicate.addedDate < day, false),
    (AssetPredicate.rating >= 4, true), (AssetPredicate.rating > 4, false),
    (AssetPredicate.rating == 4, true),
    (AssetPredicate.duration < 3, true), (AssetPredicate.duration != 2.5, false),
    (AssetPredicate.byteCount <= 2000, true), (AssetPredicate.pixelWidth == 40, true),
    (AssetPredicate.pixelHeight == 40, false),
    (.burstIdentifier("b"), true), (.burstIdentifier("c"), false),
    (.location(near: porto, kilometers: 300), true), (.location(near: porto, kilometers: 250), false),
    (.filter(.matching(.panoramas)), true),
    (.and([]), true), (.or([]), false), (.not(.isFavorite), false),
    (.isFavorite && .mediaType(.image), true), (.isFavorite && .isHidden, false),
    (.isHidden || .isFavorite, true), (!.isHidden, true),
    (.mediaType(.image) && !.isHidden && AssetPredicate.rating > 3, true),
  ]

  @Test(arguments: predicates.indices)
  func `A predicate matches the right assets`(index: Int) {
    let (predicate, isMet) = Self.predicates[index]
    #expect(predicate.matches(Self.asset) == isMet, "\(predicate)")
    #expect(AssetPredicate.not(predicate).matches(Self.asset) == !isMet)
  }

  @Test func `Chained conditions form one list`() {
    #expect(
      (.isFavorite && .isHidden && .hasLocation)
        == AssetPredicate.and([.isFavorite, .isHidden, .hasLocation]))
    #expect(
      (.isFavorite || .isHidden || .hasLocation) == AssetPredicate.or([.isFavorite, .isHidden, .hasLocation]))
    let mixed: AssetPredicate = .isFavorite && .creationDate >= Self.day && .rating > 3 || .isHidden
    #expect(mixed.matches(Self.asset))
  }

  @Test func `Dates are compared by local time only`() {
    var asset = Self.asset
    asset.creationDate.utcOffset = 3600
    #expect((AssetPredicate.creationDate == Self.day).matches(asset))
    #expect(!(AssetPredicate.creationDate != Self.day).matches(asset))
  }

  @Test(arguments: AssetPredicate.Comparison.allCases)
  func `NaN is unequal to every number`(comparison: AssetPredicate.Comparison) {
    var asset = Self.asset
    asset.duration = .nan
    #expect(AssetPredicate.number(.duration, comparison, 1).matches(asset) == (comparison == .notEqual))
  }

  @Test func `An asset without a location is near nothing`() {
    let anywhere = AssetPredicate.location(near: Self.porto, kilometers: 50_000)
    #expect(!anywhere.matches(Asset.photo("a")))
    var somewhere = Asset.photo("b")
    somewhere.location = Location(latitude: -33.86, longitude: 151.21)
    #expect(anywhere.matches(somewhere))
  }

  // Distances on a sphere, calculated by hand: a degree is 111.195 km, a quarter of the circumference 10,007.5.
  static let ways: [(Location, Location, Double)] = [
    (Location(latitude: 0, longitude: 0), Location(latitude: 1, longitude: 0), 111.195),
    (Location(latitude: 0, longitude: 0), Location(latitude: 0, longitude: 90), 10007.557),
    (Location(latitude: 0, longitude: 0), Location(latitude: 0, longitude: 180), 20015.115),
    (Location(latitude: 90, longitude: 0), Location(latitude: -90, longitude: 77), 20015.115),
    (Location(latitude: 60, longitude: 179.5), Location(latitude: 60, longitude: -179.5), 55.597),
    (Location(latitude: 5, longitude: 5), Location(latitude: 5, longitude: 5), 0),
  ]

  @Test(arguments: ways)
  func `Distances follow the great circle`(from: Location, to: Location, kilometers: Double) {
    #expect(abs(from.kilometers(to: to) - kilometers) < 0.01)
    #expect(abs(to.kilometers(to: from) - kilometers) < 0.01)
    #expect(from.isWithin(kilometers: kilometers + 0.01, of: to))
    #expect(kilometers == 0 || !from.isWithin(kilometers: kilometers - 0.01, of: to))
  }
}
