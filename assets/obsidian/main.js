'use strict';

// Shows in the margin of a question what becomes of it, and undoes or asks again.
//
// On a desktop it speaks HTTP to the engine of this computer and user, and does nothing while
// that is away. The token is read from the engine's state folder at each connection and kept
// nowhere: this plugin has no settings and writes no file of a vault. On a phone it makes no call
// and shows what the note itself tells (wiki.progress: note). What notes, agents and the engine
// say is text here, never markup.

const { FileSystemAdapter, MarkdownView, Menu, Modal, Notice, Platform, Plugin, editorInfoField } = require('obsidian');
const { RangeSet, StateEffect } = require('@codemirror/state');
const { Decoration, GutterMarker, ViewPlugin, WidgetType, gutter } = require('@codemirror/view');

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
const SYMBOLS = { queued: '○', working: '◐', failed: '✕', held: '‖', missed: '?', told: '·', answered: '↺' };

// plain is a text from elsewhere as one line that nothing obeys, of so many characters at most.
function plain(text, most) {
	const line = String(text ?? '').split(/[\s\p{Cc}\p{Cf}]+/u).filter(Boolean).join(' ');
	const letters = Array.from(line);
	return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : line;
}

// What the engine says may be of any form: read has no object that cannot be taken for a text, asList nothing but objects.
const read = text => JSON.parse(text, (key, value) => (key === 'toString' || key === 'valueOf' ? undefined : value));
const asList = value => (Array.isArray(value) ? value.filter(one => one && typeof one === 'object') : []);

// stateFolders are where an engine of this user may keep its state; Obsidian in a sandbox has a
// variable of its own.
function stateFolders() {
	const path = require('path'), home = require('os').homedir(), env = process.env;
	const usual = Platform.isWin ? env.LOCALAPPDATA : path.join(home, Platform.isMacOS ? 'Library/Application Support' : '.local/state');
	return [env.XDG_STATE_HOME, usual].filter(dir => dir && path.isAbsolute(dir)).map(dir => path.join(dir, 'vault-dispatcher'));
}

// listensHere reports whether this user, or root, listens at a port. Only Linux tells; a port
// that a crashed engine has left behind may be another user's now.
function listensHere(port) {
	if (!Platform.isLinux) return true;
	let table;
	try {
		table = require('fs').readFileSync('/proc/net/tcp', 'latin1');
	} catch {
		return true;
	}
	const local = '0100007F:' + port.toString(16).toUpperCase().padStart(4, '0');
	const row = table.split('\n').map(line => line.trim().split(/\s+/)).find(cell => cell[1] === local && cell[3] === '0A');
	return row !== undefined && [0, process.getuid()].includes(Number(row[7]));
}

// findEngine returns the port and the token of the running engine, or null. A token file that
// others can read is of no use. The port in a vault's own files is not asked: who writes into the
// vault could have the token sent anywhere.
function findEngine() {
	const fs = require('fs'), path = require('path');
	for (const dir of stateFolders()) {
		try {
			const file = path.join(dir, 'token'), info = fs.lstatSync(file);
			if (!info.isFile() || (!Platform.isWin && (info.mode & 0o077 || info.uid !== process.getuid()))) continue;
			const token = fs.readFileSync(file, 'latin1'), port = Number(fs.readFileSync(path.join(dir, 'port'), 'latin1').trim());
			if (/^[0-9a-f]{64}$/.test(token) && Number.isInteger(port) && port > 0 && port < 65536 && listensHere(port)) return { port, token };
		} catch {} // no engine there
	}
	return null;
}

class Refused extends Error {} // what the engine says against a call, in words for a person

// Engine is the engine of this computer: what it tells, and what it is asked to do. It is looked
// for again and again, ever less often; nobody is told that it is away but by its status.
class Engine {
	constructor(changed) {
		this.changed = changed;
		this.status = null; // null = it is away
		this.records = new Map(); // dispatches by id
		this.asked = new Set(); // notes whose dispatches were asked for
		this.requests = new Set();
		this.pause = FIRST_PAUSE;
	}

