package import AssetLibrary
import FoundationEssentials
import System
package import SystemPackage

/// A path as JSON can hold it: text and, where that is lossy, its bytes in Base64.
package struct PathText {
  package let text: String
  /// Nil where the path is UTF-8.
  package let base64: String?

  package init(_ path: [UInt8]) {
    text = String(decoding: path, as: UTF8.self)
    base64 = text.utf8.elementsEqual(path) ? nil : Data(path).base64EncodedString()
  }
}

extension [UInt8] {
  var lastComponent: [UInt8] {
    lastIndex(of: UInt8(ascii: "/")).map { Array(self[($0 + 1)...]) } ?? self
  }

  /// What stands before the last component, as `dirname` has it.
  var folder: [UInt8] {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(self[..<slash])
  }

  /// A file's name before its last dot and behind it; a dot at the beginning makes no extension.
  var splitExtension: (stem: [UInt8], fileExtension: [UInt8]) {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (self, []) }
    return (Array(self[..<dot]), Array(self[(dot + 1)...]))
  }
}

extension FilePath {
  /// The path from the root, without single dots; double dots stay, because a symbolic link before them
  /// would lead elsewhere.
  package var absolute: FilePath {
    var plain = FilePath(root: root)
    plain.append(components.filter { $0.kind != .currentDirectory })
    guard !isAbsolute, let folder = getcwd(nil, 0) else { return plain }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(plain)
  }
}

extension FileURI {
  /// The URI of an asset's file, of one on a server the kind of server and its address there; empty where it has none.
  package static func text(for asset: Asset) -> String {
    guard let resource = asset.primaryResource else { return "" }
    if let address = resource.remoteAddress, let scheme = resource.remoteScheme {
      let path = text(for: Array(address.utf8)).dropFirst("file://".count)
      return "\(scheme):" + path.replacing("%3A", with: ":")
    }
    let path = resource.path
    return text(for: path.absolute.bytes)
  }
}
