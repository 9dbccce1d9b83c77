"""Predictions by a fuzzy model, see predict, COLUMNS and OUTPUTS."""

from __future__ import annotations

import csv
import difflib
import itertools
import json
import re
import sys
from numbers import Real
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence

import numpy as np

