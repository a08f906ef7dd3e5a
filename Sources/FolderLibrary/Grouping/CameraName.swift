/// A camera's name as people say it.
enum CameraName {
  /// "Canon" and "Canon EOS 90D" give "Canon EOS 90D": most models repeat their maker.
  static func text(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let first = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(first) ? model : "\(make) \(model)"
  }
}
