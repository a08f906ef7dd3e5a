import CConfinement
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

// A helper that does to tpick what a file tells it to: the real one's protocol, and none of its libraries.
var server = CodecServer(socket: STDIN_FILENO)
var answered = 0
server.run { descriptor throws(CodecError) in
  var room = [UInt8](repeating: 0, count: 64)
  let count = max(0, pread(descriptor, &room, room.count, 0))
  // A file that the library has to take for a picture begins with a box of its brand.
  let box = count >= 8 && room[4..<8].elementsEqual("ftyp".utf8) ? min(count, Int(room[3])) : 0
  let words = String(decoding: room[box..<count], as: UTF8.self)
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
    // A whole answer of two bytes too few, and a beginning of another.
    let bytes: [UInt8] = [3, 0, 0, 0, 1, 0, 0]
    _ = send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  case "confine":
    let isClosed = confine(1 << 30)
    let opened = open("/proc/self/exe", O_RDONLY)
    throw .unreadable(isClosed ? opened < 0 ? "closed" : "leaking" : "no Landlock here")
  case "unreadable": throw .unreadable("as told")
  default: break
  }
  answered += 1
  var facts = CodecFacts()
  facts.tags = ["words": words, "answered": String(answered), "process": String(getpid())]
  var status = stat()
  facts.tags["descriptors"] = (0..<200).filter { fstat($0, &status) == 0 }.map(String.init).joined(
    separator: " ")
  facts.tags["session"] = String(getsid(0))
  return facts
}
