import Glibc

/// File properties that the tests need.
enum FileFacts {
  static func isJPEG(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var head: [UInt8] = [0, 0, 0]
    return fread(&head, 1, 3, file) == 3 && head == [0xFF, 0xD8, 0xFF]
  }
}
