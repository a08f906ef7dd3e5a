extension PixelBuffer {
  /// The picture at a third of its brightness, as what can't be chosen is shown.
  public func darkened() -> PixelBuffer {
    var darker = self
    darker.withBytes { bytes in
      for index in bytes.indices where index % Self.bytesPerPixel != 3 { bytes[index] /= 3 }
    }
    return darker
  }
}
