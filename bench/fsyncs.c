/* Counts the fsync calls of a program. Loaded with LD_PRELOAD.
 *
 * The process reads the count through `fsyncs_so_far`; at exit it is also written to the file named by FSYNCS_OUT.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long asked;

static int pass_on(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    atomic_fetch_add(&asked, 1);
    return real(file);
}

int fsync(int file) { return pass_on("fsync", file); }
int fdatasync(int file) { return pass_on("fdatasync", file); }

long fsyncs_so_far(void) { return atomic_load(&asked); }

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FSYNCS_OUT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%ld\n", atomic_load(&asked));
        fclose(out);
    }
}