	start() {
		this.place = findEngine();
		if (!this.place) return this.retry();
		const request = this.open('GET', '/vault-mind/events', null, SILENCE, response => {
			if (response.statusCode !== 200 || response.headers.server !== 'vault-dispatcher') return request.destroy();
			let text = '';
			response.setEncoding('utf8').on('error', () => {}).on('data', piece => {
				const messages = (text + piece).split('\n\n');
				text = messages.pop();
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
		this.timer = setTimeout(() => this.start(), this.pause);
		this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
	}

	stop() {
		this.ended = true;
		clearTimeout(this.timer);
		for (const request of this.requests) request.destroy();
	}

	// take updates what is known by one message of the stream.
	take(message) {
		const fields = Object.fromEntries(message.split('\n').map(line => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]));
		let data;
		try {
			data = read(fields.data);
		} catch {} // a sign of life
		if (!data || typeof data !== 'object') return;
		if (fields.event === 'snapshot') {
			this.pause = FIRST_PAUSE;
			this.status = data;
			this.records = new Map(asList(data.dispatches).map(d => [d.id, d]));
			this.asked.clear();
		} else if (fields.event === 'state' && this.status) {
			Object.assign(this.status, data);
		} else if (fields.event === 'dispatch') {
			this.keep([data]);
		} else return;
		this.changed();
	}

	keep(list) {
		for (const d of list) this.records.set(d.id, d);
		for (const id of this.records.keys()) {
			if (this.records.size <= MOST_KEPT) break;
			this.records.delete(id); // the one that came first
		}
	}

	// learn asks for the dispatches of a note that ended long ago.
	learn(note) {
		const key = note.vault + '\n' + note.rel;
		if (this.asked.has(key)) return;
		this.asked.add(key);
		this.list(note, '').then(list => {
			this.keep(list.filter(d => !this.records.has(d.id)));
			this.changed();
		}, () => this.asked.delete(key));
	}

	list(note, filter) {
		const q = /^[ -~]*$/.test(note.rel) ? 'limit=100&q=' + encodeURIComponent(note.rel) : 'limit=1000'; // letters may be spelled in two ways
		return this.call('GET', `/vault-mind/dispatches?${filter}${q}`).then(answer => asList(answer.dispatches).filter(d => note.has(d)));
	}

	// open begins a request. No proxy, redirect or other name has a part in it, and no connection is kept.
	open(method, path, text, wait, answered) {
		const headers = { Authorization: 'Bearer ' + this.place.token };
		if (text !== null) Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
		const request = require('http').request({ host: '127.0.0.1', port: this.place.port, method, path, headers, agent: false, timeout: wait }, answered);
		this.requests.add(request);
		request.on('timeout', () => request.destroy()).on('close', () => this.requests.delete(request));
		request.end(text ?? undefined);
		return request;
	}

	// call returns the engine's answer. begun is told how to end the call.
	call(method, path, body, wait = PATIENCE, begun = () => {}) {
		return new Promise((resolve, reject) => {
			if (!this.place || this.ended) throw new Refused('The engine is away.');
			const request = this.open(method, path, body === undefined ? null : JSON.stringify(body), wait, response => {
				let text = '';
				response.setEncoding('utf8').on('error', reject).on('data', piece => {
					if ((text += piece).length > MOST_READ) request.destroy();
				}).on('end', () => {
					try {
						const answer = read(text);
						if (response.statusCode < 300) resolve(answer);
						else reject(new Refused(plain(answer.error, 300)));
					} catch (err) {
						reject(err);
					}
				});
			});
			request.on('error', reject).on('close', () => reject(new Refused('The engine has gone away.')));
			begun(() => request.destroy());
		});
	}
}

// describe is a dispatch in words, and what can be done about it; null where a note need not tell.
function describe(d, host) {
	const about = { id: d.id };
	switch (d.status) {
	case 'queued':
		return { ...about, kind: 'queued', words: 'queued on ' + host, can: ['cancel'] };
	case 'processing':
		return { ...about, kind: 'working', words: plain(`working on ${host}${d.progress ? ', ' + d.progress : ''}`, 200), can: ['cancel'] };
	case 'failed':
		return { ...about, kind: 'failed', words: plain('failed because ' + (d.error || 'of an unknown reason'), 200), can: ['retry', 'cancel'] };
	case 'held': case 'proposed':
		return { ...about, kind: 'held', can: ['cancel'], words: d.status === 'proposed' ? 'for you to approve: see the dashboard' : plain('waiting for you: ' + (d.hold?.reason || d.error || 'see the dashboard'), 200) };
	case 'cancelled':
		return { ...about, kind: 'told', words: 'cancelled', can: ['retry'] };
	}
	return null;
}

// nearest is the one of a list whose line is nearest; of two as near, the first.
function nearest(list, line, lineOf) {
	const far = item => Math.min(...lineOf(item).map(n => Math.abs(n - line)));
	return list.reduce((best, item) => (best === null || far(item) < far(best) ? item : best), null);
}

// Mark is a sign in the margin.
class Mark extends GutterMarker {
	constructor(plugin, sign) {
		super();
		Object.assign(this, { plugin, sign });
	}
	eq(other) { return JSON.stringify(other.sign) === JSON.stringify(this.sign); }
	toDOM(view) {
		const mark = make(view.dom, 'button', `vault-dispatcher-mark vault-dispatcher-${this.sign.kind}`, SYMBOLS[this.sign.kind]);
		mark.type = 'button';
		mark.setAttribute('aria-label', this.sign.words);
		mark.addEventListener('click', event => this.plugin.showMenu(view, this.sign, menu => menu.showAtMouseEvent(event)));
		return mark;
	}
}

// Words stand behind the line of a question.
class Words extends WidgetType {
	constructor(sign) {
		super();
		this.sign = sign;
	}
	eq(other) { return other.sign.kind === this.sign.kind && other.sign.words === this.sign.words; }
	toDOM(view) {
		return make(view.dom, 'span', `vault-dispatcher-words vault-dispatcher-${this.sign.kind}`, this.sign.words);
	}
}

// make is a new element with a text, in the document of another one.
function make(beside, tag, cls, text, parent) {
	const element = beside.ownerDocument.createElement(tag);
	element.className = cls;
	element.textContent = text;
	parent?.append(element);
	return element;
}

const refresh = StateEffect.define(); // there is something else to show

// Life is what one editor shows of the questions on its screen.
class Life {
	constructor(plugin, view) {
		Object.assign(this, { plugin, view });
		plugin.lives.add(this);
		this.build(view);
	}
	update(update) {
		if (update.docChanged || update.viewportChanged || update.transactions.some(t => t.effects.some(e => e.is(refresh)))) this.build(update.view);
	}
	destroy() { this.plugin.lives.delete(this); }
	build(view) {
		const signs = this.plugin.signsOf(view.state, view.viewport.from, view.viewport.to);
		this.marks = RangeSet.of(signs.map(sign => new Mark(this.plugin, sign).range(view.state.doc.line(sign.line).from)));
		this.words = Decoration.set(signs.filter(sign => sign.kind !== 'answered').map(sign =>
			Decoration.widget({ widget: new Words(sign), side: 1 }).range(view.state.doc.line(sign.line).to)));
	}
}

// AskModal asks a question about a note.
class AskModal extends Modal {
	constructor(plugin, file, note) {
		super(plugin.app);
		Object.assign(this, { plugin, file, note });
	}
	onOpen() {
		const root = this.contentEl, add = (tag, cls, text, parent = root) => make(root, tag, cls, text, parent);
		this.titleEl.textContent = 'Ask about ' + plain(this.file.basename, 80);
		root.classList.add('vault-dispatcher-ask');
		this.question = add('textarea', '', '');
		this.question.setAttribute('aria-label', 'Your question');
		this.question.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.ask(false);
		});
		const row = add('div', 'vault-dispatcher-row', '');
		this.role = add('select', 'dropdown', '', row);
		this.role.setAttribute('aria-label', 'Who is asked');
		for (const { role } of asList(this.plugin.engine.status?.agents).filter(a => a.ready && a.role !== '*')) add('option', '', role, this.role).value = role;
		if (Array.from(this.role.options, o => o.value).includes('Miner')) this.role.value = 'Miner';
		this.buttons = [[false, 'Ask'], [true, 'Ask, and add the answer to the note']].map(([append, text]) => {
			const button = add('button', append ? '' : 'mod-cta', text, row);
			button.addEventListener('click', () => this.ask(append));
			return button;
		});
		this.answer = add('div', 'vault-dispatcher-answer', '');
		this.answer.setAttribute('role', 'status');
		this.question.focus();
	}
	onClose() {
		this.end?.(); // the question is answered all the same; the dashboard has it
		this.contentEl.replaceChildren();
	}
	async ask(append) {
		const question = this.question.value.trim(), role = this.role.value, engine = this.plugin.engine;
		if (!question || this.buttons[0].disabled) return;
		for (const button of this.buttons) button.disabled = true;
		this.answer.textContent = 'Asking…';
		try {
			await this.plugin.save(this.file);
			const { vault } = this.note, file = this.plugin.noteOf(this.file)?.rel ?? this.note.rel; // it may have another name by now
			const ask = { question, role, vault, file, append };
			const told = await engine.call('POST', '/vault-mind/ask', ask, AGENT_PATIENCE, end => { this.end = end; });
			this.answer.textContent = [told.answer, told.notice].filter(Boolean).join('\n\n') + (asList(told.sources).length ? '\n\n' : '');
			const seen = new Set();
			for (const { file: source } of asList(told.sources)) {
				if (seen.has(source)) continue;
				seen.add(source);
				const button = make(this.answer, 'button', '', source, this.answer);
				button.addEventListener('click', () => this.plugin.openNote(this.note, source));
			}
		} catch (err) {
			this.answer.textContent = err instanceof Refused ? err.message : 'The engine has gone away.';
		}
		for (const button of this.buttons) button.disabled = false;
	}
}

module.exports = class VaultDispatcher extends Plugin {
	onload() {
		this.lives = new Set();
		this.real = new Map(); // folders as the disk has them, by the path that was told
		const life = ViewPlugin.define(view => new Life(this, view), { decorations: l => l.words });
		this.registerEditorExtension([life, gutter({
			class: 'vault-dispatcher-margin', renderEmptyElements: false, markers: view => view.plugin(life)?.marks ?? RangeSet.empty,
		})]);
		this.addCommand({ id: 'act', name: 'Undo, ask again or mend at the cursor', editorCheckCallback: (checking, editor, info) => {
			const found = this.signAt(info.file, editor.getCursor().line + 1);
			if (found && !checking) this.showMenuAt(found.view, found.sign);
			return Boolean(found);
		} });
		if (!Platform.isDesktopApp || !(this.app.vault.adapter instanceof FileSystemAdapter)) return; // no call from here on
		this.host = plain(require('os').hostname(), 40) || 'this computer';
		this.engine = new Engine(() => this.changed());
		this.addCommand({ id: 'ask', name: 'Ask about this note', checkCallback: checking => {
			const file = this.app.workspace.getActiveFile(), note = file && this.noteOf(file);
			if (note && !checking) new AskModal(this, file, note).open();
			return Boolean(note);
		} });
		this.addCommand({ id: 'dashboard', name: 'Open the dashboard', checkCallback: checking => {
			if (this.engine.status && !checking) this.openDashboard();
			return Boolean(this.engine.status);
		} });
		this.bar = this.addStatusBarItem();
		this.bar.classList.add('vault-dispatcher-bar', 'mod-clickable');
		this.registerDomEvent(this.bar, 'click', () => this.openDashboard());
		this.registerEvent(this.app.workspace.on('file-open', () => this.changed()));
		this.registerEvent(this.app.vault.on('rename', () => this.changed()));
		this.register(() => {
			clearTimeout(this.soon);
			this.engine.stop();
		});
		this.showBar();
		this.engine.start();
	}

	// changed shows a moment later what is so then.
	changed() {
		this.soon ??= setTimeout(() => {
			this.soon = null;
			this.showBar();
			for (const life of this.lives) life.view.dispatch({ effects: refresh.of(null) });
		}, SOON);
	}

	showBar() {
		const { status } = this.engine, queue = status?.queue ?? {}, file = this.app.workspace.getActiveFile();
		const parts = [['working on', queue.processing], ['queued', (queue.queued ?? 0) + (queue.settling ?? 0)], ['to look at', status?.notTakenCount]];
		let words = parts.filter(([, n]) => n > 0).map(part => part.join(' ')).join(', ') || (status?.watcher?.running ? 'ready' : 'paused');
		if (!status) words = 'away';
		else if (file && !this.noteOf(file)) words = 'not for this note';
		this.bar.textContent = 'Dispatcher: ' + words;
		this.bar.setAttribute('aria-label', status ? 'Open the dashboard of Vault Dispatcher' : 'Vault Dispatcher is not running on this computer');
	}

	// realOf is a folder as the disk has it, as far as that is known by now; a disk that does not
	// respond keeps nobody waiting.
	realOf(path) {
		if (!this.real.has(path)) {
			this.real.set(path, path);
			require('fs').promises.realpath(path).then(real => {
				this.real.set(path, real);
				if (real !== path) this.changed();
			}, () => {});
		}
		return this.real.get(path);
	}

	// noteOf says what the engine calls a file, or null where it has no such vault or is away.
	noteOf(file) {
		const tidy = text => (Platform.isWin ? text.replaceAll('\\', '/') : text).normalize('NFC').replace(/\/$/, '');
		const fold = text => (Platform.isLinux ? text : text.toLowerCase()).normalize('NFC');
		const vaults = asList(this.engine?.status?.vaults).filter(v => v.path && typeof v.path === 'string');
		const told = vaults.length && this.app.vault.adapter.getBasePath();
		if (!told || !/\.(md|markdown)$/i.test(file.path)) return null;
		const base = tidy(this.realOf(told)) + '/', whole = base + tidy(file.path);
		const fits = vaults.map(v => ({ name: v.name, root: tidy(v.state === 'offline' ? v.path : this.realOf(v.path)) + '/' }))
			.filter(v => fold(whole).startsWith(fold(v.root))).sort((a, b) => b.root.length - a.root.length);
		if (!fits.length) return null;
		const [{ name, root }] = fits, rel = whole.slice(root.length), same = fold(rel);
		return { vault: name, root, base, rel, has: row => row.vault === name && typeof row.file === 'string' && fold(row.file) === same };
	}

	// openNote opens a note that is there: by a link Obsidian would make an empty one.
	openNote(note, rel) {
		const whole = note.root + rel, path = whole.slice(note.base.length), { vault, workspace } = this.app;
		const file = whole.startsWith(note.base) && (vault.getFileByPath(path.normalize('NFC')) ?? vault.getFileByPath(path));
		if (file) workspace.getLeaf(false).openFile(file);
		else new Notice('Obsidian does not have this note.');
	}

	// signsOf are the signs of the lines of an editor between two places, a line each at most.
	signsOf(state, from, to) {
		const file = state.field(editorInfoField, false)?.file, note = file && this.noteOf(file), signs = [];
		const records = [], rows = [];
		if (note) {
			this.engine.learn(note);
			records.push(...Array.from(this.engine.records.values()).filter(d => note.has(d) && Array.isArray(d.lines)));
			rows.push(...asList(this.engine.status.notTaken).filter(row => note.has(row) && row.line > 0 && row.kind !== 'held'));
		}
		for (let n = state.doc.lineAt(from).number, last = state.doc.lineAt(to).number; n <= last; n++) {
			const text = state.doc.line(n).text, sign = this.signOf(state.doc, n, text, records, rows);
			if (sign) signs.push({ line: n, ...sign });
			else if (note && text.endsWith(OPEN_BLOCK)) signs.push({ line: n, kind: 'answered', words: 'Undo or ask again' });
		}
		return signs;
	}

	// signOf is the sign of one line: of its dispatch, else that it is not taken up, else what the note tells.
	signOf(doc, n, text, records, rows) {
		const asked = QUESTION.exec(text);
		if (asked) {
			const key = ('agent-' + asked[1] + (asked[2] ? ':' + asked[2] : '')).normalize('NFC'), is = plain(asked[3], 80).replace(/…$/, '');
			const isAsked = was => is.startsWith(was) || was.startsWith(is); // a question may go on for several lines
			const mine = records.filter(d => d.key === key && (d.markers > 1 || isAsked(plain(d.instruction, 80).replace(/…$/, ''))) && describe(d, ''));
			const d = nearest(mine.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), n, one => one.lines.slice(0, 1000));
			if (d) return describe(d, this.host);
		}
		const line = rows.length && plain(text.slice(0, 1000), 80), row = nearest(rows.filter(r => r.text && plain(r.text, 80) === line), n, one => [one.line]);
		if (row) {
			const letters = Array.from(plain(text, Infinity)); // a row has 80 of them; what is behind may be newer than its mend
			const rest = letters.length > 80 ? letters.slice(60).join('') : '';
			const whole = typeof row.mend === 'string' && !/[\n\r]|…$/.test(row.mend) && plain(row.mend, Infinity).endsWith(rest) && row.mend;
			return { kind: 'missed', words: plain('not taken up: ' + row.reason, 200), can: whole ? ['mend'] : [], mend: whole || '', text };
		}
		const told = n < doc.lines && PROGRESS.exec(doc.line(n + 1).text);
		return told ? { kind: 'told', words: plain(told[1], 200), can: [] } : null;
	}

