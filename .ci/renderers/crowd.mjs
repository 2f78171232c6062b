// Answers of a generator (engine/note/testdata/samples/attack.go) in parsers with the extensions that people add to them.
// Whatever becomes an element, an attribute or an address that no answer may have is a fault:
//   node crowd.mjs PROGRAM SEED [READER COUNT]...
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { unified } from "unified";
import remarkParse from "remark-parse";
import remarkGfm from "remark-gfm";
import remarkDirective from "remark-directive";
import remarkMath from "remark-math";
import remarkRehype from "remark-rehype";
import rehypeStringify from "rehype-stringify";
import { drawDiagram, judgeDrawing } from "./apps.mjs";

const require = createRequire(import.meta.url);
const use = (name) => { const m = require(name); return m.default ?? m.full ?? m; };

const secrets = mkdtempSync(join(tmpdir(), "crowd-"));
for (const name of ["secret.md", "x", "a.png"]) writeFileSync(join(secrets, name), "INCLUDED\n");

// markdown-it with what is common: attributes, containers of any name, lists of definitions, marks, videos, PlantUML, files.
const any = { validate: () => true, render: (tokens, i) => (tokens[i].nesting === 1 ? "<section>" : "</section>") };
const rich = new MarkdownIt({ html: true, linkify: true, typographer: true });
rich.validateLink = () => true;
for (const name of ["footnote", "abbr", "deflist", "sub", "sup", "ins", "mark", "task-lists", "bracketed-spans", "multimd-table", "video", "plantuml"]) rich.use(use("markdown-it-" + name));
rich.use(require("markdown-it-emoji").full).use(use("markdown-it-attrs")).use(use("markdown-it-container"), "any", any);
rich.use(use("markdown-it-include"), { root: secrets, throwError: false, getRootDir: () => secrets });
const other = new MarkdownIt({ html: true }).use(use("markdown-it-attrs"), { leftDelimiter: "{:", rightDelimiter: "}" }).use(use("markdown-it-container"), "bang", { ...any, marker: "!" }).use(use("markdown-it-container"), "plus", { ...any, marker: "+" });
other.validateLink = () => true;

// remark: a directive with attributes or of its own lines is a call; `:name` alone is what a colon in text is to it.
const calls = () => (tree) => {
  const visit = (node) => {
    const isCall = node.type === "leafDirective" || node.type === "containerDirective" || node.type === "textDirective" && Object.keys(node.attributes ?? {}).length;
    if (isCall) Object.assign(node, { data: { hName: "call", hProperties: node.attributes } });
    (node.children ?? []).forEach(visit);
  };
  visit(tree);
};
const remark = unified().use(remarkParse).use(remarkGfm).use(remarkMath).use(remarkDirective).use(calls).use(remarkRehype, { allowDangerousHtml: true }).use(rehypeStringify, { allowDangerousHtml: true });

