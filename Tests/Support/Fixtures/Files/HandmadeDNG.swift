/// A DNG of a few pixels (Adobe DNG 1.4, TIFF 6.0 section 2), little-endian.
package struct HandmadeDNG: Sendable {
  package var width: UInt32 = 64
  package var height: UInt32 = 48
  /// EXIF's orientation, 1 to 8.
  package var orientation: UInt16 = 1
  /// A JPEG stream and its size: the first directory is then the preview's, and that of the raw data is below it.
  package var preview: (jpeg: [UInt8], width: UInt32, height: UInt32)?
  /// The sensor's samples, red, green, green, blue in blocks of 2×2; dark gray by default.
  package var samples: [UInt16]?
  /// Exposure time, aperture and focal length as arbitrary floating-point numbers.
  package var floats: (exposure: Float, aperture: Float, focalLength: Float)?
  /// Bytes between the header and the first directory.
  package var padding = 0

  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    var value: [UInt8]
  }

  private func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private func short(_ tag: UInt16, _ values: UInt16...) -> Entry {
    Entry(tag: tag, type: 3, count: UInt32(values.count), value: values.flatMap { number($0) })
  }

  private func long(_ tag: UInt16, _ value: UInt32) -> Entry {
    Entry(tag: tag, type: 4, count: 1, value: number(value))
  }

  private func text(_ tag: UInt16, _ text: String) -> Entry {
    Entry(tag: tag, type: 2, count: UInt32(text.utf8.count + 1), value: Array(text.utf8) + [0])
  }

  private func rational(_ tag: UInt16, type: UInt16 = 5, _ values: (UInt32, UInt32)...) -> Entry {
    Entry(
      tag: tag, type: type, count: UInt32(values.count),
      value: values.flatMap { number($0.0) + number($0.1) })
  }

  private func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    let entries = entries.sorted { $0.tag < $1.tag }
    var table = number(UInt16(entries.count))
    var values: [UInt8] = []
    let start = offset + 2 + entries.count * 12 + 4
    for entry in entries {
      table += number(entry.tag) + number(entry.type) + number(entry.count)
      if entry.value.count <= 4 {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        table += number(UInt32(start + values.count))
        values += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  private var photo: [Entry] {
    let numbers =
      floats.map { [float(0x829A, $0.exposure), float(0x829D, $0.aperture), float(0x920A, $0.focalLength)] }
      ?? [rational(0x829A, (1, 250)), rational(0x829D, (28, 10)), rational(0x920A, (35, 1))]
    return numbers + [
      short(0x8827, 400), text(0x9003, "2024:05:02 14:10:09"), text(0xA434, "Test Lens 35mm"),
    ]
  }

  private func float(_ tag: UInt16, _ value: Float) -> Entry {
    Entry(tag: tag, type: 11, count: 1, value: number(value.bitPattern))
  }

  private var place: [Entry] {
    [
      Entry(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]), text(1, "S"),
      rational(2, (33, 1), (51, 1), (36, 1)), text(3, "E"), rational(4, (151, 1), (12, 1), (36, 1)),
    ]
  }

  private func main(photoAt photo: Int, placeAt place: Int, pixelsAt pixels: Int) -> [Entry] {
    let one: (UInt32, UInt32) = (1, 1)
    return [
      long(0x00FE, 0), long(0x0100, width), long(0x0101, height), short(0x0102, 16), short(0x0103, 1),
      short(0x0106, 32803), text(0x010F, "Testmaker"), text(0x0110, "Testmaker T1"),
      long(0x0111, UInt32(pixels)), short(0x0112, orientation), short(0x0115, 1), long(0x0116, height),
      long(0x0117, width * height * 2), short(0x011C, 1), text(0x0132, "2024:05:02 14:10:09"),
      short(0x828D, 2, 2), Entry(tag: 0x828E, type: 1, count: 4, value: [0, 1, 1, 2]),
      long(0x8769, UInt32(photo)), long(0x8825, UInt32(place)),
      Entry(tag: 0xC612, type: 1, count: 4, value: [1, 4, 0, 0]), text(0xC614, "Testmaker T1"),
      // XYZ to the sensor's colors, which are those of sRGB (IEC 61966-2-1).
      rational(
        0xC621, type: 10, Self.part(32405), Self.part(-15371), Self.part(-4985), Self.part(-9693),
        Self.part(18760), Self.part(416), Self.part(556), Self.part(-2040), Self.part(10572)),
      rational(0xC628, one, one, one), short(0xC65A, 21),
    ]
  }

  /// A signed rational in ten-thousandths.
  private static func part(_ value: Int32) -> (UInt32, UInt32) { (UInt32(bitPattern: value), 10000) }

  /// The first directory of a file with a preview.
  private func previewDirectory(_ raw: UInt32, jpegAt place: Int) -> [Entry] {
    guard let preview else { return [] }
    return [
      long(0x00FE, 1), long(0x0100, preview.width), long(0x0101, preview.height), short(0x0102, 8, 8, 8),
      short(0x0103, 7), short(0x0106, 6), text(0x010F, "Testmaker"), text(0x0110, "Testmaker T1"),
      long(0x0111, UInt32(place)), short(0x0112, orientation), short(0x0115, 3), long(0x0116, preview.height),
      long(0x0117, UInt32(preview.jpeg.count)), short(0x011C, 1), long(0x014A, raw),
      Entry(tag: 0xC612, type: 1, count: 4, value: [1, 4, 0, 0]), text(0xC614, "Testmaker T1"),
    ]
  }

  /// A DNG of the given size.
  package init(
    width: UInt32 = 64, height: UInt32 = 48, orientation: UInt16 = 1,
    preview: (jpeg: [UInt8], width: UInt32, height: UInt32)? = nil, samples: [UInt16]? = nil
  ) {
    (self.width, self.height, self.orientation) = (width, height, orientation)
    self.preview = preview
    self.samples = samples
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let firstLength = preview == nil ? 0 : directory(previewDirectory(0, jpegAt: 0), at: 8).count
    let start = 8 + padding + firstLength
    let length = directory(main(photoAt: 0, placeAt: 0, pixelsAt: 0), at: start).count
    let photoStart = start + length
    let photo = directory(photo, at: photoStart)
    let placeStart = photoStart + photo.count
    let place = directory(place, at: placeStart)
    let pixels = placeStart + place.count
    let main = directory(main(photoAt: photoStart, placeAt: placeStart, pixelsAt: pixels), at: start)
    let data =
      samples.map { $0.flatMap { number($0) } } ?? [UInt8](repeating: 0x20, count: Int(width * height * 2))
    let first =
      preview == nil
      ? [] : directory(previewDirectory(UInt32(start), jpegAt: pixels + data.count), at: 8 + padding)
    let head = [0x49, 0x49, 42, 0] + number(UInt32(8 + padding)) + [UInt8](repeating: 0, count: padding)
    return head + first + main + photo + place + data
      + (preview?.jpeg ?? [])
  }
}
