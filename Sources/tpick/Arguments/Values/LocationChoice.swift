/// Whether photos are handed over with the place where they were taken.
enum LocationChoice: String, CaseIterable {
  case on, off
}
