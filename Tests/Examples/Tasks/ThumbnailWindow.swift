import PhotoPicker

/// Prepares the thumbnails around the visible part of a grid while it scrolls.
struct ThumbnailWindow {
  private let images: CachingImageManager
  private let photos: FetchResult<Asset>
  private let size: PixelSize
  private var window = 0..<0

  init(_ photos: FetchResult<Asset>, of library: PhotoLibrary, size: PixelSize) {
    images = CachingImageManager(library.manager)
    (self.photos, self.size) = (photos, size)
  }

  /// Call it whenever the grid has scrolled.
  mutating func scroll(to visible: Range<Int>) {
    // Half a screen before and behind.
    let margin = visible.count / 2
    let wanted = (visible.lowerBound - margin..<visible.upperBound + margin).clamped(to: photos.indices)
    // A third of a screen is worth the work.
    guard window.isEmpty || abs(wanted.lowerBound - window.lowerBound) > visible.count / 3 else { return }
    let left = window.filter { !wanted.contains($0) }
    let entered = wanted.filter { !window.contains($0) }
    images.stopCachingImages(for: photos.objects(at: left), targetSize: size, contentMode: .aspectFill)
    images.startCachingImages(for: photos.objects(at: entered), targetSize: size, contentMode: .aspectFill)
    window = wanted
  }

  /// The thumbnail at an index: from memory if it was prepared.
  func thumbnail(at index: Int) async throws(AssetError) -> PixelBuffer {
    try await images.image(for: photos[index], targetSize: size, contentMode: .aspectFill)
  }
}
