// Shows beside a question what becomes of it, in the editor and in the reading view, undoes or asks again, and
// shows what an answer would change that waits for a person's yes.
//
// On a desktop it speaks HTTP to the engine of this computer and user, and does nothing while
// that is away. The token is read from the engine's state folder at each connection and kept
// nowhere: this plugin has no settings and writes no file of a vault. On a phone it makes no call
// and shows what the note itself tells (wiki.progress: note). What notes, agents and the engine
// say is text here, never markup.

import { type Editor, FileSystemAdapter, type MarkdownPostProcessorContext, MarkdownRenderChild, MarkdownView, Menu, Modal, Notice, Platform, Plugin, type TFile, editorInfoField, setIcon } from 'obsidian';
import { type EditorState, RangeSet, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, GutterMarker, ViewPlugin, type ViewUpdate, WidgetType, gutter } from '@codemirror/view';
import { type Dispatch, Engine, type Missed, type Node, type Note, PROGRESS, type Proposal, Refused, asList, asText, loadNode, plain } from './engine';
import { TextModal, type Verb, answerOf, makeField, refresh, verbsOf } from './proposal';

const SOON = 50; // ms in which changes are shown together
const WRITER_PATIENCE = 2 * 60 * 1000, AGENT_PATIENCE = 30 * 60 * 1000; // for an answer
const MOST_COMPARED = 20; // dispatches whose answer a block may be

const OPEN_BLOCK = '<!-- agent-response -->';
const CLOSE_BLOCK = '<!-- /agent-response -->';
const QUESTION = /^[\s>*+\-\d.)[\]xX]*>\s?@agent-([\p{L}\p{M}\p{N}_-]+)(?::([\p{L}\p{M}\p{N}._-]+))?!?\s+(\S.*)$/u;
const ICONS = { queued: 'circle', working: 'loader', failed: 'x', held: 'pause', missed: 'help-circle', told: 'dot', answered: 'rotate-ccw' };

// Sign is what is shown of a line, and what can be done about it.
interface Sign { kind: keyof typeof ICONS; words: string; can: string[]; id?: string; mend?: string; text?: string }
type Placed = Sign & { line: number };

// Place is a text in which signs are, and the editor that shows it, if one does.
interface Place { doc: Text; file: TFile | null; view?: EditorView }

// describe is a dispatch in words, and what can be done about it; null where a note need not tell.
function describe(d: Dispatch, host: string): Sign | null {
	const { id, status } = d;
	switch (status) {
	case 'queued':
		return { id, kind: 'queued', words: 'queued on ' + host, can: ['cancel'] };
	case 'processing':
		return { id, kind: 'working', words: plain(`working on ${host}${d.progress ? ', ' + asText(d.progress) : ''}`, 200), can: ['cancel'] };
	case 'failed':
		return { id, kind: 'failed', words: plain('failed because ' + asText(d.error || 'of an unknown reason'), 200), can: ['retry', 'cancel'] };
	case 'held': case 'proposed':
		return { id, kind: 'held', can: ['cancel'], words: status === 'proposed' ? 'for you to approve: see the dashboard' : plain('waiting for you: ' + asText(d.hold?.reason || d.error || 'see the dashboard'), 200) };
	case 'cancelled':
		return { id, kind: 'told', words: 'cancelled', can: ['retry'] };
	}
	return null;
}

// nearest is the one of a list whose line is nearest; of two as near, the first.
function nearest<T>(list: T[], line: number, lineOf: (item: T) => number[]): T | null {
	const far = (item: T) => Math.min(...lineOf(item).map(n => Math.abs(n - line)));
	return list.reduce<T | null>((best, item) => (best === null || far(item) < far(best) ? item : best), null);
}

// markOf is the button of a sign.
function markOf(plugin: VaultDispatcher, sign: Placed, place: () => Place): HTMLElement {
	const mark = createEl('button', { cls: `vault-dispatcher-mark vault-dispatcher-${sign.kind}`, attr: { type: 'button', 'aria-label': sign.words } });
	setIcon(mark, ICONS[sign.kind]);
	mark.addEventListener('click', event => void plugin.showMenu(place(), sign, menu => menu.showAtMouseEvent(event)));
	return mark;
}

// wordsOf are the words of a sign.
function wordsOf(sign: Sign): HTMLElement {
	return createSpan({ cls: `vault-dispatcher-words vault-dispatcher-${sign.kind}`, text: sign.words });
}

