/// The version of this package, which thumbnails and failures on disk are marked with.
package enum PackageVersion {
  package static let current = "0.1.0"
}
