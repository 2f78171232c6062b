"""The documents of .ci/summaries: PEPs whose authors wrote an abstract, as markdown without it."""

import hashlib
import pathlib
import re
import subprocess

import docutils.core
import docutils.nodes as nodes
from docutils.parsers.rst import roles

LEAST_SENTENCES, LEAST_WORDS = 20, 20  # of a document, of an abstract
LEFT_OUT = {"abstract", "copyright", "references", "footnotes", "acknowledgements", "acknowledgments"}


def plain_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """A role of Sphinx's is the text that it shows."""
    shown = re.sub(r"\s*<[^<>]*>$", "", text).lstrip("~!")
    shown = {"pep": "PEP " + shown, "rfc": "RFC " + shown}.get(name, shown) if shown.isdigit() else shown
    return [nodes.inline(rawtext, shown)], []


for role in ("pep", "rfc", "ref", "doc", "term", "abbr", "mod", "func", "class", "meth", "attr", "data", "exc", "const", "keyword", "option", "file",
             "command", "envvar", "program", "samp", "token", "obj", "any", "c:func", "c:type", "c:macro", "c:data", "c:member", "c:expr", "c:struct", "py:func",
             "py:class", "py:mod", "py:meth", "py:attr", "py:data", "py:exc", "external+python:ref", "pypa-dev", "user", "gh", "cve", "cwe", "pypi", "source",
             "external+py3.12:class", "external+py3.12:func", "menuselection", "guilabel", "kbd", "dfn"):
    roles.register_local_role(role, plain_role)


def read(node):
    """The text of a paragraph on one line."""
    parts = []
    for child in node.findall(nodes.Text):
        parents = []
        at = child.parent
        while at is not None and at is not node:
            parents.append(at)
            at = at.parent
        if any(isinstance(p, (nodes.system_message, nodes.footnote_reference, nodes.citation_reference)) for p in parents):
            continue
        code = any(isinstance(p, nodes.literal) for p in parents)
        text = child.astext()
        parts.append("`" + text + "`" if code and "`" not in text else text)
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def paragraphs(node):
    """The paragraphs of an abstract."""
    return [read(p) for p in node.findall(nodes.paragraph) if not isinstance(p.parent, nodes.system_message)]


def write(node, depth, out):
    """A section as markdown: headings, paragraphs and lists; no code, no tables, no notes at the foot."""
    for child in node.children:
        if isinstance(child, nodes.section):
            title = read(child.next_node(nodes.title))
            if title.lower() not in LEFT_OUT:
                out.append("#" * min(6, depth + 1) + " " + title)
                write(child, depth + 1, out)
        elif isinstance(child, nodes.paragraph):
            out.append(read(child))
        elif isinstance(child, (nodes.bullet_list, nodes.enumerated_list)):
            for item in child.children:
                texts = [t for t in paragraphs(item) if t]
                if texts:
                    out.append("- " + " ".join(texts))
        elif isinstance(child, (nodes.definition_list, nodes.definition_list_item, nodes.definition, nodes.block_quote, nodes.compound)):
            write(child, depth, out)


def convert(source):
    """A PEP as (title, markdown, abstract), or nothing where its author wrote no abstract."""
    head, _, body = source.partition("\n\n")
    title = re.search(r"(?m)^Title:\s*(.*(?:\n\s+.*)*)", head)
    tree = docutils.core.publish_doctree(body, settings_overrides={
        "report_level": 5, "halt_level": 6, "doctitle_xform": False, "file_insertion_enabled": False, "raw_enabled": False, "_disable_config": True})
    abstract = None
    for section in tree.findall(nodes.section):
        if read(section.next_node(nodes.title)).lower() == "abstract":
            abstract = " ".join(paragraphs(section))
            break
    if not title or not abstract or len(abstract.split()) < LEAST_WORDS:
        return None
    title = re.sub(r"\s+", " ", title.group(1)).strip()
    out = ["# " + title]
    write(tree, 1, out)
    return title, "\n\n".join(t for t in out if t) + "\n", abstract


def sources(place):
    """The files of a checkout, or of a bare repository, by name."""
    at = pathlib.Path(place)
    if (at / "peps").is_dir():
        return {f.stem: f.read_text() for f in sorted((at / "peps").glob("pep-????.rst"))}
    names = subprocess.run(["git", "-C", place, "ls-tree", "--name-only", "HEAD", "peps/"], check=True, capture_output=True, text=True).stdout.split()
    names = [n for n in names if re.fullmatch(r"peps/pep-\d{4}\.rst", n)]
    return {pathlib.Path(n).stem: subprocess.run(["git", "-C", place, "show", "HEAD:" + n], check=True, capture_output=True, text=True).stdout for n in names}


def load(place):
    """All documents, as a list of {name, text, abstract, half}; half 0 is to choose numbers on, half 1 to report."""
    out = []
    for name, source in sources(place).items():
        made = convert(source)
        if made:
            half = hashlib.sha256(name.encode()).digest()[0] % 2
            out.append({"name": name, "text": made[1], "abstract": made[2], "half": half})
    return out
