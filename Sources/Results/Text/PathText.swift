package import AssetLibrary
import FoundationEssentials
import System
package import SystemPackage

/// A path as JSON can represent it: text and, if that is lossy, the bytes in Base64.
package struct PathText {
  package let text: String
  /// nil if the path is UTF-8.
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

  /// The path without its last component, as `dirname` prints it.
  var folder: [UInt8] {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(self[..<slash])
  }

  /// Splits a file's name at its last dot; a leading dot does not start an extension.
  var splitExtension: (stem: [UInt8], fileExtension: [UInt8]) {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (self, []) }
    return (Array(self[..<dot]), Array(self[(dot + 1)...]))
  }
}

extension FilePath {
  /// The absolute path without single dots.
  ///
  /// Double dots are kept, since removing them would be wrong after a symbolic link.
  package var absolute: FilePath {
    var plain = FilePath(root: root)
    plain.append(components.filter { $0.kind != .currentDirectory })
    guard !isAbsolute, let folder = getcwd(nil, 0) else { return plain }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(plain)
  }
}

extension FileURI {
  /// Returns the URI of an asset's primary file; for a remote file, the scheme of its server and its address.
  ///
  /// Empty if the asset has no file.
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
