import CSixel
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

// Times sixel encoders in one process, on one core: sixel-benchmark [ROUNDS] FILE.ppm... What is timed is the way from RGBA pixels in memory
// to the finished sequence; the bytes are those of the sequence, and the PSNR is that of RGB after libsixel's decoder.

struct Outcome {
  var times: [Double] = []
  var bytes: [UInt8] = []
}

func readPPM(_ path: String) -> PixelBuffer {
  guard let file = fopen(path, "rb") else { fatalError("cannot open \(path)") }
  defer { fclose(file) }
  var data = [UInt8](repeating: 0, count: 64 << 20)
  let count = fread(&data, 1, data.count, file)
  var numbers: [Int] = []
  var at = 2
  while numbers.count < 3 {
    while data[at] <= 32 { at += 1 }
    var number = 0
    while data[at] > 32 {
      number = number * 10 + Int(data[at]) - 48
      at += 1
    }
    numbers.append(number)
  }
  at += 1
  let size = PixelSize(width: numbers[0], height: numbers[1])
  precondition(count >= at + size.area * 3)
  var bytes = [UInt8](repeating: 255, count: size.area * 4)
  for index in 0..<size.area {
    for channel in 0..<3 { bytes[index * 4 + channel] = data[at + index * 3 + channel] }
  }
  return PixelBuffer(size: size, bytes: bytes)
}

func psnr(_ sequence: [UInt8], _ picture: PixelBuffer) -> Double {
  var stream = sequence
  var pixels: UnsafeMutablePointer<UInt8>?
  var colors: UnsafeMutablePointer<UInt8>?
  var (width, height, count): (Int32, Int32, Int32) = (0, 0, 0)
  _ = sixel_decode_raw(&stream, Int32(stream.count), &pixels, &width, &height, &colors, &count, nil)
  defer {
    free(pixels)
    free(colors)
  }
  guard let pixels, let colors, Int(width) == picture.width, Int(height) == picture.height else { return 0 }
  var sum = 0
  for index in 0..<picture.size.area {
    for channel in 0..<3 {
      let difference = Int(colors[Int(pixels[index]) * 3 + channel]) - Int(picture.bytes[index * 4 + channel])
      sum += difference * difference
    }
  }
  return 10 * log10(255 * 255 * Double(picture.size.area * 3) / Double(sum))
}

func report(_ name: String, _ rounds: Int, _ picture: PixelBuffer, _ encode: () -> [UInt8]) {
  var times: [Double] = []
  var bytes: [UInt8] = []
  for _ in 0..<rounds {
    var a = timespec(), b = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a)
    bytes = encode()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b)
    times.append(Double(b.tv_sec - a.tv_sec) * 1e3 + Double(b.tv_nsec - a.tv_nsec) / 1e6)
  }
  if let dump = getenv("DUMP") { let f = fopen(dump, "wb"); fwrite(bytes, 1, bytes.count, f); fclose(f) }
  times.sort()
  let line =
    String(format3(times[rounds / 2])) + " ms  best " + format3(times[0]) + "  " + String(bytes.count / 1000)
    + " kB  " + format3(psnr(bytes, picture)) + " dB  " + name
  print(line)
}
func format3(_ v: Double) -> String {
  let i = Int((v * 100).rounded()); return "\(i / 100).\(i % 100 < 10 ? "0" : "")\(i % 100)"
}

let rounds = 15
for path in CommandLine.arguments.dropFirst() {
  let picture = readPPM(path)
  for preset in SixelPreset.allCases {
    let encoder = SixelEncoder(cell: PixelSize(width: 10, height: 20), preset: preset)
    report("\(preset) " + path, rounds, picture) { encoder.encode(picture).strips[0].bytes }
  }
}
