#include "craw_stream.h"

#include <new>

#include <libraw/libraw.h>

namespace {

// Bytes in memory of which some are not fetched yet: reading one of those throws, like the end of a file on disk.
class PartialStream final : public LibRaw_buffer_datastream {
 public:
  PartialStream(const void *bytes, size_t count, craw_guard guard)
      : LibRaw_buffer_datastream(const_cast<void *>(bytes), count),
        bytes(static_cast<const unsigned char *>(bytes)),
        guard(guard) {}

  int read(void *to, size_t size, size_t items) override {
    need(size * items);
    return LibRaw_buffer_datastream::read(to, size, items);
  }

  int get_char() override {
    need(1);
    return LibRaw_buffer_datastream::get_char();
  }

  char *gets(char *to, int size) override {
    // A line, up to its end.
    size_t line = 0;
    for (size_t place = tell(), end = this->size(); place < end && line + 1 < static_cast<size_t>(size);) {
      need(++line);
      if (bytes[place++] == '\n') break;
    }
    return LibRaw_buffer_datastream::gets(to, size);
  }

  int scanf_one(const char *format, void *to) override {
    // A number and its delimiter.
    need(64);
    return LibRaw_buffer_datastream::scanf_one(format, to);
  }

  // External decoders read on their own: require all the rest.
  int jpeg_src(void *source) override {
    need(size());
    return LibRaw_buffer_datastream::jpeg_src(source);
  }

  void *make_jas_stream() override {
    need(size());
    return LibRaw_buffer_datastream::make_jas_stream();
  }

 private:
  // Throws unless the next `count` bytes, as far as the file goes, are available.
  void need(size_t count) {
    const size_t place = tell(), end = size();
    if (place >= end) return;
    if (count > end - place) count = end - place;
    if (count && !guard.has(guard.context, place, count)) throw LIBRAW_EXCEPTION_IO_EOF;
  }

  const unsigned char *bytes;
  craw_guard guard;
};

}  // namespace

craw_stream *craw_stream_make(const void *bytes, size_t count, craw_guard guard) {
  return reinterpret_cast<craw_stream *>(new (std::nothrow) PartialStream(bytes, count, guard));
}

void craw_stream_free(craw_stream *stream) { delete reinterpret_cast<PartialStream *>(stream); }

int craw_stream_open(libraw_data_t *raw, craw_stream *stream) {
  return static_cast<LibRaw *>(raw->parent_class)->open_datastream(reinterpret_cast<PartialStream *>(stream));
}
