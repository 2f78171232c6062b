"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// main.ts
var main_exports = {};
__export(main_exports, {
  default: () => VaultDispatcher
});
module.exports = __toCommonJS(main_exports);
var import_obsidian3 = require("obsidian");
var import_state2 = require("@codemirror/state");
var import_view2 = require("@codemirror/view");

// engine.ts
var import_obsidian = require("obsidian");
var PROGRESS = /^[\s>]*<!-- agent-progress: (.*) \([0-9a-z]{1,32}\.[0-9a-f]{8}\) -->\s*$/;
var FIRST_PAUSE = 1e3;
var LONGEST_PAUSE = 60 * 1e3;
var SILENCE = 30 * 1e3;
var PATIENCE = 10 * 1e3;
var MOST_READ = 16 << 20;
var MOST_KEPT = 1e3;
var isProposal = (p) => [p.id, p.diff, p.seen].every((text) => typeof text === "string" && text);
var asText = (value) => String(value);
function plain(text, most) {
  const line = asText(text ?? "").split(/[\s\p{Cc}\p{Cf}]+/u).filter(Boolean).join(" ");
  const letters = Array.from(line);
  return letters.length > most ? letters.slice(0, most - 1).join("") + "\u2026" : line;
}
var read = (text) => JSON.parse(text, (key, value) => key === "toString" || key === "valueOf" ? void 0 : value);
var asList = (value) => Array.isArray(value) ? value.filter((one) => one && typeof one === "object") : [];
async function loadNode() {
  if (!import_obsidian.Platform.isDesktop) throw new Error("this is no desktop");
  const [fs, http, os, path, process] = await Promise.all([Promise.resolve().then(() => __toESM(require("fs"), 1)), Promise.resolve().then(() => __toESM(require("http"), 1)), Promise.resolve().then(() => __toESM(require("os"), 1)), Promise.resolve().then(() => __toESM(require("path"), 1)), Promise.resolve().then(() => __toESM(require("process"), 1))]);
  return { fs, http, os, path, process };
}
function stateFolders({ os, path, process: { env } }) {
  const usual = import_obsidian.Platform.isWin ? env.LOCALAPPDATA : path.join(os.homedir(), import_obsidian.Platform.isMacOS ? "Library/Application Support" : ".local/state");
  return [env.XDG_STATE_HOME ?? "", usual ?? ""].filter((dir) => path.isAbsolute(dir)).map((dir) => path.join(dir, "vault-dispatcher"));
}
function listensHere({ fs, os }, port) {
  if (!import_obsidian.Platform.isLinux) return true;
  let table;
  try {
    table = fs.readFileSync("/proc/net/tcp", "latin1");
  } catch {
    return true;
  }
  const local = "0100007F:" + port.toString(16).toUpperCase().padStart(4, "0");
  const row = table.split("\n").map((line) => line.trim().split(/\s+/)).find((cell) => cell[1] === local && cell[3] === "0A");
  return row !== void 0 && [0, os.userInfo().uid].includes(Number(row[7]));
}
function findEngine(node) {
  const { fs, os, path } = node;
  for (const dir of stateFolders(node)) {
    try {
      const file = path.join(dir, "token"), info = fs.lstatSync(file);
      if (!info.isFile() || !import_obsidian.Platform.isWin && (info.mode & 63 || info.uid !== os.userInfo().uid)) continue;
      const token = fs.readFileSync(file, "latin1"), port = Number(fs.readFileSync(path.join(dir, "port"), "latin1").trim());
      if (/^[0-9a-f]{64}$/.test(token) && Number.isInteger(port) && port > 0 && port < 65536 && listensHere(node, port)) return { port, token };
    } catch {
      continue;
    }
  }
  return null;
}
var Refused = class extends Error {
  constructor(words, reply = {}) {
    super(words);
    this.reply = reply;
  }
  reply;
};
var Engine = class {
  constructor(node, changed) {
    this.node = node;
    this.changed = changed;
  }
  node;
  changed;
  status = null;
  // null = it is away
  records = /* @__PURE__ */ new Map();
  asked = /* @__PURE__ */ new Set();
  // notes whose dispatches were asked for
  proposals = /* @__PURE__ */ new Map();
  stale = true;
  // the proposals may be others now
  listing = false;
  requests = /* @__PURE__ */ new Set();
  pause = FIRST_PAUSE;
  place = null;
  ended = false;
  timer = 0;
  start() {
    this.place = findEngine(this.node);
    if (!this.place) return this.retry();
    const request = this.open("GET", "/vault-mind/events", null, SILENCE, (response) => {
      if (response.statusCode !== 200 || response.headers.server !== "vault-dispatcher") return request.destroy();
      let text = "";
      response.setEncoding("utf8").on("error", () => {
      }).on("data", (piece) => {
        const messages = (text + piece).split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) this.take(message);
        if (text.length > MOST_READ) request.destroy();
      });
    });
    request.on("error", () => {
    }).on("close", () => this.retry());
  }
  retry() {
    if (this.ended) return;
    this.place = null;
    if (this.status) {
      this.status = null;
      this.records.clear();
      this.proposals.clear();
      this.changed();
    }
    this.timer = window.setTimeout(() => this.start(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }
  stop() {
    this.ended = true;
    window.clearTimeout(this.timer);
    for (const request of this.requests) request.destroy();
  }
  // take updates what is known by one message of the stream.
  take(message) {
    const fields = new Map(message.split("\n").map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 2)]));
    let data;
    try {
      data = read(fields.get("data") ?? "");
    } catch {
      return;
    }
    if (!data || typeof data !== "object") return;
    if (fields.get("event") === "snapshot") {
      this.pause = FIRST_PAUSE;
      this.status = data;
      this.records = new Map(asList(this.status.dispatches).map((d) => [d.id, d]));
      this.asked.clear();
      this.stale = true;
    } else if (fields.get("event") === "state" && this.status) {
      Object.assign(this.status, data);
    } else if (fields.get("event") === "dispatch") {
      this.keep([data]);
    } else return;
    this.changed();
  }
  keep(list) {
    for (const d of list) {
      this.records.set(d.id, d);
      if (d.status === "proposed") this.stale = true;
      else this.proposals.delete(d.id);
    }
    for (const id of this.records.keys()) {
      if (this.records.size <= MOST_KEPT) break;
      this.records.delete(id);
    }
  }
  // learn asks for the dispatches of a note that ended long ago.
  learn(note) {
    const key = note.vault + "\n" + note.rel;
    if (this.asked.has(key)) return;
    this.asked.add(key);
    this.list(note, "").then((list) => {
      this.keep(list.filter((d) => !this.records.has(d.id)));
      this.changed();
    }, () => this.asked.delete(key));
  }
  // look asks for the proposals, if they may be others than are known.
  async look() {
    if (!this.stale || this.listing) return;
    [this.stale, this.listing] = [false, true];
    const answer = await this.call("GET", "/vault-mind/proposed").catch(() => null);
    this.listing = false;
    this.stale ||= !answer;
    if (!answer || !this.status) return;
    this.proposals = new Map(asList(answer.proposed).filter(isProposal).map((p) => [p.id, p]));
    this.changed();
  }
  // meet keeps a proposal as a refusal says that it is now.
  meet(id, { code, diff, seen }) {
    const p = { ...this.proposals.get(id), id, diff, seen };
    if (code !== "changed" || !isProposal(p)) return;
    this.proposals.set(id, p);
    this.changed();
  }
  async list(note, filter) {
    const q = /^[ -~]*$/.test(note.rel) ? "limit=100&q=" + encodeURIComponent(note.rel) : "limit=1000";
    const answer = await this.call("GET", `/vault-mind/dispatches?${filter}${q}`);
    return asList(answer.dispatches).filter((d) => note.has(d));
  }
  // open begins a request. No proxy, redirect or other name has a part in it, and no connection is kept.
  open(method, path, text, timeout, answered) {
    const body = text === null ? null : new TextEncoder().encode(text);
    const headers = { Authorization: "Bearer " + this.place?.token, ...body && { "Content-Type": "application/json", "Content-Length": body.length } };
    const request = this.node.http.request({ host: "127.0.0.1", port: this.place?.port, method, path, headers, agent: false, timeout }, answered);
    this.requests.add(request);
    request.on("timeout", () => request.destroy()).on("close", () => this.requests.delete(request));
    request.end(body ?? void 0);
    return request;
  }
  // call returns the engine's answer. begun is told how to end the call.
  call(method, path, body, wait = PATIENCE, begun = () => {
  }) {
    return new Promise((resolve, reject) => {
      if (!this.place || this.ended) throw new Refused("The engine is away.");
      const request = this.open(method, path, body === void 0 ? null : JSON.stringify(body), wait, (response) => {
        let text = "";
        response.setEncoding("utf8").on("error", reject).on("data", (piece) => {
          if ((text += piece).length > MOST_READ) request.destroy();
        }).on("end", () => {
          try {
            const answer = read(text);
            if ((response.statusCode ?? 500) < 300) resolve(answer);
            else reject(new Refused(plain(answer.error, 300), answer));
          } catch {
            reject(new Error("its answer cannot be read"));
          }
        });
      });
      request.on("error", reject).on("close", () => reject(new Refused("The engine has gone away.")));
      begun(() => request.destroy());
    });
  }
};