const tag = /<\/?(p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|b|i|u|s|del|ins|sub|sup|kbd|mark|small|ruby|rt|rp|abbr|br|hr|caption|table|thead|tbody|tr|th|td|a|img|input|label|dl|dt|dd|section|span|div)((?:[ \t\n]+[^ \t\n"<>\/=]+(?:="[^"]*"|=[^\s"'<>]+)?)*)[ \t\n]*\/?>/y;
const attribute = /([^ \t\n"<>\/=]+)(?:=(?:"([^"]*)"|([^\s"'<>]+)))?/g;
const values = {
  class: /^(\{|\d+(\.\d+)?|language-\S*|math math-(inline|display)|language-math.*|footnotes(-list|-sep)?|footnote(s|-ref|-item|-backref)|data-footnote-backref|sr-only|extend|contains-task-list|task-list-item(-checkbox| enabled)?|)$/, id: /^(fn(ref)?\d+(:\d+)?|user-content-fn(ref)?-.*|footnote-label)$/,
  style: /^text-align:\s?(left|right|center)$/, type: /^checkbox$/, start: /^\d+$/, align: /^(left|right|center)$/, rowspan: /^\d+$/, colspan: /^\d+$/,
};
const free = new Set(["title", "alt", "disabled", "checked", "data-footnote-ref", "data-footnote-backref", "data-footnotes", "aria-describedby", "aria-label"]);
const acting = new Set(["href", "src", "hidden", "inert", "popover", "autofocus", "contenteditable", "download"]); // without a value, too
const climbs = (to) => to.split(/[#?]/)[0].replace(/%2e/gi, ".").split(/[/\\]|%2f|%5c/i).slice(1).some((name) => name.trim() === "..");
const decode = (text) => text.replace(/&#(x?)([0-9a-f]+);/gi, (_, x, n) => String.fromCodePoint(parseInt(n, x ? 16 : 10))).replace(/&colon;/g, ":").replace(/&amp;/g, "&");
const scheme = (to) => /^[\s\x00-\x1f]*([a-z][a-z0-9+.-]*):/i.exec(to.replace(/[\t\n\r]/g, ""))?.[1].toLowerCase();

function isPlainAttribute(name, key, coded, text) {
  const value = decode(coded);
  if (name === "caption" && (key === "id" || value === "caption-side: bottom")) return true; // named by its own words, like a heading
  if (value === "" && !acting.has(key) || /[^\w:.@#*-]|.[@#*]|^[^a-z]*$|^[a-z]$/.test(key.replace(/\[[^[\]]*\]|\([^()]*\)/g, ""))) return true; // a name alone, or one that nothing has: HTML has none of one letter, and \sum_{i=1} stays; signs of frameworks begin theirs
  if (key === "href" || key === "src") {
    if (/^#(fn|user-content-fn)/.test(value)) return true;
    const by = scheme(value);
    if (name === "a" && ["http", "https", "mailto"].includes(by)) return true;
    return !by && (!/^\s*[/\\]{2}/.test(value) || name === "a" && text.startsWith("//")) && !climbs(value);
  }
  return free.has(key) || (values[key]?.test(value.trim()) ?? false); // a class without a name is none
}

// actsIn names what of a page is none of what an answer may have.
export function actsIn(page) {
  const found = [];
  if (page.includes("INCLUDED")) found.push("a file");
  let next = 0;
  for (let i = page.indexOf("<"); i >= 0; i = page.indexOf("<", next)) {
    next = i + 1;
    if (/^<!-- \/?agent-response -->/.test(page.slice(i, i + 32))) continue;
    tag.lastIndex = i;
    const m = tag.exec(page);
    if (!m || m[1] === "section" && !/footnotes/.test(m[0]) && !m[0].startsWith("</")) { found.push(page.slice(i, i + 60)); continue; }
    next = tag.lastIndex;
    for (const [, key, a, b] of m[2].matchAll(attribute)) if (!isPlainAttribute(m[1], key.toLowerCase(), a ?? b ?? "", page.slice(next, next + 200))) found.push(m[0]);
  }
  return found;
}

const readers = {
  "markdown-it": (text) => [...actsIn(rich.render(text)), ...actsIn(other.render(text))],
  marked: (text) => actsIn(marked.parse(text)),
  remark: (text) => actsIn(String(remark.processSync(text))),
  mermaid: async (text) => {
    const code = /^```mermaid\n([^]*)\n```$/.exec(text);
    if (!code) return []; // it is text now
    try { return judgeDrawing(await drawDiagram(code[1])); } catch { return []; } // an error is shown, and nothing is drawn
  },
};

const [program, seed, ...wanted] = process.argv.slice(2);
let failed = false;
for (let k = 0; k < wanted.length; k += 2) {
  const [name, count, start] = [wanted[k], Number(wanted[k + 1]), Date.now()];
  let faults = 0, acted = 0, looked = 0, read = 0;
  const failing = (text) => [`the reader fails: ${text}`];
  for (let from = 0; from < count && faults < 20; from += 5000) {
    const many = String(Math.min(5000, count - from));
    const pairs = JSON.parse(execFileSync(program, [name === "mermaid" ? "diagrams" : "attacks", seed, String(from), many], { maxBuffer: 1 << 28 }).toString());
    for (const [i, { raw, clean }] of pairs.entries()) {
      read++;
      if (i % 4 === 0) { // the judge can tell
        looked++;
        let found;
        try { found = await readers[name](raw); } catch { found = ["?"]; }
        if (found.length) acted++;
      }
      let found;
      try { found = await readers[name](clean); } catch (e) { found = failing(e.message); }
      if (found.length && faults++ < 20) console.log(`${name}, number ${from + i}: ${JSON.stringify(found)}\n  in  ${JSON.stringify(raw)}\n  out ${JSON.stringify(clean)}`);
    }
  }
  console.log(`${name}: ${read} answers of the generator (seed: TEST_SEED=${seed}), ${acted} of ${looked} act as they come: ${faults} act; ${Math.round((Date.now() - start) / 1000)} s`);
  if (faults || acted < looked / 20) failed = true;
}
process.exit(failed ? 1 : 0);
