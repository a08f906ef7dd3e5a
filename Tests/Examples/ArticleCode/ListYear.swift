import FolderLibrary

/// The photos of one year, oldest first.
func photos(of year: Int, in folder: FilePath) -> FetchResult<Asset> {
  let library = FolderAssetStore(sources: [folder])
  library.waitUntilComplete()
  for issue in library.status.issues { print("\(issue)") }

  var options = FetchOptions(filter: .matching(.images), sort: .oldest)
  let first = AssetDate(year: year, month: 1, day: 1)
  let next = AssetDate(year: year + 1, month: 1, day: 1)
  options.predicate = AssetPredicate.creationDate >= first && AssetPredicate.creationDate < next
  return library.assets(in: nil, options: options)
}

func list(_ photos: FetchResult<Asset>) {
  for photo in photos {
    let date = photo.creationDate.components
    print("\(date.month)/\(date.day)", photo.pixelSize, photo.primaryResource?.path.string ?? "")
  }
}

/// A library whose index and marks are stored, and which follows changes on disk.
func keptLibrary(_ folder: FilePath, cache: FilePath, data: FilePath) -> FolderAssetStore {
  let library = FolderAssetStore(
    sources: [folder], locations: LibraryLocations(cache: cache, data: data), watches: true)
  library.start()
  return library
}

/// Prints the number of photos whenever it may have changed.
func follow(_ library: FolderAssetStore) -> ObserverID {
  library.observeChanges { change in
    guard change.contains(.contents) else { return }
    print(library.assetCount(in: nil, options: FetchOptions()))
  }
}
