// The renderers of note apps and their plugins, and what a note does in them. Where a plugin is not
// in a package, its rule is written here beside a link to its source; what it parses with is its own.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { JSDOM } from "jsdom";
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { acting } from "./hostile.mjs";

const require = createRequire(import.meta.url);
const load = Module._load;
Module._load = (name, ...rest) => (name === "obsidian" ? {} : load(name, ...rest)); // only Obsidian has it
const dataview = require("obsidian-dataview");
const { Mldoc } = require("mldoc");

// Markdown as Obsidian shows it: HTML passes, no scheme is refused, dollars are formulas.
export const markdown = new MarkdownIt({ html: true, linkify: true });
markdown.validateLink = () => true;
markdown.inline.ruler.before("escape", "math", (state, silent) => {
  const rest = state.src.slice(state.pos);
  const m = /^\$\$([^]+?)\$\$/.exec(rest) ?? /^\$(?![\s$])((?:\\[^]|[^\\$])*?[^\s\\$])\$(?!\d)/.exec(rest);
  if (!m) return false;
  if (!silent) state.push("math", "span", 0).content = m[1];
  state.pos += m[0].length;
  return true;
});
markdown.renderer.rules.math = (tokens, i) => `<span class="math">${markdown.utils.escapeHtml(tokens[i].content)}</span>`;

const plainTags = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong b i u s del ins sub sup kbd mark small ruby rt rp br hr table thead tbody tr th td a img input span abbr".split(" "),
);
const plainAttributes = new Set(["class", "start", "align", "alt", "title", "type", "disabled", "checked"]);
const isNear = (target) => !/^\s*[a-z][a-z0-9+.-]*:/i.test(target) && !/^\s*[/\\]{2}/.test(target);
// An embed of the vault steps up at most once, at its beginning, as those of Logseq do.
const climbs = (target) => target.replace(/%2e/gi, ".").split(/[/\\]|%2f|%5c/i).slice(1).some((name) => name.trim() === "..");
const isOpen = (target) => /^(https?:|mailto:)/i.test(target);
// An address that markdown-it finds in plain text by its two slashes leads where it says, by http or https.
const isShown = (el, target) => /^\/\/\w/.test(target) && el.textContent === target;

// judgeElements names what the elements of a page load, run or link to.
function judgeElements(page) {
  const found = [];
  for (const el of page.querySelectorAll("*")) {
    const tag = el.tagName.toLowerCase();
    if (!plainTags.has(tag)) found.push(`element ${tag}`);
    for (const { name, value } of el.attributes) {
      if (name === "src" && tag === "img") isNear(value) && !climbs(value) || found.push(`loads ${value}`);
      else if (name === "href" && tag === "a") isNear(value) && !climbs(value) || isOpen(value) || isShown(el, value) || found.push(`links to ${value}`);
      else if (name === "style" && /^text-align:\s?\w+;?$/.test(value)) continue;
      else if (!plainAttributes.has(name)) found.push(`attribute ${name}`);
    }
  }
  return found.concat(judgeCode(page), judgeAttributes(page));
}

// judgeAttributes names the attributes that Obsidian's plugin for them would set.
// https://github.com/valentine195/obsidian-markdown-attributes/blob/main/src/processor.ts
function judgeAttributes(page) {
  const found = [];
  for (const el of page.querySelectorAll("p,li,td,th,h1,h2,h3,h4,h5,h6,em,strong,a")) {
    const text = [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("");
    for (const [, inner] of text.matchAll(/\{:?[ ]*([^}\n ][^}\n]*)[ ]*\}/g)) {
      for (const pair of inner.split(/\s+/)) {
        if (/^(on|style|src|href)[a-z]*=./.test(pair) || /^\.[A-Za-z]/.test(pair)) found.push(`attribute {${pair}}`);
        else if (pair.startsWith(":")) break; // no name of an attribute, and the plugin gives up
      }
    }
  }
  return found;
}