// Mark is a sign in the margin.
class Mark extends GutterMarker {
	constructor(private plugin: VaultDispatcher, private sign: Placed) { super(); }
	eq(other: Mark) { return JSON.stringify(other.sign) === JSON.stringify(this.sign); }
	toDOM(view: EditorView) { return markOf(this.plugin, this.sign, () => placeOf(view)); }
}

// Words stand behind the line of a question.
class Words extends WidgetType {
	constructor(private sign: Sign) { super(); }
	eq(other: Words) { return other.sign.kind === this.sign.kind && other.sign.words === this.sign.words; }
	toDOM() { return wordsOf(this.sign); }
}

const fileOf = (state: EditorState): TFile | null => state.field(editorInfoField, false)?.file ?? null;
const placeOf = (view: EditorView): Place => ({ doc: view.state.doc, file: fileOf(view.state), view });

// Life is what one editor shows of the questions on its screen.
class Life {
	marks = RangeSet.of<GutterMarker>([]);
	words: DecorationSet = Decoration.none;

	constructor(private plugin: VaultDispatcher, public view: EditorView) {
		plugin.shown.add(this);
		this.build();
	}
	update(update: ViewUpdate) {
		if (update.docChanged || update.viewportChanged || update.transactions.some(t => t.effects.some(e => e.is(refresh)))) this.build();
	}
	destroy() { this.plugin.shown.delete(this); }
	show() { this.view.dispatch({ effects: refresh.of(null) }); }
	build() {
		const { doc } = this.view.state, { from, to } = this.view.viewport;
		const signs = this.plugin.signsOf(placeOf(this.view), doc.lineAt(from).number, doc.lineAt(to).number);
		this.marks = RangeSet.of(signs.map(sign => new Mark(this.plugin, sign).range(doc.line(sign.line).from)));
		this.words = Decoration.set(signs.filter(sign => sign.kind !== 'answered').map(sign =>
			Decoration.widget({ widget: new Words(sign), side: 1 }).range(doc.line(sign.line).to)));
	}
}

// Section is what a part of the reading view shows of the questions in it.
class Section extends MarkdownRenderChild {
	private row: HTMLElement | null = null;

	constructor(el: HTMLElement, private plugin: VaultDispatcher, private about: MarkdownPostProcessorContext) { super(el); }
	onload() {
		this.plugin.shown.add(this);
		this.show();
	}
	onunload() { this.plugin.shown.delete(this); }
	show() {
		const info = this.about.getSectionInfo(this.containerEl), file = this.plugin.app.vault.getFileByPath(this.about.sourcePath);
		this.row?.remove();
		this.row = null;
		if (!info || !file) return;
		const place: Place = { doc: Text.of(info.text.split('\n')), file };
		const signs = this.plugin.signsOf(place, info.lineStart + 1, Math.min(info.lineEnd + 1, place.doc.lines));
		if (signs.length) this.row = this.containerEl.createDiv({ cls: 'vault-dispatcher-read' });
		for (const sign of signs) this.row?.append(markOf(this.plugin, sign, () => place), ...(sign.kind === 'answered' ? [] : [wordsOf(sign)]));
	}
}

// AskModal asks a question about a note.
class AskModal extends Modal {
	question!: HTMLTextAreaElement;
	role!: HTMLSelectElement;
	buttons: HTMLButtonElement[] = [];
	answer!: HTMLElement;
	private end?: () => void;

