/* Times predictions of the model whose header is model.h: argument 1 is the number of rows. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef REAL
#define REAL double
#endif

enum { ROWS = 512 };

int main(int argc, char **argv)
{
    static REAL rows[ROWS][TSK_COLUMNS];
    REAL outputs[TSK_OUTPUTS], sum = 0;
    const long n = argc > 1 ? atol(argv[1]) : 0;
    unsigned long state = 1;
    clock_t start;

    for (int i = 0; i < ROWS; i++) {
        for (int c = 0; c < TSK_COLUMNS; c++) { /* the range of 99.7% of the samples */
            state = state * 1103515245UL + 12345UL;
            rows[i][c] = (REAL)(state >> 8 & 0xFFFF) / (REAL)0xFFFF * 6 - 3;
        }
    }
    start = clock();
    for (long i = 0; i < n; i++) {
        if (tsk_predict(rows[i % ROWS], outputs) != 0)
            return EXIT_FAILURE;
        sum += outputs[0];
    }
    printf("%.0f\n", (double)(clock() - start) / CLOCKS_PER_SEC * 1e9);
    return sum == sum ? EXIT_SUCCESS : EXIT_FAILURE;
}
