// Shows beside a question what becomes of it, in the editor and in the reading view, and undoes or asks again.
//
// On a desktop it speaks HTTP to the engine of this computer and user, and does nothing while
// that is away. The token is read from the engine's state folder at each connection and kept
// nowhere: this plugin has no settings and writes no file of a vault. On a phone it makes no call
// and shows what the note itself tells (wiki.progress: note). What notes, agents and the engine
// say is text here, never markup.

import { type Editor, FileSystemAdapter, type MarkdownPostProcessorContext, MarkdownRenderChild, MarkdownView, Menu, Modal, Notice, Platform, Plugin, type TFile, editorInfoField, setIcon } from 'obsidian';
import { type EditorState, RangeSet, StateEffect, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, GutterMarker, ViewPlugin, type ViewUpdate, WidgetType, gutter } from '@codemirror/view';

const SOON = 50; // ms in which changes are shown together
const FIRST_PAUSE = 1000, LONGEST_PAUSE = 60 * 1000; // ms to the next look for an engine, doubled each time
const SILENCE = 30 * 1000; // the engine says something every 8 s
const PATIENCE = 10 * 1000, WRITER_PATIENCE = 2 * 60 * 1000, AGENT_PATIENCE = 30 * 60 * 1000; // for an answer
const MOST_READ = 16 << 20; // characters of an answer
const MOST_KEPT = 1000, MOST_COMPARED = 20; // dispatches; those whose answer a block may be

const OPEN_BLOCK = '<!-- agent-response -->';
const CLOSE_BLOCK = '<!-- /agent-response -->';
const QUESTION = /^[\s>*+\-\d.)[\]xX]*>\s?@agent-([\p{L}\p{M}\p{N}_-]+)(?::([\p{L}\p{M}\p{N}._-]+))?!?\s+(\S.*)$/u;
const PROGRESS = /^[\s>]*<!-- agent-progress: (.*) \([0-9a-z]{1,32}\.[0-9a-f]{8}\) -->\s*$/;
const ICONS = { queued: 'circle', working: 'loader', failed: 'x', held: 'pause', missed: 'help-circle', told: 'dot', answered: 'rotate-ccw' };

// What the engine says, as it promises it; each value may be of any other form all the same.
interface Row { vault: string; file: string }
interface Dispatch extends Row {
	id: string; key: string; status: string; lines: number[]; markers: number; instruction: unknown; createdAt: string;
	progress?: unknown; error?: unknown; hold?: { reason?: unknown }; diff?: unknown; noUndo?: unknown;
}
interface Missed extends Row { line: number; kind: string; text: unknown; reason: unknown; mend: unknown }
interface Status {
	vaults?: unknown; dispatches?: unknown; notTaken?: unknown; agents?: unknown; notTakenCount?: number;
	watcher?: { running?: boolean }; queue?: { processing?: number; queued?: number; settling?: number };
}
interface Reply { error?: unknown; dispatches?: unknown; diff?: unknown; url?: unknown; answer?: unknown; notice?: unknown; sources?: unknown }

// Note is what the engine calls a file.
interface Note { vault: string; root: string; base: string; rel: string; has: (row: Row) => boolean }

// Sign is what is shown of a line, and what can be done about it.
interface Sign { kind: keyof typeof ICONS; words: string; can: string[]; id?: string; mend?: string; text?: string }
type Placed = Sign & { line: number };

// Place is a text in which signs are, and the editor that shows it, if one does.
interface Place { doc: Text; file: TFile | null; view?: EditorView }

// asText takes a value of any form for a text.
const asText = (value: unknown) => String(value);

// plain is a text from elsewhere as one line that nothing obeys, of so many characters at most.
function plain(text: unknown, most: number): string {
	const line = asText(text ?? '').split(/[\s\p{Cc}\p{Cf}]+/u).filter(Boolean).join(' ');
	const letters = Array.from(line);
	return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : line;
}

// What the engine says may be of any form: read has no object that cannot be taken for a text, asList nothing but objects.
const read = (text: string) => JSON.parse(text, (key, value: unknown) => (key === 'toString' || key === 'valueOf' ? undefined : value)) as unknown;
const asList = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as unknown[]).filter(one => one && typeof one === 'object') as T[] : []);

// loadNode is what Node gives on a desktop, and only there.
async function loadNode() {
	if (!Platform.isDesktop) throw new Error('this is no desktop');
	const [fs, http, os, path, process] = await Promise.all([import('fs'), import('http'), import('os'), import('path'), import('process')]);
	return { fs, http, os, path, process };
}
type Node = Awaited<ReturnType<typeof loadNode>>;
type Request = ReturnType<Node['http']['request']>;
type Response = InstanceType<Node['http']['IncomingMessage']>;

