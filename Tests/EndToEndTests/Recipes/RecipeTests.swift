import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// The commands on the page of recipes, with the programs that they name.
  @Suite(.timeLimit(.minutes(120))) struct RecipeTests {
    private let home: RecipeHome

    init() throws { home = try RecipeHome() }

    private func text(of name: String) throws -> String {
      String(decoding: try home.folder.bytes(of: name), as: UTF8.self)
    }

    @Test func `The page has exactly these recipes`() throws {
      #expect(
        try Recipes.blocks.get().map(\.title) == [
          "Mail photos with mutt", "Mail photos of 2 MB at most, without their place",
          "A photo in three sizes for a web page", "The camera's JPEG of a raw file",
          "A Live Photo as a video", "Copy photos to the clipboard", "Copy a picture to the clipboard",
          "Pictures in fzf's preview", "Insert photos into a text with vim",
          "Insert photos into a text with neovim", "Open photos from ranger", "Go to a photo in lf",
          "Cull: a key that moves rejects away", "A contact sheet with ImageMagick", "Upload with curl",
          "Front matter of a static site", "A web gallery that follows the library",
          "Pick on another machine over SSH", "Warm the thumbnails at night",
          "A git hook that refuses photos with a location", "A saved selection", "A popup of tmux",
          "Upload from a browser", "A wallpaper that follows the cursor",
        ])
    }

    @Test(.enabled(if: Recipes.has("mutt"), "mutt is not installed"))
    func `mutt sends the picked photos`() throws {
      try home.folder.write(Array("#!/bin/sh\ncat > \"\(home.path)/mail\"\n".utf8), to: "bin/sendmail")
      try home.folder.setPermissions(0o755, of: "bin/sendmail")
      try home.folder.write(
        Array(
          "set sendmail=\"\(home.path)/bin/sendmail\" editor=true abort_unmodified=no record=\"\" folder=\"\(home.path)\"\nset from=me@example.org\n"
            .utf8),
        to: ".muttrc")
      let session = try home.pickTwo(
        try Recipes.text("Mail photos with mutt"), standardOutput: .terminal)
      for prompt in ["To: friend@example.org", "Subject: Photos"] {
        try session.waitForText(prompt)
        session.press(.enter)
      }
      try session.waitForText("y:Send")
      session.send("y")
      try session.expectExit(.exited(0))
      let program = """
        import email, email.policy, sys
        mail = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
        print(mail['To'], mail['Subject'])
        for a in mail.iter_attachments(): print(a.get_filename(), len(a.get_content()))
        """
      let sent = try Consumer.run([Program.python, "-c", program], input: try home.folder.bytes(of: "mail"))
      let sizes = try [1, 2].map { try home.folder.bytes(of: "Pictures/\($0).jpg").count }
      #expect(
        String(decoding: sent, as: UTF8.self)
          == "friend@example.org Photos\n1.jpg \(sizes[0])\n2.jpg \(sizes[1])\n")
    }

    @Test(.enabled(if: Recipes.has("xclip", "Xvfb"), "xclip or Xvfb is not installed"))
    func `The clipboard gets files, and a picture`() throws {
      let display = try VirtualDisplay()
      defer { display.end() }
      let paste = ["env", "DISPLAY=\(display.name)", "xclip", "-selection", "clipboard", "-o", "-t"]
      /// Picks, and returns the clipboard's contents while the shell continues.
      func clipboard(
        after title: String, _ type: String, keys: (TerminalSession) throws -> Void
      ) throws -> [UInt8] {
        let session = try home.start(
          try Recipes.text(title) + "echo done\nread -r line", environment: ["DISPLAY": display.name])
        try session.waitForText("3 photos")
        try keys(session)
        session.press(.enter)
        try session.waitUntil("the end of the recipe") { _ in session.outputLines.contains("done") }
        defer { session.press(.enter) }
        return try Consumer.run(paste + [type])
      }
      let uris = try clipboard(after: "Copy photos to the clipboard", "text/uri-list") { session in
        session.send("a")
        try session.waitForText("3 picked")
      }
      #expect(
        String(decoding: uris, as: UTF8.self).split(separator: "\n").map(String.init)
          == home.photos.map { "file://\($0)" })
      let picture = try clipboard(after: "Copy a picture to the clipboard", "image/jpeg") { _ in }
      #expect(try picture == home.folder.bytes(of: "Pictures/1.jpg"))
    }

    @Test(.enabled(if: Recipes.has("tmux"), "tmux is not installed"))
    func `tmux opens a popup`() throws {
      try home.folder.write(
        Array((try Recipes.text("A popup of tmux").dropLast() + " > out\n").utf8), to: "recipe")
      let session = try home.start(
        "exec tmux -S tmux -f /dev/null new-session -x 120 -y 40 sh recipe", standardOutput: .terminal)
      try session.waitForText("3 photos")
      #expect(session.virtual.text.contains("┌"))
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(try text(of: "out") == home.photos.map { "\($0)\n" }.joined())
    }

    @Test(.enabled(if: Recipes.has("feh", "Xvfb"), "feh or Xvfb is not installed"))
    func `The wallpaper becomes the photo under the cursor`() throws {
      let display = try VirtualDisplay()
      defer { display.end() }
      let session = try home.start(
        try Recipes.text("A wallpaper that follows the cursor"), environment: ["DISPLAY": display.name])
      try session.waitForText("3 photos")
      for photo in home.photos.dropFirst() {
        session.press(.right)
        // feh records what it has drawn here, for the next session.
        try session.waitUntil("the wallpaper") { _ in (try? text(of: ".fehbg"))?.contains(photo) ?? false }
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
    }

    @Test(.enabled(if: Recipes.has("fzf"), "fzf is not installed"))
    func `fzf previews pictures`() throws {
      let session = try home.start(
        try Recipes.text("Pictures in fzf's preview"), standardError: .terminal)
      try session.waitForText("3/3")
      // The photo has a red corner.
      try session.waitUntil("the picture in the preview") { screen in
        let area = TerminalRectangle(row: 2, column: 64, rows: 4, columns: 8)
        let rgb = screen.image(area).rgb
        return stride(from: 0, to: rgb.count - 2, by: 3).contains {
          rgb[$0] > 180 && rgb[$0 + 1] < 90 && rgb[$0 + 2] < 90
        }
      }
      // No other path has these letters in this order, whatever the temporary folder is called.
      session.send("Pictures/2.jpg")
      try session.waitForText("1/3")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [home.photos[1]])
    }

    @Test(.enabled(if: Recipes.has("vim"), "vim is not installed"))
    func `vim inserts photos`() throws {
      try home.folder.write(Array(try Recipes.text("Insert photos into a text with vim").utf8), to: "rc.vim")
      try home.folder.write(Array("above\nbelow\n".utf8), to: "text.md")
      let session = try home.start("exec vim -N -n -i NONE -u rc.vim text.md", standardOutput: .terminal)
      try session.waitForText("below")
      session.send(":Photos\r")
      try session.waitForText("3 photos")
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.waitForText("![](\(home.photos[2]))")
      session.send(":Photos\r")
      try session.waitForText("3 photos")
      session.send("q")
      try session.waitForText("below")
      session.send(":wq\r")
      try session.expectExit(.exited(0))
      let lines = home.photos.map { "![](\($0))\n" }.joined()
      #expect(try text(of: "text.md") == "above\n\(lines)below\n")
    }

    @Test(.enabled(if: Recipes.has("vim"), "vim is not installed"))
    func `vim inserts photos from a window below the text`() throws {
      let recipe = try Recipes.text("Insert photos into a text with vim", 1)
      try home.folder.write(Array(recipe.utf8), to: "rc.vim")
      try home.folder.write(Array("above\nbelow\n".utf8), to: "text.md")
      let session = try home.start("exec vim -N -n -i NONE -u rc.vim text.md", standardOutput: .terminal)
      try session.waitForText("below")
      session.send(":PhotosBelow\r")
      try session.waitForText("3 photos")
      #expect(session.virtual.text.contains("above"))
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.waitForText("![](\(home.photos[2]))")
      session.send(":wq\r")
      try session.expectExit(.exited(0))
      let lines = home.photos.map { "![](\($0))\n" }.joined()
      #expect(try text(of: "text.md") == "above\n\(lines)below\n")
    }

    @Test(.enabled(if: Recipes.has("rifle"), "ranger's rifle is not installed"))
    func `ranger opens photos`() throws {
      try home.folder.write(Array(try Recipes.text("Open photos from ranger").utf8), to: "rifle.conf")
      let session = try home.start(
        "exec rifle -c rifle.conf Pictures/1.jpg Pictures/3.jpg", standardOutput: .terminal)
      try session.waitForText("2 photos")
      session.send("q")
      _ = try session.waitForExit()
      #expect(session.isGivenBack)
    }

    /// Options that only GNU programs have, or that are spelled differently elsewhere.
    @Test(arguments: [
      #"xargs [^|]*(-d|-r|-o|-a)\b"#, #"\b(mv|cp|ln|install) [^|]*(-t|--target-directory)\b"#,
      #"\bsed -[a-zA-Z]*i"#,
      #"\bgrep -[a-zA-Z]*P"#, #"\bdate [^|]*-d\b"#, #"\bstat -c"#, #"-printf\b"#, #"\breadlink -[a-z]*f"#,
      #"\b(sort|head|tail|cut|uniq) -[a-zA-Z]*z"#, #"\becho -[en]"#, #"\bls -[a-zA-Z0-9]*N"#,
    ])
    func `No example requires GNU programs`(pattern: String) throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
      var texts = [String(decoding: try Program.run(["--help"]).output, as: UTF8.self)]
      for name in [
        "README.md", "Docs/Manual.md", "Docs/Recipes.md", "Docs/Remote.md", "Docs/Permissions.md",
        "Docs/man/sections/examples.mdoc",
      ] {
        texts.append(try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8))
      }
      let expression = try Regex(pattern)
      for line in texts.joined(separator: "\n").split(separator: "\n") {
        #expect(line.firstMatch(of: expression) == nil, "\(line)")
      }
      // Checks that the search works at all.
      #expect(texts.joined().contains("xargs -0"))
    }

    @Test(.enabled(if: Recipes.has("jq"), "jq is not installed"))
    func `Rejected photos are removed, and Live Photos as a whole`() throws {
      try home.folder.write(HandmadeHEIC().bytes, to: "Pictures/live.heic")
      try home.folder.write(HandmadeMovie().bytes, to: "Pictures/live.mov")
      try home.folder.write(Array("<x/>".utf8), to: "Pictures/live.xmp")
      try home.folder.rename("Pictures/3.jpg", to: "Pictures/a 'b' \"c\" $(d).jpg")
      let title = "Cull: a key that moves rejects away"
      try home.folder.write(Array(try Recipes.text(title, 1).utf8), to: "bin/reject")
      try home.folder.setPermissions(0o755, of: "bin/reject")
      let session = try home.start(try Recipes.text(title))
      try session.waitForText("4 photos")
      // Without a date of its own it is the newest.
      try session.waitForCursor(on: "live.heic")
      session.send("\u{1B}x")
      try session.waitForText("3 photos")
      session.press(.end)
      try session.waitForText("$(d).jpg")
      session.send("\u{1B}x")
      try session.waitForText("2 photos")
      session.send("q")
      try session.expectExit(.exited(130))
      let rejects = try Consumer.run(["ls", "-1N", "\(home.path)/Rejects"])
      #expect(
        String(decoding: rejects, as: UTF8.self).split(separator: "\n").map(String.init).sorted() == [
          "a 'b' \"c\" $(d).jpg", "live.heic", "live.mov", "live.xmp",
        ])
    }

    @Test(.enabled(if: Recipes.has("montage", "identify"), "ImageMagick is not installed"))
    func `ImageMagick makes a contact sheet`() throws {
      let session = try home.pickTwo(try Recipes.text("A contact sheet with ImageMagick"))
      try session.expectExit(.exited(0))
      let size = try Consumer.run(["identify", "-format", "%wx%h", "\(home.path)/sheet.jpg"])
      #expect(String(decoding: size, as: UTF8.self) == "416x208")
    }

    @Test(.enabled(if: Recipes.has("curl"), "curl is not installed"))
    func `curl uploads`() throws {
      try home.folder.rename("Pictures/1.jpg", to: "Pictures/1;type=text,\"@{a}[1].jpg")
      let server = try UploadServer(in: home.folder)
      defer { server.end() }
      let session = try home.start(
        try Recipes.text("Upload with curl"), environment: ["UPLOAD_URL": server.url, "no_proxy": "*"])
      try session.waitForText("3 photos")
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let names = ["1;type=text,\"@{a}[1].jpg", "2.jpg", "3.jpg"]
      for (number, name) in names.enumerated() {
        #expect(try home.folder.bytes(of: "upload\(number)") == home.folder.bytes(of: "Pictures/\(name)"))
      }
    }

    @Test func `A site gets its gallery`() throws {
      try home.folder.rename("Pictures/2.jpg", to: "Pictures/2: \"it's\" #1.jpg")
      let session = try home.start(try Recipes.text("Front matter of a static site"))
      try session.waitForText("3 photos")
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let lines = try text(of: "index.md").split(separator: "\n").map(String.init)
      #expect(lines.prefix(3) == ["---", "title: Photos", "gallery:"] && lines.last == "---")
      struct Photo: Decodable, Equatable {
        var path: String
        var creationDate: String
        var pixelWidth: Int
        var pixelHeight: Int
      }
      let photos = try lines.dropFirst(3).dropLast().map { line in
        #expect(line.hasPrefix("  - {"))
        return try JSONDecoder().decode(Photo.self, from: Data(line.dropFirst(4).utf8))
      }
      let names = ["1.jpg", "2: \"it's\" #1.jpg", "3.jpg"]
      #expect(photos.map(\.path) == names.map { "\(home.path)/Pictures/\($0)" })
      #expect(photos.allSatisfy { ($0.pixelWidth, $0.pixelHeight) == (160, 120) })
      #expect(photos[0].creationDate.contains("-06-27T"))
    }

    @Test(.enabled(if: Recipes.has("jq"), "jq is not installed"))
    func `A gallery follows the library`() throws {
      let title = "A web gallery that follows the library"
      try home.folder.write(Array(try Recipes.text(title).utf8), to: "bin/gallery")
      try home.folder.setPermissions(0o755, of: "bin/gallery")
      func gallery() throws -> Set<String> {
        let session = try home.start("exec gallery")
        try session.expectExit(.exited(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/gallery")
        return Set(names.filter { !$0.hasPrefix(".") })
      }
      let first = try gallery()
      #expect(first.count == 3)
      try home.folder.makeFolder("Pictures/new")
      try home.folder.rename("Pictures/1.jpg", to: "Pictures/new/1.jpg")
      home.folder.remove("Pictures/2.jpg")
      let second = try gallery()
      #expect(second.count == 2 && second.isSubset(of: first))
      #expect(try gallery() == second)
    }

    @Test(.enabled(if: Recipes.has("git", "exiftool"), "git or ExifTool is not installed"))
    func `A git hook refuses photos with a location`() throws {
      try home.folder.run(
        "exiftool", "-q", "-overwrite_original", "-EXIF:GPSLatitude=48.8577", "-EXIF:GPSLatitudeRef=N",
        "-EXIF:GPSLongitude=2.295", "-EXIF:GPSLongitudeRef=E", "\(home.path)/Pictures/2.jpg")
      let hook = try Recipes.text("A git hook that refuses photos with a location")
      try home.folder.write(Array(hook.utf8), to: "pre-commit")
      try home.folder.setPermissions(0o755, of: "pre-commit")
      let session = try home.start(
        """
        git init -q Pictures && mv pre-commit Pictures/.git/hooks && cd Pictures &&
          git config user.name me && git config user.email me@example.org &&
          git add 1.jpg && git commit -q -m one && git add . && git commit -q -m two
        """)
      try session.expectExit(.exited(1))
      let words = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(words.hasSuffix("These photos tell where they were taken:\n2.jpg\n"), "\(words)")
    }

    @Test func `A selection is saved, edited and valid after a move`() throws {
      try home.folder.write([], to: "picks")
      let command = try Recipes.text("A saved selection")
      let first = try home.pickTwo(command)
      try first.expectExit(.exited(0))
      #expect(try text(of: "picks").split(separator: "\n").count == 2)
      try home.folder.makeFolder("Pictures/new")
      try home.folder.rename("Pictures/1.jpg", to: "Pictures/new/1.jpg")
      let second = try home.start(command)
      try second.waitForText("2 picked")
      second.press(.space)
      try second.waitForText("1 picked")
      second.press(.enter)
      try second.expectExit(.exited(0))
      let listed = try home.start("tpick list - < picks")
      try listed.expectExit(.exited(0))
      #expect(listed.outputLines == [home.photos[1]])
    }
  }
}