// judgeSource names what acts in the text of a note as it is spelled: for what reads it by the rules of others than
// CommonMark. Each has its source in engine/note/sanitize/acts.go.
function judgeSource(note) {
  const found = [];
  const everywhere = { modeline: /(?:^|[ \t])(?:(?:vi|[Vv]im):[ \t]*(?:set? |[a-z]+=)|ex:[ \t]*(?:set? |(?:ft|filetype|tw|s?[tw]s?|sts|fd[em]|foldexpr|syn|f?enc)=))/m, "local variables": /local variables:/i, snippet: /^[ \t]*-+8<-+/m, "included file": /!!!\s*include.+?!!!/i };
  for (const [name, form] of Object.entries(everywhere)) if (form.test(note)) found.push(name);
  const lines = note.split("\n");
  for (const token of markdown.parse(note, {})) {
    if (token.type === "fence" || token.type === "code_block") lines.fill("", token.map[0], token.map[1]);
  }
  const text = lines.join("\n");
  for (const paragraph of text.split(/\n[ \t>]*\n/)) { // code behind any run of ticks, up to the next one, or to the next equal one
    const runs = [...paragraph.matchAll(/`+/g)];
    runs.forEach((open, i) => [runs[i + 1], runs.slice(i + 1).find((run) => run[0].length === open[0].length)].forEach((end) => {
      if (!end) return;
      const code = paragraph.slice(open.index + open[0].length, end.index).replace(/\n[ \t>]*/g, "\n");
      if (computes(code.trim()) || /^(\$=|\$?dc=|(VIEW|INPUT|BUTTON)\[|emjs:|emera:|\{(python|r)\})/.test(code.trim()) || /^r(?: |#(?!"[\w .,-]*"#$))/.test(code)) found.push("span " + code);
    }));
  }
  const bare = text.replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, "");
  const forms = {
    container: /^[ \t>*+-]*:::/m, "block of HTML": /^[ \t>]*\/\/\/ *html/m, "included file": /^[ \t>]*<<[[({]|\{!\S+!\}/m,
    "raw text": /\{=\w+\}/, Lua: /(?<!\\)\$\{[^}\\]*[a-z]{2}\(/, button: /(?<!\\)\{\[/, TeX: /(?<![\\])(?:\\\\)*\\(?:input|include|write18|Newextarrow|DeclarePaired\w+|definecolor)\b/,
  };
  for (const [name, form] of Object.entries(forms)) if (form.test(bare)) found.push(name);
  for (const [, target] of bare.matchAll(/\[\[([^\]#|]+)/g)) {
    if (climbs(target) || /^\s*(\/\/|\\\\)/.test(target) || /^[a-z][a-z0-9+.-]*:\S/i.test(target) && !isOpen(target)) found.push(`leads to ${target}`);
  }
  return found;
}

// judgeCode names the code that plugins of Obsidian replace.
// https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/main.ts (dataviewInline)
// https://github.com/mProjectsCode/obsidian-meta-bind-plugin/blob/master/packages/core/src/api/API.ts
function judgeCode(page) {
  const found = [];
  for (const code of page.querySelectorAll("code")) {
    const text = code.textContent.trim();
    if (/^(\$=|\$dc=|dc=)/.test(text)) found.push("script in code");
    else if (text.startsWith("=") && parses(text.slice(1).trim())) found.push("query in code");
    if (/^(INPUT|VIEW|BUTTON)\[[^]*\]$/.test(code.textContent)) found.push("field of Meta Bind");
    const name = /^language-(\S+)/.exec(code.className)?.[1].toLowerCase();
    if (name && acting.includes(name) && code.parentElement.tagName === "PRE") found.push(`block ${name}`);
    if (/[{}]/.test(name ?? "")) found.push("block with attributes");
  }
  return found;
}

function parses(text) {
  const read = dataview.EXPRESSION.field.parse(text);
  return text !== "" && read.status && !isOfCells(read.value) && !isOfSheets(read.value);
}

// isOfCells tells numbers, and fields that are named as cells of a spreadsheet are. No answer has one, and by its very name only
// is one found: so it is the person's own. https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/expression/context.ts
const isOfCells = (field) => field.type === "variable" ? /^[A-Z]{1,2}\d{0,4}$/.test(field.name) : field.type === "literal" ? typeof field.value === "number" : field.type === "binaryop" && isOfCells(field.left) && isOfCells(field.right);

// isOfSheets tells a call by a name in capitals, of which Dataview has none: it says so and computes nothing (context.ts, evaluate).
const isOfSheets = (field) => field.type === "function" && /^[A-Z][A-Z0-9]*$/.test(field.func.name ?? "");

// computes tells an expression of Dataview from a formula of a spreadsheet, which it cannot read.
const computes = (code) => /^=\s*[^=<>~`\s]/.test(code) && (!/^=[A-Z]/.test(code) || parses(code.slice(1).trim()));

// Fields of Dataview, which are Markdown once more.
// https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/data-import/inline-field.ts
function extractFields(line) {
  const fields = [];
  for (const [open, close] of ["[]", "()"]) {
    for (let at = line.indexOf(open); at >= 0; at = line.indexOf(open, at + 1)) {
      const sep = line.indexOf("::", at + 1);
      if (sep < 0) continue;
      const key = line.slice(at + 1, sep).trim();
      if (/[[\]()]/.test(key)) continue;
      let depth = 0, escaped = false;
      for (let i = sep + 2; i < line.length; i++) {
        const c = line[i];
        if (c === "\\") { escaped = !escaped; continue; }
        if (escaped) { escaped = false; continue; }
        if (c === open) depth++;
        else if (c === close && --depth < 0) { fields.push({ key, value: line.slice(sep + 2, i).trim() }); break; }
      }
    }
  }
  return fields;
}

function judgeFields(line, readsKey) {
  const found = [];
  for (const { key, value } of extractFields(line)) {
    const parsed = dataview.EXPRESSION.inlineField.parse(value);
    const texts = [parsed.status ? parsed.value : value].flat(3).filter((v) => typeof v === "string");
    if (readsKey) texts.push(key);
    for (const text of texts) found.push(...judgeElements(JSDOM.fragment(markdown.render(text))).map((f) => "field: " + f));
  }
  return found;
}

function judgeDataview(note, page) {
  const found = [];
  if (!note.includes("::")) return found;
  for (const el of page.querySelectorAll("p,h1,h2,h3,h4,h5,h6,li,span,th,td")) found.push(...judgeFields(el.innerHTML, false));
  const lines = note.split("\n");
  for (const token of markdown.parse(note, {})) {
    if (token.type === "fence") lines.fill("", token.map[0], token.map[1]);
  }
  for (const line of lines) found.push(...judgeFields(line, true));
  return found;
}

const outline = JSON.stringify({
  toc: false, parse_outline_only: false, heading_number: false, keep_line_break: true, format: "Markdown", heading_to_list: false,
  exporting_keep_properties: false, inline_type_with_pos: false, export_md_remove_options: [], hiccup_in_block: true,
});

// judgeLogseq names what Logseq would draw or run of the tree that its parser makes.
// https://github.com/logseq/logseq/blob/master/src/main/frontend/components/block.cljs
export function judgeLogseq(note) {
  const found = [];
  const visit = (node) => {
    if (!Array.isArray(node)) return node && typeof node === "object" ? Object.values(node).forEach(visit) : undefined;
    const [kind, value] = node;
    if (["Macro", "Hiccup", "Inline_Hiccup", "Export_Snippet", "Export", "Custom"].includes(kind)) found.push(`Logseq: ${kind}`);
    if (kind === "Raw_Html" || kind === "Inline_Html") {
      if (!/^<!-- \/?agent-response -->\s*$/.test(value)) found.push(...judgeElements(JSDOM.fragment(value.replace(/<https?:[^\s<>]*>/g, ""))).map((f) => "Logseq: " + f));
    }
    if (kind === "Link" && value?.url?.[0] === "Complex") {
      const { protocol, link } = value.url[1];
      if (value.full_text.startsWith("!")) found.push(`Logseq: loads ${protocol}://${link}`);
      else if (!/^(https?|mailto)$/i.test(protocol)) found.push(`Logseq: links to ${protocol}://${link}`);
    }
    if (kind === "Property_Drawer") {
      const keys = value.map(([key]) => key.toLowerCase().replace(/["^(){}|]/g, "").replace(/_/g, "-"));
      found.push(...keys.filter((key) => ["id", "custom-id", "template"].includes(key)).map((key) => "Logseq: names a block by " + key));
    }
    if (kind === "Src" && ["dataview", "dataviewjs"].includes(value?.language)) found.push("Logseq: block");
    node.forEach(visit);
  };
  visit(JSON.parse(Mldoc.parseJson(note, outline)));
  return found;
}

const engineHome = new URL("node_modules/@silentvoid13/rusty_engine/", import.meta.url);
const engine = await import(new URL("rusty_engine.js", engineHome)); // it names no entry for Node
await engine.default(readFileSync(new URL("rusty_engine_bg.wasm", engineHome)));
const templater = new engine.Renderer(new engine.ParserConfig("<%", "%>", "\0", "*", "-", "_", "tR"));

// within is what a promise comes to, or an error when it has not come after so many seconds.
function within(seconds, promise) {
  let timer;
  const late = new Promise((_, refuse) => { timer = setTimeout(() => refuse(new Error(`no end after ${seconds} s`)), seconds * 1000); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// judgeTemplater has the engine of Templater replace the commands in a note.
async function judgeTemplater(note) {
  if (!note.includes("<%")) return [];
  globalThis.ran = 0;
  await within(2, Promise.resolve().then(() => templater.render_content(note, {}))).catch(() => {});
  return globalThis.ran ? ["Templater runs"] : [];
}

const { mathjax } = require("mathjax-full/js/mathjax.js");
const { TeX } = require("mathjax-full/js/input/tex.js");
const { AllPackages } = require("mathjax-full/js/input/tex/AllPackages.js");
const { liteAdaptor } = require("mathjax-full/js/adaptors/liteAdaptor.js");
const { RegisterHTMLHandler } = require("mathjax-full/js/handlers/html.js");
const { SerializedMmlVisitor } = require("mathjax-full/js/core/MmlTree/SerializedMmlVisitor.js");
const { STATE } = require("mathjax-full/js/core/MathItem.js");
RegisterHTMLHandler(liteAdaptor());
const formulas = mathjax.document("", { InputJax: new TeX({ packages: AllPackages.filter((name) => name !== "bussproofs"), formatError: (_, e) => { throw e; } }) });

// drawFormula is a formula as MathML, or its error.
export function drawFormula(text) {
  try {
    return new SerializedMmlVisitor().visitTree(formulas.convert(text, { end: STATE.CONVERT }));
  } catch (e) {
    return "error: " + e.message;
  }
}

// A numbered formula has an id. The person's labels, which links lead to, have one of that kind, so no letter may be in it
// but behind a space of TeX. https://github.com/mathjax/MathJax-src/blob/master/ts/input/tex/Tags.ts
function judgeFormulas(page) {
  const found = [];
  for (const el of page.querySelectorAll("span.math")) {
    const m = /\s(href|src|style|class|id|data-(?!mjx)[\w-]+)="[^"]*"/.exec(drawFormula(el.textContent).replace(/class="(?:MJX|mjx)[^"]*"|id="mjx-eqn:(?:[^"\p{L}]*|\\,[^"]*)"|style="border: \dpx solid #[0-9A-Fa-f]{3,8}"/gu, ""));
    if (m) found.push("formula:" + m[0]);
  }
  return found;
}

let mermaid;

// drawDiagram is a diagram as a page, drawn as loosely as Mermaid can. Mind maps and
// architectures are only parsed: drawing one takes a browser. A kind is loaded with its first diagram.
export async function drawDiagram(text) {
  if (!mermaid) await startMermaid();
  if (/^\s*(mindmap|architecture-beta)/.test(text)) return await mermaid.parse(text) && `<svg>${text}</svg>`;
  const { svg } = await within(60, mermaid.render("d", text));
  return svg;
}

// readMindMap are the labels of a mind map, as Mermaid's parser reads them.
export async function readMindMap(text) {
  if (!mermaid) await startMermaid();
  await mermaid.parse(text);
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  const labels = [];
  const collect = (node) => {
    labels.push(node.descr);
    node.children.forEach(collect);
  };
  collect(db.getMindmap());
  return labels;
}

async function startMermaid() {
  const { window } = new JSDOM("<!DOCTYPE html><body></body>", { pretendToBeVisual: true });
  const box = () => ({ x: 0, y: 0, width: 80, height: 20, top: 0, left: 0, right: 80, bottom: 20 });
  for (const proto of [window.SVGElement.prototype, window.Element.prototype]) {
    Object.assign(proto, { getBBox: box, getComputedTextLength: () => 80, getSubStringLength: () => 80, getTotalLength: () => 80, getPointAtLength: () => ({ x: 0, y: 0 }) });
  }
  // Mermaid waits for the images of a label; here they fail at once.
  window.HTMLImageElement.prototype.addEventListener = (type, then) => type === "error" && setTimeout(then);
  window.CSSStyleSheet ??= class {};
  for (const name of ["window", "document", "Element", "SVGElement", "HTMLElement", "Node", "DOMParser", "XMLSerializer", "CSSStyleSheet", "getComputedStyle", "requestAnimationFrame", "Option"]) {
    if (!(name in globalThis)) globalThis[name] = name === "window" ? window : window[name];
  }
  mermaid = (await import("mermaid")).default;
  mermaid.initialize({ startOnLoad: false, securityLevel: "loose", suppressErrorRendering: true, htmlLabels: true });
}

// judgeDrawing names what a drawing loads, runs or links to.
export function judgeDrawing(svg) {
  const found = [];
  for (const el of JSDOM.fragment(svg).querySelectorAll("*")) {
    const tag = el.tagName.toLowerCase();
    if (["a", "img", "image", "script", "iframe", "video", "audio", "link"].includes(tag)) found.push(`diagram: ${tag}`);
    for (const { name, value } of el.attributes) {
      if (/^on/.test(name) || /url\(\s*["']?(?!#)/i.test(value) || /^(xlink:)?href$/.test(name) && !value.startsWith("#")) found.push(`diagram: ${name}`);
    }
    if (tag === "style" && /url\(\s*["']?(?!#)|@import/i.test(el.textContent)) found.push("diagram: style");
    if (el.classList.contains("clickable")) found.push("diagram: click");
  }
  return found;
}

async function judgeDiagrams(page) {
  const found = [];
  for (const code of page.querySelectorAll("pre > code.language-mermaid")) {
    let svg;
    try {
      svg = await drawDiagram(code.textContent);
    } catch {
      continue; // an error is shown, and nothing is drawn
    }
    found.push(...judgeDrawing(svg));
  }
  return found;
}

// judge names what a note loads, runs or links to in any of the apps.
export async function judge(note) {
  const page = JSDOM.fragment(markdown.render(note.replace(/^[ >]*<!-- \/?agent-response -->$/gm, "")));
  const other = JSDOM.fragment(marked.parse(note.replace(/^[ >]*<!-- \/?agent-response -->$/gm, ""), { gfm: true }));
  return [
    ...judgeSource(note), ...judgeElements(page), ...judgeElements(other).map((f) => "marked: " + f), ...judgeDataview(note, page),
    ...judgeLogseq(note), ...judgeFormulas(page), ...await judgeTemplater(note), ...await judgeDiagrams(page),
  ];
}
