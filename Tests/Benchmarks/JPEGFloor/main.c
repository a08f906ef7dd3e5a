/* The lower bound of the time for any grid of JPEG thumbnails: libjpeg-turbo alone decodes the files at an eighth of
   their size on two threads, from memory into a single row buffer that is discarded. jpeg-floor FILE... */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <jpeglib.h>

static char **files;
static int file_count;
static atomic_int next_file;

static void decode(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status) != 0) exit(2);
  unsigned char *bytes = malloc((size_t)status.st_size);
  if (!bytes || fread(bytes, 1, (size_t)status.st_size, file) != (size_t)status.st_size) exit(2);
  fclose(file);
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, bytes, (unsigned long)status.st_size);
  jpeg_read_header(&decoder, TRUE);
  decoder.scale_num = 1;
  decoder.scale_denom = 8;
  decoder.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&decoder);
  JSAMPROW row = malloc((size_t)decoder.output_width * 4);
  if (!row) exit(2);
  while (decoder.output_scanline < decoder.output_height) jpeg_read_scanlines(&decoder, &row, 1);
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
  free(row);
  free(bytes);
}

static void *work(void *unused) {
  (void)unused;
  for (int i; (i = atomic_fetch_add(&next_file, 1)) < file_count;) decode(files[i]);
  return NULL;
}

int main(int argc, char **argv) {
  files = argv + 1;
  file_count = argc - 1;
  pthread_t other;
  if (pthread_create(&other, NULL, work, NULL) != 0) return 2;
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}
