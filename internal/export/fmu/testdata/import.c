/*
 * Imports a functional mock-up unit: import LIBRARY VERSION TOKEN KINDS OUTPUTS CLASS. KINDS has n for each input of numbers and e for each
 * enumeration. Each line of the input has the values of the inputs; each line of the output those of the outputs, after the item of the class.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void *symbol(const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fail(name);
    }
    return found;
}

typedef unsigned reference;
typedef void *instance;

/* The functions of both versions that have the same form, and those that have not. */
static int (*enter2)(instance), (*leave)(instance);
static instance (*instantiate2)(const char *, int, const char *, const char *, const void *, int, int);
static int (*setup2)(instance, int, double, double, int, double);
static int (*step2)(instance, double, double, int);
static int (*set2)(instance, const reference *, size_t, const double *), (*get2)(instance, const reference *, size_t, double *);
static int (*set_item2)(instance, const reference *, size_t, const int *), (*get_item2)(instance, const reference *, size_t, int *);
static instance (*instantiate3)(const char *, const char *, const char *, bool, bool, bool, bool, const reference *, size_t, void *, void *, void *);
static int (*enter3)(instance, bool, double, double, bool, double);
static int (*step3)(instance, double, double, bool, bool *, bool *, bool *, double *);
static int (*set3)(instance, const reference *, size_t, const double *, size_t), (*get3)(instance, const reference *, size_t, double *, size_t);
static int (*set_item3)(instance, const reference *, size_t, const int64_t *, size_t);
static int (*get_item3)(instance, const reference *, size_t, int64_t *, size_t);

#define LOAD(to, name) *(void **)&to = symbol(name)

int main(int argc, char **argv)
{
    instance it;
    int version, inputs, outputs, class, i, line = 0;
    char text[64];
    if (argc != 7 || !(library = dlopen(argv[1], RTLD_NOW))) {
        fail(argc == 7 ? dlerror() : "arguments");
    }
    version = argv[2][0] - '0', inputs = (int)strlen(argv[4]), outputs = atoi(argv[5]), class = atoi(argv[6]);
    if (version == 2) {
        LOAD(instantiate2, "fmi2Instantiate"), LOAD(setup2, "fmi2SetupExperiment"), LOAD(enter2, "fmi2EnterInitializationMode");
        LOAD(leave, "fmi2ExitInitializationMode"), LOAD(step2, "fmi2DoStep"), LOAD(set2, "fmi2SetReal"), LOAD(get2, "fmi2GetReal");
        LOAD(set_item2, "fmi2SetInteger"), LOAD(get_item2, "fmi2GetInteger");
        if (instantiate2("unit", 1, "{another}", "", NULL, 0, 0)) {
            fail("another token is taken");
        }
        it = instantiate2("unit", 1, argv[3], "", NULL, 0, 0);
        if (!it || setup2(it, 0, 0, 0, 0, 0) || enter2(it) || leave(it)) {
            fail("initialisation");
        }
    } else {
        LOAD(instantiate3, "fmi3InstantiateCoSimulation"), LOAD(enter3, "fmi3EnterInitializationMode");
        LOAD(leave, "fmi3ExitInitializationMode"), LOAD(step3, "fmi3DoStep"), LOAD(set3, "fmi3SetFloat64"), LOAD(get3, "fmi3GetFloat64");
        LOAD(set_item3, "fmi3SetInt64"), LOAD(get_item3, "fmi3GetInt64");
        if (instantiate3("unit", "{another}", NULL, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL)) {
            fail("another token is taken");
        }
        it = instantiate3("unit", argv[3], NULL, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL);
        if (!it || enter3(it, 0, 0, 0, 0, 0) || leave(it)) {
            fail("initialisation");
        }
    }
    for (;; line++) {
        bool a, b, c;
        double last;
        for (i = 0; i < inputs; i++) {
            reference of = (reference)i + 1;
            int bad;
            if (scanf("%63s", text) != 1) {
                return 0;
            }
            if (argv[4][i] == 'n') {
                double v = strtod(text, NULL);
                bad = version == 2 ? set2(it, &of, 1, &v) : set3(it, &of, 1, &v, 1);
            } else {
                int v = atoi(text);
                int64_t wide = v;
                bad = version == 2 ? set_item2(it, &of, 1, &v) : set_item3(it, &of, 1, &wide, 1);
            }
            if (bad) {
                fail("an input is refused");
            }
        }
        if (version == 2 ? step2(it, line, 1, 1) : step3(it, line, 1, 1, &a, &b, &c, &last)) {
            fail("a step is refused");
        }
        if (class) {
            reference of = (reference)(inputs + outputs) + 1;
            int v = 0;
            int64_t wide = 0;
            (void)(version == 2 ? get_item2(it, &of, 1, &v) : get_item3(it, &of, 1, &wide, 1)); /* fails where there is no prediction */
            printf("%d ", version == 2 ? v : (int)wide);
        }
        for (i = 0; i < outputs; i++) {
            reference of = (reference)(inputs + i) + 1;
            double v;
            if (version == 2 ? get2(it, &of, 1, &v) : get3(it, &of, 1, &v, 1)) {
                fail("an output is refused");
            }
            printf("%.17g ", v);
        }
        printf("\n");
    }
}
