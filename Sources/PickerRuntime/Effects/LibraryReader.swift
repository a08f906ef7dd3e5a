import AssetLibrary
import Dispatch
import PickerUI

/// Answers what the picker asks of single assets, bursts and albums, beside the fetches of the grid.
///
/// Answers are posted from other threads.
final class LibraryReader: Sendable {
  private let manager: any AssetManager
  private let post: @Sendable (PickerMessage) -> Void
  /// Reads the disk, which must not delay fetches.
  private let details = DispatchQueue(label: "tpick.details")

  init(manager: any AssetManager, post: @escaping @Sendable (PickerMessage) -> Void) {
    self.manager = manager
    self.post = post
  }

  func loadDetails(of asset: Asset) {
    details.async { [manager, post] in
      // Facts that can't be read are left out: the picture itself says what is wrong with the file.
      guard let details = try? manager.details(of: asset) else { return }
      post(.details(asset.id, details))
    }
  }

  func loadBurst(_ burst: String, _ options: FetchOptions) {
    details.async { [manager, post] in
      post(.burst(burst, Array(manager.fetchAssets(ofBurst: burst, options: options))))
    }
  }

  func count(_ bursts: [String]) {
    details.async { [manager, post] in
      let counts = bursts.map { ($0, manager.fetchAssets(ofBurst: $0, options: FetchOptions()).count) }
      post(.burstCounts(Dictionary(counts) { $1 }))
    }
  }

  func fetchPosters(_ query: PosterQuery) {
    DispatchQueue.global().async { [manager, post] in
      let posters = query.collections.compactMap { collection in
        manager.fetchKeyAssets(in: collection, options: query.options).first.map { (collection, $0) }
      }
      post(.posters(PosterAnswer(query: query, posters: Dictionary(posters) { $1 })))
    }
  }
}
