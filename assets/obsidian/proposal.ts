// An answer that waits for a person's yes, in the editor: what it would change, at its place, and the buttons that decide.
// The note stays as it is: removed lines are struck out, added lines are in widgets.

import { type App, Modal } from 'obsidian';
import { type EditorState, type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { PROGRESS, type Proposal, asList, asText, plain } from './engine';

export const refresh = StateEffect.define<null>(); // there is something else to show

const VERBS = { accept: 'Accept', change: 'Change', reject: 'Reject' };
export type Verb = keyof typeof VERBS;

// Decider has the proposals of a text, and does what a person wants about one that is shown. It reports whether that is decided by now.
export interface Decider {
	proposalsOf: (state: EditorState) => Proposal[];
	decide: (view: EditorView, proposal: Proposal, verb: Verb) => Promise<boolean>;
}

// verbsOf are the ways to decide about a proposal; of several answers none can be changed by itself.
export const verbsOf = (p: Proposal): [Verb, string][] => (Object.entries(VERBS) as [Verb, string][]).filter(([verb]) => verb !== 'change' || asList(p.answers).length === 1);

// answerOf is the text of a proposal's one answer.
export const answerOf = (p: Proposal) => asText(asList<{ answer?: unknown }>(p.answers)[0]?.answer ?? '');

// visible is a line with those characters shown that have no shape, but for those that change the one before them.
const visible = (line: string) => line.replace(/(?!\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, c => `\u27e8U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`);

// Hunk is a part of a diff: its lines, each with its sign before it.
type Hunk = string[];

function hunksOf(diff: string): Hunk[] {
	const hunks: Hunk[] = [];
	for (const line of diff.split('\n')) {
		if (/^@@ -\d+\D.*@@/.test(line)) hunks.push([]);
		else if (/^[-+ ]/.test(line)) hunks.at(-1)?.push(line.replace(/\r$/, ''));
	}
	return hunks;
}

// linesAt are the lines of a text from line n on that are these; null = the text has others there. Comments on progress are no part
// of a note.
function linesAt(doc: Text, lines: string[], n: number): number[] | null {
	const found: number[] = [];
	for (const line of lines) {
		while (found.length && n <= doc.lines && doc.line(n).text !== line && PROGRESS.test(doc.line(n).text)) n++;
		if (n > doc.lines || doc.line(n).text !== line) return null;
		found.push(n++);
	}
	return found;
}

// findLines is linesAt the place at which a hunk fits. Where there is another one nothing tells which is meant: the text may have other
// lines above by now.
function findLines(doc: Text, hunk: Hunk): number[] | null {
	const lines = hunk.filter(line => !line.startsWith('+')).map(line => line.slice(1));
	if (!lines.length) return doc.length ? null : []; // the note was empty
	let only: number[] | null = null;
	for (let n = 1; n <= doc.lines; n++) {
		const found = linesAt(doc, lines, n);
		if (found && only) return null;
		only ??= found;
	}
	return only;
}

// Run is a change without a gap: the lines that go, those that come, and the line behind which they come; 0 = before the first.
interface Run { gone: number[]; come: string[]; behind: number }

// runsOf are the changes of a proposal in a text; null where one of them has no place, for what is not shown whole is not decided.
// Where the lines around a change are others by now, its own lines are looked for.
function runsOf(doc: Text, p: Proposal): Run[] | null {
	const runs: Run[] = [];
	for (let hunk of hunksOf(p.diff)) {
		let found = findLines(doc, hunk);
		if (!found && hunk.some(line => line.startsWith('-'))) {
			const isAround = (line: string) => line.startsWith(' ');
			hunk = hunk.slice(hunk.findIndex(line => !isAround(line)), hunk.findLastIndex(line => !isAround(line)) + 1);
			found = findLines(doc, hunk);
		}
		if (!found) return null;
		let run: Run | null = null, behind = (found[0] ?? 1) - 1;
		for (const line of hunk) {
			if (!line.startsWith('+')) behind = found.shift() ?? behind;
			if (line.startsWith(' ')) {
				run = null;
				continue;
			}
			if (!run) runs.push(run = { gone: [], come: [], behind });
			if (line.startsWith('+')) run.come.push(line.slice(1));
			else run.gone.push(behind);
			run.behind = behind;
		}
	}
	return runs.length ? runs : null;
}

// addLines shows lines of a diff, each with its sign before it.
function addLines(parent: HTMLElement, lines: string[]) {
	for (const line of lines) parent.createEl(line.startsWith('-') ? 'del' : 'ins', { cls: 'vault-dispatcher-' + (line.startsWith('-') ? 'removed' : 'added'), text: visible(line.slice(1)) });
}

// addDiff shows all that a proposal changes.
function addDiff(parent: HTMLElement, p: Proposal) {
	for (const hunk of hunksOf(p.diff)) addLines(parent, hunk.filter(line => !line.startsWith(' ')));
}

// Change shows the lines that come at one place. The last one of a proposal has the buttons, and all of the change where there is more.
class Change extends WidgetType {
	constructor(private decider: Decider, private proposal: Proposal, private run: Run, private runs: number, private isLast: boolean) { super(); }
	eq(other: Change) {
		const said = ({ proposal: { id, seen }, run, runs, isLast }: Change) => JSON.stringify([id, seen, run.come, runs, isLast]);
		return said(other) === said(this);
	}
	toDOM(view: EditorView) {
		const root = createDiv({ cls: 'vault-dispatcher-change' });
		addLines(root, this.run.come.map(line => '+' + line));
		if (!this.isLast) return root;
		const row = root.createDiv({ cls: 'vault-dispatcher-row', attr: { role: 'group', 'aria-label': 'For you to approve: ' + plain(this.proposal.instruction, 80) } });
		const buttons = verbsOf(this.proposal).map(([verb, text]) => {
			const button = row.createEl('button', { text, cls: verb === 'accept' ? 'mod-cta' : '', attr: { type: 'button' } });
			button.addEventListener('click', event => {
				if (event.detail > 1) return; // the second click of a double one may meet another change
				for (const one of buttons) one.disabled = true;
				void this.decider.decide(view, this.proposal, verb).then(isDecided => { for (const one of buttons) one.disabled = isDecided; });
			});
			return button;
		});
		if (this.runs > 1) {
			const whole = row.createEl('details');
			whole.createEl('summary', { text: `All ${this.runs} changes` });
			addDiff(whole, this.proposal);
		}
		return root;
	}
}

// Shown are the proposals that one editor shows, and where; missing are those that have no place in its text.
interface Shown { all: Map<string, Proposal>; missing: number; places: { from: number; to: number }[]; signs: DecorationSet }

// show places proposals in a text.
function show(doc: Text, proposals: Proposal[], decider: Decider): Shown {
	const all = new Map<string, Proposal>(), places: Shown['places'] = [], signs: Range<Decoration>[] = [];
	for (const p of proposals) {
		const runs = runsOf(doc, p) ?? [];
		for (const [i, run] of runs.entries()) {
			all.set(p.id, p);
			for (const { from, to } of run.gone.map(n => doc.line(n))) {
				signs.push(Decoration.line({ class: 'vault-dispatcher-going' }).range(from));
				if (from < to) signs.push(Decoration.mark({ tagName: 'del', class: 'vault-dispatcher-removed' }).range(from, to));
			}
			const at = run.behind ? doc.line(run.behind).to : 0, isLast = i === runs.length - 1;
			places.push({ from: run.gone[0] ? doc.line(run.gone[0]).from : at, to: at });
			if (run.come.length || isLast) signs.push(Decoration.widget({ widget: new Change(decider, p, run, runs.length, isLast), block: true, side: run.behind ? 1 : -1 }).range(at));
		}
	}
	return { all, missing: proposals.length - all.size, places, signs: Decoration.set(signs, true) };
}

// makeField keeps what an editor shows of proposals. What is typed beside a change moves it; what is typed in it looks for it again.
export function makeField(decider: Decider) {
	const anew = (state: EditorState) => show(state.doc, decider.proposalsOf(state), decider);
	return StateField.define<Shown>({
		create: anew,
		update(shown, tr) {
			if (tr.effects.some(e => e.is(refresh))) return anew(tr.state);
			if (!tr.docChanged) return shown;
			if (shown.missing || shown.places.some(({ from, to }) => tr.changes.touchesRange(from, to) !== false)) return anew(tr.state);
			const move = (at: number) => tr.changes.mapPos(at);
			return { ...shown, places: shown.places.map(({ from, to }) => ({ from: move(from), to: move(to) })), signs: shown.signs.map(tr.changes) };
		},
		provide: field => EditorView.decorations.from(field, shown => shown.signs),
	});
}

// TextModal asks for a text: the changed answer, or why an answer is rejected. It stays open until that is taken.
export class TextModal extends Modal {
	private field!: HTMLTextAreaElement;
	private button!: HTMLButtonElement;
	private diff!: HTMLElement;
	private seen = '';

	constructor(app: App, private proposal: () => Proposal | undefined, private about: { label: string; button: string; text: string; needed: boolean }, private act: (text: string, seen: string) => Promise<boolean>) { super(app); }
	onOpen() {
		const root = this.contentEl, { label, button, text } = this.about;
		root.classList.add('vault-dispatcher-ask');
		this.titleEl.textContent = plain(this.proposal()?.instruction ?? '', 80);
		this.diff = root.createDiv({ cls: 'vault-dispatcher-answer' });
		this.field = root.createEl('textarea', { attr: { 'aria-label': label, placeholder: label } });
		this.field.value = text;
		this.field.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.take();
		});
		this.button = root.createDiv({ cls: 'vault-dispatcher-row' }).createEl('button', { cls: 'mod-cta', text: button, attr: { type: 'button' } });
		this.button.addEventListener('click', () => void this.take());
		this.showDiff();
		this.field.focus();
	}
	onClose() { this.contentEl.replaceChildren(); }
	private showDiff() {
		const proposal = this.proposal();
		this.diff.replaceChildren();
		if (!proposal) return;
		this.seen = proposal.seen;
		addDiff(this.diff, proposal);
	}
	private async take() {
		const text = this.field.value.trim();
		if (this.button.disabled || (this.about.needed && !text)) return;
		this.button.disabled = true;
		if (await this.act(text, this.seen)) return this.close();
		this.button.disabled = false;
		this.showDiff();
	}
}