	// signAt is the sign of a line, or of the answer that the line is in.
	signAt(file, line) {
		for (const { view } of this.lives) {
			if (!file || view.state.field(editorInfoField, false)?.file !== file || line > view.state.doc.lines) continue;
			const { doc } = view.state, sign = this.signsOf(view.state, doc.line(line).from, doc.line(line).from)[0];
			if (sign) return { view, sign };
			for (let n = line; n > 0 && (n === line || !doc.line(n).text.endsWith(CLOSE_BLOCK)); n--) {
				const answered = doc.line(n).text.endsWith(OPEN_BLOCK) && this.signsOf(view.state, doc.line(n).from, doc.line(n).from)[0];
				if (answered) return { view, sign: answered };
			}
		}
		return null;
	}

	showMenuAt(view, sign) {
		const at = view.coordsAtPos(view.state.doc.line(sign.line).from);
		this.showMenu(view, sign, menu => menu.showAtPosition({ x: at?.left ?? 0, y: at?.bottom ?? 0 }));
	}

	// showMenu offers what can be done about a sign.
	async showMenu(view, sign, show) {
		const menu = new Menu(), file = view.state.field(editorInfoField, false)?.file;
		const item = (title, act) => menu.addItem(entry => entry.setTitle(title).setDisabled(!act).onClick(() => act?.()));
		if (sign.kind === 'answered') {
			await this.addBlockItems(view.state.doc, sign, file, item);
		} else {
			item(sign.words, null);
			if (sign.can.includes('retry')) item('Ask again', () => this.act(sign.id, 'retry', file, {}));
			if (sign.can.includes('cancel')) item('Cancel', () => this.act(sign.id, 'cancel', file));
			if (sign.can.includes('mend')) item('Write ' + plain(sign.mend, 80), () => this.mend(view, sign));
		}
		if (this.engine?.status) item('Open the dashboard', () => this.openDashboard());
		show(menu);
	}

