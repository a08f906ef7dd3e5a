/// The XMP properties and fields that tpick reads.
enum XMPName {
  case rating, title, description, subject, hierarchicalSubject, personInImage
  case make, model, lens, originalTime, createTime, dateCreated, satelliteTime
  case latitude, latitudeSide, longitude, longitudeSide
  case altitude, altitudeReference
  case panorama, depthMap, gainMap, extendedPacket
  case motionPhoto, microVideo, microVideoOffset, directory
  case regions, regionInfo
  // Fields of structures.
  case regionName, regionType, personName, itemSemantic, itemLength, itemPadding
  // RDF's own names.
  case rdf, rdfDescription, item, language

  /// Creates a name as the parser passes it: the namespace, a space, the local name.
  ///
  /// Namespaces: XMP specification parts 1 and 2, MWG guidelines 2.0, IPTC Photo Metadata 2023, Microsoft's
  /// People Tagging, Google's photo sphere, depth map, camera and container schemas, Adobe's gain map.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let blank = name.lastIndex(of: 0x20) else { return nil }
    let local = name[(blank + 1)...]
    let space = name[..<blank]
    for candidate in Self.names[Self.bucket(local)]
    where candidate.local == local && candidate.space == space {
      self = candidate.name
      return
    }
    // Any property in this namespace implies a depth map.
    if Self.depth == space {
      self = .depthMap
      return
    }
    return nil
  }

  private static let rdfSpace: Letters = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let dc: Letters = "http://purl.org/dc/elements/1.1/"
  private static let xmp: Letters = "http://ns.adobe.com/xap/1.0/"
  private static let exif: Letters = "http://ns.adobe.com/exif/1.0/"
  private static let tiff: Letters = "http://ns.adobe.com/tiff/1.0/"
  private static let aux: Letters = "http://ns.adobe.com/exif/1.0/aux/"
  private static let exifEX: Letters = "http://cipa.jp/exif/1.0/"
  private static let depth: Letters = "http://ns.google.com/photos/1.0/depthmap/"
  private static let camera: Letters = "http://ns.google.com/photos/1.0/camera/"
  private static let containers: [Letters] = [
    "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/dd/1.0/container/",
  ]
  private static let items: [Letters] = [
    "http://ns.google.com/photos/1.0/container/item/", "http://ns.google.com/photos/dd/1.0/item/",
  ]
  private static let mwg: Letters = "http://www.metadataworkinggroup.com/schemas/regions/"

  private typealias Candidate = (local: Letters, space: Letters, name: XMPName)

  private static let all: [Candidate] = [
    ("RDF", rdfSpace, .rdf), ("Description", rdfSpace, .rdfDescription), ("li", rdfSpace, .item),
    ("lang", "http://www.w3.org/XML/1998/namespace", .language),
    ("Rating", xmp, .rating), ("CreateDate", xmp, .createTime),
    ("title", dc, .title), ("description", dc, .description), ("subject", dc, .subject),
    ("hierarchicalSubject", "http://ns.adobe.com/lightroom/1.0/", .hierarchicalSubject),
    ("PersonInImage", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", .personInImage),
    ("Make", tiff, .make), ("Model", tiff, .model), ("Lens", aux, .lens),
    ("LensModel", exifEX, .lens),
    ("DateTimeOriginal", exif, .originalTime), ("GPSLatitude", exif, .latitude),
    ("GPSLongitude", exif, .longitude), ("GPSLatitudeRef", exif, .latitudeSide),
    ("GPSLongitudeRef", exif, .longitudeSide), ("GPSTimeStamp", exif, .satelliteTime),
    ("GPSAltitude", exif, .altitude),
    ("GPSAltitudeRef", exif, .altitudeReference),
    ("DateCreated", "http://ns.adobe.com/photoshop/1.0/", .dateCreated),
    ("ProjectionType", "http://ns.google.com/photos/1.0/panorama/", .panorama),
    ("Version", "http://ns.adobe.com/hdr-gain-map/1.0/", .gainMap),
    ("HasExtendedXMP", "http://ns.adobe.com/xmp/note/", .extendedPacket),
    ("MotionPhoto", camera, .motionPhoto), ("MicroVideo", camera, .microVideo),
    ("MicroVideoOffset", camera, .microVideoOffset),
    ("Directory", containers[0], .directory), ("Directory", containers[1], .directory),
    ("Semantic", items[0], .itemSemantic), ("Semantic", items[1], .itemSemantic),
    ("Length", items[0], .itemLength), ("Length", items[1], .itemLength),
    ("Padding", items[0], .itemPadding), ("Padding", items[1], .itemPadding),
    ("Regions", mwg, .regions), ("Name", mwg, .regionName), ("Type", mwg, .regionType),
    ("RegionInfo", "http://ns.microsoft.com/photo/1.2/", .regionInfo),
    ("PersonDisplayName", "http://ns.microsoft.com/photo/1.2/t/Region#", .personName),
  ]

  /// The names in buckets of a cheap hash: there are few of them, and most names in a packet are not among
  /// them.
  private static let names: [[Candidate]] = all.reduce(into: Array(repeating: [], count: 64)) {
    buckets, name in
    buckets[name.local.bucket].append(name)
  }

  private static func bucket(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    guard let first = name.first, let last = name.last else { return 0 }
    return (Int(first) &* 5 &+ Int(last) &* 3 &+ name.count) & 63
  }

  /// A name that is compared without creating a `String`.
  private struct Letters: ExpressibleByStringLiteral {
    private let letters: StaticString

    init(stringLiteral letters: StaticString) {
      self.letters = letters
    }

    var bucket: Int { letters.withUTF8Buffer { XMPName.bucket($0[...]) } }

    static func == (space: Letters, name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      guard space.letters.utf8CodeUnitCount == name.count else { return false }
      return space.letters.withUTF8Buffer { letters in
        let start = name.startIndex
        // Compare from the end: namespaces have common prefixes.
        for at in letters.indices.reversed() where name.base[start + at] != letters[at] { return false }
        return true
      }
    }
  }
}
