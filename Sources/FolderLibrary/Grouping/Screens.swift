import Pixels

/// What is known of screens and of how systems call pictures of them.
enum Screens {
  /// What systems and desktops call their screenshots, in small letters.
  private static let screenshotNames = [
    "screenshot", "screen shot", "screen_shot", "bildschirmfoto", "capture d’écran", "capture d'écran",
    "スクリーンショット", "captura de pantalla", "captura de ecrã", "captura de tela", "schermata",
    "schermafbeelding", "zrzut ekranu", "снимок экрана", "skärmavbild", "skærmbillede", "skjermbilde",
    "näyttökuva", "ekran görüntüsü", "ekran resmi", "스크린샷", "截屏", "截圖", "截图", "螢幕截圖",
  ]

  /// Whether a file's name, in small letters, is what a system calls a screenshot.
  static func isScreenshotName(_ name: String) -> Bool {
    // Nearly all names begin with a letter that none of these begins with.
    guard let first = name.unicodeScalars.first, firstLetters.contains(first) else { return false }
    return screenshotNames.contains { name.hasPrefix($0) }
  }

  private static let firstLetters = Set(screenshotNames.compactMap(\.unicodeScalars.first))

  /// Whether a picture fills a common screen, upright or not.
  static func hasSize(_ size: PixelSize) -> Bool {
    sizes.contains(PixelSize(width: max(size.width, size.height), height: min(size.width, size.height)))
  }

  /// Telephones, tablets and desktops, the longer side first.
  private static let sizes: Set<PixelSize> = Set(
    (iPhones + iPads + androids + desktops).map { PixelSize(width: $0.0, height: $0.1) })

  private static let iPhones = [
    (960, 640), (1136, 640), (1334, 750), (1792, 828), (1920, 1080), (2208, 1242), (2340, 1080), (2436, 1125),
    (2532, 1170), (2556, 1179), (2622, 1206), (2688, 1242), (2736, 1260), (2778, 1284), (2796, 1290),
    (2868, 1320),
  ]

  private static let iPads = [
    (1024, 768), (2048, 1536), (2160, 1620), (2224, 1668), (2266, 1488), (2360, 1640), (2388, 1668),
    (2420, 1668), (2732, 2048), (2752, 2064),
  ]

  private static let androids = [
    (1280, 720), (1280, 800), (1520, 720), (1600, 720), (2160, 1080), (2220, 1080), (2244, 1080),
    (2246, 1080), (2248, 1080), (2280, 1080), (2310, 1080), (2312, 1080), (2316, 1080), (2376, 1080),
    (2400, 1080), (2404, 1080), (2408, 1080), (2412, 1080), (2424, 1080), (2520, 1080), (2560, 1440),
    (2560, 1600), (2640, 1200), (2670, 1200), (2712, 1220), (2880, 1440), (2960, 1440), (2992, 1344),
    (3040, 1440), (3088, 1440), (3120, 1440), (3168, 1440), (3200, 1440), (3216, 1440), (3840, 1644),
  ]

  private static let desktops = [
    (1280, 1024), (1366, 768), (1440, 900), (1600, 900), (1680, 1050), (1920, 1200), (2256, 1504),
    (2304, 1440), (2560, 1080), (2560, 1664), (2880, 1620), (2880, 1800), (2880, 1864), (2880, 1920),
    (3000, 2000), (3024, 1964), (3072, 1920), (3200, 1800), (3200, 2000), (3440, 1440), (3456, 2160),
    (3456, 2234), (3840, 1080), (3840, 1600), (3840, 2160), (3840, 2400), (4480, 2520), (4096, 2304),
    (5120, 1440), (5120, 2160), (5120, 2880), (6016, 3384),
  ]
}
