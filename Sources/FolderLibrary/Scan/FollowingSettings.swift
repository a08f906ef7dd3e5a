import Dispatch

/// How a library follows what happens on disk after the first look.
struct FollowingSettings: Sendable {
  /// Where the system can't tell what changes, the library is looked at again after this time.
  var rescanInterval = DispatchTimeInterval.seconds(60)
  /// Where something could not be opened for the moment, the library is looked at again after this time, and
  /// twice as late each time that it still can't be.
  var retryInterval = Duration.seconds(5)
  /// Servers, which can't tell what changes, are listed again after this time.
  var relistInterval = DispatchTimeInterval.seconds(300)
  /// What happens together is shown together, unless it takes longer than this.
  var holdTime = Duration.milliseconds(300)
  /// How long the codec helper is not asked again about a file on which it stalled for the first time.
  var stallPause = Duration.seconds(20)
  var watch = FolderWatch.Settings()
}
