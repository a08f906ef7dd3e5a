/// A property of XMP by its namespace and name: whether it may go along with a picture.
struct XMPProperty: Hashable {
  var space: String
  var name: String

  /// Takes a name as the parser gives it: the namespace, a blank, the name within it.
  init?(_ name: String) {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    space = String(name[..<blank])
    self.name = String(name[name.index(after: blank)...])
  }

  static func prefix(of space: String) -> String? { plain[space]?.prefix }

  func mayStay(under policy: MetadataPolicy) -> Bool {
    if Self.isRDF(space) || isOfFile || policy.newSize != nil && isOfPixels { return false }
    switch policy.stripping {
    case .nothing: return true
    case .location: return Self.plain[space]?.mayStay(name) ?? false
    case .all: return false
    }
  }

  /// Whether it may stay as a qualifier or a field of one that does.
  func mayStayWithin(under policy: MetadataPolicy) -> Bool {
    policy.stripping == .nothing || Self.isRDF(space) || mayStay(under: policy)
      || space == "http://ns.adobe.com/exif/1.0/" && Self.fieldsOfFlash.contains(name)
  }

  private static let fieldsOfFlash: Set<String> = ["Fired", "Return", "Mode", "Function", "RedEyeMode"]

  private static func isRDF(_ space: String) -> Bool {
    space == "http://www.w3.org/1999/02/22-rdf-syntax-ns#" || space == "http://www.w3.org/XML/1998/namespace"
  }

  /// What it says of other pictures and videos in the same file, which don't go along, and how packets hang together.
  private var isOfFile: Bool {
    switch space {
    case "http://ns.google.com/photos/1.0/camera/", "http://ns.google.com/photos/1.0/container/",
      "http://ns.google.com/photos/dd/1.0/container/", "http://ns.google.com/photos/1.0/depthmap/",
      "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/1.0/audio/",
      "http://ns.google.com/photos/dd/1.0/device/", "http://ns.adobe.com/hdr-gain-map/1.0/",
      "http://ns.apple.com/HDRGainMap/1.0/", "http://ns.adobe.com/xmp/note/",
      "http://ns.adobe.com/camera-raw-settings/1.0/", "http://ns.adobe.com/xap/1.0/g/img/":
      true
    case "http://ns.adobe.com/xap/1.0/": name == "Thumbnails"
    default: false
    }
  }

  /// What is no longer true once the pixels are others.
  private var isOfPixels: Bool {
    switch space {
    case "http://ns.adobe.com/tiff/1.0/":
      !["Make", "Model", "Artist", "Copyright", "Software", "DateTime", "ImageDescription"].contains(name)
    case "http://ns.adobe.com/exif/1.0/":
      ["PixelXDimension", "PixelYDimension", "ColorSpace", "NativeDigest"].contains(name)
    case "http://ns.adobe.com/photoshop/1.0/": ["ColorMode", "ICCProfile"].contains(name)
    case "http://ns.google.com/photos/1.0/panorama/":
      !["ProjectionType", "UsePanoramaViewer"].contains(name)
    default: false
    }
  }

  private struct Space: Sendable {
    var prefix: String
    /// The properties that may stay; nil = all but `left`.
    var kept: Set<String>?
    var left: Set<String> = []

    func mayStay(_ name: String) -> Bool {
      if let kept { return kept.contains(name) }
      return !left.contains(name)
    }
  }

  /// The namespaces of which is known what in them can say where a picture was taken.
  private static let plain: [String: Space] = [
    "http://purl.org/dc/elements/1.1/": Space(prefix: "dc", left: ["coverage"]),
    "http://ns.adobe.com/xap/1.0/": Space(
      prefix: "xmp", kept: ["Rating", "Label", "CreateDate", "ModifyDate", "MetadataDate", "CreatorTool"]),
    "http://ns.adobe.com/xap/1.0/rights/": Space(prefix: "xmpRights"),
    "http://ns.adobe.com/photoshop/1.0/": Space(
      prefix: "photoshop",
      kept: [
        "DateCreated", "Headline", "Credit", "Source", "AuthorsPosition", "CaptionWriter", "Instructions",
        "TransmissionReference", "Urgency", "ColorMode", "ICCProfile",
      ]),
    "http://ns.adobe.com/lightroom/1.0/": Space(
      prefix: "lr", kept: ["hierarchicalSubject", "weightedFlatSubject"]),
    "http://ns.adobe.com/tiff/1.0/": Space(prefix: "tiff"),
    "http://ns.adobe.com/exif/1.0/aux/": Space(prefix: "aux"),
    "http://cipa.jp/exif/1.0/": Space(prefix: "exifEX"),
    "http://ns.adobe.com/exif/1.0/": Space(
      prefix: "exif",
      kept: [
        "ApertureValue", "BrightnessValue", "ColorSpace", "Contrast", "CustomRendered", "DateTimeDigitized",
        "DateTimeOriginal", "DigitalZoomRatio", "ExifVersion", "ExposureBiasValue", "ExposureMode",
        "ExposureProgram", "ExposureTime", "Flash", "FNumber", "FocalLength", "FocalLengthIn35mmFilm",
        "ISOSpeedRatings", "LightSource", "MaxApertureValue", "MeteringMode", "PixelXDimension",
        "PixelYDimension", "Saturation", "SceneCaptureType", "SensingMethod", "Sharpness",
        "ShutterSpeedValue", "SubjectDistance", "SubjectDistanceRange", "WhiteBalance",
      ]),
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": Space(
      prefix: "Iptc4xmpCore", kept: ["IntellectualGenre", "Scene", "SubjectCode", "AltTextAccessibility"]),
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": Space(
      prefix: "Iptc4xmpExt", kept: ["PersonInImage", "DigitalSourceType", "Event"]),
    "http://ns.google.com/photos/1.0/panorama/": Space(
      prefix: "GPano",
      left: ["PoseHeadingDegrees", "InitialViewHeadingDegrees", "FirstPhotoDate", "LastPhotoDate"]),
  ]
}
