import AssetLibrary
import Pixels

/// The export of one asset.
struct ExportJob: Sendable {
  var asset: Asset
  var plan: RepresentationPlan
  /// The files that are copied in addition to the primary one.
  var partners: [AssetResource]

  init(_ asset: Asset, _ options: ExportOptions) {
    self.asset = asset
    plan = RepresentationPlan(asset, options.representation)
    let primary = asset.primaryResource?.path
    // A part of another file is copied with that file.
    partners =
      options.resources == .primary
      ? [] : asset.resources.dropFirst().filter { $0.byteRange == nil && $0.path != primary }
  }

  /// Whether a file is converted, which uses the processor and not only the disk.
  var isConversion: Bool {
    switch plan {
    case .picture, .keyPhoto, .video, .videoPart, .stripped: true
    case .file, .unavailable: false
    }
  }

  /// The number of bytes that are copied unchanged.
  var byteCount: Int64 {
    var resources = partners
    if case .file(let resource) = plan { resources.append(resource) }
    return resources.lazy.map(\.byteCount).saturatedSum()
  }

  /// The approximate number of pixels in memory during conversion.
  ///
  /// Videos count as the maximum, because their converter uses all processors.
  var pixelCost: Int {
    switch plan {
    case .picture(let resource, _): max(resource.storedSize.area, asset.pixelSize.area)
    case .keyPhoto(_, let clip, _, _): max(clip.storedSize.area, asset.pixelSize.area)
    case .video, .videoPart: .max
    case .stripped, .file, .unavailable: 0
    }
  }
}

/// The files of an asset, complete but unnamed.
struct PreparedExport: Sendable {
  var files: [NewFile]
  /// The primary resource if no file was made for it, so that its original file is delivered.
  var original: AssetResource?
  /// The properties of the first file if it is not an unchanged copy.
  var facts: MadeRepresentation.Facts?
  /// The extension of the first file, without its dot; nil = that of the resource.
  var suffix: String?
  var remark: String?
}
