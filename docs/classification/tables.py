"""Writes the ten classification tables of docs/accuracy.md, their splits and list.json.

    tables.py DIR

The sources are downloaded to DIR/raw, unless they are there. DIR gets TABLE.csv (a header; the class in the last
column), splits/TABLE.txt (a line for each row, a digit for each of ten stratified 70/30 splits: 1 for the test part)
and list.json. Four tables are of scikit-learn's package. Needs Python 3 with scikit-learn.
"""
import csv, io, json, os, random, sys, urllib.request
from sklearn import datasets

FOREST = "https://raw.githubusercontent.com/ladm2110/proactive_forest/HEAD/data/"
LANDSAT = "https://raw.githubusercontent.com/YannisSch/Statlog_Landstat_Satellite_Project/HEAD/data/"
LISTS = "https://raw.githubusercontent.com/jbrownlee/Datasets/HEAD/"
ADULT = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
         "capital-loss,hours-per-week,native-country,income").split(",")
DIR = sys.argv[1]


def download(url):
    """Returns the text of a file, downloaded once."""
    path = os.path.join(DIR, "raw", os.path.basename(url))
    if not os.path.exists(path):
        urllib.request.urlretrieve(url, path)
    return open(path, encoding="utf-8-sig").read()


def rows(url):
    return [[c.strip() for c in r] for r in csv.reader(io.StringIO(download(url))) if r]


def packaged(load):
    """A table of scikit-learn's package, with the names of its classes."""
    d = load()
    head = [str(n).replace(" (cm)", "").replace(" ", "_") for n in d.feature_names]
    return head + ["class"], [["%g" % v for v in x] + [str(d.target_names[t])] for x, t in zip(d.data, d.target)]


def listed(name):
    head, *body = rows(FOREST + name + ".csv")
    return [c.strip().replace(" ", "_").lower() for c in head], body


def satimage():
    body = [line.split() for part in ("sat.trn", "sat.tst") for line in download(LANDSAT + part).splitlines()[1:]]
    soils = {"1": "red", "2": "cotton", "3": "grey", "4": "damp grey", "5": "stubble", "7": "very damp grey"}
    head = ["band%d_pixel%d" % (b, p) for p in range(1, 10) for b in range(1, 5)]
    return head + ["class"], [r[:36] + [soils[r[36]]] for r in body]


def adult():
    body = rows(LISTS + "adult-train.csv") + rows(LISTS + "adult-test.csv")
    body = [["unknown" if c == "?" else c.rstrip(".") for c in r] for r in body if len(r) == len(ADULT)]
    return ADULT, [body[i] for i in sorted(random.Random(16).sample(range(len(body)), 10000))]


TABLES = {  # the table, the columns that are not features
    "iris": (lambda: packaged(datasets.load_iris), []),
    "wine": (lambda: packaged(datasets.load_wine), []),
    "sonar": (lambda: listed("sonar"), []),
    "glass": (lambda: listed("glass"), []),
    "breast-cancer": (lambda: packaged(datasets.load_breast_cancer), []),
    "vehicle": (lambda: listed("vehicle"), []),
    "vowel": (lambda: listed("vowel"), ["train_or_test", "speaker_number", "sex"]),
    "digits": (lambda: packaged(datasets.load_digits), []),
    "satimage": (satimage, []),
    "adult": (adult, ["education"]),  # education-num has the same levels as numbers
}


def marks(classes):
    """Ten stratified 70/30 splits: a line of digits for each row."""
    of = {}
    for i, c in enumerate(classes):
        of.setdefault(c, []).append(i)
    lines = [["0"] * 10 for _ in classes]
    for k in range(10):
        draw = random.Random(k + 1)
        for c in sorted(of):
            for i in draw.sample(of[c], round(.3 * len(of[c]))):
                lines[i][k] = "1"
    return "".join("".join(l) + "\n" for l in lines)


os.makedirs(os.path.join(DIR, "raw"), exist_ok=True)
os.makedirs(os.path.join(DIR, "splits"), exist_ok=True)
out = []
for name, (read, ignore) in TABLES.items():
    head, body = read()
    with open(os.path.join(DIR, name + ".csv"), "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([head] + body)
    with open(os.path.join(DIR, "splits", name + ".txt"), "w") as f:
        f.write(marks([r[-1] for r in body]))
    out.append({"file": name, "target": head[-1], "ignore": ignore, "missing": "error"})
    print(name, len(body), "rows,", len(head) - 1 - len(ignore), "features,", len({r[-1] for r in body}), "classes")
json.dump(out, open(os.path.join(DIR, "list.json"), "w"), indent=1)