	constructor(private plugin: VaultDispatcher, private engine: Engine, private file: TFile, private note: Note) { super(plugin.app); }
	onOpen() {
		const root = this.contentEl;
		this.titleEl.textContent = 'Ask about ' + plain(this.file.basename, 80);
		root.classList.add('vault-dispatcher-ask');
		this.question = root.createEl('textarea', { attr: { 'aria-label': 'Your question' } });
		this.question.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.ask(false);
		});
		const row = root.createDiv({ cls: 'vault-dispatcher-row' });
		this.role = row.createEl('select', { cls: 'dropdown', attr: { 'aria-label': 'Who is asked' } });
		for (const { role } of asList<{ role: unknown; ready?: boolean }>(this.engine.status?.agents).filter(a => a.ready && a.role !== '*')) this.role.createEl('option', { text: asText(role), value: asText(role) });
		if (Array.from(this.role.options, o => o.value).includes('Miner')) this.role.value = 'Miner';
		this.buttons = ['Ask', 'Ask, and add the answer to the note'].map((text, append) => {
			const button = row.createEl('button', { cls: append ? '' : 'mod-cta', text });
			button.addEventListener('click', () => void this.ask(Boolean(append)));
			return button;
		});
		this.answer = root.createDiv({ cls: 'vault-dispatcher-answer', attr: { role: 'status' } });
		this.question.focus();
	}
	onClose() {
		this.end?.(); // the question is answered all the same; the dashboard has it
		this.contentEl.replaceChildren();
	}
	async ask(append: boolean) {
		const question = this.question.value.trim(), role = this.role.value;
		if (!question || this.buttons.some(button => button.disabled)) return;
		for (const button of this.buttons) button.disabled = true;
		this.answer.textContent = 'Asking…';
		try {
			await this.plugin.save(this.file);
			const { vault } = this.note, file = this.plugin.noteOf(this.file)?.rel ?? this.note.rel; // it may have another name by now
			const told = await this.engine.call('POST', '/vault-mind/ask', { question, role, vault, file, append }, AGENT_PATIENCE, end => { this.end = end; });
			const sources = new Set(asList<{ file: unknown }>(told.sources).map(source => asText(source.file)));
			this.answer.textContent = [told.answer, told.notice].filter(Boolean).map(asText).join('\n\n') + (sources.size ? '\n\n' : '');
			for (const source of sources) this.answer.createEl('button', { text: source }).addEventListener('click', () => this.plugin.openNote(this.note, source));
		} catch (err) {
			this.answer.textContent = err instanceof Refused ? err.message : 'The engine has gone away.';
		}
		for (const button of this.buttons) button.disabled = false;
	}
}

export default class VaultDispatcher extends Plugin {
	shown = new Set<Life | Section>(); // what shows signs now
	engine: Engine | null = null; // null = this is a phone, or Node is still loaded
	private node: Node | null = null;
	private real = new Map<string, string>(); // folders as the disk has them, by the path that was told
	private host = '';
	private bar: HTMLElement | null = null;
	private soon: number | null = null;
	private ended = false;
	private changes = makeField(this); // the proposals of an editor

	async onload() {
		const life = ViewPlugin.define(view => new Life(this, view), { decorations: l => l.words });
		this.registerEditorExtension([this.changes, life, gutter({
			class: 'vault-dispatcher-margin', renderEmptyElements: false, markers: view => view.plugin(life)?.marks ?? RangeSet.of<GutterMarker>([]),
		})]);
		this.registerMarkdownPostProcessor((el, about) => about.addChild(new Section(el, this, about)));
		this.addCommand({ id: 'act', name: 'Approve, undo, ask again or mend here', editorCheckCallback: (checking: boolean, editor: Editor, info) => {
			const found = this.signAt(info.file, editor.getCursor().line + 1);
			if (found && !checking) this.showMenuAt(found.view, found.sign);
			return Boolean(found);
		} });
		this.register(() => {
			this.ended = true;
			window.clearTimeout(this.soon ?? 0);
			this.engine?.stop();
		});
		if (!Platform.isDesktopApp || !(this.app.vault.adapter instanceof FileSystemAdapter)) return; // no call from here on
		this.node = await loadNode();
		if (this.ended) return;
		this.connect(this.engine = new Engine(this.node, () => this.changed()));
	}

	// connect shows what a desktop has more than a phone, and looks for the engine.
	private connect(engine: Engine) {
		this.host = plain(this.node?.os.hostname(), 40) || 'this computer';
		this.addCommand({ id: 'ask', name: 'Ask about this note', checkCallback: (checking: boolean) => {
			const file = this.app.workspace.getActiveFile(), note = file && this.noteOf(file);
			if (note && !checking) new AskModal(this, engine, file, note).open();
			return Boolean(note);
		} });
		this.addCommand({ id: 'dashboard', name: 'Open the dashboard', checkCallback: (checking: boolean) => {
			if (engine.status && !checking) void this.openDashboard();
			return Boolean(engine.status);
		} });
		this.bar = this.addStatusBarItem();
		this.bar.classList.add('vault-dispatcher-bar', 'mod-clickable');
		this.registerDomEvent(this.bar, 'click', () => void this.openDashboard());
		this.registerEvent(this.app.workspace.on('file-open', () => this.changed()));
		this.registerEvent(this.app.vault.on('rename', () => this.changed()));
		this.registerEvent(this.app.vault.on('modify', file => {
			if (!this.proposedIn(file).length) return;
			engine.stale = true;
			this.changed();
		}));
		this.showBar();
		engine.start();
	}

