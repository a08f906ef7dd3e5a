// Removes details that are invisible at 1/8 scale from the bytes that libjpeg reads.
//
// At that scale a block of a component becomes one pixel, its mean, which is the first (DC) of its 64 coefficients.
// libjpeg still decodes the others one by one, because the next block starts after them: that is most of the time
// of a thumbnail. This code skips them, several per table lookup, and gives libjpeg a stream in which such a block
// ends after its mean. What remains is copied bit by bit, so that the pixels are the same.
//
// Nothing is guessed: if a stream has anything unexpected in it, all of it is decoded again as it is.
#define _DEFAULT_SOURCE
#include "cjpeg_decoder.h"

#include <endian.h>
#include <string.h>

enum {
  INDEX_BITS = 12,
  INDEX_COUNT = 1 << INDEX_BITS,
  BLOCK = 64,
  // Up to three lookups happen between two refills, and the last one may find a code of 16 bits with a value of 15.
  LEAST_BITS = 2 * INDEX_BITS + 31,
  // Symbols of 31 bits, 64 in each of ten blocks, with a stuffed byte after every one, and a marker.
  LONGEST_UNIT = 10 * 64 * 4 * 2 + 16,
  ROOM = 1 << 16,
};

// What a prefix of INDEX_BITS bits decodes to, from the lowest byte on: the number of bits of the whole symbols in
// it, with their values; the number of coefficients they stand for, or 64 if the last one ends the block; then the
// same two numbers for the first symbol alone, which may be longer than the prefix. If the prefix holds no whole
// code, or an invalid one, the bits are 0 and the coefficients more than a block has.
typedef uint32_t look;

static look look_of(int bits, int advance, int first_bits, int first_advance) {
  return (uint32_t)bits | (uint32_t)advance << 8 | (uint32_t)first_bits << 16 | (uint32_t)first_advance << 24;
}

static inline int bits_of(look look) { return (int)(look & 0xFF); }
static inline int advance_of(look look) { return (int)(look >> 8 & 0xFF); }
static inline int first_bits_of(look look) { return (int)(look >> 16 & 0xFF); }
static inline int first_advance_of(look look) { return (int)(look >> 24); }

typedef struct {
  look looks[INDEX_COUNT];
  // Codes of each length are below `limit`; `offset` added to a code gives the index of its symbol in `values`.
  int32_t limit[17];
  int32_t offset[17];
  uint8_t values[256];
  // The code for the end of a block; `end_bits` is 0 if the table has none.
  uint16_t end_code;
  uint8_t end_bits;
} table;

// Bits read from the input; the next one is the highest.
typedef struct {
  uint64_t bits;
  int count;
} reader;

struct cjpeg_thinning {
  bool has_failed;
  table means[NUM_HUFF_TBLS];
  table details[NUM_HUFF_TBLS];
  // Blocks per unit (MCU).
  int block_count;
  struct {
    const table *mean;
    const table *detail;
    bool is_thinned;
  } blocks[D_MAX_BLOCKS_IN_MCU];
  uint64_t units;  // remaining
  unsigned interval;
  unsigned until_restart;
  unsigned next_restart;

  reader reader;
  int padding;  // number of its bits that were made up after a marker
  bool is_at_marker;
  bool has_ended;
  const uint8_t *at;
  const uint8_t *end;
  uint8_t in[ROOM];

  // Bits to be written; the last one is the lowest.
  uint64_t pending;
  int pending_count;
  uint8_t *write;
  uint8_t out[ROOM];
};

typedef struct cjpeg_thinning thinning;

// MARK: Tables

static int advance_by(int symbol, bool is_mean) {
  if (is_mean) return 1;
  int run = symbol >> 4;
  if (symbol & 15) return run + 1;
  return run == 15 ? 16 : BLOCK;
}

// Adds the further whole symbols of each prefix: what follows its first symbol is the start of another prefix.
static void add_further_symbols(table *table) {
  for (int index = 0; index < INDEX_COUNT; index++) {
    int bits = bits_of(table->looks[index]), advance = advance_of(table->looks[index]);
    if (!bits) continue;
    look first = table->looks[index];
    while (advance < BLOCK) {
      look next = table->looks[index << bits & (INDEX_COUNT - 1)];
      int more = first_bits_of(next), sum = advance + (first_advance_of(next) & (BLOCK - 1));
      if (!more || bits + more > INDEX_BITS || sum >= BLOCK) break;
      bits += more;
      advance = sum | (first_advance_of(next) & BLOCK);
    }
    table->looks[index] = look_of(bits, advance, first_bits_of(first), first_advance_of(first));
  }
}