// proposal.ts
var import_obsidian2 = require("obsidian");
var import_state = require("@codemirror/state");
var import_view = require("@codemirror/view");
var refresh = import_state.StateEffect.define();
var VERBS = { accept: "Accept", change: "Change", reject: "Reject" };
var verbsOf = (p) => Object.entries(VERBS).filter(([verb]) => verb !== "change" || asList(p.answers).length === 1);
var answerOf = (p) => asText(asList(p.answers)[0]?.answer ?? "");
var visible = (line) => line.replace(/(?!\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, (c) => `\u27E8U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}\u27E9`);
function hunksOf(diff) {
  const hunks = [];
  for (const line of diff.split("\n")) {
    if (/^@@ -\d+\D.*@@/.test(line)) hunks.push([]);
    else if (/^[-+ ]/.test(line)) hunks.at(-1)?.push(line.replace(/\r$/, ""));
  }
  return hunks;
}
function linesAt(doc, lines, n) {
  const found = [];
  for (const line of lines) {
    while (found.length && n <= doc.lines && doc.line(n).text !== line && PROGRESS.test(doc.line(n).text)) n++;
    if (n > doc.lines || doc.line(n).text !== line) return null;
    found.push(n++);
  }
  return found;
}
function findLines(doc, hunk) {
  const lines = hunk.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
  if (!lines.length) return doc.length ? null : [];
  let only = null;
  for (let n = 1; n <= doc.lines; n++) {
    const found = linesAt(doc, lines, n);
    if (found && only) return null;
    only ??= found;
  }
  return only;
}
function runsOf(doc, p) {
  const runs = [];
  for (let hunk of hunksOf(p.diff)) {
    let found = findLines(doc, hunk);
    if (!found && hunk.some((line) => line.startsWith("-"))) {
      const isAround = (line) => line.startsWith(" ");
      hunk = hunk.slice(hunk.findIndex((line) => !isAround(line)), hunk.findLastIndex((line) => !isAround(line)) + 1);
      found = findLines(doc, hunk);
    }
    if (!found) return null;
    let run = null, behind = (found[0] ?? 1) - 1;
    for (const line of hunk) {
      if (!line.startsWith("+")) behind = found.shift() ?? behind;
      if (line.startsWith(" ")) {
        run = null;
        continue;
      }
      if (!run) runs.push(run = { gone: [], come: [], behind });
      if (line.startsWith("+")) run.come.push(line.slice(1));
      else run.gone.push(behind);
      run.behind = behind;
    }
  }
  return runs.length ? runs : null;
}
function addLines(parent, lines) {
  for (const line of lines) parent.createEl(line.startsWith("-") ? "del" : "ins", { cls: "vault-dispatcher-" + (line.startsWith("-") ? "removed" : "added"), text: visible(line.slice(1)) });
}
function addDiff(parent, p) {
  for (const hunk of hunksOf(p.diff)) addLines(parent, hunk.filter((line) => !line.startsWith(" ")));
}
var Change = class extends import_view.WidgetType {
  constructor(decider, proposal, run, runs, isLast) {
    super();
    this.decider = decider;
    this.proposal = proposal;
    this.run = run;
    this.runs = runs;
    this.isLast = isLast;
  }
  decider;
  proposal;
  run;
  runs;
  isLast;
  eq(other) {
    const said = ({ proposal: { id, seen }, run, runs, isLast }) => JSON.stringify([id, seen, run.come, runs, isLast]);
    return said(other) === said(this);
  }
  toDOM(view) {
    const root = createDiv({ cls: "vault-dispatcher-change" });
    addLines(root, this.run.come.map((line) => "+" + line));
    if (!this.isLast) return root;
    const row = root.createDiv({ cls: "vault-dispatcher-row", attr: { role: "group", "aria-label": "For you to approve: " + plain(this.proposal.instruction, 80) } });
    const buttons = verbsOf(this.proposal).map(([verb, text]) => {
      const button = row.createEl("button", { text, cls: verb === "accept" ? "mod-cta" : "", attr: { type: "button" } });
      button.addEventListener("click", (event) => {
        if (event.detail > 1) return;
        for (const one of buttons) one.disabled = true;
        void this.decider.decide(view, this.proposal, verb).then((isDecided) => {
          for (const one of buttons) one.disabled = isDecided;
        });
      });
      return button;
    });
    if (this.runs > 1) {
      const whole = row.createEl("details");
      whole.createEl("summary", { text: `All ${this.runs} changes` });
      addDiff(whole, this.proposal);
    }
    return root;
  }
};
function show(doc, proposals, decider) {
  const all = /* @__PURE__ */ new Map(), places = [], signs = [];
  for (const p of proposals) {
    const runs = runsOf(doc, p) ?? [];
    for (const [i, run] of runs.entries()) {
      all.set(p.id, p);
      for (const { from, to } of run.gone.map((n) => doc.line(n))) {
        signs.push(import_view.Decoration.line({ class: "vault-dispatcher-going" }).range(from));
        if (from < to) signs.push(import_view.Decoration.mark({ tagName: "del", class: "vault-dispatcher-removed" }).range(from, to));
      }
      const at = run.behind ? doc.line(run.behind).to : 0, isLast = i === runs.length - 1;
      places.push({ from: run.gone[0] ? doc.line(run.gone[0]).from : at, to: at });
      if (run.come.length || isLast) signs.push(import_view.Decoration.widget({ widget: new Change(decider, p, run, runs.length, isLast), block: true, side: run.behind ? 1 : -1 }).range(at));
    }
  }
  return { all, missing: proposals.length - all.size, places, signs: import_view.Decoration.set(signs, true) };
}
function makeField(decider) {
  const anew = (state) => show(state.doc, decider.proposalsOf(state), decider);
  return import_state.StateField.define({
    create: anew,
    update(shown, tr) {
      if (tr.effects.some((e) => e.is(refresh))) return anew(tr.state);
      if (!tr.docChanged) return shown;
      if (shown.missing || shown.places.some(({ from, to }) => tr.changes.touchesRange(from, to) !== false)) return anew(tr.state);
      const move = (at) => tr.changes.mapPos(at);
      return { ...shown, places: shown.places.map(({ from, to }) => ({ from: move(from), to: move(to) })), signs: shown.signs.map(tr.changes) };
    },
    provide: (field) => import_view.EditorView.decorations.from(field, (shown) => shown.signs)
  });
}
var TextModal = class extends import_obsidian2.Modal {
  constructor(app, proposal, about, act) {
    super(app);
    this.proposal = proposal;
    this.about = about;
    this.act = act;
  }
  proposal;
  about;
  act;
  field;
  button;
  diff;
  seen = "";
  onOpen() {
    const root = this.contentEl, { label, button, text } = this.about;
    root.classList.add("vault-dispatcher-ask");
    this.titleEl.textContent = plain(this.proposal()?.instruction ?? "", 80);
    this.diff = root.createDiv({ cls: "vault-dispatcher-answer" });
    this.field = root.createEl("textarea", { attr: { "aria-label": label, placeholder: label } });
    this.field.value = text;
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.take();
    });
    this.button = root.createDiv({ cls: "vault-dispatcher-row" }).createEl("button", { cls: "mod-cta", text: button, attr: { type: "button" } });
    this.button.addEventListener("click", () => void this.take());
    this.showDiff();
    this.field.focus();
  }
  onClose() {
    this.contentEl.replaceChildren();
  }
  showDiff() {
    const proposal = this.proposal();
    this.diff.replaceChildren();
    if (!proposal) return;
    this.seen = proposal.seen;
    addDiff(this.diff, proposal);
  }
  async take() {
    const text = this.field.value.trim();
    if (this.button.disabled || this.about.needed && !text) return;
    this.button.disabled = true;
    if (await this.act(text, this.seen)) return this.close();
    this.button.disabled = false;
    this.showDiff();
  }
};

