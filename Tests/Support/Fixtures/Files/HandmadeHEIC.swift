/// A HEIC file whose pictures have no pixels: its boxes are sufficient for metadata.
package struct HandmadeHEIC: Sendable {
  package var width: UInt32 = 640
  package var height: UInt32 = 480
  /// Counterclockwise quarter turns of the `irot` property.
  package var quarterTurns: UInt8?
  /// The types of auxiliary images of the primary one.
  package var auxiliaryTypes: [String] = []
  package var exif: [UInt8]?
  package var xmp: String?
  /// Whether there is a second picture.
  package var hasSecondPicture = false
  /// Whether the two are the views of a stereo pair.
  package var isStereo = false
  package var brand = "heic"
  /// Bytes of each coded picture.
  package var pictureLength = 600

  private struct Item {
    var identifier: UInt16
    var type: String
    var contentType = ""
    var data: [UInt8]
    var properties: [UInt8] = []
    /// The item that it refers to, and how.
    var reference: (type: String, target: UInt16)?
    var isHidden = false
  }

  private var items: [Item] {
    let picture = Boxes.zeros(pictureLength)
    var items = [Item(identifier: 1, type: "hvc1", data: picture, properties: [1, 2])]
    if quarterTurns != nil { items[0].properties.append(3) }
    if hasSecondPicture {
      items.append(Item(identifier: 2, type: "hvc1", data: picture, properties: [1, 2]))
    }
    for (index, _) in auxiliaryTypes.enumerated() {
      items.append(
        Item(
          identifier: UInt16(10 + index), type: "hvc1", data: picture,
          properties: [1, 2, UInt8(4 + index)], reference: ("auxl", 1), isHidden: true))
    }
    if let exif {
      let data = Boxes.number(UInt32(6)) + "Exif\0\0".utf8 + exif
      items.append(Item(identifier: 20, type: "Exif", data: data, reference: ("cdsc", 1), isHidden: true))
    }
    if let xmp {
      items.append(
        Item(
          identifier: 21, type: "mime", contentType: "application/rdf+xml", data: Array(xmp.utf8),
          reference: ("cdsc", 1), isHidden: true))
    }
    return items
  }

  /// An HEVC decoder configuration without parameter sets (ISO/IEC 14496-15, 8.3.3.1).
  private var configuration: [UInt8] {
    Boxes.box(
      "hvcC", [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 90, 0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 0])
  }

  private var properties: [UInt8] {
    let turn = Boxes.box("irot", [quarterTurns ?? 0])
    let types = auxiliaryTypes.flatMap { Boxes.full("auxC", Array($0.utf8), [0]) }
    let size = Boxes.full("ispe", Boxes.number(width), Boxes.number(height))
    let associations = items.filter { !$0.properties.isEmpty }
    return Boxes.box(
      "iprp", Boxes.box("ipco", configuration, size, turn, types),
      Boxes.full(
        "ipma", Boxes.number(UInt32(associations.count)),
        associations.flatMap { Boxes.number($0.identifier) + [UInt8($0.properties.count)] + $0.properties }))
  }

  private var information: [UInt8] {
    let entries = items.flatMap { item in
      Boxes.full(
        "infe", version: 2, flags: item.isHidden ? 1 : 0, Boxes.number(item.identifier), [0, 0],
        Array(item.type.utf8), [0], item.contentType.isEmpty ? [] : Array(item.contentType.utf8) + [0])
    }
    return Boxes.full("iinf", Boxes.number(UInt16(items.count)), entries)
  }

  private var references: [UInt8] {
    let boxes = items.flatMap { item in
      item.reference.map {
        Boxes.box($0.type, Boxes.number(item.identifier), [0, 1], Boxes.number($0.target))
      } ?? []
    }
    return boxes.isEmpty ? [] : Boxes.full("iref", boxes)
  }

  private var groups: [UInt8] {
    guard isStereo else { return [] }
    let pair = Boxes.number(UInt32(100)) + Boxes.number(UInt32(2)) + [0, 0, 0, 1, 0, 0, 0, 2]
    return Boxes.box("grpl", Boxes.full("ster", pair))
  }

  /// The items' locations, with data from `start` on.
  private func locations(from start: Int) -> [UInt8] {
    var offset = start
    let entries = items.flatMap { item in
      defer { offset += item.data.count }
      return Boxes.number(item.identifier) + [0, 0, 0, 1] + Boxes.number(UInt32(offset))
        + Boxes.number(UInt32(item.data.count))
    }
    return Boxes.full("iloc", [0x44, 0], Boxes.number(UInt16(items.count)), entries)
  }

  private func head(dataFrom start: Int) -> [UInt8] {
    Boxes.fileType(brand, "mif1", brand)
      + Boxes.full(
        "meta", Boxes.full("hdlr", Boxes.zeros(4), Array("pict".utf8), Boxes.zeros(13)),
        Boxes.full("pitm", [0, 1]), locations(from: start), information, references, properties, groups)
  }

  /// A file with one picture and optional parts.
  package init(
    width: UInt32 = 640, height: UInt32 = 480, quarterTurns: UInt8? = nil, auxiliaryTypes: [String] = [],
    exif: [UInt8]? = nil, xmp: String? = nil, hasSecondPicture: Bool = false, isStereo: Bool = false,
    brand: String = "heic"
  ) {
    (self.width, self.height, self.quarterTurns) = (width, height, quarterTurns)
    (self.auxiliaryTypes, self.exif, self.xmp) = (auxiliaryTypes, exif, xmp)
    (self.hasSecondPicture, self.isStereo, self.brand) = (hasSecondPicture, isStereo, brand)
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let start = head(dataFrom: 0).count + 8
    return head(dataFrom: start) + Boxes.box("mdat", items.flatMap(\.data))
  }
}
