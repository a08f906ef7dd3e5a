/// The formats of media files that are told by their content.
package enum FileFormat: UInt8, CaseIterable, Hashable, Sendable {
  case jpeg = 1
  case png, gif, webp, heic, avif, tiff, bmp, jpegXL
  case dng, cr2, cr3, nef, arw, orf, rw2, raf, pef, srw
  case mp4, quickTime, m4v, matroska, webm, avi, threeGP, mpegTransport

  /// Whether it is a sensor's picture, which has to be developed.
  package var isRaw: Bool {
    switch self {
    case .dng, .cr2, .cr3, .nef, .arw, .orf, .rw2, .raf, .pef, .srw: true
    default: false
    }
  }

  package var isVideo: Bool {
    switch self {
    case .mp4, .quickTime, .m4v, .matroska, .webm, .avi, .threeGP, .mpegTransport: true
    default: false
    }
  }

  /// Whether its facts come from the codec helper, because reading it takes a heavy library.
  package var needsHelper: Bool { self == .heic || self == .avif || isRaw || isVideo }

  /// Apple's name of the type, as "public.jpeg".
  package var uniformTypeIdentifier: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    case .gif: "com.compuserve.gif"
    case .webp: "org.webmproject.webp"
    case .heic: "public.heic"
    case .avif: "public.avif"
    case .tiff: "public.tiff"
    case .bmp: "com.microsoft.bmp"
    case .jpegXL: "public.jpeg-xl"
    case .dng: "com.adobe.raw-image"
    case .cr2: "com.canon.cr2-raw-image"
    case .cr3: "com.canon.cr3-raw-image"
    case .nef: "com.nikon.raw-image"
    case .arw: "com.sony.arw-raw-image"
    case .orf: "com.olympus.raw-image"
    case .rw2: "com.panasonic.rw2-raw-image"
    case .raf: "com.fuji.raw-image"
    case .pef: "com.pentax.raw-image"
    case .srw: "com.samsung.raw-image"
    case .mp4: "public.mpeg-4"
    case .quickTime: "com.apple.quicktime-movie"
    case .m4v: "com.apple.m4v-video"
    case .matroska: "org.matroska.mkv"
    case .webm: "org.webmproject.webm"
    case .avi: "public.avi"
    case .threeGP: "public.3gpp"
    case .mpegTransport: "public.mpeg-2-transport-stream"
    }
  }

  /// The ends of file names that promise the format, in small letters and without their dot.
  package var suffixes: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .png: ["png", "apng"]
    case .gif: ["gif"]
    case .webp: ["webp"]
    case .heic: ["heic", "heif", "hif", "heics", "heifs"]
    case .avif: ["avif", "avifs"]
    case .tiff: ["tif", "tiff"]
    case .bmp: ["bmp", "dib"]
    case .jpegXL: ["jxl"]
    case .dng: ["dng"]
    case .cr2: ["cr2"]
    case .cr3: ["cr3"]
    case .nef: ["nef", "nrw"]
    case .arw: ["arw", "sr2", "srf"]
    case .orf: ["orf"]
    case .rw2: ["rw2"]
    case .raf: ["raf"]
    case .pef: ["pef"]
    case .srw: ["srw"]
    case .mp4: ["mp4"]
    case .quickTime: ["mov", "qt"]
    case .m4v: ["m4v"]
    case .matroska: ["mkv"]
    case .webm: ["webm"]
    case .avi: ["avi"]
    case .threeGP: ["3gp", "3g2", "3gpp"]
    case .mpegTransport: ["mts", "m2ts", "m2t"]
    }
  }

  /// The format that the end of a file's name promises, in letters of any case; nil where it promises no
  /// medium.
  package init?(suffix: String) {
    guard let format = Self.bySuffix[suffix.lowercased()] else { return nil }
    self = format
  }

  private static let bySuffix = Dictionary(
    allCases.flatMap { format in format.suffixes.map { ($0, format) } },
    uniquingKeysWith: { first, _ in first })
}
