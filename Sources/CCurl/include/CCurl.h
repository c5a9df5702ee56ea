#pragma once

#if defined(__linux__)

#include <stdbool.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and initializes it. Returns whether both succeeded.
///
/// Call it once, before any other function of this file.
bool ccurl_load(void);

CURL *ccurl_new(void);
/// Resets the options of a handle. It keeps its connection.
void ccurl_reset(CURL *handle);
void ccurl_free(CURL *handle);

// Swift can't call functions with a variable number of arguments.
CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_callback(CURL *handle, CURLoption option, curl_write_callback value);

CURLcode ccurl_perform(CURL *handle);
CURLcode ccurl_get_status(CURL *handle, long *status);
/// Returns the description of an error.
const char *ccurl_error(CURLcode code);

/// Appends a copy of a line. Returns null if memory is exhausted; the list then stays as it is.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *line);
void ccurl_free_list(struct curl_slist *list);

#endif
