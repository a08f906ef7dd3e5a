import PhotoPicker

/// A photo as an album's screen uses it, a wrapper like QMUI's: its kind, and pictures for the usual purposes.
struct AlbumPhoto: Sendable {
  enum Kind: Sendable {
    case still, gif, livePhoto, video
  }

  let asset: Asset
  let library: PhotoLibrary

  var kind: Kind {
    switch asset.playbackStyle {
    case .imageAnimated: .gif
    case .livePhoto: .livePhoto
    case .video, .videoLooping: .video
    case .image, .unsupported: .still
    }
  }

  /// A square thumbnail.
  func thumbnail(_ side: Int) async throws(AssetError) -> PixelBuffer {
    try await library.manager.image(
      for: asset, targetSize: PixelSize(width: side, height: side), contentMode: .aspectFill,
      options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
  }

  /// The whole picture for a screen, with the progress of a download; nil if the task was cancelled.
  func preview(
    in screen: PixelSize, progress: @escaping @Sendable (Double) -> Void
  ) async throws(AssetError) -> PixelBuffer? {
    var options = ImageRequestOptions(deliveryMode: .highQualityFormat)
    options.isNetworkAccessAllowed = true
    do throws(AssetError) {
      return try await library.manager.image(
        for: asset, targetSize: screen, options: options, progressHandler: progress)
    } catch {
      if error.code == .cancelled { return nil }
      throw error
    }
  }

  /// The bytes of the file that is shown.
  func data() async throws(AssetError) -> [UInt8] {
    try await library.manager.imageData(for: ImageDataRequest(asset: asset)).bytes
  }

  /// The albums that have photos, with their photos, newest first.
  static func albums(of library: PhotoLibrary) -> [(title: String, photos: [AlbumPhoto])] {
    let albums = library.manager.fetchCollections(options: FetchOptions())
    return albums.map { album in
      let photos = library.manager.fetchAssets(in: album, options: FetchOptions(sort: .newest))
      return (album.title, photos.map { AlbumPhoto(asset: $0, library: library) })
    }.filter { !$0.photos.isEmpty }
  }
}