// Builds a lookup table; returns false if the Huffman table is invalid.
static bool make_table(table *table, const JHUFF_TBL *from, bool is_mean) {
  if (!from) return false;
  for (int index = 0; index < INDEX_COUNT; index++) table->looks[index] = look_of(0, 2 * BLOCK - 1, 0, 0);
  memcpy(table->values, from->huffval, sizeof table->values);
  table->end_bits = 0;
  int32_t code = 0;
  int count = 0;
  for (int length = 1; length <= 16; length++, code <<= 1) {
    table->offset[length] = count - code;
    for (int i = 0; i < from->bits[length]; i++, code++, count++) {
      if (count > 255 || code >= 1 << length) return false;
      int symbol = from->huffval[count];
      if (is_mean && symbol > 15) return false;
      int advance = advance_by(symbol, is_mean);
      if (advance == BLOCK && !table->end_bits) {
        table->end_bits = (uint8_t)length;
        table->end_code = (uint16_t)code;
      }
      if (length > INDEX_BITS) continue;
      int bits = length + (symbol & 15);
      look found = bits > INDEX_BITS ? look_of(0, 2 * BLOCK - 1, bits, advance) : look_of(bits, advance, bits, advance);
      int first = code << (INDEX_BITS - length);
      for (int index = first; index < first + (1 << (INDEX_BITS - length)); index++) table->looks[index] = found;
    }
    table->limit[length] = code;
  }
  if (!is_mean) add_further_symbols(table);
  return true;
}

// MARK: Bits

static void read_more(thinning *thinning, cjpeg_stream *stream) {
  size_t left = (size_t)(thinning->end - thinning->at);
  memmove(thinning->in, thinning->at, left);
  size_t count =
      stream->ended ? 0 : stream->read(stream->context, stream->offset, thinning->in + left, ROOM - left);
  stream->offset += count;
  stream->taken += count;
  stream->ended = !count;
  thinning->at = thinning->in;
  thinning->end = thinning->in + left + count;
}

static inline bool has_ff(uint64_t word) {
  return ((~word - 0x0101010101010101U) & word & 0x8080808080808080U) != 0;
}

// Refills the bit buffer byte by byte; bits after a marker or the end are 0.
static reader refill_slowly(thinning *thinning, cjpeg_stream *stream, reader reader) {
  while (reader.count < 56) {
    if (thinning->end - thinning->at < 2 && !thinning->is_at_marker) read_more(thinning, stream);
    uint64_t byte = 0;
    if (!thinning->is_at_marker && thinning->at == thinning->end) thinning->has_ended = thinning->is_at_marker = true;
    if (thinning->is_at_marker) {
      thinning->padding += 8;
    } else if (thinning->at[0] != 0xFF) {
      byte = *thinning->at++;
    } else if (thinning->end - thinning->at > 1 && thinning->at[1] == 0) {
      byte = 0xFF;
      thinning->at += 2;
    } else {
      // A truncated marker, or one preceded by fill bytes, is left for libjpeg to interpret.
      thinning->has_ended = thinning->end - thinning->at < 2 || thinning->at[1] == 0xFF;
      thinning->is_at_marker = true;
      continue;
    }
    reader.bits |= byte << (56 - reader.count);
    reader.count += 8;
  }
  return reader;
}

static inline reader refill(thinning *thinning, cjpeg_stream *stream, reader reader) {
  _Static_assert(LEAST_BITS <= 56, "a refill provides fewer bits");
  if (__builtin_expect(thinning->end - thinning->at >= 8 && !thinning->is_at_marker, 1)) {
    uint64_t word;
    memcpy(&word, thinning->at, sizeof word);
    if (__builtin_expect(!has_ff(word), 1)) {
      // As many whole bytes as there is room for; the extra bits of the next byte are read again with the next
      // refill.
      reader.bits |= be64toh(word) >> reader.count;
      thinning->at += (63 - reader.count) >> 3;
      reader.count |= 56;
      return reader;
    }
  }
  return refill_slowly(thinning, stream, reader);
}

static inline void drop(reader *reader, int count) {
  reader->bits <<= count;
  reader->count -= count;
}

static void write_byte(thinning *thinning, uint8_t byte) {
  *thinning->write++ = byte;
  if (byte == 0xFF) *thinning->write++ = 0;
}

static void write_word(thinning *thinning) {
  thinning->pending_count -= 32;
  uint32_t word = (uint32_t)(thinning->pending >> thinning->pending_count);
  if (has_ff(word)) {
    for (int shift = 24; shift >= 0; shift -= 8) write_byte(thinning, (uint8_t)(word >> shift));
    return;
  }
  word = htobe32(word);
  memcpy(thinning->write, &word, sizeof word);
  thinning->write += sizeof word;
}