	// changed shows a moment later what is so then.
	private changed() {
		this.soon ??= window.setTimeout(() => {
			this.soon = null;
			this.showBar();
			for (const one of this.shown) one.show();
		}, SOON);
	}

	private showBar() {
		const status = this.engine?.status, queue = status?.queue ?? {}, file = this.app.workspace.getActiveFile();
		const parts: [string, number | undefined][] = [['working on', queue.processing], ['queued', (queue.queued ?? 0) + (queue.settling ?? 0)], ['to look at', status?.notTakenCount]];
		let words = parts.filter(([, n]) => n !== undefined && n > 0).map(part => part.join(' ')).join(', ') || (status?.watcher?.running ? 'ready' : 'paused');
		if (!status) words = 'away';
		else if (file && !this.noteOf(file)) words = 'not for this note';
		this.bar?.setText('Dispatcher: ' + words);
		this.bar?.setAttribute('aria-label', status ? 'Open the dashboard of Vault Dispatcher' : 'Vault Dispatcher is not running on this computer');
	}

	// realOf is a folder as the disk has it, as far as that is known by now; a disk that does not
	// respond keeps nobody waiting.
	private realOf(path: string): string {
		if (!this.real.has(path)) {
			this.real.set(path, path);
			this.node?.fs.promises.realpath(path).then(real => {
				this.real.set(path, real);
				if (real !== path) this.changed();
			}, () => {});
		}
		return this.real.get(path) ?? path;
	}

	// noteOf says what the engine calls a file, or null where it has no such vault or is away.
	noteOf(file: { path: string }): Note | null {
		const tidy = (text: string) => (Platform.isWin ? text.replaceAll('\\', '/') : text).normalize('NFC').replace(/\/$/, '');
		const fold = (text: string) => (Platform.isLinux ? text : text.toLowerCase()).normalize('NFC');
		const vaults = asList<{ name: string; path: string; state: string }>(this.engine?.status?.vaults).filter(v => v.path && typeof v.path === 'string');
		const { adapter } = this.app.vault;
		if (!vaults.length || !(adapter instanceof FileSystemAdapter) || !/\.(md|markdown)$/i.test(file.path)) return null;
		const base = tidy(this.realOf(adapter.getBasePath())) + '/', whole = base + tidy(file.path);
		const [fit] = vaults.map(v => ({ name: v.name, root: tidy(v.state === 'offline' ? v.path : this.realOf(v.path)) + '/' }))
			.filter(v => fold(whole).startsWith(fold(v.root))).sort((a, b) => b.root.length - a.root.length);
		if (!fit) return null;
		const { name, root } = fit, rel = whole.slice(root.length), same = fold(rel);
		return { vault: name, root, base, rel, has: row => row.vault === name && typeof row.file === 'string' && fold(row.file) === same };
	}

	// openNote opens a note that is there: by a link Obsidian would make an empty one.
	openNote(note: Note, rel: string) {
		const whole = note.root + rel, path = whole.slice(note.base.length), { vault, workspace } = this.app;
		const file = whole.startsWith(note.base) && (vault.getFileByPath(path.normalize('NFC')) ?? vault.getFileByPath(path));
		if (file) void workspace.getLeaf(false).openFile(file);
		else new Notice('Obsidian does not have this note.');
	}

	// proposedIn are the dispatches of a note that wait for a yes.
	private proposedIn(file: { path: string }): Dispatch[] {
		const note = this.noteOf(file);
		return note ? Array.from(this.engine?.records.values() ?? []).filter(d => d.status === 'proposed' && note.has(d)) : [];
	}

	// proposalsOf are the changes to show in a text.
	proposalsOf(state: EditorState): Proposal[] {
		const file = fileOf(state);
		return file ? this.proposedIn(file).flatMap(d => this.engine?.proposals.get(d.id) ?? []) : [];
	}

	// signsOf are the signs of some lines of a text, one for a line at most.
	signsOf({ doc, file, view }: Place, first: number, last: number): Placed[] {
		const note = file && this.noteOf(file), engine = this.engine, signs: Placed[] = [];
		let records: Dispatch[] = [], rows: Missed[] = [];
		if (note && engine) {
			engine.learn(note);
			if (file && this.proposedIn(file).length) void engine.look();
			records = Array.from(engine.records.values()).filter(d => note.has(d) && Array.isArray(d.lines));
			rows = asList<Missed>(engine.status?.notTaken).filter(row => note.has(row) && row.line > 0 && row.kind !== 'held');
		}
		for (let n = first; n <= last; n++) {
			const text = doc.line(n).text, sign = this.signOf(doc, n, text, records, rows);
			if (sign?.id && view?.state.field(this.changes, false)?.all.has(sign.id)) Object.assign(sign, { words: 'for you to approve', can: ['decide', 'cancel'] });
			if (sign) signs.push({ line: n, ...sign });
			else if (note && text.endsWith(OPEN_BLOCK)) signs.push({ line: n, kind: 'answered', words: 'Undo or ask again', can: [] });
		}
		return signs;
	}

