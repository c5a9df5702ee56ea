// libcurl is loaded with the first request instead of being linked. The collector links the device library for its
// simulated fleet, so a server would otherwise load libcurl and the libraries behind it without ever using them.

#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>

static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *init;
    __typeof__(curl_easy_reset) *reset;
    __typeof__(curl_easy_cleanup) *cleanup;
    __typeof__(curl_easy_setopt) *setopt;
    __typeof__(curl_easy_perform) *perform;
    __typeof__(curl_easy_getinfo) *getinfo;
    __typeof__(curl_easy_strerror) *strerror;
    __typeof__(curl_slist_append) *append;
    __typeof__(curl_slist_free_all) *free_all;
} curl;

bool ccurl_load(void) {
    // The name and the functions' interfaces have been the same since 2006.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    curl.global_init = dlsym(library, "curl_global_init");
    curl.init = dlsym(library, "curl_easy_init");
    curl.reset = dlsym(library, "curl_easy_reset");
    curl.cleanup = dlsym(library, "curl_easy_cleanup");
    curl.setopt = dlsym(library, "curl_easy_setopt");
    curl.perform = dlsym(library, "curl_easy_perform");
    curl.getinfo = dlsym(library, "curl_easy_getinfo");
    curl.strerror = dlsym(library, "curl_easy_strerror");
    curl.append = dlsym(library, "curl_slist_append");
    curl.free_all = dlsym(library, "curl_slist_free_all");
    return curl.global_init && curl.init && curl.reset && curl.cleanup && curl.setopt && curl.perform &&
           curl.getinfo && curl.strerror && curl.append && curl.free_all &&
           // Before 7.84, this must not run on two threads at the same time.
           curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *ccurl_new(void) { return curl.init(); }

void ccurl_reset(CURL *handle) { curl.reset(handle); }

void ccurl_free(CURL *handle) { curl.cleanup(handle); }

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) { return curl.setopt(handle, option, value); }

CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_set_callback(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl.setopt(handle, option, value);
}

CURLcode ccurl_perform(CURL *handle) { return curl.perform(handle); }

CURLcode ccurl_get_status(CURL *handle, long *status) {
    return curl.getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

const char *ccurl_error(CURLcode code) { return curl.strerror(code); }

struct curl_slist *ccurl_append(struct curl_slist *list, const char *line) { return curl.append(list, line); }

void ccurl_free_list(struct curl_slist *list) { curl.free_all(list); }

#endif
