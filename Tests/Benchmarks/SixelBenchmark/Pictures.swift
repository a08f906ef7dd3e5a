import Pixels
import Glibc

/// Reads a binary PPM with 8 bits per channel and without comments, as ImageMagick writes it.
///
/// Format: ppm(5) of Netpbm.
func readPixmap(_ path: String) -> PixelBuffer {
  guard let file = fopen(path, "rb") else { fatalError("\(path) cannot be opened") }
  defer { fclose(file) }
  var data = [UInt8](repeating: 0, count: 1 << 26)
  data.removeLast(data.count - fread(&data, 1, data.count, file))
  let header = data.prefix(64).split(maxSplits: 4, omittingEmptySubsequences: true) { $0 <= 32 }
  let words = header.prefix(4).map { String(decoding: $0, as: UTF8.self) }
  guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2]),
    words[3] == "255"
  else { fatalError("\(path) is no PPM of 8 bits a channel") }
  let start = header[3].endIndex + 1
  guard data.count == start + width * height * 3 else { fatalError("\(path) has another length") }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(width * height * 4)
  for index in stride(from: start, to: data.count, by: 3) { bytes += data[index..<index + 3] + [255] }
  return PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
}

/// Waves of three lengths with a little noise, always the same.
func generatedPicture() -> PixelBuffer {
  let size = PixelSize(width: 800, height: 600)
  var bytes: [UInt8] = []
  var noise: UInt32 = 1
  for y in 0..<size.height {
    for x in 0..<size.width {
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let grain = Double(noise >> 28) - 7.5
      let waves = [
        sin(Double(x) / 97) + cos(Double(y) / 71), sin(Double(x + y) / 131) + cos(Double(y) / 53),
        cos(Double(x) / 61) + sin(Double(x - y) / 83),
      ]
      bytes += waves.map { UInt8(127.5 + $0 * 55 + grain) } + [255]
    }
  }
  return PixelBuffer(size: size, bytes: bytes)
}
