import CConfinement
import CPlatform
import CodecProtocol
import Glibc

/// A helper that executes the command in a file: the real protocol without the libraries.
final class StandIn: HelperService {
  /// Reports whether the current request was canceled.
  let interruption: RequestInterruption
  var answered = 0
  /// The memory of a previous answer.
  private var kept: Int32 = -1

  init(_ interruption: RequestInterruption) { self.interruption = interruption }

  /// Returns the first bytes of a file, which contain the command.
  func words(in descriptor: Int32) -> String {
    var room = [UInt8](repeating: 0, count: 512)
    let count = max(0, pread(descriptor, &room, room.count, 0))
    // A file that the library must take for a picture begins with a box of its brand.
    var head = count >= 8 && room[4..<8].elementsEqual("ftyp".utf8) ? min(count, Int(room[3])) : 0
    // Or with a GIF header (GIF89a specification, chapters 17 and 18).
    if room.starts(with: "GIF89a".utf8) { head = min(count, 13) }
    return String(decoding: room[head..<count], as: UTF8.self)
  }

  /// Crashes the helper or violates the protocol.
  func misbehave(_ words: String) throws(CodecError) {
    switch words {
    case "die": raise(SIGKILL)
    case "die unless new": if answered > 0 { raise(SIGKILL) }
    case "exit": exit(0)
    case "hang": while true { pause() }
    case "nonsense":
      let bytes = [UInt8](repeating: 0xA5, count: 100)
      _ = send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    case "endless":
      let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
      _ = send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    case "twice":
      // A complete answer that is two bytes too short, and the beginning of another.
      let bytes: [UInt8] = [3, 0, 0, 0, 1, 0, 0]
      _ = send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    case "flood":
      var bytes: [UInt8] = []
      for _ in 0..<1000 { bytes += [9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0] }
      while send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 {}
      exit(0)
    case "two answers": sendFailure(number: 0, times: 2, [])
    case "another's answer": sendFailure(number: 7, times: 1, [])
    case "an answer with a descriptor": sendFailure(number: 0, times: 1, [STDIN_FILENO])
    case "confine":
      let state = confine(1 << 30, false)
      let opened = open("/proc/self/exe", O_RDONLY)
      let isWhole = state.has_filter && state.landlock > 0
      throw .unreadable(isWhole ? opened < 0 ? "closed" : "leaking" : "none here")
    case "two descriptors":
      // A failure without text as the answer to the second file.
      let answer: [UInt8] = [5, 0, 0, 0, 5, 1, 0, 0, 0]
      _ = descriptors_send(STDIN_FILENO, answer, answer.count, [STDIN_FILENO, STDIN_FILENO], 2)
      exit(0)
    case "unreadable": throw .unreadable("as told")
    case "unreadable with control characters":
      throw .unreadable("\u{1B}]0;title\u{7}" + String(repeating: "\u{9B}31m words ", count: 400))
    case "grow":
      let step = 32 << 20
      while let bytes = mmap(nil, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        bytes != MAP_FAILED
      {
        memset(bytes, 1, step)
        usleep(1000)
      }
      pause()
    case "keep much": keepMuch()
    case "out of memory": throw .noMemory
    case let words where words.hasPrefix("die until "):
      // Until a file exists at that path.
      if access(String(words.dropFirst(10)), F_OK) != 0 { raise(SIGKILL) }
    default: break
    }
  }

  /// A picture of the requested size, every byte of which is the number of previous pictures.
  func picture(
    of descriptor: Int32, _ request: DecodeRequest, seconds: UInt32
  ) throws(CodecError) -> PictureMemory {
    let words = words(in: descriptor)
    try misbehave(words)
    let output = LentMemory.current
    switch words {
    case "too large": throw .tooLarge("as told")
    case "nothing embedded": throw .nothingEmbedded
    case "a picture with a descriptor": sendPicture(width: 2, height: 2, [descriptor])
    case "one row more":
      sendPicture(width: UInt32(request.targetWidth), height: UInt32(request.targetHeight + 1))
    case "no width": sendPicture(width: 0, height: 2)
    case "absurd width": sendPicture(width: .max, height: .max)
    case "mapped still": _ = output.map(16)
    case "kept": kept = dup(output.descriptor)
    case "filled and kept":
      kept = dup(output.descriptor)
      if let bytes = output.map(1 << 20) {
        memset(bytes, 1, 1 << 20)
        munmap(bytes, 1 << 20)
      }
    case "facts instead": _ = send(STDIN_FILENO, [UInt8]([4, 0, 0, 0, 1, 0, 0, 0]), 8, Int32(MSG_NOSIGNAL))
    case let words where words.hasPrefix("late"): waitForGrowth(of: descriptor, beyond: 4)
    default: break
    }
    let memory = try PictureMemory(PictureFacts(width: request.targetWidth, height: request.targetHeight))
    memory.bytes.initializeMemory(as: UInt8.self, repeating: UInt8(answered & 0x7F))
    memory.facts.note = words == "what of it" ? stateOfKept : "\(getpid())"
    if words == "absurd source" {
      (memory.facts.sourceWidth, memory.facts.sourceHeight) = (Int(UInt32.max), Int(UInt32.max))
    }
    answered += 1
    return memory
  }

  /// What can be done with the memory of a previous answer.
  private var stateOfKept: String {
    let kept = LentMemory(descriptor: kept)
    var status = stat()
    fstat(kept.descriptor, &status)
    let canWrite = kept.map(16) != nil || pwrite(kept.descriptor, "x", 1, 0) == 1
    let canResize = ftruncate(kept.descriptor, 1) == 0 || ftruncate(kept.descriptor, .max) == 0
    return "\(canWrite ? "writable" : "sealed") \(canResize ? "resizable" : "fixed") \(status.st_blocks / 8)"
  }

  /// Allocates more memory than a helper may keep, and answers normally.
  private func keepMuch() {
    let count = 600 << 20
    let bytes = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if let bytes, bytes != MAP_FAILED { memset(bytes, 1, count) }
  }

  /// Waits until another process has made a file larger.
  func waitForGrowth(of descriptor: Int32, beyond size: Int) {
    var status = stat()
    while fstat(descriptor, &status) == 0, status.st_size <= size { usleep(1000) }
  }

  /// An animation; a helper that is to crash does so in the middle of it.
  func frames(of descriptor: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence {
    let words = words(in: descriptor)
    if words == "die later" { return StandInFrames(request, deadly: 2) }
    try misbehave(words)
    return StandInFrames(request, deadly: nil)
  }

  /// Answers in one message that a file can't be read, and sends nothing more.
  private func sendFailure(number: UInt8, times: Int, _ descriptors: [Int32]) {
    let answer: [UInt8] = [9, 0, 0, 0, 2, number, 0, 0, 0, 0, 0, 0, 0]
    let message = [[UInt8]](repeating: answer, count: times).flatMap { $0 }
    _ = descriptors_send(STDIN_FILENO, message, message.count, descriptors, descriptors.count)
    while true { pause() }
  }

  /// Announces a picture, and sends these descriptors with it.
  private func sendPicture(width: UInt32, height: UInt32, _ descriptors: [Int32] = []) {
    var message: [UInt8] = [3, 0, 0, 0, 0]
    for number in [width, height, 1, 1] { withUnsafeBytes(of: number.littleEndian) { message += $0 } }
    message += [1, 0]
    message = [UInt8(message.count), 0, 0, 0] + message
    _ = descriptors_send(STDIN_FILENO, message, message.count, descriptors, descriptors.count)
  }
}
