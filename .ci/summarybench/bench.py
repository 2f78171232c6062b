"""Extracts of PEPs or of Rust's RFCs beside sumy's, measured against the abstracts of their authors: see .ci/summaries.

    bench.py --program P --peps PLACE [--rfcs PLACE] --sumy FOLDER [--half 0|1]
"""

import argparse
import concurrent.futures
import json
import random
import re
import statistics
import subprocess
import sys
import time

import nltk.stem.porter
import nltk.tokenize

import peps
import rfcs

WORDS = 70  # of an extract: the median abstract of half 0 has 72
RESAMPLES = 2000
PEERS = ("LexRank", "TextRank", "SumBasic")


# --- sumy, told the same sentences ---

class Words:
    """sumy's own tokenizer of words, without the model for sentences that it would download."""

    def __init__(self):
        from sumy.nlp.tokenizers import Tokenizer
        self.is_word = Tokenizer._is_word
        self.split = nltk.tokenize.TreebankWordTokenizer().tokenize

    def to_words(self, sentence):
        return tuple(w for w in self.split(sentence) if self.is_word(w))


def rank(sentences):
    """The order in which each of sumy's summarisers takes the sentences, and how long it thought."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.sum_basic import SumBasicSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words
    words = Words()
    document = ObjectDocumentModel([Paragraph([Sentence(s, words) for s in sentences])])
    out = {}
    for name, summariser in zip(PEERS, (LexRankSummarizer, TextRankSummarizer, SumBasicSummarizer)):
        s = summariser() if name == "SumBasic" else summariser(Stemmer("english"))  # with stems and stop words together it ends in a KeyError
        s.stop_words = get_stop_words("english")
        seen = {}
        s._get_best_sentences = lambda all, count, rating: seen.update(rating) or ()
        begun = time.perf_counter()
        s(document, len(sentences))
        out[name] = (sorted(range(len(sentences)), key=lambda i: -seen[document.sentences[i]]), time.perf_counter() - begun)
    return out


def take(order, sentences):
    """The first sentences of an order, as many words as ours: one that is too long by more than it would lack is left out."""
    chosen, left = [], WORDS
    for i in order:
        if left <= 0:
            break
        n = len(sentences[i].split())
        if n > left and n - left > left and chosen:
            continue
        chosen.append(i)
        left -= n
    return sorted(chosen)


# --- ROUGE F1 with Porter's stems ---

stemmer, stems = nltk.stem.porter.PorterStemmer(), {}


def tokens(text):
    return [stems[w] if w in stems else stems.setdefault(w, stemmer.stem(w)) for w in re.findall(r"[a-z0-9]+", text.lower())]


def f1(hits, got, wanted):
    return 2 * hits / (got + wanted) if hits else 0.0


def overlap(a, b, n):
    def count(t):
        c = {}
        for i in range(len(t) - n + 1):
            c[tuple(t[i:i + n])] = c.get(tuple(t[i:i + n]), 0) + 1
        return c
    a, b = count(a), count(b)
    return f1(sum(min(k, b.get(g, 0)) for g, k in a.items()), sum(a.values()), sum(b.values()))


def longest(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], before + 1 if x == y else max(row[j + 1], row[j])
    return f1(row[-1], len(a), len(b))


def rouge(text, reference):
    a, b = tokens(text), tokens(reference)
    return overlap(a, b, 1), overlap(a, b, 2), longest(a, b)


def interval(ours, theirs):
    """The 95 % interval of the mean difference, of pairs drawn again and again."""
    dice, differences = random.Random(1), [a - b for a, b in zip(ours, theirs)]
    means = sorted(statistics.fmean(dice.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    return means[int(RESAMPLES * .025)], means[int(RESAMPLES * .975)]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--program", required=True)
    options.add_argument("--peps", required=True)
    options.add_argument("--rfcs", help="a bare repository of them, instead of PEPs")
    options.add_argument("--sumy", required=True)
    options.add_argument("--half", type=int, default=1)
    o = options.parse_args()
    sys.path.insert(0, o.sumy)

    documents = [d for d in (rfcs.load(o.rfcs) if o.rfcs else peps.load(o.peps)) if d["half"] == o.half]
    asked = json.dumps([{"text": d["text"], "words": WORDS} for d in documents])
    made = json.loads(subprocess.run([o.program], input=asked, check=True, capture_output=True, text=True).stdout)
    pairs = [(d, m) for d, m in zip(documents, made) if len(m["sentences"] or []) >= peps.LEAST_SENTENCES]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        ranks = list(pool.map(rank, [m["sentences"] for _, m in pairs], chunksize=4))

    scores, millis = {}, {}
    for (d, m), peers in zip(pairs, ranks):
        s = m["sentences"]
        chosen = {"first sentences": take(range(len(s)), s), **{"sumy " + n: take(peers[n][0], s) for n in PEERS}, "ours": m["chosen"]}
        for name, list_ in chosen.items():
            scores.setdefault(name, []).append(rouge(" ".join(s[i] for i in list_), d["abstract"]))
        for name, t in {"ours": m["micros"] / 1000, **{"sumy " + n: peers[n][1] * 1000 for n in PEERS}}.items():
            millis.setdefault(name, []).append(t)

    counts = sorted(len(m["sentences"]) for _, m in pairs)
    print(f"{len(pairs)} {'RFCs' if o.rfcs else 'PEPs'} of half {o.half}, {counts[0]} to {counts[-1]} sentences (median {statistics.median(counts):.0f}), extracts of {WORDS} words\n")
    print("| F1, Porter's stems | ROUGE-1 | ROUGE-2 | ROUGE-L | ms a document |\n|---|---|---|---|---|")
    for name, list_ in scores.items():
        print(f"| {name} | " + " | ".join(f"{100 * statistics.fmean(x[i] for x in list_):.2f}" for i in range(3))
              + (f" | {statistics.fmean(millis[name]):.1f} |" if name in millis else " | |"))
    ahead = True
    for peer in PEERS:
        bounds = [interval([x[i] for x in scores["ours"]], [x[i] for x in scores["sumy " + peer]]) for i in range(3)]
        print(f"| ours less {peer}, 95 % | " + " | ".join(f"{100 * lo:+.2f} to {100 * hi:+.2f}" for lo, hi in bounds) + " | |")
        ahead = ahead and (peer != "LexRank" or all(lo > 0 for lo, _ in bounds))
    nearest = [m["micros"] / 1000 for _, m in pairs if 150 <= len(m["sentences"]) <= 250]
    print(f"\nours takes {statistics.median(nearest):.1f} ms (median) for 150 to 250 sentences")
    if not ahead:
        sys.exit("not ahead of LexRank in each")


if __name__ == "__main__":
    main()
