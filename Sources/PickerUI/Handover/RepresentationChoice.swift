import AssetLibrary

/// An entry of the options menu: one value for one of the options.
enum RepresentationChoice: Hashable {
  case mode(RepresentationMode)
  /// nil = as many pixels as there are.
  case longestSide(Int?)
  case stripping(RepresentationOptions.Stripping)

  /// The option that it belongs to.
  var heading: String {
    switch self {
    case .mode: "Format"
    case .longestSide: "Size"
    case .stripping: "Metadata"
    }
  }

  var title: String {
    switch self {
    case .mode(.current): "as they are"
    case .mode(.automatic): "converted where needed"
    case .mode(.compatible): "JPEG and MP4"
    case .longestSide(nil): "full size"
    case .longestSide(let side?): "at most \(side) pixels"
    case .stripping(.nothing): "all kept"
    case .stripping(.location): "without location"
    case .stripping(.all): "none kept"
    }
  }
}
