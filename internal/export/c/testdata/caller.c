/* Uses a model by its header, linked from an object of its own. */
#include "model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    double cells[NO2_COLUMNS], outputs[NO2_OUTPUTS];

    for (int c = 0; c < NO2_COLUMNS; c++)
        cells[c] = c;
    cells[2] = no2_level((enum no2_column)2, LEVEL);
    if (cells[2] != 1 || no2_level((enum no2_column)2, "other") != -1 || !isnan(no2_level((enum no2_column)2, "")))
        return 1;
    if (no2_level((enum no2_column)3, "small") != 1 || !isnan(no2_level((enum no2_column)3, "other")) || !isnan(no2_level((enum no2_column)0, "1")))
        return 2;
    if (no2_predict(cells, outputs) != 0 || no2_class(outputs) < 0 || strcmp(no2_classes[1], LEVEL) != 0)
        return 3;
    cells[0] = -INFINITY;
    if (no2_predict(cells, outputs) != -1 || no2_class(outputs) != -1 || !isnan(outputs[0] + outputs[1] + outputs[2]))
        return 4;
    return 0;
}
