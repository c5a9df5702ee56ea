// libcurl is loaded with the first request instead of being linked. The collector links the device library for its
// simulated fleet, so a server would otherwise load libcurl and the libraries behind it without ever using them.

#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <string.h>

static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *init;
    __typeof__(curl_easy_cleanup) *cleanup;
    __typeof__(curl_easy_setopt) *setopt;
    __typeof__(curl_easy_getinfo) *getinfo;
    __typeof__(curl_easy_strerror) *strerror;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_add_handle) *multi_add;
    __typeof__(curl_multi_remove_handle) *multi_remove;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_info_read) *multi_read;
    __typeof__(curl_slist_append) *append;
    __typeof__(curl_slist_free_all) *free_all;
} curl;

bool ccurl_load(void) {
    // The name and the functions' interfaces have been the same since 2006.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const struct {
        void *function;
        const char *name;
    } functions[] = {
        {&curl.global_init, "curl_global_init"},
        {&curl.init, "curl_easy_init"},
        {&curl.cleanup, "curl_easy_cleanup"},
        {&curl.setopt, "curl_easy_setopt"},
        {&curl.getinfo, "curl_easy_getinfo"},
        {&curl.strerror, "curl_easy_strerror"},
        {&curl.multi_init, "curl_multi_init"},
        {&curl.multi_cleanup, "curl_multi_cleanup"},
        {&curl.multi_add, "curl_multi_add_handle"},
        {&curl.multi_remove, "curl_multi_remove_handle"},
        {&curl.multi_perform, "curl_multi_perform"},
        {&curl.multi_poll, "curl_multi_poll"},
        {&curl.multi_read, "curl_multi_info_read"},
        {&curl.append, "curl_slist_append"},
        {&curl.free_all, "curl_slist_free_all"},
    };
    for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
        void *address = dlsym(library, functions[index].name);
        if (!address) return false;
        memcpy(functions[index].function, &address, sizeof address);
    }
    // Before 7.84, this must not run on two threads at the same time.
    return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *ccurl_new(void) { return curl.init(); }

void ccurl_free(CURL *handle) { curl.cleanup(handle); }

CURLM *ccurl_new_connections(void) { return curl.multi_init(); }

void ccurl_free_connections(CURLM *connections) { curl.multi_cleanup(connections); }

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

CURLcode ccurl_set_socket_callback(CURL *handle, curl_opensocket_callback value) {
    return curl.setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

CURLcode ccurl_perform(CURLM *connections, CURL *handle) {
    if (curl.multi_add(connections, handle) != CURLM_OK) return CURLE_FAILED_INIT;
    CURLMcode code;
    int running = 0;
    do {
        code = curl.multi_perform(connections, &running);
        // Returns earlier if there is something to read, to write, or a time limit is over.
        if (code == CURLM_OK && running) code = curl.multi_poll(connections, NULL, 0, 1000, NULL);
    } while (code == CURLM_OK && running);
    CURLcode result = CURLE_FAILED_INIT;
    for (CURLMsg *message; (message = curl.multi_read(connections, &running));) {
        if (message->msg == CURLMSG_DONE && message->easy_handle == handle) result = message->data.result;
    }
    curl.multi_remove(connections, handle);
    return result;
}

CURLcode ccurl_get_status(CURL *handle, long *status) {
    return curl.getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

const char *ccurl_error(CURLcode code) { return curl.strerror(code); }

struct curl_slist *ccurl_append(struct curl_slist *list, const char *line) { return curl.append(list, line); }

void ccurl_free_list(struct curl_slist *list) { curl.free_all(list); }

#endif
