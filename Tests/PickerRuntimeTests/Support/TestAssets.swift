import AssetLibrary
import Pixels

@testable import PickerUI

extension Asset {
  /// A photo with a name, taken `day` days after January 1, 2024.
  static func photo(_ name: String, day: Int = 0) -> Asset {
    let size = PixelSize(width: 4000, height: 3000)
    let resource = AssetResource(
      type: .photo, path: .init(bytes: Array("p/\(name)".utf8)), uniformTypeIdentifier: "public.jpeg",
      byteCount: 2_000_000, storedSize: size)
    return Asset(
      localIdentifier: LocalIdentifier(name), mediaType: .image, pixelSize: size,
      creationDate: AssetDate(year: 2024, month: 1, day: 1 + day), resources: [resource])
  }
}

extension [Asset] {
  /// Photos "p0", "p1", …, newest first.
  static func numbered(_ count: Int) -> [Asset] {
    (0..<count).map { .photo("p\($0)", day: count - 1 - $0) }
  }
}

extension MemoryAssetStore {
  convenience init(_ assets: [Asset]) {
    self.init()
    for asset in assets { add(asset) }
  }
}

extension LibraryAccessController {
  /// A library with full access, or one that asks for it.
  convenience init(
    _ store: any AssetStore, _ images: any ImageManager = ScriptedImages(),
    status: AuthorizationStatus = .authorized, consent: any ConsentPresenter = NoConsentPresenter()
  ) {
    self.init(
      store: store, images: images, status: status, consentRequest: ConsentRequest(client: "test"),
      consent: consent)
  }
}

extension PictureRequest {
  static let size = PixelSize(width: 40, height: 40)

  static func thumbnail(_ asset: Asset, _ priority: ImagePriority = .visible) -> PictureRequest {
    PictureRequest(key: PictureKey(asset, size: size, mode: .aspectFill), asset: asset, priority: priority)
  }
}
