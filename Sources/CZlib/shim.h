#include <zlib.h>

/// `inflateInit2` is a macro, which Swift can't call.
static inline int afterpush_inflate_init(z_streamp stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
