// Opens what the Broadcaster has made in the programs it is for:
//   node check.mjs FOLDER CHROMIUM [SHOTS]
// FOLDER has vaults with Agent/Presentations and made.json, the answers; .ci/broadcast makes them.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Marp } from "@marp-team/marp-core";
import Ajv from "ajv";
import { readAnkiPackage } from "anki-reader";
import MarkdownIt from "markdown-it";
import puppeteer from "puppeteer-core";

const [folder, chromium, shots] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const packages = join(import.meta.dirname, "node_modules");
const counts = {};
let wrong = 0;

function count(what, n = 1) {
  counts[what] = (counts[what] ?? 0) + n;
}

function report(file, why) {
  wrong++;
  console.log(`${file}: ${why}`);
}

const markdown = new MarkdownIt({ html: true });
const isCanvas = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(require("./canvas.schema.json"));
const lettersOf = (text) => text.replace(/[^\p{L}\p{N}]/gu, "");

// headingsOf are the headings of a note as CommonMark has them, each with those above it, by their letters.
function headingsOf(text) {
  const list = [];
  const tokens = markdown.parse(text.replace(/^---\n[^]*?\n---\n/, ""), {});
  tokens.forEach((t, i) => t.type === "heading_open" && list.push({ level: +t.tag[1], name: lettersOf(tokens[i + 1].content) }));
  return list;
}

// leadsSomewhere reports whether a note has a heading with the others of the path above it, in that order.
function leadsSomewhere(text, subpath) {
  const path = subpath.split("#").slice(1).map(lettersOf);
  let at = 0, level = 0;
  for (const h of headingsOf(text)) {
    if (at > 0 && h.level <= level) at = 0;
    if (h.name === path[at]) {
      level = h.level;
      if (++at === path.length) return true;
    }
  }
  return false;
}

function checkCanvas(root, file, text) {
  const canvas = JSON.parse(text);
  if (!isCanvas(canvas)) return report(file, JSON.stringify(isCanvas.errors));
  const ids = [...canvas.nodes, ...canvas.edges].map((x) => x.id);
  if (new Set(ids).size !== ids.length) report(file, "two have the same id");
  canvas.nodes.forEach((n, i) => {
    for (const o of canvas.nodes.slice(0, i)) {
      if (n.x < o.x + o.width && o.x < n.x + n.width && n.y < o.y + o.height && o.y < n.y + n.height) report(file, `${n.id} lies on ${o.id}`);
    }
    if (n.type !== "file") return;
    count("cards that open a note");
    if (n.file.startsWith("/") || n.file.split("/").includes("..") || !existsSync(join(root, n.file))) report(file, `there is no ${n.file}`);
    else if (n.subpath && !leadsSomewhere(readFileSync(join(root, n.file), "utf8"), n.subpath)) report(file, `${n.file} has no ${n.subpath}`);
  });
  for (const e of canvas.edges) {
    if (![e.fromNode, e.toNode].every((id) => canvas.nodes.some((n) => n.id === id))) report(file, `the line ${e.id} hangs`);
  }
  count("canvases");
}

// checkDeck reads a deck for Anki, which has as many cards as the file for spreadsheets has lines.
async function checkDeck(file, data, tsv) {
  const { collection } = await readAnkiPackage(new Blob([data]));
  const decks = Object.values(collection.getDecks()).filter((d) => d.getRawDeck().name !== "Default");
  const cards = decks.flatMap((d) => Object.values(d.getCards()));
  const lines = tsv.split("\n").filter((l) => l && !l.startsWith("#")).length;
  if (decks.length !== 1 || cards.length !== lines || cards.length === 0) report(file, `${decks.length} decks with ${cards.length} cards, ${lines} lines beside them`);
  for (const c of cards) {
    if (/<(?!\/?(b|i)>)/.test(JSON.stringify(c.getFields?.() ?? "")) ) report(file, "a card has HTML");
  }
  count("cards", cards.length);
}

// openPage opens a page that may ask for nothing but itself.
async function openPage(browser, file, url) {
  const page = await browser.newPage();
  page.on("request", (r) => r.url() !== url && !r.url().startsWith("data:") && !r.url().startsWith("blob:") && report(file, `it asks for ${r.url()}`));
  page.on("console", (m) => /error|warn/.test(m.type()) && report(file, `on the console: ${m.text()}`));
  page.on("pageerror", (e) => report(file, `it fails: ${e.message}`));
  page.on("dialog", (d) => { report(file, `it says ${d.message()}`); d.dismiss(); });
  await page.goto(url);
  return page;
}

