extension TextStyle.Tone {
  var name: StyleName {
    switch self {
    case .plain: .plain
    case .dim: .dim
    case .accent: .accent
    case .warning: .warning
    case .error: .error
    }
  }
}
