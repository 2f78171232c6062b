// The engine of this computer: what it tells, and how it is found and asked.

import { Platform } from 'obsidian';

// PROGRESS is a comment of the engine in a note; its words are what the note tells of the line above.
export const PROGRESS = /^[\s>]*<!-- agent-progress: (.*) \([0-9a-z]{1,32}\.[0-9a-f]{8}\) -->\s*$/;

const FIRST_PAUSE = 1000, LONGEST_PAUSE = 60 * 1000; // ms to the next look for an engine, doubled each time
const SILENCE = 30 * 1000; // the engine says something every 8 s
const PATIENCE = 10 * 1000; // for an answer
const MOST_READ = 16 << 20; // characters of an answer
const MOST_KEPT = 1000; // dispatches

// What the engine says, as it promises it; each value may be of any other form all the same.
export interface Row { vault: string; file: string }
export interface Dispatch extends Row {
	id: string; key: string; status: string; lines: number[]; markers: number; instruction: unknown; createdAt: string;
	progress?: unknown; error?: unknown; hold?: { reason?: unknown }; diff?: unknown; noUndo?: unknown;
}
export interface Missed extends Row { line: number; kind: string; text: unknown; reason: unknown; mend: unknown }
export interface Status {
	vaults?: unknown; dispatches?: unknown; notTaken?: unknown; agents?: unknown; notTakenCount?: number;
	watcher?: { running?: boolean }; queue?: { processing?: number; queued?: number; settling?: number };
}
interface Reply {
	error?: unknown; code?: unknown; dispatches?: unknown; proposed?: unknown; diff?: unknown; seen?: unknown;
	url?: unknown; answer?: unknown; notice?: unknown; sources?: unknown;
}

// Proposal is what would be written, as a diff of the note as it is now, and the proof of having seen it.
export interface Proposal { id: string; diff: string; seen: string; instruction: unknown; answers?: unknown }
const isProposal = (p: Proposal) => [p.id, p.diff, p.seen].every(text => typeof text === 'string' && text);

// Note is what the engine calls a file.
export interface Note { vault: string; root: string; base: string; rel: string; has: (row: Row) => boolean }

// asText takes a value of any form for a text.
export const asText = (value: unknown) => String(value);

// plain is a text from elsewhere as one line that nothing obeys, of so many characters at most.
export function plain(text: unknown, most: number): string {
	const line = asText(text ?? '').split(/[\s\p{Cc}\p{Cf}]+/u).filter(Boolean).join(' ');
	const letters = Array.from(line);
	return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : line;
}

// What the engine says may be of any form: read has no object that cannot be taken for a text, asList nothing but objects.
const read = (text: string) => JSON.parse(text, (key, value: unknown) => (key === 'toString' || key === 'valueOf' ? undefined : value)) as unknown;
export const asList = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as unknown[]).filter(one => one && typeof one === 'object') as T[] : []);

// loadNode is what Node gives on a desktop, and only there.
export async function loadNode() {
	if (!Platform.isDesktop) throw new Error('this is no desktop');
	const [fs, http, os, path, process] = await Promise.all([import('fs'), import('http'), import('os'), import('path'), import('process')]);
	return { fs, http, os, path, process };
}
export type Node = Awaited<ReturnType<typeof loadNode>>;
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

// Refused is what the engine says against a call, in words for a person.
export class Refused extends Error {
	constructor(words: string, public reply: Reply = {}) { super(words); }
}

// Engine is the engine of this computer: what it tells, and what it is asked to do. It is looked
// for again and again, ever less often; nobody is told that it is away but by its status.
export class Engine {
	status: Status | null = null; // null = it is away
	records = new Map<string, Dispatch>();
	asked = new Set<string>(); // notes whose dispatches were asked for
	proposals = new Map<string, Proposal>();
	stale = true; // the proposals may be others now
	private listing = false;
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
			this.stale = true;
		} else if (fields.get('event') === 'state' && this.status) {
			Object.assign(this.status, data);
		} else if (fields.get('event') === 'dispatch') {
			this.keep([data as Dispatch]);
		} else return;
		this.changed();
	}

	keep(list: Dispatch[]) {
		for (const d of list) {
			this.records.set(d.id, d);
			if (d.status === 'proposed') this.stale = true;
			else this.proposals.delete(d.id);
		}
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

	// look asks for the proposals, if they may be others than are known.
	async look() {
		if (!this.stale || this.listing) return;
		[this.stale, this.listing] = [false, true];
		const answer = await this.call('GET', '/vault-mind/proposed').catch(() => null);
		this.listing = false;
		this.stale ||= !answer; // the next change asks again
		if (!answer || !this.status) return;
		this.proposals = new Map(asList<Proposal>(answer.proposed).filter(isProposal).map(p => [p.id, p]));
		this.changed();
	}

	// meet keeps a proposal as a refusal says that it is now.
	meet(id: string, { code, diff, seen }: Reply) {
		const p = { ...this.proposals.get(id), id, diff, seen } as Proposal;
		if (code !== 'changed' || !isProposal(p)) return;
		this.proposals.set(id, p);
		this.changed();
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
						else reject(new Refused(plain(answer.error, 300), answer));
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
