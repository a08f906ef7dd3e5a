import Pixels
import TerminalGraphics
import Glibc

// Compares sixel encoders in one process and on one core: sixel-benchmark [--registers 4,16,64,256] FILE.ppm... A round
// goes from pixels in memory to the finished sequence; reported is the median of seven rounds in processor time of the
// thread. Without a file a picture is generated. Each row of the tables is the mean over all pictures.

let rounds = 7
var paths = Array(CommandLine.arguments.dropFirst())
var registers = [256]
if paths.first == "--registers" {
  registers = paths.dropFirst().first?.split(separator: ",").compactMap { Int($0) } ?? []
  paths = Array(paths.dropFirst(2))
}
let pictures = paths.isEmpty ? [generatedPicture()] : paths.map { readPixmap($0) }

for count in registers {
  print("\n| \(count) registers | ms | kB | PSNR | PSNR, blurred | SSIM | SSIM, blurred |")
  print("|---|---|---|---|---|---|---|")
  for preset in SixelPreset.allCases {
    let own = SixelEncoder(cell: .defaultCell, registers: count, preset: preset)
    report("own, \(preset)") { own.encode($0).strips.first?.bytes ?? [] }
    let libsixel = LibsixelEncoder(cell: .defaultCell, registers: count, preset: preset)
    report("libsixel, \(preset)") { libsixel.encode($0).strips.first?.bytes ?? [] }
  }
  for isDiffused in [true, false] {
    report("libsixel, its palette\(isDiffused ? "" : ", not diffused")") { picture in
      PeerEncoder.encode(picture.rgb, picture.size, registers: count, isDiffused: isDiffused)
    }
  }
}

func report(_ name: String, _ encode: (PixelBuffer) -> [UInt8]) {
  var (time, size, failures) = (0.0, 0.0, 0)
  var judges: [Judge] = []
  for picture in pictures {
    var times: [Double] = []
    var sequence: [UInt8] = []
    for _ in 0..<rounds {
      let before = processorTime()
      sequence = encode(picture)
      times.append(processorTime() - before)
    }
    time += times.sorted()[rounds / 2]
    size += Double(sequence.count) / 1000
    if let judge = Judge(sequence, picture) { judges.append(judge) } else { failures += 1 }
  }
  func mean(_ value: (Judge) -> Double) -> Double { judges.map(value).reduce(0, +) / Double(judges.count) }
  let count = Double(pictures.count)
  let values = [
    rounded(time / count, 1), rounded(size / count, 0), rounded(mean(\.signalToNoise), 2),
    rounded(mean(\.blurredSignalToNoise), 2), rounded(mean(\.similarity), 3),
    rounded(mean(\.blurredSimilarity), 3),
  ]
  let note = failures == 0 ? "" : " (\(failures) not decoded)"
  print("| \(name)\(note) | \(values.joined(separator: " | ")) |")
}

func rounded(_ value: Double, _ digits: Int) -> String {
  let scale = pow(10, Double(digits))
  let whole = Int((value * scale).rounded())
  if digits == 0 { return "\(whole)" }
  let rest = "\(whole % Int(scale))"
  return "\(whole / Int(scale)).\(String(repeating: "0", count: digits - rest.count))\(rest)"
}

/// The processor time of the thread so far, in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