// - Parameter count: 31 at most.
static inline void put(thinning *thinning, uint64_t bits, int count) {
  thinning->pending = thinning->pending << count | bits;
  thinning->pending_count += count;
  if (thinning->pending_count >= 32) write_word(thinning);
}

// Pads the last byte with ones and writes a marker.
static void put_marker(thinning *thinning, uint8_t marker) {
  int rest = -thinning->pending_count & 7;
  put(thinning, (1U << rest) - 1, rest);
  while (thinning->pending_count > 0) {
    thinning->pending_count -= 8;
    write_byte(thinning, (uint8_t)(thinning->pending >> thinning->pending_count));
  }
  *thinning->write++ = 0xFF;
  *thinning->write++ = marker;
}

// MARK: Blocks

// Decodes the first symbol of a prefix whose lookup fails.
// - Returns: its length in bits; 0 if it is invalid.
static int long_symbol(const table *table, uint64_t bits, bool is_mean, int *advance) {
  for (int length = 1; length <= 16; length++) {
    int32_t code = (int32_t)(bits >> (64 - length));
    if (code >= table->limit[length]) continue;
    int symbol = table->values[(code + table->offset[length]) & 255];
    *advance = advance_by(symbol, is_mean);
    return length + (symbol & 15);
  }
  return 0;
}

// Copies the symbol of a block's mean.
static inline bool copy_mean(thinning *thinning, cjpeg_stream *stream, reader *reader, const table *table) {
  *reader = refill(thinning, stream, *reader);
  int advance;
  int count = first_bits_of(table->looks[reader->bits >> (64 - INDEX_BITS)]);
  if (!count) count = long_symbol(table, reader->bits, true, &advance);
  if (!count) return false;
  put(thinning, reader->bits >> (64 - count), count);
  drop(reader, count);
  return true;
}

// Skips or copies the symbols after a block's mean.
// - Returns: false if one of them is invalid.
static inline __attribute__((always_inline)) bool pass_details(thinning *thinning, cjpeg_stream *stream,
                                                               reader *reader, const table *table, bool copies) {
  for (int place = 1; place < BLOCK;) {
    *reader = refill(thinning, stream, *reader);
    look found;
    for (int turn = 0; turn < 3; turn++) {
      found = table->looks[reader->bits >> (64 - INDEX_BITS)];
      if (place + advance_of(found) >= BLOCK) goto last;
      if (copies) put(thinning, reader->bits >> (64 - bits_of(found)), bits_of(found));
      drop(reader, bits_of(found));
      place += advance_of(found);
    }
    continue;
  last:;
    // Usually the end of the block; or the block is full before all these symbols, or the lookup failed.
    int count = bits_of(found), advance = advance_of(found);
    if (!count || place + (advance & (BLOCK - 1)) >= BLOCK) {
      count = first_bits_of(found);
      advance = first_advance_of(found);
      if (!count) count = long_symbol(table, reader->bits, false, &advance);
      if (!count) return false;
    }
    if (copies) put(thinning, reader->bits >> (64 - count), count);
    drop(reader, count);
    place += advance;
  }
  return true;
}

static bool pass_unit(thinning *thinning, cjpeg_stream *stream) {
  reader reader = thinning->reader;
  for (int i = 0; i < thinning->block_count; i++) {
    const table *detail = thinning->blocks[i].detail;
    if (!copy_mean(thinning, stream, &reader, thinning->blocks[i].mean)) return false;
    if (thinning->blocks[i].is_thinned) {
      if (!pass_details(thinning, stream, &reader, detail, false)) return false;
      put(thinning, detail->end_code, detail->end_bits);
    } else if (!pass_details(thinning, stream, &reader, detail, true)) {
      return false;
    }
  }
  thinning->reader = reader;
  // No made-up bits may have been used; at the end of a file, libjpeg must decide.
  return reader.count >= thinning->padding && !thinning->has_ended;
}

// Skips the restart marker that is due, which only the rest of a byte may precede.
static bool pass_restart(thinning *thinning, cjpeg_stream *stream) {
  uint8_t marker = (uint8_t)(0xD0 + thinning->next_restart);
  reader reader = refill_slowly(thinning, stream, thinning->reader);
  if (!thinning->is_at_marker || thinning->has_ended || reader.count - thinning->padding >= 8) return false;
  if (thinning->end - thinning->at < 2 || thinning->at[1] != marker) return false;
  thinning->at += 2;
  thinning->is_at_marker = false;
  thinning->reader.bits = 0;
  thinning->reader.count = 0;
  thinning->padding = 0;
  put_marker(thinning, marker);
  thinning->next_restart = (thinning->next_restart + 1) & 7;
  thinning->until_restart = thinning->interval;
  return true;
}

