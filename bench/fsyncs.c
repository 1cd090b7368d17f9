/* Counts how often a program asks the disk to keep what it wrote. Loaded with LD_PRELOAD.
 *
 * The count is read from inside through `fsyncs_so_far`, or found at exit in the file named by FSYNCS_OUT.
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
