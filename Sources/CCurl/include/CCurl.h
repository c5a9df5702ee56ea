#pragma once

#if defined(__linux__)

#include <stdbool.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and initializes it. Returns whether both succeeded.
///
/// Call it once, before any other function of this file.
bool ccurl_load(void);

/// Makes a handle for one request. Returns null if memory is exhausted.
///
/// Don't use it for a second one: before 8.1, libcurl then uses freed memory if the first header field of the response
/// begins with a blank.
CURL *ccurl_new(void);
void ccurl_free(CURL *handle);

/// Makes something that keeps connections open between requests. Returns null if memory is exhausted.
CURLM *ccurl_new_connections(void);
void ccurl_free_connections(CURLM *connections);

// Swift can't call functions with a variable number of arguments.
CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_callback(CURL *handle, CURLoption option, curl_write_callback value);
/// Sets what opens the sockets of a request, CURLOPT_OPENSOCKETFUNCTION.
CURLcode ccurl_set_socket_callback(CURL *handle, curl_opensocket_callback value);

/// Performs a request and returns when it has ended. Only one thread at a time may use the connections.
CURLcode ccurl_perform(CURLM *connections, CURL *handle);
CURLcode ccurl_get_status(CURL *handle, long *status);
/// Returns the description of an error.
const char *ccurl_error(CURLcode code);

/// Appends a copy of a line. Returns null if memory is exhausted; the list then stays as it is.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *line);
void ccurl_free_list(struct curl_slist *list);

#endif
