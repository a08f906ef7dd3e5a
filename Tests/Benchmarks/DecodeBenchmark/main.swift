import CodecProtocol
import Dispatch
import Foundation

// Measures how long the helper takes to decode pictures: decode-benchmark [--target WxH] [--fill] [--embedded |
// --developed] [--rounds N] [--ppm FILE] FILE…
var request = DecodeRequest()
var rounds = 5
var output: String?
var files: [String] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--target":
    let sides = (arguments.popFirst() ?? "").split(separator: "x").compactMap { Int($0) }
    if sides.count == 2 { (request.targetWidth, request.targetHeight) = (sides[0], sides[1]) }
  case "--fill": request.fills = true
  case "--embedded": request.source = .embedded
  case "--developed": request.source = .developed
  case "--rounds": rounds = max(1, arguments.popFirst().flatMap { Int($0) } ?? rounds)
  case "--ppm": output = arguments.popFirst()
  default: files.append(argument)
  }
}

func milliseconds(_ duration: Duration) -> String {
  let (seconds, fraction) = duration.components
  return String(format: "%.1f", Double(seconds) * 1000 + Double(fraction) / 1e15)
}

func decode(_ helper: CodecClient, _ file: String, _ request: DecodeRequest) -> DecodedPicture? {
  guard let handle = FileHandle(forReadingAtPath: file) else { return nil }
  do {
    return try helper.decode(handle.fileDescriptor, request)
  } catch {
    print("\(file): \(error.reason)")
    return nil
  }
}

for file in files {
  let helper = CodecClient()
  let clock = ContinuousClock()
  var picture: DecodedPicture?
  let first = clock.measure { picture = decode(helper, file, request) }
  guard let picture else { continue }
  if let output {
    var bytes = Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8)
    picture.withUnsafeBytes { pixels in
      for pixel in 0..<picture.width * picture.height { bytes += pixels[pixel * 4..<pixel * 4 + 3] }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: output))
  }
  let single = (0..<rounds).map { _ in clock.measure { _ = decode(helper, file, request) } }.sorted()
  // The second helper starts before the measurement.
  let wanted = request
  let count = rounds
  DispatchQueue.concurrentPerform(iterations: 2) { _ in _ = decode(helper, file, wanted) }
  let both = clock.measure {
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<count { _ = decode(helper, file, wanted) }
    }
  }
  let name = file.split(separator: "/").last.map(String.init) ?? file
  print(
    "\(name): \(picture.width)×\(picture.height) of \(picture.sourceWidth)×\(picture.sourceHeight)",
    picture.isOpaque ? "opaque" : "see-through", picture.note ?? "",
    "| with the helper's start \(milliseconds(first)) ms, then median \(milliseconds(single[rounds / 2])),",
    "fastest \(milliseconds(single[0])), two at once \(milliseconds(both / (2 * count))) each")
}
