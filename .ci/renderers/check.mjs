// Puts hostile and ordinary answers into notes, answers that define names into notes that have such names, and headings
// into mind maps, and reads them as the note apps do:
//   node check.mjs PROGRAM FOLDER [-v], where FOLDER has good.txt and daily.txt
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import katex from "katex";
import { Marked } from "marked";
import { unified } from "unified";
import remarkParse from "remark-parse";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkRehype from "remark-rehype";
import rehypeStringify from "rehype-stringify";
import { drawDiagram, drawFormula, judge, judgeLogseq, markdown, readMindMap } from "./apps.mjs";
import { listHeadings, listHostile } from "./hostile.mjs";
import { findMisled } from "./names.mjs";
import { listOrdinary } from "./ordinary.mjs";

const program = process.argv[2];
const folder = process.argv[3];
const tells = process.argv.includes("-v");

function place(answers) {
  const input = JSON.stringify(answers.map((a) => a.text));
  return JSON.parse(execFileSync(program, { input, maxBuffer: 1 << 28 }).toString());
}

function report(what, answer, clean, why) {
  if (tells || shown++ < 20) console.log(`${what} (${answer.kind}): ${why}\n  in  ${JSON.stringify(answer.text)}\n  out ${JSON.stringify(clean)}`);
}
let shown = 0;

// checkHostile counts the answers that act as they came, and those that act in a note.
async function checkHostile() {
  const answers = listHostile();
  const placed = place(answers);
  let acting = 0, through = 0;
  for (const [i, answer] of answers.entries()) {
    if ((await judge(answer.text)).length) acting++;
    for (const [n, note] of placed[i].notes.entries()) {
      const found = n === 0 || n === 1 + i % 2 ? await judge(note) : judgeLogseq(note); // to which places matter
      if (found.length) {
        through++;
        report("acts", answer, placed[i].clean, [...new Set(found)].join("; "));
        break;
      }
    }
  }
  console.log(`${answers.length} hostile answers, ${acting} of which act as they come: ${through} act in a note`);
  return through === 0 && acting >= 600;
}

// A comment in a formula is to be shown: in prices such as "$5, 10% of $50" a formula is none.
const showComments = (tex) => tex.replace(/(?<!\\)%/g, "\\%");

// looksOf is a page without what no eye sees: spaces in formulas.
function looksOf(html) {
  const page = JSDOM.fragment(html);
  for (const el of page.querySelectorAll("span.math")) el.textContent = drawFormula(showComments(el.textContent));
  const box = new JSDOM("").window.document.createElement("div");
  box.append(...page.childNodes);
  return box.innerHTML.trim();
}