// main.ts
var SOON = 50;
var WRITER_PATIENCE = 2 * 60 * 1e3;
var AGENT_PATIENCE = 30 * 60 * 1e3;
var MOST_COMPARED = 20;
var OPEN_BLOCK = "<!-- agent-response -->";
var CLOSE_BLOCK = "<!-- /agent-response -->";
var QUESTION = /^[\s>*+\-\d.)[\]xX]*>\s?@agent-([\p{L}\p{M}\p{N}_-]+)(?::([\p{L}\p{M}\p{N}._-]+))?!?\s+(\S.*)$/u;
var ICONS = { queued: "circle", working: "loader", failed: "x", held: "pause", missed: "help-circle", told: "dot", answered: "rotate-ccw" };
function describe(d, host) {
  const { id, status } = d;
  switch (status) {
    case "queued":
      return { id, kind: "queued", words: "queued on " + host, can: ["cancel"] };
    case "processing":
      return { id, kind: "working", words: plain(`working on ${host}${d.progress ? ", " + asText(d.progress) : ""}`, 200), can: ["cancel"] };
    case "failed":
      return { id, kind: "failed", words: plain("failed because " + asText(d.error || "of an unknown reason"), 200), can: ["retry", "cancel"] };
    case "held":
    case "proposed":
      return { id, kind: "held", can: ["cancel"], words: status === "proposed" ? "for you to approve: see the dashboard" : plain("waiting for you: " + asText(d.hold?.reason || d.error || "see the dashboard"), 200) };
    case "cancelled":
      return { id, kind: "told", words: "cancelled", can: ["retry"] };
  }
  return null;
}
function nearest(list, line, lineOf) {
  const far = (item) => Math.min(...lineOf(item).map((n) => Math.abs(n - line)));
  return list.reduce((best, item) => best === null || far(item) < far(best) ? item : best, null);
}
function markOf(plugin, sign, place) {
  const mark = createEl("button", { cls: `vault-dispatcher-mark vault-dispatcher-${sign.kind}`, attr: { type: "button", "aria-label": sign.words } });
  (0, import_obsidian3.setIcon)(mark, ICONS[sign.kind]);
  mark.addEventListener("click", (event) => void plugin.showMenu(place(), sign, (menu) => menu.showAtMouseEvent(event)));
  return mark;
}
function wordsOf(sign) {
  return createSpan({ cls: `vault-dispatcher-words vault-dispatcher-${sign.kind}`, text: sign.words });
}
var Mark = class extends import_view2.GutterMarker {
  constructor(plugin, sign) {
    super();
    this.plugin = plugin;
    this.sign = sign;
  }
  plugin;
  sign;
  eq(other) {
    return JSON.stringify(other.sign) === JSON.stringify(this.sign);
  }
  toDOM(view) {
    return markOf(this.plugin, this.sign, () => placeOf(view));
  }
};
var Words = class extends import_view2.WidgetType {
  constructor(sign) {
    super();
    this.sign = sign;
  }
  sign;
  eq(other) {
    return other.sign.kind === this.sign.kind && other.sign.words === this.sign.words;
  }
  toDOM() {
    return wordsOf(this.sign);
  }
};
var fileOf = (state) => state.field(import_obsidian3.editorInfoField, false)?.file ?? null;
var placeOf = (view) => ({ doc: view.state.doc, file: fileOf(view.state), view });
var Life = class {
  constructor(plugin, view) {
    this.plugin = plugin;
    this.view = view;
    plugin.shown.add(this);
    this.build();
  }
  plugin;
  view;
  marks = import_state2.RangeSet.of([]);
  words = import_view2.Decoration.none;
  update(update) {
    if (update.docChanged || update.viewportChanged || update.transactions.some((t) => t.effects.some((e) => e.is(refresh)))) this.build();
  }
  destroy() {
    this.plugin.shown.delete(this);
  }
  show() {
    this.view.dispatch({ effects: refresh.of(null) });
  }
  build() {
    const { doc } = this.view.state, { from, to } = this.view.viewport;
    const signs = this.plugin.signsOf(placeOf(this.view), doc.lineAt(from).number, doc.lineAt(to).number);
    this.marks = import_state2.RangeSet.of(signs.map((sign) => new Mark(this.plugin, sign).range(doc.line(sign.line).from)));
    this.words = import_view2.Decoration.set(signs.filter((sign) => sign.kind !== "answered").map((sign) => import_view2.Decoration.widget({ widget: new Words(sign), side: 1 }).range(doc.line(sign.line).to)));
  }
};
var Section = class extends import_obsidian3.MarkdownRenderChild {
  constructor(el, plugin, about) {
    super(el);
    this.plugin = plugin;
    this.about = about;
  }
  plugin;
  about;
  row = null;
  onload() {
    this.plugin.shown.add(this);
    this.show();
  }
  onunload() {
    this.plugin.shown.delete(this);
  }
  show() {
    const info = this.about.getSectionInfo(this.containerEl), file = this.plugin.app.vault.getFileByPath(this.about.sourcePath);
    this.row?.remove();
    this.row = null;
    if (!info || !file) return;
    const place = { doc: import_state2.Text.of(info.text.split("\n")), file };
    const signs = this.plugin.signsOf(place, info.lineStart + 1, Math.min(info.lineEnd + 1, place.doc.lines));
    if (signs.length) this.row = this.containerEl.createDiv({ cls: "vault-dispatcher-read" });
    for (const sign of signs) this.row?.append(markOf(this.plugin, sign, () => place), ...sign.kind === "answered" ? [] : [wordsOf(sign)]);
  }
};
var AskModal = class extends import_obsidian3.Modal {
  constructor(plugin, engine, file, note) {
    super(plugin.app);
    this.plugin = plugin;
    this.engine = engine;
    this.file = file;
    this.note = note;
  }
  plugin;
  engine;
  file;
  note;
  question;
  role;
  buttons = [];
  answer;
  end;
  onOpen() {
    const root = this.contentEl;
    this.titleEl.textContent = "Ask about " + plain(this.file.basename, 80);
    root.classList.add("vault-dispatcher-ask");
    this.question = root.createEl("textarea", { attr: { "aria-label": "Your question" } });
    this.question.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.ask(false);
    });
    const row = root.createDiv({ cls: "vault-dispatcher-row" });
    this.role = row.createEl("select", { cls: "dropdown", attr: { "aria-label": "Who is asked" } });
    for (const { role } of asList(this.engine.status?.agents).filter((a) => a.ready && a.role !== "*")) this.role.createEl("option", { text: asText(role), value: asText(role) });
    if (Array.from(this.role.options, (o) => o.value).includes("Miner")) this.role.value = "Miner";
    this.buttons = ["Ask", "Ask, and add the answer to the note"].map((text, append) => {
      const button = row.createEl("button", { cls: append ? "" : "mod-cta", text });
      button.addEventListener("click", () => void this.ask(Boolean(append)));
      return button;
    });
    this.answer = root.createDiv({ cls: "vault-dispatcher-answer", attr: { role: "status" } });
    this.question.focus();
  }
  onClose() {
    this.end?.();
    this.contentEl.replaceChildren();
  }
  async ask(append) {
    const question = this.question.value.trim(), role = this.role.value;
    if (!question || this.buttons.some((button) => button.disabled)) return;
    for (const button of this.buttons) button.disabled = true;
    this.answer.textContent = "Asking\u2026";
    try {
      await this.plugin.save(this.file);
      const { vault } = this.note, file = this.plugin.noteOf(this.file)?.rel ?? this.note.rel;
      const told = await this.engine.call("POST", "/vault-mind/ask", { question, role, vault, file, append }, AGENT_PATIENCE, (end) => {
        this.end = end;
      });
      const sources = new Set(asList(told.sources).map((source) => asText(source.file)));
      this.answer.textContent = [told.answer, told.notice].filter(Boolean).map(asText).join("\n\n") + (sources.size ? "\n\n" : "");
      for (const source of sources) this.answer.createEl("button", { text: source }).addEventListener("click", () => this.plugin.openNote(this.note, source));
    } catch (err) {
      this.answer.textContent = err instanceof Refused ? err.message : "The engine has gone away.";
    }
    for (const button of this.buttons) button.disabled = false;
  }
};
var VaultDispatcher = class extends import_obsidian3.Plugin {
  shown = /* @__PURE__ */ new Set();
  // what shows signs now
  engine = null;
  // null = this is a phone, or Node is still loaded
  node = null;
  real = /* @__PURE__ */ new Map();
  // folders as the disk has them, by the path that was told
  host = "";
  bar = null;
  soon = null;
  ended = false;
  changes = makeField(this);
  // the proposals of an editor
  async onload() {
    const life = import_view2.ViewPlugin.define((view) => new Life(this, view), { decorations: (l) => l.words });
    this.registerEditorExtension([this.changes, life, (0, import_view2.gutter)({
      class: "vault-dispatcher-margin",
      renderEmptyElements: false,
      markers: (view) => view.plugin(life)?.marks ?? import_state2.RangeSet.of([])
    })]);
    this.registerMarkdownPostProcessor((el, about) => about.addChild(new Section(el, this, about)));
    this.addCommand({ id: "act", name: "Approve, undo, ask again or mend here", editorCheckCallback: (checking, editor, info) => {
      const found = this.signAt(info.file, editor.getCursor().line + 1);
      if (found && !checking) this.showMenuAt(found.view, found.sign);
      return Boolean(found);
    } });
    this.register(() => {
      this.ended = true;
      window.clearTimeout(this.soon ?? 0);
      this.engine?.stop();
    });
    if (!import_obsidian3.Platform.isDesktopApp || !(this.app.vault.adapter instanceof import_obsidian3.FileSystemAdapter)) return;
    this.node = await loadNode();
    if (this.ended) return;
    this.connect(this.engine = new Engine(this.node, () => this.changed()));
  }
  // connect shows what a desktop has more than a phone, and looks for the engine.
  connect(engine) {
    this.host = plain(this.node?.os.hostname(), 40) || "this computer";
    this.addCommand({ id: "ask", name: "Ask about this note", checkCallback: (checking) => {
      const file = this.app.workspace.getActiveFile(), note = file && this.noteOf(file);
      if (note && !checking) new AskModal(this, engine, file, note).open();
      return Boolean(note);
    } });
    this.addCommand({ id: "dashboard", name: "Open the dashboard", checkCallback: (checking) => {
      if (engine.status && !checking) void this.openDashboard();
      return Boolean(engine.status);
    } });
    this.bar = this.addStatusBarItem();
    this.bar.classList.add("vault-dispatcher-bar", "mod-clickable");
    this.registerDomEvent(this.bar, "click", () => void this.openDashboard());
    this.registerEvent(this.app.workspace.on("file-open", () => this.changed()));
    this.registerEvent(this.app.vault.on("rename", () => this.changed()));
    this.registerEvent(this.app.vault.on("modify", (file) => {
      if (!this.proposedIn(file).length) return;
      engine.stale = true;
      this.changed();
    }));
    this.showBar();
    engine.start();
  }
  // changed shows a moment later what is so then.
  changed() {
    this.soon ??= window.setTimeout(() => {
      this.soon = null;
      this.showBar();
      for (const one of this.shown) one.show();
    }, SOON);
  }
  showBar() {
    const status = this.engine?.status, queue = status?.queue ?? {}, file = this.app.workspace.getActiveFile();
    const parts = [["working on", queue.processing], ["queued", (queue.queued ?? 0) + (queue.settling ?? 0)], ["to look at", status?.notTakenCount]];
    let words = parts.filter(([, n]) => n !== void 0 && n > 0).map((part) => part.join(" ")).join(", ") || (status?.watcher?.running ? "ready" : "paused");
    if (!status) words = "away";
    else if (file && !this.noteOf(file)) words = "not for this note";
    this.bar?.setText("Dispatcher: " + words);
    this.bar?.setAttribute("aria-label", status ? "Open the dashboard of Vault Dispatcher" : "Vault Dispatcher is not running on this computer");
  }
  // realOf is a folder as the disk has it, as far as that is known by now; a disk that does not
  // respond keeps nobody waiting.
  realOf(path) {
    if (!this.real.has(path)) {
      this.real.set(path, path);
      this.node?.fs.promises.realpath(path).then((real) => {
        this.real.set(path, real);
        if (real !== path) this.changed();
      }, () => {
      });
    }
    return this.real.get(path) ?? path;
  }
  // noteOf says what the engine calls a file, or null where it has no such vault or is away.
  noteOf(file) {
    const tidy = (text) => (import_obsidian3.Platform.isWin ? text.replaceAll("\\", "/") : text).normalize("NFC").replace(/\/$/, "");
    const fold = (text) => (import_obsidian3.Platform.isLinux ? text : text.toLowerCase()).normalize("NFC");
    const vaults = asList(this.engine?.status?.vaults).filter((v) => v.path && typeof v.path === "string");
    const { adapter } = this.app.vault;
    if (!vaults.length || !(adapter instanceof import_obsidian3.FileSystemAdapter) || !/\.(md|markdown)$/i.test(file.path)) return null;
    const base = tidy(this.realOf(adapter.getBasePath())) + "/", whole = base + tidy(file.path);
    const [fit] = vaults.map((v) => ({ name: v.name, root: tidy(v.state === "offline" ? v.path : this.realOf(v.path)) + "/" })).filter((v) => fold(whole).startsWith(fold(v.root))).sort((a, b) => b.root.length - a.root.length);
    if (!fit) return null;
    const { name, root } = fit, rel = whole.slice(root.length), same = fold(rel);
    return { vault: name, root, base, rel, has: (row) => row.vault === name && typeof row.file === "string" && fold(row.file) === same };
  }
  // openNote opens a note that is there: by a link Obsidian would make an empty one.
  openNote(note, rel) {
    const whole = note.root + rel, path = whole.slice(note.base.length), { vault, workspace } = this.app;
    const file = whole.startsWith(note.base) && (vault.getFileByPath(path.normalize("NFC")) ?? vault.getFileByPath(path));
    if (file) void workspace.getLeaf(false).openFile(file);
    else new import_obsidian3.Notice("Obsidian does not have this note.");
  }
  // proposedIn are the dispatches of a note that wait for a yes.
  proposedIn(file) {
    const note = this.noteOf(file);
    return note ? Array.from(this.engine?.records.values() ?? []).filter((d) => d.status === "proposed" && note.has(d)) : [];
  }
  // proposalsOf are the changes to show in a text.
  proposalsOf(state) {
    const file = fileOf(state);
    return file ? this.proposedIn(file).flatMap((d) => this.engine?.proposals.get(d.id) ?? []) : [];
  }
  // signsOf are the signs of some lines of a text, one for a line at most.
  signsOf({ doc, file, view }, first, last) {
    const note = file && this.noteOf(file), engine = this.engine, signs = [];
    let records = [], rows = [];
    if (note && engine) {
      engine.learn(note);
      if (file && this.proposedIn(file).length) void engine.look();
      records = Array.from(engine.records.values()).filter((d) => note.has(d) && Array.isArray(d.lines));
      rows = asList(engine.status?.notTaken).filter((row) => note.has(row) && row.line > 0 && row.kind !== "held");
    }
    for (let n = first; n <= last; n++) {
      const text = doc.line(n).text, sign = this.signOf(doc, n, text, records, rows);
      if (sign?.id && view?.state.field(this.changes, false)?.all.has(sign.id)) Object.assign(sign, { words: "for you to approve", can: ["decide", "cancel"] });
      if (sign) signs.push({ line: n, ...sign });
      else if (note && text.endsWith(OPEN_BLOCK)) signs.push({ line: n, kind: "answered", words: "Undo or ask again", can: [] });
    }
    return signs;
  }
  // signOf is the sign of one line: of its dispatch, else that it is not taken up, else what the note tells.
  signOf(doc, n, text, records, rows) {
    const [, role, task, words] = QUESTION.exec(text) ?? [];
    if (role && words) {
      const key = ("agent-" + role + (task ? ":" + task : "")).normalize("NFC"), is = plain(words, 80).replace(/…$/, "");
      const isAsked = (was) => is.startsWith(was) || was.startsWith(is);
      const mine = records.filter((d2) => d2.key === key && (d2.markers > 1 || isAsked(plain(d2.instruction, 80).replace(/…$/, ""))) && describe(d2, ""));
      const d = nearest(mine.sort((a, b) => a.createdAt < b.createdAt ? 1 : -1), n, (one) => one.lines.slice(0, 1e3));
      if (d) return describe(d, this.host);
    }
    const line = rows.length && plain(text.slice(0, 1e3), 80), row = nearest(rows.filter((r) => r.text && plain(r.text, 80) === line), n, (one) => [one.line]);
    if (row) {
      const letters = Array.from(plain(text, Infinity));
      const rest = letters.length > 80 ? letters.slice(60).join("") : "";
      const whole = typeof row.mend === "string" && !/[\n\r]|…$/.test(row.mend) && plain(row.mend, Infinity).endsWith(rest) ? row.mend : "";
      return { kind: "missed", words: plain("not taken up: " + asText(row.reason), 200), can: whole ? ["mend"] : [], mend: whole, text };
    }
    const [, told] = n < doc.lines && PROGRESS.exec(doc.line(n + 1).text) || [];
    return told ? { kind: "told", words: plain(told, 200), can: [] } : null;
  }
  // signAt is the sign of a line, or of the answer that the line is in.
  signAt(file, line) {
    for (const life of this.shown) {
      if (!(life instanceof Life) || !file || fileOf(life.view.state) !== file || line > life.view.state.doc.lines) continue;
      const { view } = life, { doc } = view.state, [sign] = this.signsOf(placeOf(view), line, line);
      if (sign) return { view, sign };
      for (let n = line; n > 0 && (n === line || !doc.line(n).text.endsWith(CLOSE_BLOCK)); n--) {
        const [answered] = doc.line(n).text.endsWith(OPEN_BLOCK) ? this.signsOf(placeOf(view), n, n) : [];
        if (answered) return { view, sign: answered };
      }
    }
    return null;
  }
  showMenuAt(view, sign) {
    const at = view.coordsAtPos(view.state.doc.line(sign.line).from);
    void this.showMenu(placeOf(view), sign, (menu) => menu.showAtPosition({ x: at?.left ?? 0, y: at?.bottom ?? 0 }));
  }
  // showMenu offers what can be done about a sign.
  async showMenu(place, sign, show2) {
    const menu = new import_obsidian3.Menu(), { file, view } = place, { id, mend } = sign;
    const item = (title, act) => {
      menu.addItem((entry) => entry.setTitle(title).setDisabled(!act).onClick(() => void act?.()));
    };
    if (sign.kind === "answered") {
      await this.addBlockItems(place, sign, item);
    } else {
      item(sign.words, null);
      const proposal = id && view?.state.field(this.changes, false)?.all.get(id);
      if (view && proposal && sign.can.includes("decide")) for (const [verb, title] of verbsOf(proposal)) item(title, () => this.decide(view, proposal, verb));
      if (id && sign.can.includes("retry")) item("Ask again", () => this.act(id, "retry", file, {}));
      if (id && sign.can.includes("cancel")) item("Cancel", () => this.act(id, "cancel", file));
      if (view && mend) item("Write " + plain(mend, 80), () => this.mend(view, sign, mend));
    }
    if (this.engine?.status) item("Open the dashboard", () => this.openDashboard());
    show2(menu);
  }
  // addBlockItems finds whose answer a block is, by its text, and offers to undo it or to ask again.
  async addBlockItems({ doc, file }, sign, item) {
    const lines = [], equal = [];
    for (let n = sign.line; n <= doc.lines && !lines.at(-1)?.endsWith(CLOSE_BLOCK); n++) lines.push(doc.line(n).text.trimEnd());
    for (let n = 1; n + lines.length - 1 <= doc.lines; n++) if (lines.every((line, i) => doc.line(n + i).text.trimEnd() === line)) equal.push(n);
    const found = await this.findAnswer(lines.join("\n"), sign.line, equal, file).catch(() => null);
    if (!found) return item("This answer was changed, or is too old to undo", null);
    const many = found.markers > 1 ? ` (${found.markers} answers)` : "";
    item((found.noUndo ? "No undo: " + plain(found.noUndo, 120) : "Undo") + many, found.noUndo ? null : () => this.act(found.id, "undo", file));
    item("Ask again" + many, () => this.act(found.id, "retry", file, { fresh: true }));
  }
  // findAnswer returns whose answer a block is. Where others are equal, at these lines, it is the one in the
  // same place among them, or the nearest.
  async findAnswer(block, line, equal, file) {
    const note = file && this.noteOf(file), engine = this.engine, found = [];
    if (!note || !engine) return null;
    for (const { id } of (await engine.list(note, "status=done&")).slice(0, MOST_COMPARED)) {
      const detail = await engine.call("GET", "/vault-mind/dispatches/" + encodeURIComponent(id));
      for (const [, at, part] of asText(detail.diff ?? "").matchAll(/^@@ line (\d+) @@\n((?:[-+][^\n]*\n)*)/gm)) {
        const written = (part ?? "").split("\n").filter((l) => l.startsWith("+")).map((l) => l.slice(1).trimEnd()).join("\n");
        if (("\n" + written + "\n").includes("\n" + block + "\n")) found.push({ detail, at: Number(at) });
      }
    }
    found.sort((a, b) => a.at - b.at);
    const one = found.length === equal.length ? found[equal.indexOf(line)] : nearest(found, line, (f) => [f.at]);
    return one?.detail ?? null;
  }
  // decide is what a person does about a proposal whose change an editor shows. It reports whether that is decided by now.
  async decide(view, proposal, verb) {
    const { id } = proposal, file = fileOf(view.state), now = () => this.engine?.proposals.get(id);
    if (verb === "accept") return this.act(id, "accept", file, { seen: proposal.seen });
    const modal = verb === "change" ? new TextModal(this.app, now, { label: "What is written in place of the answer", button: "Accept this text", text: answerOf(proposal), needed: true }, (text, seen) => this.act(id, "accept", file, { seen, text })) : new TextModal(this.app, now, { label: "Why not; with a reason it is asked again", button: "Reject", text: "", needed: false }, (because) => this.act(id, "reject", file, because ? { because } : {}));
    modal.open();
    return false;
  }
  // act does something about a dispatch, for a person who has asked for it, and reports whether it was done.
  async act(id, verb, file, body) {
    try {
      if (file) await this.save(file);
      await this.engine?.call("POST", `/vault-mind/dispatches/${encodeURIComponent(id)}/${verb}`, body, WRITER_PATIENCE);
      return true;
    } catch (err) {
      if (err instanceof Refused) this.engine?.meet(id, err.reply);
      if (!this.ended) new import_obsidian3.Notice(err instanceof Refused ? err.message : "Nobody knows whether that was done: " + plain(err instanceof Error ? err.message : err, 200));
      return false;
    }
  }
  // save writes what is typed in a note, so that the engine sees what its reader sees.
  async save(file) {
    for (const leaf of this.app.workspace.getLeavesOfType("markdown")) {
      if (leaf.view instanceof import_obsidian3.MarkdownView && leaf.view.file === file) await leaf.view.save();
    }
  }
  // mend writes a line as it would be taken up, if it still is what it was.
  mend(view, sign, insert) {
    if (sign.line > view.state.doc.lines || view.state.doc.line(sign.line).text !== sign.text) return;
    const { from, to } = view.state.doc.line(sign.line);
    view.dispatch({ changes: { from, to, insert } });
  }
  async openDashboard() {
    if (!this.engine?.status) return;
    const link = await this.engine.call("POST", "/vault-mind/session").catch(() => null), url = asText(link?.url);
    if (url.startsWith(`http://127.0.0.1:${this.engine.place?.port}/`)) window.open(url);
  }
};
