/// What a report begins with.
enum ReportKind: UInt8 {
  case nothing = 0
  case medium = 1
  /// A medium whose facts another helper knows.
  case undescribed = 2
  case damaged = 3
  case sidecar = 4
  case failed = 5
  case noMemory = 6
  case described = 7
  case incomplete = 8
}
