public import Pixels

/// How an image request is to be answered.
///
/// A value: what is changed for one request changes no other. After PhotoKit's `PHImageRequestOptions`.
public struct ImageRequestOptions: Hashable, Sendable {
  /// Which answers come.
  public enum DeliveryMode: Hashable, CaseIterable, Sendable {
    /// A picture at hand first, where there is one, then the final one.
    case opportunistic
    /// The final one alone.
    case highQualityFormat
    /// The picture at hand alone, or the final one where none is.
    case fastFormat
  }

  /// How closely a picture keeps to the target size; none is ever enlarged.
  public enum ResizeMode: Hashable, CaseIterable, Sendable {
    /// The native size, whatever the target size and the content mode.
    case none
    /// At least the target size, and whole: what the decoder gives cheaply.
    case fast
    /// The target size to the pixel; its overhang is cut off where it fills.
    case exact
  }

  public var version: AssetVersion
  public var deliveryMode: DeliveryMode
  public var resizeMode: ResizeMode
  /// The part of the upright picture that is wanted; counts only with the exact resize mode.
  public var normalizedCropRect: NormalizedRect?
  /// Whether an original that is only remote may be fetched.
  public var isNetworkAccessAllowed: Bool
  /// Whether the answer comes on the caller before the call returns: one, the final one.
  public var isSynchronous: Bool

  public init(
    version: AssetVersion = .current, deliveryMode: DeliveryMode = .opportunistic,
    resizeMode: ResizeMode = .fast, normalizedCropRect: NormalizedRect? = nil,
    isNetworkAccessAllowed: Bool = false, isSynchronous: Bool = false
  ) {
    self.version = version
    self.deliveryMode = deliveryMode
    self.resizeMode = resizeMode
    self.normalizedCropRect = normalizedCropRect
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    self.isSynchronous = isSynchronous
  }
}
