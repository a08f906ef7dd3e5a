package import SystemPackage

/// Reads whole files.
package enum FileText {
  /// - Parameter limit: reading stops soon after this number of bytes.
  package static func bytes(of descriptor: FileDescriptor, limit: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let n = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      if n == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<n])
      if bytes.count > limit { return bytes }
    }
  }

  package static func read(_ path: FilePath) throws -> String {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    return String(decoding: try file.closeAfter { try bytes(of: file) }, as: UTF8.self)
  }
}
