"""The documents of .ci/summaries with RFCS: Rust's, whose authors wrote a summary, without it."""

import hashlib
import re
import subprocess

import peps

SUMMARY = re.compile(r"(?ms)^#+ Summary[ \t]*\n(.*?)(?=^#+ )")


def plain(text):
    """A summary as it is read: without code, links and marks."""
    text = re.sub(r"(?ms)^```.*?^```|^\[[^\]]+\]:.*?$", "", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*_]", "", text)).strip()


def load(place):
    """All documents of a bare repository, as those of peps.load."""
    out = []
    names = subprocess.run(["git", "-C", place, "ls-tree", "--name-only", "HEAD", "text/"], check=True, capture_output=True, text=True).stdout.split()
    for name in names:
        if not re.fullmatch(r"text/\d{4}-.*\.md", name):
            continue
        source = subprocess.run(["git", "-C", place, "show", "HEAD:" + name], check=True, capture_output=True, text=True).stdout
        found = SUMMARY.search(source)
        if not found or len(plain(found.group(1)).split()) < peps.LEAST_WORDS:
            continue
        body = source[found.end():]
        title = re.sub(r"^\d{4}-", "", name.removeprefix("text/").removesuffix(".md")).replace("-", " ")
        half = hashlib.sha256(name.encode()).digest()[0] % 2
        out.append({"name": name, "text": f"# {title}\n\n{body}", "abstract": plain(found.group(1)), "half": half})
    return out