// A model that writes <none> means these letters: tags that no answer may have are shown as they are spelled.
const isKept = (html) => /^<\/?(?:abbr|b|i|em|strong|u|s|span|sub|sup|kbd|mark|del|ins|small|ruby|rt|rp|br) ?\/?>$/i.test(html);
const undress = (html) => html.replace(/^<(abbr|span|sub|sup|kbd|mark|u)[ \t][^<>`\n]*>$/i, "<$1>"); // without the attributes, which no answer may have
const spell = (html) => (isKept(undress(html)) ? undress(html) : html.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));
const marked = new Marked({ renderer: { html: ({ text }) => spell(text) } });
const renderAsMeant = (text) => {
  markdown.renderer.rules.html_inline = (tokens, i) => spell(tokens[i].content);
  const page = markdown.render(text);
  markdown.renderer.rules.html_inline = (tokens, i) => tokens[i].content;
  return page;
};
const spellTags = () => (tree) => {
  const visit = (node) => {
    if (node.type === "raw" && !isKept(node.value = undress(node.value))) node.type = "text";
    (node.children ?? []).forEach(visit);
  };
  visit(tree);
};
const remark = unified().use(remarkParse).use(remarkGfm).use(remarkMath).use(remarkRehype, { allowDangerousHtml: true }).use(spellTags).use(rehypeStringify, { allowDangerousHtml: true });

// looksInKaTeX is a page of remark with its formulas as KaTeX draws them; how they are spelled is no part of it.
function looksInKaTeX(text) {
  const page = JSDOM.fragment(String(remark.processSync(text)));
  for (const el of page.querySelectorAll("code.language-math")) {
    el.outerHTML = katex.renderToString(showComments(el.textContent), { throwOnError: false, strict: false, displayMode: el.classList.contains("math-display") })
      .replace(/<annotation[^>]*>[^]*?<\/annotation>| title="[^"]*"/g, "");
  }
  const box = new JSDOM("").window.document.createElement("div");
  box.append(...page.childNodes);
  return box.innerHTML.trim();
}

// listGood are the answers of the files that the tests of the sanitizer read, too.
function listGood() {
  return ["good.txt", "daily.txt"].flatMap((name) => `\n${readFileSync(join(folder, name), "utf8")}`.split("\n§ ").slice(1).map((part) => {
    const end = part.indexOf("\n");
    return { kind: "of every day", text: part.slice(end + 1).trimEnd().replace(/\\u\{([0-9A-F]+)\}/g, (_, n) => String.fromCodePoint(parseInt(n, 16))) };
  }));
}

// A space that begins a paragraph is not seen.
const trimSpaces = (html) => html.trim().replace(/<p> /g, "<p>");

async function drawOrTell(code) {
  try {
    return (await drawDiagram(code)).includes("<svg") ? "" : "no diagram";
  } catch (e) {
    return "a diagram that was none: " + e.message;
  }
}

async function whatIsSpoilt(text, clean) {
  if (renderAsMeant(text) !== renderAsMeant(clean) && looksOf(renderAsMeant(text)) !== looksOf(renderAsMeant(clean))) return "looks different";
  if (!text.includes("$") && trimSpaces(marked.parse(text)) !== trimSpaces(marked.parse(clean))) return "marked: looks different";
  if (looksInKaTeX(text) !== looksInKaTeX(clean)) return "remark and KaTeX: looks different";
  const page = JSDOM.fragment(markdown.render(clean));
  for (const code of page.querySelectorAll("pre > code.language-mermaid")) {
    const why = await drawOrTell(code.textContent);
    if (why) return why;
  }
  for (const el of page.querySelectorAll("span.math")) {
    if (drawFormula(el.textContent).startsWith("error")) return "a formula that is none: " + el.textContent;
  }
  return "";
}

async function checkOrdinary() {
  const answers = [...listOrdinary(), ...listGood()];
  const placed = place(answers);
  let spoilt = 0;
  const kinds = {};
  for (const [i, answer] of answers.entries()) {
    kinds[answer.kind] = (kinds[answer.kind] ?? 0) + 1;
    const why = await whatIsSpoilt(answer.text, placed[i].clean) || (await judge(placed[i].notes[0])).join("; ");
    if (why) {
      spoilt++;
      report("spoilt", answer, placed[i].clean, why);
    }
  }
  console.log(`${answers.length} ordinary answers (${Object.entries(kinds).map(([k, n]) => `${n} ${k}`).join(", ")}): ${spoilt} spoilt`);
  return spoilt === 0 && answers.length >= 700;
}

// checkMaps reads our mind maps of hostile headings with Mermaid's own parser: each is one, and its
// labels are nothing but text.
async function checkMaps() {
  const headings = listHeadings();
  const maps = JSON.parse(execFileSync(program, ["maps"], { input: JSON.stringify(headings) }).toString());
  let drawn = 0, wrong = 0;
  for (const [i, text] of maps.entries()) {
    const codes = [...JSDOM.fragment(markdown.render(text)).querySelectorAll("pre > code.language-mermaid")];
    if (text === "") continue; // the heading was empty as it is read
    let why = codes.length === 1 ? "" : "no diagram of its own";
    try {
      const labels = why ? [] : await readMindMap(codes[0].textContent);
      drawn++;
      const acts = labels.find((l) => /[<>`]|!\[|\]\(|\burl\(|%%/i.test(l));
      why ||= acts ? `the label ${acts}` : labels.length < 3 ? "topics are missing" : (await judge(text.replace(/\[\[[^[\]]*\]\]/g, "link"))).join("; "); // links between notes are none to others
    } catch (e) {
      why = "it does not parse: " + e.message;
    }
    if (why) {
      wrong++;
      report("map", { kind: "heading", text: headings[i] }, text, why);
    }
  }
  console.log(`${headings.length} hostile headings, ${drawn} mind maps: ${wrong} wrong`);
  return wrong === 0 && drawn >= 200;
}

// checkNames reads random notes with references before and after an answer that has such names too.
function checkNames() {
  const { seed, notes } = JSON.parse(execFileSync(program, ["names", "10000"], { maxBuffer: 1 << 28 }).toString());
  let misled = 0, taking = 0;
  for (const note of notes) {
    const [why, asItCame] = findMisled(note.before, note.after, note.raw);
    if (asItCame.length) taking++;
    if (why.length) {
      misled++;
      report("misleads", { kind: "names", text: note.after }, note.before, why.join("; "));
    }
  }
  console.log(`${notes.length} notes with references answered (seed: TEST_SEED=${seed}), ${taking} of which would lead elsewhere by the answer as it came: ${misled} lead elsewhere`);
  return misled === 0 && notes.length === 10000 && taking >= 2000;
}

const results = [checkNames(), await checkHostile(), await checkOrdinary(), await checkMaps()];
process.exit(results.every(Boolean) ? 0 : 1);