	// addBlockItems finds whose answer a block is, by its text, and offers to undo it or to ask again.
	async addBlockItems(doc, sign, file, item) {
		const lines = [], equal = [];
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
	async findAnswer(block, line, equal, file) {
		const note = file && this.noteOf(file), found = [];
		for (const { id } of note ? (await this.engine.list(note, 'status=done&')).slice(0, MOST_COMPARED) : []) {
			const detail = await this.engine.call('GET', '/vault-mind/dispatches/' + encodeURIComponent(id));
			for (const [, at, part] of String(detail.diff ?? '').matchAll(/^@@ line (\d+) @@\n((?:[-+][^\n]*\n)*)/gm)) {
				const written = part.split('\n').filter(l => l.startsWith('+')).map(l => l.slice(1).trimEnd()).join('\n');
				if (('\n' + written + '\n').includes('\n' + block + '\n')) found.push({ detail, at: Number(at) });
			}
		}
		found.sort((a, b) => a.at - b.at); // of two at one line the newer is above
		const one = found.length === equal.length ? found[equal.indexOf(line)] : nearest(found, line, f => [f.at]);
		return one?.detail ?? null;
	}

	// act does something about a dispatch, for a person who has asked for it.
	async act(id, verb, file, body) {
		try {
			if (file) await this.save(file);
			await this.engine.call('POST', `/vault-mind/dispatches/${encodeURIComponent(id)}/${verb}`, body, WRITER_PATIENCE);
		} catch (err) {
			if (!this.engine.ended) new Notice(err instanceof Refused ? err.message : 'Nobody knows whether that was done: ' + plain(err.message, 200));
		}
	}

	// save writes what is typed in a note, so that the engine sees what its reader sees.
	async save(file) {
		for (const leaf of this.app.workspace.getLeavesOfType('markdown')) {
			if (leaf.view instanceof MarkdownView && leaf.view.file === file) await leaf.view.save();
		}
	}

	// mend writes a line as it would be taken up, if it still is what it was.
	mend(view, sign) {
		if (sign.line > view.state.doc.lines || view.state.doc.line(sign.line).text !== sign.text) return;
		const { from, to } = view.state.doc.line(sign.line);
		view.dispatch({ changes: { from, to, insert: sign.mend } });
	}

	async openDashboard() {
		if (!this.engine?.status) return;
		const link = await this.engine.call('POST', '/vault-mind/session').catch(() => null);
		if (String(link?.url).startsWith(`http://127.0.0.1:${this.engine.place?.port}/`)) window.open(link.url);
	}
};
