/// Python programs for the file chooser tests.
enum PortalPrograms {
  /// Calls tpick's backend: the method, the handle and the options in GVariant's text format.
  ///
  /// Prints the answer; a line on standard input closes the request.
  static let caller = """
    import sys
    from gi.repository import Gio, GLib
    method, handle, text = sys.argv[1:]
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    service = 'org.freedesktop.impl.portal.desktop.tpick'
    interface = 'org.freedesktop.impl.portal.'
    if method == 'Close':
      try:
        bus.call_sync(service, handle, interface + 'Request', 'Close', None, None, 0, -1, None)
      except GLib.Error as error:
        print(Gio.DBusError.get_remote_error(error), flush=True)
      sys.exit()
    loop = GLib.MainLoop()
    def answered(bus, result):
      try:
        print(bus.call_finish(result).print_(False), flush=True)
      except GLib.Error as error:
        print(Gio.DBusError.get_remote_error(error), flush=True)
      loop.quit()
    def close(*_):
      if sys.stdin.readline():
        bus.call(service, handle, interface + 'Request', 'Close', None, None, 0, -1, None, None)
      return False
    options = GLib.Variant.parse(GLib.VariantType('a{sv}'), text, None, None)
    entries = [options.get_child_value(i) for i in range(options.n_children())]
    options = {e.get_child_value(0).get_string(): e.get_child_value(1).get_variant() for e in entries}
    arguments = GLib.Variant('(osssa{sv})', (handle, 'app', '', 'Upload', options))
    path = '/org/freedesktop/portal/desktop'
    bus.call(service, path, interface + 'FileChooser', method, arguments, None, 0, 2**31 - 1, None, answered)
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN, close)
    loop.run()
    """

  /// Another file chooser of the desktop: it answers with its own request, and when several files are saved only once
  /// the request is closed.
  static let backend = """
    import os
    from gi.repository import Gio, GLib
    os.chdir(os.environ['HOME'])
    method = '<method name="%s">' + ''.join(
      f'<arg type="{t}" direction="{d}"/>' for t, d in
      [('o', 'in'), ('s', 'in'), ('s', 'in'), ('s', 'in'), ('a{sv}', 'in'), ('u', 'out'), ('a{sv}', 'out')]
    ) + '</method>'
    node = '<node><interface name="org.freedesktop.impl.portal.%s">%s</interface></node>'
    names = ['OpenFile', 'SaveFile', 'SaveFiles']
    chooser = Gio.DBusNodeInfo.new_for_xml(node % ('FileChooser', ''.join(method % name for name in names)))
    request = Gio.DBusNodeInfo.new_for_xml(node % ('Request', '<method name="Close"/>'))
    def call(bus, sender, path, interface, member, arguments, invocation):
      handle, app, window, title, options = arguments.unpack()
      words = ' '.join([member, app, title] + sorted(options))
      def answer(response, uri):
        results = {'uris': GLib.Variant('as', [uri])}
        invocation.return_value(GLib.Variant('(ua{sv})', (response, results)))
      if member != 'SaveFiles': return answer(0, 'file:///' + words)
      def close(bus, sender, path, interface, member, arguments, closing):
        closing.return_value(None)
        open('closed', 'w').write(path)
      bus.register_object(handle, request.interfaces[0], close, None, None)
      open('waiting', 'w').write(words)
    def own(bus, name):
      bus.register_object('/org/freedesktop/portal/desktop', chooser.interfaces[0], call, None, None)
    Gio.bus_own_name(
      Gio.BusType.SESSION, 'org.freedesktop.impl.portal.desktop.gtk', 0, own, None, lambda *_: os._exit(0))
    GLib.MainLoop().run()
    """

  /// A GTK program that opens a file, and prints whether it did and which one.
  static let uploader = """
    import gi
    gi.require_version('Gtk', '3.0')
    from gi.repository import Gtk
    chooser = Gtk.FileChooserNative.new('Upload', None, Gtk.FileChooserAction.OPEN, '_Send', None)
    chooser.set_select_multiple(True)
    images = Gtk.FileFilter()
    images.set_name('Images')
    for pattern in ['*.jpg', '*.[pP][nN][gG]']: images.add_pattern(pattern)
    chooser.add_filter(images)
    print(chooser.run() == Gtk.ResponseType.ACCEPT, *chooser.get_uris(), flush=True)
    """
}
