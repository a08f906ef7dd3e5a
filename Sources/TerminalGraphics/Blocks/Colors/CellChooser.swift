/// Chooses patterns and colours, so that the squared error over the parts of each cell is least.
protocol CellChooser {
  func choose(_ samples: CellSamples, into cells: UnsafeMutableBufferPointer<BlockCell>)
}
