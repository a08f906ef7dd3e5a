import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

// Times sixel encoders in one process and on one core: sixel-benchmark FILE.ppm... What is timed is the way from pixels
// in memory to the finished sequence, in the thread's processor time, the median of fifteen rounds. The PSNR is that of
// RGB after libsixel's decoder. Without a file a picture is generated.

let rounds = 15
let paths = CommandLine.arguments.dropFirst()
let pictures = paths.isEmpty ? [("generated", generatedPicture())] : paths.map { ($0, readPixmap($0)) }

for (name, picture) in pictures {
  print("\(name), \(picture.size)")
  for preset in SixelPreset.allCases {
    let encoder = SixelEncoder(cell: PixelSize(width: 10, height: 20), preset: preset)
    report("\(preset)", picture) { encoder.encode(picture).strips.first?.bytes ?? [] }
  }
  let colors = withoutAlpha(picture)
  report("libsixel", picture) { PeerEncoder.encode(colors, picture.size, isDiffused: true) }
  report("libsixel, no diffusion", picture) { PeerEncoder.encode(colors, picture.size, isDiffused: false) }
}

func report(_ name: String, _ picture: PixelBuffer, _ encode: () -> [UInt8]) {
  var times: [Double] = []
  var sequence: [UInt8] = []
  for _ in 0..<rounds {
    let before = processorTime()
    sequence = encode()
    times.append(processorTime() - before)
  }
  times.sort()
  let quality = PeerDecoder.signalToNoise(sequence, picture)
  print(
    "  \(tenths(times[rounds / 2])) ms (best \(tenths(times[0])))  \(sequence.count / 1000) kB  \(tenths(quality)) dB  \(name)"
  )
}

func tenths(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// What the thread took of the processor so far, in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
