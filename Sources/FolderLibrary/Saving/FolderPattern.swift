package import AssetLibrary
package import SystemPackage

/// The pattern by which a library names folders by date.
package struct FolderPattern {
  private let format: String

  /// Patterns common among import programs and people; `Y`, `M` and `D` stand for year, month and day.
  private static let formats = ["Y/M/D", "Y/M", "Y/Y-M-D", "Y/Y-M", "Y/M-D", "Y-M-D", "Y-M", "Y"]

  private static let mostPhotos = 4000

  /// - Parameters:
  ///   - store: the library's photos.
  ///   - folder: the library's folder.
  /// - Returns: nil unless more than half of the newest photos are in folders of one pattern.
  package init?(of store: any AssetFetching, below folder: FilePath) {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    var (votes, count) = ([String: Int](), 0)
    // Only the newest photos: the pattern may have changed over the years, and the time stays short.
    for asset in store.assets(in: nil, options: options).prefix(Self.mostPhotos) {
      guard let path = asset.primaryResource?.path, path.starts(with: folder) else { continue }
      count += 1
      let parts = path.components.dropFirst(folder.components.count).dropLast().map(\.string)
      guard parts.first.map({ $0.count >= 4 }) ?? false, parts.count <= 3 else { continue }
      let place = parts.joined(separator: "/")
      for format in Self.formats where Self.folder(format, asset.creationDate) == place {
        votes[format, default: 0] += 1
      }
    }
    guard let most = votes.max(by: { $0.value < $1.value }), most.value * 2 > count else { return nil }
    format = most.key
  }

  /// Returns the relative path of the folder for a date.
  package func folder(of date: AssetDate) -> String { Self.folder(format, date) }

  private static func folder(_ format: String, _ date: AssetDate) -> String {
    let (year, month, day, _, _, _) = date.components
    func text(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return format.replacing("Y", with: text(year, 4)).replacing("M", with: text(month, 2))
      .replacing("D", with: text(day, 2))
  }
}