// stateFolders are where an engine of this user may keep its state; Obsidian in a sandbox has a
// variable of its own.
function stateFolders({ os, path, process: { env } }: Node): string[] {
	const usual = Platform.isWin ? env.LOCALAPPDATA : path.join(os.homedir(), Platform.isMacOS ? 'Library/Application Support' : '.local/state');
	return [env.XDG_STATE_HOME ?? '', usual ?? ''].filter(dir => path.isAbsolute(dir)).map(dir => path.join(dir, 'vault-dispatcher'));
}

// listensHere reports whether this user, or root, listens at a port. Only Linux tells; a port
// that a crashed engine has left behind may be another user's now.
function listensHere({ fs, os }: Node, port: number): boolean {
	if (!Platform.isLinux) return true;
	let table: string;
	try {
		table = fs.readFileSync('/proc/net/tcp', 'latin1');
	} catch {
		return true;
	}
	const local = '0100007F:' + port.toString(16).toUpperCase().padStart(4, '0');
	const row = table.split('\n').map(line => line.trim().split(/\s+/)).find(cell => cell[1] === local && cell[3] === '0A');
	return row !== undefined && [0, os.userInfo().uid].includes(Number(row[7]));
}

// findEngine returns the port and the token of the running engine, or null. A token file that
// others can read is of no use. The port in a vault's own files is not asked: who writes into the
// vault could have the token sent anywhere.
function findEngine(node: Node): { port: number; token: string } | null {
	const { fs, os, path } = node;
	for (const dir of stateFolders(node)) {
		try {
			const file = path.join(dir, 'token'), info = fs.lstatSync(file);
			if (!info.isFile() || (!Platform.isWin && (info.mode & 0o077 || info.uid !== os.userInfo().uid))) continue;
			const token = fs.readFileSync(file, 'latin1'), port = Number(fs.readFileSync(path.join(dir, 'port'), 'latin1').trim());
			if (/^[0-9a-f]{64}$/.test(token) && Number.isInteger(port) && port > 0 && port < 65536 && listensHere(node, port)) return { port, token };
		} catch {
			continue; // no engine there
		}
	}
	return null;
}

class Refused extends Error {} // what the engine says against a call, in words for a person

// Engine is the engine of this computer: what it tells, and what it is asked to do. It is looked
// for again and again, ever less often; nobody is told that it is away but by its status.
class Engine {
	status: Status | null = null; // null = it is away
	records = new Map<string, Dispatch>();
	asked = new Set<string>(); // notes whose dispatches were asked for
	requests = new Set<Request>();
	pause = FIRST_PAUSE;
	place: { port: number; token: string } | null = null;
	ended = false;
	timer = 0;

	constructor(private node: Node, private changed: () => void) {}

	start() {
		this.place = findEngine(this.node);
		if (!this.place) return this.retry();
		const request = this.open('GET', '/vault-mind/events', null, SILENCE, response => {
			if (response.statusCode !== 200 || response.headers.server !== 'vault-dispatcher') return request.destroy();
			let text = '';
			response.setEncoding('utf8').on('error', () => {}).on('data', (piece: string) => {
				const messages = (text + piece).split('\n\n');
				text = messages.pop() ?? '';
				for (const message of messages) this.take(message);
				if (text.length > MOST_READ) request.destroy();
			});
		});
		request.on('error', () => {}).on('close', () => this.retry());
	}

