/// Why one try of a request failed.
struct RequestFailure: Error {
  var error: RcloneError
  /// How long the server wants to be left alone; nil where it does not say.
  var wish: Duration?

  init(_ error: RcloneError, wish: Duration? = nil) {
    self.error = error
    self.wish = wish
  }
}
