/// xterm's colours from 16 on: a cube of 6x6x6, then 24 greys.
enum IndexedColors {
  /// The nearest of them for each of eight cells, and how far it is, squared.
  static func nearest(to color: ColorLanes) -> (index: CellLanes, distance: CellLanes) {
    let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
    let cube = ColorLanes(red: level(red), green: level(green), blue: level(blue)) - color
    var index = 16 + red * 36 + green * 6 + blue
    var distance = cube.square
    // The nearest grey is the one nearest to the mean.
    let mean = (color.red + color.green + color.blue) * (1 / 3)
    var number = ((mean - 8) * 0.1).wholes
    number.replace(with: 0, where: number .< 0)
    number.replace(with: 23, where: number .> 23)
    let tone = 8 + number * 10
    let grey = (ColorLanes(red: tone, green: tone, blue: tone) - color).square
    let isGrey = grey .< distance
    index.replace(with: 232 + number, where: isGrey)
    distance.replace(with: grey, where: isGrey)
    return (index, distance)
  }

  /// The steps are 0, 95, 135, 175, 215, 255; the borders lie halfway.
  private static func step(_ value: CellLanes) -> CellLanes {
    var step = ((value - 55) * 0.025).wholes
    step.replace(with: 1, where: (step .< 1) .& (value .>= 47.5))
    step.replace(with: 0, where: value .< 47.5)
    return step
  }

  private static func level(_ step: CellLanes) -> CellLanes {
    (55 + step * 40).replacing(with: 0, where: step .== 0)
  }
}
