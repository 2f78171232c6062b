// Where what a person wrote in a note leads, as the renderers of note apps read it: links, pictures, footnotes and
// abbreviations, without what answers hold.
import MarkdownIt from "markdown-it";
import abbreviations from "markdown-it-abbr";
import footnotes from "markdown-it-footnote";
import { Marked } from "marked";
import markedFootnotes from "marked-footnote";
import { markdown } from "./apps.mjs";

const rich = new MarkdownIt({ html: true, linkify: true }).use(footnotes).use(abbreviations);
const plain = new Marked();
const noted = new Marked().use(markedFootnotes());

const readers = {
  "markdown-it": (note) => markdown.render(note),
  "markdown-it with footnotes and abbreviations": (note) => rich.render(note),
  marked: (note) => plain.parse(note),
  "marked with footnotes": (note) => noted.parse(note),
};

const blocks = /<!-- agent-response -->[^]*?<!-- \/agent-response -->/g;
const target = /(?:href|src|title)="([^"]*)"/g;
const item = /<li id="((?:fn|footnote-)[^"]*)"[^>]*>([^]*?)<\/li>/g;
const numbered = /<sup[^>]*>[^]*?<\/sup>|<a [^>]*(?:footnote-backref|data-footnote-backref)[^>]*>[^]*?<\/a>/g; // numbers and arrows change with the footnotes above

function leads(html) {
  const [page, ...rest] = html.split(/<section class="footnotes"/);
  const items = new Map([...rest.join("").matchAll(item)].map(([, id, text]) => ["#" + id, text]));
  const tell = (text, depth) => [...text.matchAll(target)].map(([, to]) => {
    if (/^#(?:fnref|footnote-ref)|^#footnote-label$/.test(to)) return "";
    if (!items.has(to)) return to;
    const note = items.get(to);
    return `note (${note.replace(numbered, "").replace(/<[^>]*>/g, "").trim()}: ${depth > 2 ? "..." : tell(note, depth + 1)})`;
  }).filter(Boolean).join("\n");
  return tell(page.replace(blocks, ""), 0);
}

// findMisled tells for each version of a note for which readers something of the person leads elsewhere than before.
export function findMisled(before, ...versions) {
  const had = Object.entries(readers).map(([name, read]) => ({ name, read, to: leads(read(before)) }));
  return versions.map((version) => had.flatMap(({ name, read, to }) => {
    const now = leads(read(version));
    return to === now ? [] : [`${name}: led to\n${to}\nand now to\n${now}`];
  }));
}
