import AssetLibrary
import Dispatch
import PickerUI
import System

/// Answers what the picker asks of single assets, bursts and albums, beside the fetches of the grid.
///
/// Answers are posted from other threads.
final class LibraryReader: Sendable {
  private let library: PickerLibrary
  private let post: @Sendable (PickerMessage) -> Void
  /// Reads the disk, which must not delay fetches.
  private let details = DispatchQueue(label: "tpick.details")

  init(_ library: PickerLibrary, post: @escaping @Sendable (PickerMessage) -> Void) {
    self.library = library
    self.post = post
  }

  func loadDetails(of asset: Asset) {
    details.async { [library, post] in
      // Facts that can't be read are left out: the picture itself says what is wrong with the file.
      guard let details = try? library.user.details(of: asset) else { return }
      post(.details(asset.id, details))
    }
  }

  func loadBurst(_ burst: String, _ options: FetchOptions, _ mode: AccessMode) {
    details.async { [library, post] in
      let members = library.manager(for: mode).fetchAssets(ofBurst: burst, options: options)
      post(.burst(burst, Array(members)))
    }
  }

  func count(_ bursts: [String], _ mode: AccessMode) {
    details.async { [library, post] in
      let manager = library.manager(for: mode)
      let counts = bursts.map { ($0, manager.fetchAssets(ofBurst: $0, options: FetchOptions()).count) }
      post(.burstCounts(Dictionary(counts) { $1 }))
    }
  }

  /// Counts the photos of each kind.
  func count(_ query: KindQuery) {
    WorkerThread.run { [library, post] in
      let manager = library.manager(for: query.mode)
      let counts = PickerFilter.Name.allCases.map { kind in
        (kind, manager.assetCount(in: query.collection, options: query.options(for: kind)))
      }
      post(.kinds(KindAnswer(query: query, counts: Dictionary(counts) { $1 })))
    }
  }

  func fetchPosters(_ query: PosterQuery) {
    WorkerThread.run { [library, post] in
      let manager = library.manager(for: query.mode)
      let posters = query.collections.compactMap { collection in
        manager.fetchKeyAssets(in: collection, options: query.options).first.map { (collection, $0) }
      }
      post(.posters(PosterAnswer(query: query, posters: Dictionary(posters) { $1 })))
    }
  }
}