// MARK: The stream

// - Returns: false if libjpeg must read the original stream.
static bool fill_output(thinning *thinning, cjpeg_stream *stream) {
  if (!thinning->units) return false;
  thinning->write = thinning->out;
  for (; thinning->units && thinning->write <= thinning->out + ROOM - LONGEST_UNIT; thinning->units--) {
    if (thinning->interval) {
      if (!thinning->until_restart && !pass_restart(thinning, stream)) return false;
      thinning->until_restart--;
    }
    if (!pass_unit(thinning, stream)) return false;
  }
  if (!thinning->units) put_marker(thinning, JPEG_EOI);
  return true;
}

static boolean fill(j_decompress_ptr info) {
  cjpeg_decoder *decoder = info->client_data;
  thinning *thinning = decoder->thinning;
  if (!fill_output(thinning, &decoder->stream)) {
    thinning->has_failed = true;
    decoder->failure = CJPEG_CORRUPT;
    longjmp(decoder->escape, 1);
  }
  decoder->stream.manager.next_input_byte = thinning->out;
  decoder->stream.manager.bytes_in_buffer = (size_t)(thinning->write - thinning->out);
  return TRUE;
}

static bool is_one_pixel(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
  return component->DCT_h_scaled_size == 1 && component->DCT_v_scaled_size == 1;
#else
  return component->DCT_scaled_size == 1;
#endif
}

// - Returns: whether anything can be left out of the scan that is about to be read.
static bool prepare(thinning *thinning, const struct jpeg_decompress_struct *info) {
  bool has_mean[NUM_HUFF_TBLS] = {false}, has_detail[NUM_HUFF_TBLS] = {false}, thins = false;
  for (int i = 0; i < info->comps_in_scan; i++) {
    int mean = info->cur_comp_info[i]->dc_tbl_no, detail = info->cur_comp_info[i]->ac_tbl_no;
    if (mean < 0 || mean >= NUM_HUFF_TBLS || detail < 0 || detail >= NUM_HUFF_TBLS) return false;
    if (!has_mean[mean] && !make_table(&thinning->means[mean], info->dc_huff_tbl_ptrs[mean], true)) return false;
    if (!has_detail[detail] && !make_table(&thinning->details[detail], info->ac_huff_tbl_ptrs[detail], false)) {
      return false;
    }
    has_mean[mean] = has_detail[detail] = true;
  }
  thinning->block_count = info->blocks_in_MCU;
  for (int i = 0; i < thinning->block_count; i++) {
    const jpeg_component_info *component = info->cur_comp_info[info->MCU_membership[i]];
    const table *detail = &thinning->details[component->ac_tbl_no];
    thinning->blocks[i].mean = &thinning->means[component->dc_tbl_no];
    thinning->blocks[i].detail = detail;
    thinning->blocks[i].is_thinned = is_one_pixel(component) && detail->end_bits > 0;
    thins = thins || thinning->blocks[i].is_thinned;
  }
  thinning->units = (uint64_t)info->MCUs_per_row * info->MCU_rows_in_scan;
  thinning->interval = thinning->until_restart = info->restart_interval;
  thinning->next_restart = 0;
  thinning->reader.bits = thinning->pending = 0;
  thinning->reader.count = thinning->padding = thinning->pending_count = 0;
  thinning->is_at_marker = thinning->has_ended = false;
  return thins && thinning->units > 0;
}

bool cjpeg_thin(cjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *info = &decoder->info;
  struct jpeg_source_mgr *source = &decoder->stream.manager;
  // One Huffman-coded scan with the whole picture, read in pieces.
  bool is_plain = !jpeg_has_multiple_scans(info) && !info->arith_code && info->data_precision == 8 &&
                  info->Ss == 0 && info->Se == BLOCK - 1 && info->Ah == 0 && info->Al == 0;
  if (info->src != source || !is_plain) return false;
  if (!decoder->thinning) decoder->thinning = calloc(1, sizeof *decoder->thinning);
  thinning *thinning = decoder->thinning;
  size_t held = source->bytes_in_buffer;
  if (!thinning || held > ROOM || !prepare(thinning, info)) return false;
  // The bytes already read after the header are the start of the scan.
  memcpy(thinning->in, source->next_input_byte, held);
  thinning->at = thinning->in;
  thinning->end = thinning->in + held;
  source->bytes_in_buffer = 0;
  source->fill_input_buffer = fill;
  return true;
}

bool cjpeg_take_thinning_failure(cjpeg_decoder *decoder) {
  bool has_failed = decoder->thinning && decoder->thinning->has_failed;
  if (has_failed) decoder->thinning->has_failed = false;
  return has_failed;
}
