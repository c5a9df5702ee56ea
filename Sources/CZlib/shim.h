#include <zlib.h>

/// `inflateInit2` is a macro, which Swift can't call.
static inline int afterpush_inflate_init(z_streamp stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

/// So is `deflateInit2`.
static inline int afterpush_deflate_init(z_streamp stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
