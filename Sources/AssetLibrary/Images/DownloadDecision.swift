/// What the receiver of a download's progress wants.
public enum DownloadDecision: Hashable, Sendable {
  case proceed
  /// Ends the request, as cancelling it does.
  case stop
}
