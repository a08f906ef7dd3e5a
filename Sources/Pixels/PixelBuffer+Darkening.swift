extension PixelBuffer {
  /// The picture at a third of its brightness, as what can't be chosen is shown.
  public func darkened() -> PixelBuffer {
    var darker = self
    for index in darker.bytes.indices where index % Self.bytesPerPixel != 3 { darker.bytes[index] /= 3 }
    return darker
  }
}
