import AssetLibrary
import Pixels

/// One asset on its way into a folder.
struct ExportJob: Sendable {
  var asset: Asset
  var plan: RepresentationPlan
  /// The files that go along with the one that stands for the asset.
  var partners: [AssetResource]

  init(_ asset: Asset, _ options: ExportOptions) {
    self.asset = asset
    plan = RepresentationPlan(asset, options.representation)
    let primary = asset.primaryResource?.path
    // What lies within another file goes along with it.
    partners =
      options.resources == .primary
      ? [] : asset.resources.dropFirst().filter { $0.byteRange == nil && $0.path != primary }
  }

  /// Whether something is made for it, which takes a processor and not only a disk.
  var isConversion: Bool {
    switch plan {
    case .picture, .video, .stripped: true
    case .file, .unavailable: false
    }
  }

  /// The bytes that are copied as they are.
  var byteCount: Int64 {
    var resources = partners
    if case .file(let resource) = plan { resources.append(resource) }
    return resources.lazy.map(\.byteCount).saturatedSum()
  }

  /// About how many pixels are in memory while it is made; of a video the program that makes it takes all processors.
  var pixelCost: Int {
    switch plan {
    case .picture(let resource, _): max(resource.storedSize.area, asset.pixelSize.area)
    case .video: .max
    case .stripped, .file, .unavailable: 0
    }
  }
}

/// The files of an asset, complete and without names.
struct PreparedExport: Sendable {
  var files: [NewFile]
  /// What stands for the asset where no file was made for it: it is handed over where it lies.
  var original: AssetResource?
  /// What is known of the first file where it is not a copy.
  var facts: MadeRepresentation.Facts?
  /// The extension of the first file, without its dot; nil = that of the resource.
  var suffix: String?
  var remark: String?
}