// judge reports what is shown that loads, runs or leads where no note is.
async function judge(page, file, where) {
  const found = await page.evaluate((where) => [...document.querySelectorAll(where + " *")].filter((el) =>
    /^(script|style|iframe|frame|img|image|object|embed|link|meta|base|form|input|button|video|audio|source)$/i.test(el.localName) ||
    [...el.attributes].some((a) => /^on/i.test(a.name) || /^\s*(javascript|data|vbscript|file):/i.test(a.value) || /url\(/i.test(a.value))).map((el) => el.outerHTML.slice(0, 200)), where);
  for (const el of found) report(file, `it has ${el}`);
}

// shoot keeps how a page looks, where somebody wants to see it.
async function shoot(page, file) {
  if (!shots) return;
  await page.bringToFront(); // another page is not drawn
  await page.screenshot({ path: join(shots, file.replaceAll("/", "-") + ".png"), fullPage: true });
}

// checkSlides shows slides in Marp, in reveal.js, which is what Obsidian shows them with, and the page that opens by itself.
async function checkSlides(browser, file, text, answer, path) {
  const said = +(/, (\d+) slides? from /.exec(answer)?.[1] ?? NaN);
  const { html } = new Marp({ script: false, math: false, emoji: { unicode: false } }).render(text); // else its own script and images are there
  const inMarp = html.match(/<section\b/g)?.length;
  const marp = await openPage(browser, file, "about:blank");
  await marp.setContent(html);
  await judge(marp, file, "section");
  await marp.close();
  const inReveal = await countInReveal(browser, file, text);
  const page = await openPage(browser, file, pathToFileURL(path).href);
  const onPage = await page.evaluate(() => document.querySelectorAll("section").length);
  const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
  if (isCut) report(file, "a slide is wider than the screen");
  await shoot(page, file);
  await page.close();
  if (![inMarp, inReveal, onPage].every((n) => n === said)) report(file, `${said} slides are said: ${inMarp} in Marp, ${inReveal} in reveal.js, ${onPage} on the page`);
  count("slides", said);
}

async function countInReveal(browser, file, text) {
  const reveal = await openPage(browser, file, "about:blank");
  await reveal.setContent(`<div class="reveal"><div class="slides"><section data-markdown></section></div></div>`);
  await reveal.addScriptTag({ path: join(packages, "reveal.js/dist/reveal.js") });
  await reveal.addScriptTag({ path: join(packages, "reveal.js/dist/plugin/markdown.js") });
  const total = await reveal.evaluate(async (body) => {
    const template = document.createElement("script");
    template.type = "text/template";
    template.textContent = body.replaceAll("</script>", "__SCRIPT_END__");
    document.querySelector("section").append(template);
    const deck = new Reveal({ plugins: [RevealMarkdown], embedded: true });
    await deck.initialize();
    return deck.getTotalSlides();
  }, text.replace(/^---\n[^]*?\n---\n/, ""));
  await judge(reveal, file, "section");
  await reveal.close();
  return total;
}

let drawer;
async function checkMap(browser, file, text) {
  if (!drawer) {
    drawer = await openPage(browser, "mermaid", "about:blank");
    await drawer.addScriptTag({ path: join(packages, "mermaid/dist/mermaid.min.js") });
    await drawer.evaluate(() => mermaid.initialize({ startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true }));
  }
  const codes = markdown.parse(text, {}).filter((t) => t.type === "fence" && t.info === "mermaid");
  if (codes.length !== 1) return report(file, `${codes.length} diagrams`);
  const found = await drawer.evaluate(async (code) => {
    try {
      const { svg } = await mermaid.render("d", code);
      document.body.innerHTML = svg;
      return document.querySelectorAll("g.mindmap-node, g.node").length || "no topics are drawn";
    } catch (e) {
      return e.message;
    }
  }, codes[0].content);
  if (typeof found !== "number") return report(file, `Mermaid: ${found}`);
  await shoot(drawer, file);
  count("diagrams");
  count("topics", found);
}

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"], defaultViewport: { width: 1280, height: 720 } });
try {
  for (const vault of readdirSync(folder)) {
    const root = join(folder, vault), shelf = join(root, "Agent", "Presentations");
    const answers = JSON.parse(readFileSync(join(root, "made.json"), "utf8"));
    for (const name of readdirSync(shelf)) {
      const path = join(shelf, name), file = `${vault}/${name}`, base = path.slice(0, -extname(name).length);
      const answer = answers.findLast((a) => a.Answer.includes(`[[Agent/Presentations/${basename(base)}|`))?.Answer;
      if (name.endsWith(".canvas")) checkCanvas(root, file, readFileSync(path, "utf8"));
      if (name.endsWith(".apkg")) await checkDeck(file, readFileSync(path), readFileSync(base + ".tsv", "utf8"));
      if (name.endsWith("-mind-map.md")) await checkMap(browser, file, readFileSync(path, "utf8"));
      if (name.endsWith("-slides.html")) await checkSlides(browser, file, readFileSync(base + ".md", "utf8"), answer ?? "", path);
      count("files");
    }
  }
} finally {
  await browser.close();
}
console.log(Object.entries(counts).map(([what, n]) => `${n} ${what}`).join(", ") + `; ${wrong} wrong`);
for (const [what, least] of Object.entries({ canvases: 15, cards: 50, diagrams: 15, slides: 100 })) {
  if (!(counts[what] >= least)) report("all", `only ${counts[what]} ${what}`);
}
process.exit(wrong ? 1 : 0);
