import AssetLibrary

@testable import PickerUI

extension Asset {
  /// A photo in a format other than JPEG.
  static func photo(_ name: String, type: String, byteCount: Int64 = 1_000_000) -> Asset {
    var asset = photo(name)
    asset.resources[0].uniformTypeIdentifier = type
    asset.resources[0].byteCount = byteCount
    return asset
  }

  static func heic(_ name: String) -> Asset { photo(name, type: "public.heic") }
}

extension PickerState.Options {
  /// The types that the consumer accepts, in HTML syntax.
  mutating func accept(_ types: String, _ mode: RepresentationMode = .automatic) {
    configuration.representation.acceptedTypes = try? AcceptedTypes(parsing: types)
    configuration.representation.mode = mode
  }
}

extension PickerEffect {
  var delivery: RepresentationOptions? { if case .deliver(_, let options) = self { options } else { nil } }
  /// The delivered assets.
  var delivered: [Asset]? { if case .deliver(let assets, _) = self { assets } else { nil } }
}
