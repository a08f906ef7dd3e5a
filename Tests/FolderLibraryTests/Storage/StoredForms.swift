import Fixtures

/// The contents of each version of index and ledger; `StoredForm` says how to renew them.
enum StoredForms {
  /// Metadata read from `StoredFormFiles`, by asset and file.
  static let facts = StoredForm(
    version: 13,
    text: #"""
      .dotted.jpg: image, image, date of the file, width 64, height 48, flags 2065 (hidden fileDate)
        .dotted.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      20231207_101605_001.jpg: image, image, 2023-12-7 10:16:5, width 64, height 48, burst '20231207_101605', flags 1536 (burstOfSeveral nameDate)
        20231207_101605_001.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      Bildschirmfoto 1.jpg: image, image, date of the file, subtypes 4 (screenshot), width 64, height 48, flags 2064 (fileDate)
        Bildschirmfoto 1.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      IMG_1001.jpg: image, image, date of the file, width 64, height 48, flags 2066 (adjusted fileDate)
        IMG_1001.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        IMG_E1001.jpg, storedWidth 64, storedHeight 48, fullSizePhoto, jpeg
      IMG_1002.jpg: image, image, date of the file, width 64, height 48, flags 2066 (adjusted fileDate)
        IMG_1002.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        IMG_1002.AAE, adjustmentData
      IMG_1003.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        IMG_1003.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        IMG_O1003.AAE, adjustmentData
      IMG_1004.HEIC: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 640, height 480, flags 2064 (fileDate)
        IMG_1004.HEIC, storedWidth 640, storedHeight 480, photo, heic
        IMG_1004.MOV, storedWidth 320, storedHeight 240, pairedVideo, quickTime
      IMG_1005.JPG: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 64, height 48, flags 2064 (fileDate)
        IMG_1005.JPG, storedWidth 64, storedHeight 48, photo, jpeg
        IMG_1005_HEVC.MOV, storedWidth 320, storedHeight 240, pairedVideo, quickTime
      IMG_1006.JPG: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        IMG_1006.JPG, storedWidth 64, storedHeight 48, photo, jpeg
      IMG_1006.MOV: video, video, date of the file, width 320, height 240, duration 240.0, flags 2064 (fileDate)
        IMG_1006.MOV, storedWidth 320, storedHeight 240, video, quickTime
      IMG_1007.JPG: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 64, height 48, flags 2066 (adjusted fileDate)
        IMG_1007.JPG, storedWidth 64, storedHeight 48, photo, jpeg
        IMG_E1007.MOV, storedWidth 320, storedHeight 240, fullSizePairedVideo, quickTime
        IMG_E1007.JPG, storedWidth 64, storedHeight 48, fullSizePhoto, jpeg
        IMG_1007.MOV, storedWidth 320, storedHeight 240, pairedVideo, quickTime
      PXL_20240501.LONG_EXPOSURE-01.COVER.jpg: image, image, 2024-5-1 0:0:0, subtypes 8192 (longExposure), width 64, height 48, flags 1024 (nameDate)
        PXL_20240501.LONG_EXPOSURE-01.COVER.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      PXL_20240502.RAW-01.COVER.jpg: image, image, 2024-5-2 0:0:0, subtypes 2048 (raw), width 64, height 48, flags 1024 (nameDate)
        PXL_20240502.RAW-01.COVER.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        PXL_20240502.RAW-02.ORIGINAL.dng, storedWidth 64, storedHeight 48, alternatePhoto, dng
      PXL_20240503_101112131.MP.jpg: image, image, 2024-5-3 10:11:12 131000000 ns, subtypes 2048 (raw), width 64, height 48, flags 1024 (nameDate)
        PXL_20240503_101112131.MP.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        PXL_20240503_101112131.dng, storedWidth 64, storedHeight 48, alternatePhoto, dng
      ScreenRecording_05-01.mov: video, video, date of the file, subtypes 8 (screenRecording), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        ScreenRecording_05-01.mov, storedWidth 320, storedHeight 240, video, quickTime
      a_BURST20240501120000123.jpg: image, image, 2024-5-1 12:0:0 123000000 ns, width 64, height 48, burst '20240501120000123', flags 1024 (nameDate)
        a_BURST20240501120000123.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      a_BURST20240501120000123_COVER.jpg: image, image, 2024-5-1 12:0:0 123000000 ns, width 64, height 48, burst '20240501120000123', flags 1028 (cover nameDate)
        a_BURST20240501120000123_COVER.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      android-slow.mov: video, video, date of the file, subtypes 64 (slomo), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        android-slow.mov, storedWidth 320, storedHeight 240, video, quickTime
      both.heic: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 640, height 480, flags 2064 (fileDate)
        both.heic, storedWidth 640, storedHeight 480, photo, heic
        both.mov, storedWidth 320, storedHeight 240, pairedVideo, quickTime
      both.jpg: image, image, date of the file, subtypes 2048 (raw), width 64, height 48, flags 2064 (fileDate)
        both.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        both.dng, storedWidth 64, storedHeight 48, alternatePhoto, dng
      broken.jpg: unknown, unsupported, date of the file, defect 'its content is no picture or video', flags 2064 (fileDate)
        broken.jpg, photo
      burst.jpg: image, image, date of the file, width 64, height 48, burst '5D2C-81', flags 2064 (fileDate)
        burst.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      camera-of-its-maker.jpg: image, image, date of the file, width 48, height 64, camera 'Canon EOS 90D', lens 'EF-S18-135mm', flags 2064 (fileDate)
        camera-of-its-maker.jpg, rangeStart 156, rangeCount 17, storedWidth 64, storedHeight 48, photo, jpeg, orientation 6
      camera.jpg: image, image, date of the file, width 64, height 48, camera 'NIKON CORPORATION D850', title 'Described', flags 2064 (fileDate)
        camera.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      cinematic.mov: video, video, date of the file, subtypes 32 (cinematic), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        cinematic.mov, storedWidth 320, storedHeight 240, video, quickTime
      date-all.jpg: image, image, 2024-5-2 14:10:9, width 64, height 48
        date-all.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-changed.jpg: image, image, 2024-5-4 1:2:3, width 64, height 48
        date-changed.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-created.jpg: image, image, 2024-5-3 1:2:3 500000000 ns, width 64, height 48
        date-created.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-digits.jpg: image, image, 2024-5-3 0:8:19 offset 0 s, width 64, height 48
        date-digits.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-exif.jpg: image, image, 2024-5-2 14:10:9 250000000 ns offset 7200 s, width 64, height 48
        date-exif.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-gps.jpg: image, image, 2024-5-2 12:10:9 offset 0 s, width 64, height 48
        date-gps.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-impossible.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        date-impossible.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-iptc.jpg: image, image, 2020-3-4 5:6:7 offset 32400 s, width 64, height 48, flags 128 (iptcDate)
        date-iptc.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-none.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        date-none.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-of-IMG-20190715-WA0003.jpg: image, image, 2019-7-15 0:0:0, width 64, height 48, flags 1024 (nameDate)
        date-of-IMG-20190715-WA0003.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-quicktime.mov: video, video, 2024-5-2 14:10:9 offset 7200 s, width 320, height 240, duration 2.0, flags 256 (quickTimeDate)
        date-quicktime.mov, storedWidth 320, storedHeight 240, video, quickTime
      date-second.jpg: image, image, 2024-5-2 14:10:9, width 64, height 48
        date-second.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-xmp-iptc.jpg: image, image, 2021-3-4 5:6:7 offset 0 s, width 64, height 48, flags 64 (xmpDate)
        date-xmp-iptc.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-xmp.jpg: image, image, 2022-3-4 5:6:7 125000000 ns offset -12600 s, width 64, height 48, flags 64 (xmpDate)
        date-xmp.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      date-year.jpg: image, image, 1964-1-1 0:0:0, width 64, height 48, flags 64 (xmpDate)
        date-year.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      depth.heic: image, image, date of the file, subtypes 16 (depthEffect), width 640, height 480, flags 2064 (fileDate)
        depth.heic, storedWidth 640, storedHeight 480, photo, heic
      depth.jpg: image, image, date of the file, subtypes 16 (depthEffect), width 64, height 48, flags 2064 (fileDate)
        depth.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      empty.jpg: unknown, unsupported, date of the file, defect 'the file is empty', flags 2064 (fileDate)
        empty.jpg, photo
      format-bmp.bmp: image, image, date of the file, width 30, height 20, flags 2064 (fileDate)
        format-bmp.bmp, storedWidth 30, storedHeight 20, photo, bmp
      format-dng.dng: image, image, 2024-5-2 14:10:9, latitude -33.86, longitude 151.21, subtypes 2048 (raw), width 48, height 64, camera 'Testmaker T1', lens 'Test Lens 35mm'
        format-dng.dng, storedWidth 48, storedHeight 64, photo, dng
      format-gif.gif: image, imageAnimated, date of the file, subtypes 1024 (animated), width 30, height 20, flags 2064 (fileDate)
        format-gif.gif, storedWidth 30, storedHeight 20, photo, gif
      format-heic.heic: image, image, date of the file, width 480, height 640, flags 2064 (fileDate)
        format-heic.heic, storedWidth 480, storedHeight 640, photo, heic
      format-jp2.jp2: image, image, 2024-5-2 14:10:9, width 20, height 30
        format-jp2.jp2, storedWidth 30, storedHeight 20, photo, jpeg2000, orientation 6
      format-jxl.jxl: image, image, date of the file, width 20, height 30, flags 2064 (fileDate)
        format-jxl.jxl, storedWidth 30, storedHeight 20, photo, jpegXL, orientation 6
      format-mov.mov: video, video, date of the file, width 240, height 320, duration 2.0, flags 2064 (fileDate)
        format-mov.mov, storedWidth 240, storedHeight 320, video, quickTime
      format-still.gif: image, image, date of the file, width 30, height 20, flags 2064 (fileDate)
        format-still.gif, storedWidth 30, storedHeight 20, photo, gif
      format-tif.tif: image, image, date of the file, width 30, height 20, flags 2064 (fileDate)
        format-tif.tif, storedWidth 30, storedHeight 20, photo, tiff
      format-webp.webp: image, image, date of the file, width 30, height 20, flags 2064 (fileDate)
        format-webp.webp, storedWidth 30, storedHeight 20, photo, webp
      hdr-note.jpg: image, image, date of the file, subtypes 512 (hdr), width 64, height 48, flags 2064 (fileDate)
        hdr-note.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      hdr-original.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        hdr-original.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      hdr.heic: image, image, date of the file, subtypes 512 (hdr), width 640, height 480, flags 2064 (fileDate)
        hdr.heic, storedWidth 640, storedHeight 480, photo, heic
      hdr.jpg: image, image, date of the file, subtypes 512 (hdr), width 64, height 48, flags 2064 (fileDate)
        hdr.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      hyperlapse.mov: video, video, date of the file, subtypes 128 (timelapse), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        hyperlapse.mov, storedWidth 320, storedHeight 240, video, quickTime
      identified.jpg: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 64, height 48, contentIdentifier '6F9A-12', flags 2064 (fileDate)
        identified.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        clip.mov, storedWidth 320, storedHeight 240, pairedVideo, quickTime
      motion.heic: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 640, height 480, flags 2064 (fileDate)
        motion.heic, storedWidth 640, storedHeight 480, photo, heic
        motion.heic, rangeStart 861, rangeCount 60, storedWidth 640, storedHeight 480, pairedVideo, mp4, embedded 1
      motion.jpg: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 64, height 48, flags 2064 (fileDate)
        motion.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        motion.jpg, rangeStart 1395, rangeCount 60, storedWidth 64, storedHeight 48, pairedVideo, mp4, embedded 1
      movie-words.mov: video, video, date of the file, latitude 48.8577, longitude 2.295, width 320, height 240, duration 2.0, camera 'Apple iPhone 15', flags 2064 (fileDate)
        movie-words.mov, storedWidth 320, storedHeight 240, video, quickTime
      panorama.jpg: image, image, date of the file, subtypes 2 (panorama), width 64, height 48, flags 2064 (fileDate)
        panorama.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      place-apart.jpg: image, image, date of the file, latitude -48.85, longitude -2.29, width 64, height 48, flags 2064 (fileDate)
        place-apart.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      place.jpg: image, image, date of the file, latitude 48.8583, longitude -2.295, width 64, height 48, flags 2064 (fileDate)
        place.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rating-none.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        rating-none.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rating-rejected.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate), rating -1
        rating-rejected.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      raw.jpg: image, image, date of the file, subtypes 2048 (raw), width 64, height 48, flags 2064 (fileDate)
        raw.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        raw.dng, storedWidth 64, storedHeight 48, alternatePhoto, dng
      recorded.mov: video, video, date of the file, subtypes 8 (screenRecording), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        recorded.mov, storedWidth 320, storedHeight 240, video, quickTime
      rendered-2.jpg: image, image, date of the file, subtypes 512 (hdr), width 64, height 48, flags 2064 (fileDate)
        rendered-2.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rendered-3.jpg: image, image, date of the file, subtypes 512 (hdr), width 64, height 48, flags 2064 (fileDate)
        rendered-3.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rendered-6.jpg: image, image, date of the file, subtypes 2 (panorama), width 64, height 48, flags 2064 (fileDate)
        rendered-6.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rendered-7.jpg: image, image, date of the file, subtypes 16 (depthEffect), width 64, height 48, flags 2064 (fileDate)
        rendered-7.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      rendered-8.jpg: image, image, date of the file, subtypes 16 (depthEffect), width 64, height 48, flags 2064 (fileDate)
        rendered-8.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      screen-size.png: image, image, date of the file, subtypes 4 (screenshot), width 1170, height 2532, flags 2064 (fileDate)
        screen-size.png, storedWidth 1170, storedHeight 2532, photo, png
      selfie.jpg: image, image, date of the file, subtypes 4096 (selfie), width 64, height 48, lens 'iPhone 15 front camera', flags 2064 (fileDate)
        selfie.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      side.jpg: image, image, date of the file, width 64, height 48, keywords 'own|side', flags 2064 (fileDate), rating 5
        side.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        side.xmp, adjustmentData
      slow.mov: video, video, date of the file, subtypes 64 (slomo), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        slow.mov, storedWidth 320, storedHeight 240, video, quickTime
      smart-switch.jpg: image, livePhoto, date of the file, subtypes 1 (livePhoto), width 64, height 48, camera 'Apple', flags 2064 (fileDate)
        smart-switch.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        smart-switch.jpg, rangeStart 101, rangeCount 60, storedWidth 64, storedHeight 48, pairedVideo, mp4, embedded 1
      spatial-video.mov: video, video, date of the file, subtypes 256 (spatial), width 320, height 240, duration 2.0, flags 2064 (fileDate)
        spatial-video.mov, storedWidth 320, storedHeight 240, video, quickTime
      spatial.heic: image, image, date of the file, subtypes 256 (spatial), width 640, height 480, flags 2064 (fileDate)
        spatial.heic, storedWidth 640, storedHeight 480, photo, heic
      twin.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        twin.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      twin.png: image, image, date of the file, width 64, height 48, keywords 'side', flags 2064 (fileDate), rating 5
        twin.png, storedWidth 64, storedHeight 48, photo, png
        twin.png.xmp, adjustmentData
      walk.mov: video, video, date of the file, width 320, height 240, duration 1.0, flags 2066 (adjusted fileDate)
        walk.mov, storedWidth 320, storedHeight 240, video, quickTime
        walk-edited.mov, storedWidth 320, storedHeight 240, fullSizeVideo, quickTime
      wide.png: image, image, date of the file, subtypes 2 (panorama), width 500, height 200, camera 'Canon', flags 2064 (fileDate)
        wide.png, storedWidth 500, storedHeight 200, photo, png
      words-iptc.jpg: image, image, date of the file, width 64, height 48, title 'Title|Caption', keywords 'one|two', flags 2064 (fileDate)
        words-iptc.jpg, storedWidth 64, storedHeight 48, photo, jpeg
      words-xmp.jpg: image, image, date of the file, width 64, height 48, title 'On the beach|Sand', keywords 'sea|sun|Lisbon', people 'Ana', flags 2064 (fileDate), rating 4
        words-xmp.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        letter.txt
      a hidden folder
      a.jpg: image, image, date of the file, width 64, height 48, flags 2064 (fileDate)
        a.jpg, storedWidth 64, storedHeight 48, photo, jpeg
        .nomedia
      """#)

  /// The layout of rows and pages.
  static let layout = StoredForm(
    version: 13,
    text: #"""
      asset, 112 bytes: identifier UInt64, added Int64, dateSeconds Int64, latitude Double, longitude
      Double, dateNanoseconds Int32, dateOffset Int32, subtypes UInt32, width UInt32, height UInt32,
      duration Float, camera UInt32, lens UInt32, title UInt32, keywords UInt32, people UInt32, burst
      UInt32, contentIdentifier UInt32, defect UInt32, firstFile UInt32, fileCount UInt16, flags
      Flags, mediaType UInt8, playbackStyle UInt8, rating Int8
      file, 72 bytes: size Int64, modified Int64, changed Int64, inode UInt64, rangeStart UInt64,
      rangeCount UInt64, nameOffset UInt32, storedWidth UInt32, storedHeight UInt32, nameCount
      UInt16, kind UInt8, format UInt8, orientation UInt8, embedded UInt8, stalledRuns UInt8, rare
      UInt8
      media types: ["unknown", "image", "video", "audio"]
      playback styles: ["unsupported", "image", "imageAnimated", "livePhoto", "video", "videoLooping"]
      kinds: ["photo", "video", "audio", "alternatePhoto", "fullSizePhoto", "fullSizeVideo",
      "adjustmentData", "pairedVideo", "photoProxy", "fullSizePairedVideo"]
      formats: 1 jpeg, 2 png, 3 gif, 4 webp, 5 heic, 6 avif, 7 tiff, 8 bmp, 9 jpegXL, 10 dng, 11 cr2,
      12 cr3, 13 nef, 14 arw, 15 orf, 16 rw2, 17 raf, 18 pef, 19 srw, 20 mp4, 21 quickTime, 22 m4v,
      23 matroska, 24 webm, 25 avi, 26 threeGP, 27 mpegTransport, 28 jpeg2000, 29 netpbm, 30 qoi
      checksum: 10301641042495815131
      page:
      070000000000000008000000000000000000000000000000000000000000000001000000000000000100000000000000
      05000000000000000f00000000000000080706050403020105000000000000000600000000000000000000000000f03f
      000000000000004000000000100e00000000000000000000000000000000c03f01000000000000000000000002000000
      0000000000000000000000000000000000000000010002000101ff0000000000e803000000000000d007000000000000
      c409000000000000b80b0000000000000a00000000000000140000000000000000000000400000003000000005000001
      0600010000000000612e6a70670043616d657261006f6e651f74776f
      """#)

  static let index = StoredForm(
    version: 2,
    text: #"""
      CREATE TABLE folder (path BLOB PRIMARY KEY, newest INTEGER NOT NULL, page BLOB NOT NULL)
      CREATE INDEX folder_newest ON folder (newest DESC, path)
      """#)

  static let ledger = StoredForm(
    version: 5,
    text: #"""
      CREATE TABLE album (id TEXT PRIMARY KEY, place INTEGER NOT NULL, title TEXT NOT NULL, assets BLOB NOT NULL)
      CREATE TABLE correction (
        asset INTEGER PRIMARY KEY, date INTEGER, nanoseconds INTEGER, utc_offset INTEGER, place INTEGER,
        latitude REAL, longitude REAL)
      CREATE TABLE deleted (asset INTEGER PRIMARY KEY, files BLOB NOT NULL, date TEXT)
      CREATE TABLE folder (path BLOB PRIMARY KEY, entries BLOB NOT NULL)
      CREATE TABLE mark (asset INTEGER PRIMARY KEY, favorite INTEGER, hidden INTEGER, stars INTEGER)
      CREATE TABLE reverted (asset INTEGER PRIMARY KEY, files BLOB NOT NULL, date TEXT)

      entry: nameHash UInt64, identifier UInt64, added Int64
      name: 15927828587751523047
      identifier: 2750553550572999404, kwb1ux470ezw
      identifier of one of two names: 16444452191550977115
      """#)
}
