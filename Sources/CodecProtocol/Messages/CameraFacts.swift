/// A camera's settings as LibRaw understands them, each nil where the file says nothing.
package struct CameraFacts: Hashable, Sendable {
  package var make: String?
  package var model: String?
  package var lens: String?
  /// Sensitivity by ISO 12232.
  package var isoSpeed: Double?
  /// Seconds.
  package var exposureTime: Double?
  package var fNumber: Double?
  /// Millimetres.
  package var focalLength: Double?
  /// Seconds from 1970-01-01 00:00:00, both as the camera's clock shows them.
  package var captureSeconds: Int64?
  /// Degrees of WGS 84, north positive; never without the longitude.
  package var latitude: Double?
  /// Degrees of WGS 84, east positive.
  package var longitude: Double?

  package init() {}
}