	// signOf is the sign of one line: of its dispatch, else that it is not taken up, else what the note tells.
	private signOf(doc: Text, n: number, text: string, records: Dispatch[], rows: Missed[]): Sign | null {
		const [, role, task, words] = QUESTION.exec(text) ?? [];
		if (role && words) {
			const key = ('agent-' + role + (task ? ':' + task : '')).normalize('NFC'), is = plain(words, 80).replace(/…$/, '');
			const isAsked = (was: string) => is.startsWith(was) || was.startsWith(is); // a question may go on for several lines
			const mine = records.filter(d => d.key === key && (d.markers > 1 || isAsked(plain(d.instruction, 80).replace(/…$/, ''))) && describe(d, ''));
			const d = nearest(mine.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), n, one => one.lines.slice(0, 1000));
			if (d) return describe(d, this.host);
		}
		const line = rows.length && plain(text.slice(0, 1000), 80), row = nearest(rows.filter(r => r.text && plain(r.text, 80) === line), n, one => [one.line]);
		if (row) {
			const letters = Array.from(plain(text, Infinity)); // a row has 80 of them; what is behind may be newer than its mend
			const rest = letters.length > 80 ? letters.slice(60).join('') : '';
			const whole = typeof row.mend === 'string' && !/[\n\r]|…$/.test(row.mend) && plain(row.mend, Infinity).endsWith(rest) ? row.mend : '';
			return { kind: 'missed', words: plain('not taken up: ' + asText(row.reason), 200), can: whole ? ['mend'] : [], mend: whole, text };
		}
		const [, told] = (n < doc.lines && PROGRESS.exec(doc.line(n + 1).text)) || [];
		return told ? { kind: 'told', words: plain(told, 200), can: [] } : null;
	}

	// signAt is the sign of a line, or of the answer that the line is in.
	private signAt(file: TFile | null, line: number): { view: EditorView; sign: Placed } | null {
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

	private showMenuAt(view: EditorView, sign: Placed) {
		const at = view.coordsAtPos(view.state.doc.line(sign.line).from);
		void this.showMenu(placeOf(view), sign, menu => menu.showAtPosition({ x: at?.left ?? 0, y: at?.bottom ?? 0 }));
	}

	// showMenu offers what can be done about a sign.
	async showMenu(place: Place, sign: Placed, show: (menu: Menu) => void) {
		const menu = new Menu(), { file, view } = place, { id, mend } = sign;
		const item = (title: string, act: (() => unknown) | null) => { menu.addItem(entry => entry.setTitle(title).setDisabled(!act).onClick(() => void act?.())); };
		if (sign.kind === 'answered') {
			await this.addBlockItems(place, sign, item);
		} else {
			item(sign.words, null);
			const proposal = id && view?.state.field(this.changes, false)?.all.get(id);
			if (view && proposal && sign.can.includes('decide')) for (const [verb, title] of verbsOf(proposal)) item(title, () => this.decide(view, proposal, verb));
			if (id && sign.can.includes('retry')) item('Ask again', () => this.act(id, 'retry', file, {}));
			if (id && sign.can.includes('cancel')) item('Cancel', () => this.act(id, 'cancel', file));
			if (view && mend) item('Write ' + plain(mend, 80), () => this.mend(view, sign, mend));
		}
		if (this.engine?.status) item('Open the dashboard', () => this.openDashboard());
		show(menu);
	}

	// addBlockItems finds whose answer a block is, by its text, and offers to undo it or to ask again.
	private async addBlockItems({ doc, file }: Place, sign: Placed, item: (title: string, act: (() => unknown) | null) => void) {
		const lines: string[] = [], equal: number[] = [];
		for (let n = sign.line; n <= doc.lines && !lines.at(-1)?.endsWith(CLOSE_BLOCK); n++) lines.push(doc.line(n).text.trimEnd());
		for (let n = 1; n + lines.length - 1 <= doc.lines; n++) if (lines.every((line, i) => doc.line(n + i).text.trimEnd() === line)) equal.push(n);
		const found = await this.findAnswer(lines.join('\n'), sign.line, equal, file).catch(() => null);
		if (!found) return item('This answer was changed, or is too old to undo', null);
		const many = found.markers > 1 ? ` (${found.markers} answers)` : '';
		item((found.noUndo ? 'No undo: ' + plain(found.noUndo, 120) : 'Undo') + many, found.noUndo ? null : () => this.act(found.id, 'undo', file));
		item('Ask again' + many, () => this.act(found.id, 'retry', file, { fresh: true }));
	}

	// findAnswer returns whose answer a block is. Where others are equal, at these lines, it is the one in the
	// same place among them, or the nearest.
	private async findAnswer(block: string, line: number, equal: number[], file: TFile | null): Promise<Dispatch | null> {
		const note = file && this.noteOf(file), engine = this.engine, found: { detail: Dispatch; at: number }[] = [];
		if (!note || !engine) return null;
		for (const { id } of (await engine.list(note, 'status=done&')).slice(0, MOST_COMPARED)) {
			const detail = await engine.call('GET', '/vault-mind/dispatches/' + encodeURIComponent(id));
			for (const [, at, part] of asText(detail.diff ?? '').matchAll(/^@@ line (\d+) @@\n((?:[-+][^\n]*\n)*)/gm)) {
				const written = (part ?? '').split('\n').filter(l => l.startsWith('+')).map(l => l.slice(1).trimEnd()).join('\n');
				if (('\n' + written + '\n').includes('\n' + block + '\n')) found.push({ detail: detail as unknown as Dispatch, at: Number(at) });
			}
		}
		found.sort((a, b) => a.at - b.at); // of two at one line the newer is above
		const one = found.length === equal.length ? found[equal.indexOf(line)] : nearest(found, line, f => [f.at]);
		return one?.detail ?? null;
	}

	// decide is what a person does about a proposal whose change an editor shows. It reports whether that is decided by now.
	async decide(view: EditorView, proposal: Proposal, verb: Verb): Promise<boolean> {
		const { id } = proposal, file = fileOf(view.state), now = () => this.engine?.proposals.get(id);
		if (verb === 'accept') return this.act(id, 'accept', file, { seen: proposal.seen });
		const modal = verb === 'change'
			? new TextModal(this.app, now, { label: 'What is written in place of the answer', button: 'Accept this text', text: answerOf(proposal), needed: true }, (text, seen) => this.act(id, 'accept', file, { seen, text }))
			: new TextModal(this.app, now, { label: 'Why not; with a reason it is asked again', button: 'Reject', text: '', needed: false }, because => this.act(id, 'reject', file, because ? { because } : {}));
		modal.open();
		return false;
	}

	// act does something about a dispatch, for a person who has asked for it, and reports whether it was done.
	private async act(id: string, verb: string, file: TFile | null, body?: unknown): Promise<boolean> {
		try {
			if (file) await this.save(file);
			await this.engine?.call('POST', `/vault-mind/dispatches/${encodeURIComponent(id)}/${verb}`, body, WRITER_PATIENCE);
			return true;
		} catch (err) {
			if (err instanceof Refused) this.engine?.meet(id, err.reply);
			if (!this.ended) new Notice(err instanceof Refused ? err.message : 'Nobody knows whether that was done: ' + plain(err instanceof Error ? err.message : err, 200));
			return false;
		}
	}

	// save writes what is typed in a note, so that the engine sees what its reader sees.
	async save(file: TFile) {
		for (const leaf of this.app.workspace.getLeavesOfType('markdown')) {
			if (leaf.view instanceof MarkdownView && leaf.view.file === file) await leaf.view.save();
		}
	}

	// mend writes a line as it would be taken up, if it still is what it was.
	private mend(view: EditorView, sign: Placed, insert: string) {
		if (sign.line > view.state.doc.lines || view.state.doc.line(sign.line).text !== sign.text) return;
		const { from, to } = view.state.doc.line(sign.line);
		view.dispatch({ changes: { from, to, insert } });
	}

	private async openDashboard() {
		if (!this.engine?.status) return;
		const link = await this.engine.call('POST', '/vault-mind/session').catch(() => null), url = asText(link?.url);
		if (url.startsWith(`http://127.0.0.1:${this.engine.place?.port}/`)) window.open(url);
	}
}
