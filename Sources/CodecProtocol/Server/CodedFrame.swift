/// One frame, and when it is shown: microseconds from the beginning.
package struct CodedFrame {
  package var picture: PictureMemory
  package var start: Int64
  package var duration: Int64

  package init(picture: PictureMemory, start: Int64, duration: Int64) {
    self.picture = picture
    self.start = start
    self.duration = duration
  }
}