	retry() {
		if (this.ended) return;
		this.place = null;
		if (this.status) {
			this.status = null;
			this.records.clear();
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
	take(message: string) {
		const fields = new Map(message.split('\n').map(line => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]));
		let data: unknown;
		try {
			data = read(fields.get('data') ?? '');
		} catch {
			return; // a sign of life
		}
		if (!data || typeof data !== 'object') return;
		if (fields.get('event') === 'snapshot') {
			this.pause = FIRST_PAUSE;
			this.status = data;
			this.records = new Map(asList<Dispatch>(this.status.dispatches).map(d => [d.id, d]));
			this.asked.clear();
		} else if (fields.get('event') === 'state' && this.status) {
			Object.assign(this.status, data);
		} else if (fields.get('event') === 'dispatch') {
			this.keep([data as Dispatch]);
		} else return;
		this.changed();
	}

	keep(list: Dispatch[]) {
		for (const d of list) this.records.set(d.id, d);
		for (const id of this.records.keys()) {
			if (this.records.size <= MOST_KEPT) break;
			this.records.delete(id); // the one that came first
		}
	}

	// learn asks for the dispatches of a note that ended long ago.
	learn(note: Note) {
		const key = note.vault + '\n' + note.rel;
		if (this.asked.has(key)) return;
		this.asked.add(key);
		this.list(note, '').then(list => {
			this.keep(list.filter(d => !this.records.has(d.id)));
			this.changed();
		}, () => this.asked.delete(key));
	}

	async list(note: Note, filter: string): Promise<Dispatch[]> {
		const q = /^[ -~]*$/.test(note.rel) ? 'limit=100&q=' + encodeURIComponent(note.rel) : 'limit=1000'; // letters may be spelled in two ways
		const answer = await this.call('GET', `/vault-mind/dispatches?${filter}${q}`);
		return asList<Dispatch>(answer.dispatches).filter(d => note.has(d));
	}

	// open begins a request. No proxy, redirect or other name has a part in it, and no connection is kept.
	open(method: string, path: string, text: string | null, timeout: number, answered: (response: Response) => void): Request {
		const body = text === null ? null : new TextEncoder().encode(text);
		const headers = { Authorization: 'Bearer ' + this.place?.token, ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.length }) };
		const request = this.node.http.request({ host: '127.0.0.1', port: this.place?.port, method, path, headers, agent: false, timeout }, answered);
		this.requests.add(request);
		request.on('timeout', () => request.destroy()).on('close', () => this.requests.delete(request));
		request.end(body ?? undefined);
		return request;
	}

	// call returns the engine's answer. begun is told how to end the call.
	call(method: string, path: string, body?: unknown, wait = PATIENCE, begun: (end: () => void) => void = () => {}): Promise<Reply> {
		return new Promise((resolve, reject) => {
			if (!this.place || this.ended) throw new Refused('The engine is away.');
			const request = this.open(method, path, body === undefined ? null : JSON.stringify(body), wait, response => {
				let text = '';
				response.setEncoding('utf8').on('error', reject).on('data', (piece: string) => {
					if ((text += piece).length > MOST_READ) request.destroy();
				}).on('end', () => {
					try {
						const answer = read(text) as Reply;
						if ((response.statusCode ?? 500) < 300) resolve(answer);
						else reject(new Refused(plain(answer.error, 300)));
					} catch {
						reject(new Error('its answer cannot be read'));
					}
				});
			});
			request.on('error', reject).on('close', () => reject(new Refused('The engine has gone away.')));
			begun(() => request.destroy());
		});
	}
}

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

const refresh = StateEffect.define<null>(); // there is something else to show

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

	async onload() {
		const life = ViewPlugin.define(view => new Life(this, view), { decorations: l => l.words });
		this.registerEditorExtension([life, gutter({
			class: 'vault-dispatcher-margin', renderEmptyElements: false, markers: view => view.plugin(life)?.marks ?? RangeSet.of<GutterMarker>([]),
		})]);
		this.registerMarkdownPostProcessor((el, about) => about.addChild(new Section(el, this, about)));
		this.addCommand({ id: 'act', name: 'Undo, ask again or mend here', editorCheckCallback: (checking: boolean, editor: Editor, info) => {
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
	noteOf(file: TFile): Note | null {
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

	// signsOf are the signs of some lines of a text, one for a line at most.
	signsOf({ doc, file }: Place, first: number, last: number): Placed[] {
		const note = file && this.noteOf(file), engine = this.engine, signs: Placed[] = [];
		let records: Dispatch[] = [], rows: Missed[] = [];
		if (note && engine) {
			engine.learn(note);
			records = Array.from(engine.records.values()).filter(d => note.has(d) && Array.isArray(d.lines));
			rows = asList<Missed>(engine.status?.notTaken).filter(row => note.has(row) && row.line > 0 && row.kind !== 'held');
		}
		for (let n = first; n <= last; n++) {
			const text = doc.line(n).text, sign = this.signOf(doc, n, text, records, rows);
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

	// act does something about a dispatch, for a person who has asked for it.
	private async act(id: string, verb: string, file: TFile | null, body?: unknown) {
		try {
			if (file) await this.save(file);
			await this.engine?.call('POST', `/vault-mind/dispatches/${encodeURIComponent(id)}/${verb}`, body, WRITER_PATIENCE);
		} catch (err) {
			if (!this.ended) new Notice(err instanceof Refused ? err.message : 'Nobody knows whether that was done: ' + plain(err instanceof Error ? err.message : err, 200));
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
