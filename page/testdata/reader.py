"""Computes pages by the grammar in docs/reading-rules.md alone. stdin: [{"text": page, "rows": [{column: cell}]}]; stdout: their values."""
import ast, json, math, re, sys

TOKEN = re.compile(
    r'(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<number>[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=[\s.,;:()]|$)|(?P<mark>\.(?=\s|$)|[,;:()+-])'
    r'|(?P<word>[^\s,;:()"\\]+?)(?=\.?(?:\s|$)|[,;:()"\\])', re.A)
RESERVED = set("is not or and if IF AND THEN at per of up to in from above below as counts counted always without all /".split())
class Reader:
    def __init__(self, text):
        self.t = [(m.lastgroup, m[0], text.count("\n", 0, m.start())) for m in TOKEN.finditer(text)] + [("end", "", -1)]
    def take(self, phrase):
        words = phrase.split()
        if found := [text for kind, text, _ in self.t[:len(words)] if kind != "quoted"] == words: del self.t[:len(words)]
        return found
    def must(self, phrase): assert self.take(phrase), (phrase, self.t[:5])
    def name(self):
        kind, text, line = self.t.pop(0)
        while kind == self.t[0][0] == "word" and self.t[0][2] == line and self.t[0][1] not in RESERVED: text += " " + self.t.pop(0)[1]
        return ast.literal_eval(text) if kind == "quoted" else text
    def list(self, read, between):
        all = [read()]
        while self.t[1][1] != "without" and self.take(between):
            all.append(read())
        return all
    def number(self, prefix="", suffix=""):
        self.must(prefix)
        sign, (_, text, line) = -1 if self.take("-") else self.take("+") or 1, self.t.pop(0)
        if self.t[0][2] == line and (self.t[0][0] == "quoted" or self.t[0][0] == "word" and self.t[0][1] not in RESERVED):
            self.name()  # its unit
        self.must(suffix)
        return sign * float(text)
    def border(self, on):  # the grade of what is above it, and of the border itself
        v = self.number()
        start, end = (self.number(), self.number("to", "in proportion")) if self.take(", from") else (v, v)
        return lambda x: min(1, max(0, (x - start) / (end - start))) if start < end else float(x > v or on and x == v)
    def condition(self):
        c, _ = self.name(), self.must("is")
        if self.t[0][0] == "number":
            ends = self.list(self.number, "to")
            return lambda r: float(ends[0] <= r[c] <= ends[-1])
        lower = self.border(False) if self.take("above") else self.border(True) if self.take("at least") else None
        self.take(",")
        upper = self.border(True) if self.take("below") else self.border(False) if self.take("at most") else None
        if lower or upper: return lambda r: (lower(r[c]) if lower else 1) * (1 - upper(r[c]) if upper else 1)
        no, levels = self.take("not"), self.list(self.name, "or")
        return lambda r: float((r[c,] in levels) != no)
    def term(self, centre={}):
        v = self.number()
        if self.take("if"):
            c, _, level = self.name(), self.must("is"), self.name()
            other = self.number("", "if not") if self.take(",") else 0
            return lambda r, u: v if r[c,] == level else other
        _, c = self.must("per"), self.list(self.name, "of")[-1]
        low = self.number("", "up") if self.take("from") else -math.inf
        high = self.number() if self.take("up to") or self.take("to") else math.inf
        at = self.number() if self.take(", counted from") else centre.get(c, 0)
        return lambda r, u: v * (min(high, max(low, u(c))) - at)
    def rule(self):
        conditions, terms = [] if self.take("always") else self.list(self.condition, "AND"), []
        about = self.number("THEN about" if self.t[1][1] == "about" else "THEN")
        centre = dict(self.list(lambda: (self.name(), self.number()), ",") if self.take("at") else [])
        self.take(", without the tables") and self.take("and the terms for all rules") or self.take(", without the terms for all rules")
        while self.t[0][0] == "mark":
            terms.append(self.term(centre))
        return lambda r, u: math.prod(c(r) for c in conditions) * (about + sum(t(r, u) for t in terms))
    def table(self, factors):
        c, between = self.name(), self.take("( between entries in proportion )")
        key = self.number if between else lambda: None if self.take("all others") else self.list(self.name, "/")
        entry = lambda: float(self.t.pop(0)[1][1:]) if self.take(":") and factors else self.number()
        keys, entries = zip(*self.list(lambda: (key(), entry()), ","))
        if not between:
            return lambda r, u: next(v for levels, v in zip(keys, entries) if levels is None or r[c,] in levels)
        return lambda r, u: next(va + (vb - va) * (x - a) / (b - a) for x in [min(keys[-1], max(keys[0], u(c)))]
                                 for a, b, va, vb in zip(keys, keys[1:], entries, entries[1:]) if x <= b)
    def page(self):
        parts, factors, times, ranges, missing, limits = [], [], False, {}, {}, (-math.inf, math.inf)  # parts and factors of the value
        while self.t[0][1] != "Rule" or self.t[1][0] != "number":  # the target, and words
            times = self.t.pop(0)[:2] == ("word", "times") or times
        while self.take("Rule"):
            del self.t[:[text for _, text, _ in self.t].index("IF") + 1]  # what the rule says about itself
            parts.append(self.rule())
        while self.take("Table"): (factors if times else parts).append(self.table(times))
        parts += self.list(self.term, ";") if self.take("For all rules :") else []
        if self.take("In formulas and tables ,"):
            ranges = dict(self.list(lambda: (self.name(), (self.number("counts as at least"), self.number("and at most"))), ";"))
        self.take(".")
        if self.take("A missing"):
            kind = lambda: self.take("none of its levels") or (self.number if self.t[0][0] in ("number", "mark") else self.name)()
            missing = dict(self.list(lambda: (self.name(), (self.must("counts as"), kind())[1]), "; a missing"))
        self.take(".")
        if self.take("No value is below"): limits = self.number(), self.number("or above", ".")
        assert self.t[0][0] == "end", self.t[:5]
        clamp = lambda v, ends=(-math.inf, math.inf): min(ends[1], max(ends[0], v))
        within = lambda r: lambda c: clamp(r[c], *[ranges[c]] * (c in ranges))
        fill = lambda row: {c: missing.get(c) if v is None else v for c, v in row.items()}
        full = lambda row: fill(row) | {(c,): "missing" if row[c] is None and type(v) is float else v for c, v in fill(row).items()}
        of = lambda r, all: (one(r, within(r)) for one in all)
        return lambda row: clamp(sum(of(full(row), parts)) * math.prod(of(full(row), factors)), limits)
if __name__ == "__main__":
    print(json.dumps([[compute(row) for row in p["rows"]] for p in json.load(sys.stdin) for compute in [Reader(p["text"]).page()]]))
