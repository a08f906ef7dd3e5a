import Glibc

/// The memory that tpick shared for a picture, for a helper that misuses it.
struct LentMemory {
  let descriptor: Int32

  /// The memory of the current request, found by its name among the open files.
  static var current: LentMemory {
    var name = [UInt8](repeating: 0, count: 64)
    let found = (0..<200).last { (descriptor: Int32) in
      let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
      return count > 0 && String(decoding: name[..<count], as: UTF8.self).contains("memfd:tpick-picture")
    }
    return LentMemory(descriptor: found ?? -1)
  }

  /// Maps the beginning for writing, permanently; nil if that is refused.
  func map(_ count: Int) -> UnsafeMutableRawPointer? {
    let bytes = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return bytes == MAP_FAILED ? nil : bytes
  }
}
