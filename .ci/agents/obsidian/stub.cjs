'use strict';
// A stand-in for the module that Obsidian gives its plugins. What it has must be declared in the
// public type definitions (npm obsidian), and what a plugin takes from it must be here.
const fs = require('fs');
const path = require('path');
const ts = require('typescript');
const { StateField } = require('@codemirror/state');

const file = require.resolve('obsidian/obsidian.d.ts');
const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

// declared are the members of each exported class and constant.
const declared = new Map();
const parents = new Map();
for (const node of source.statements) {
	if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
		declared.set(node.name.text, new Set([...(declared.get(node.name.text) ?? []), ...node.members.map(m => m.name?.getText()).filter(Boolean)]));
		parents.set(node.name.text, (node.heritageClauses ?? []).flatMap(h => h.types.map(t => t.expression.getText())));
	} else if (ts.isVariableStatement(node)) {
		for (const d of node.declarationList.declarations) declared.set(d.name.text, new Set((d.type?.members ?? []).map(m => m.name?.getText())));
	} else if (ts.isFunctionDeclaration(node)) declared.set(node.name.text, new Set());
}
function membersOf(name) {
	return new Set([...(declared.get(name) ?? []), ...(parents.get(name) ?? []).flatMap(p => [...membersOf(p)])]);
}

class Component {
	#ends = [];
	register(end) { this.#ends.push(end); }
	registerEvent(ref) { this.register(() => ref.off()); }
	registerDomEvent(element, name, act) {
		element.addEventListener(name, act);
		this.register(() => element.removeEventListener(name, act));
	}
	load() { return this.onload?.(); }
	unload() {
		for (const end of this.#ends.splice(0)) end();
		this.onunload?.();
	}
}

class Plugin extends Component {
	constructor(app, manifest) {
		super();
		this.app = app;
		this.manifest = manifest;
	}
	addStatusBarItem() {
		if (Platform.isMobile) throw new Error('there is no status bar here');
		return seen.bar = document.body.appendChild(document.createElement('div'));
	}
	addCommand(command) { seen.commands.set(command.id, command); return command; }
	registerEditorExtension(extension) { seen.extensions.push(extension); }
	registerMarkdownPostProcessor(process) { seen.processors.push(process); }
}
for (const never of ['loadData', 'saveData']) Plugin.prototype[never] = () => { throw new Error(`${never}: nothing is kept in a vault`); };

class MarkdownRenderChild extends Component {
	constructor(containerEl) { super(); this.containerEl = containerEl; }
}
function setIcon(element, id) { element.setAttribute('data-icon', id); }

class Menu extends Component {
	items = [];
	addItem(build) {
		const item = new MenuItem();
		build(item);
		this.items.push(item);
		return this;
	}
	showAtMouseEvent() { seen.menus.push(this); return this; }
	showAtPosition() { seen.menus.push(this); return this; }
}
class MenuItem {
	setTitle(title) { said(this).title = title; return this; }
	setDisabled(disabled) { said(this).disabled = disabled; return this; }
	onClick(act) { said(this).act = act; return this; }
}
const notes = new WeakMap();
const said = item => notes.get(item) ?? notes.set(item, {}).get(item);

class Modal {
	constructor(app) {
		this.app = app;
		this.containerEl = document.body.appendChild(document.createElement('div'));
		this.titleEl = this.containerEl.appendChild(document.createElement('div'));
		this.contentEl = this.containerEl.appendChild(document.createElement('div'));
	}
	open() { seen.modals.push(this); this.onOpen(); }
	close() { this.onClose(); this.containerEl.remove(); }
	onOpen() {}
	onClose() {}
}
class Notice {
	constructor(message) { seen.notices.push(message); }
}
class FileSystemAdapter {
	#base;
	constructor(base) { this.#base = base; }
	getBasePath() { return this.#base; }
}
class Events {
	#listeners = new Set();
	on(name, act) {
		const listener = { name, act, off: () => this.#listeners.delete(listener) };
		this.#listeners.add(listener);
		return listener;
	}
	trigger(name, ...data) { for (const l of [...this.#listeners]) if (l.name === name) l.act(...data); }
}
class Vault extends Events {
	files = new Set(); // paths that are there
	constructor(base) { super(); this.adapter = new FileSystemAdapter(base); }
	getFileByPath(path) { return this.files.has(path) ? { path } : null; }
}
class MarkdownView {
	constructor(file, save) { Object.assign(this, { file, save }); }
}
class Workspace extends Events {
	#leaves = [];
	#active = null;
	open(leaf) { this.#leaves.push(leaf); this.#active = leaf.view.file; this.trigger('file-open', this.#active); }
	getActiveFile() { return this.#active; }
	getLeavesOfType(type) { return type === 'markdown' ? this.#leaves : []; }
	getLeaf() { return new WorkspaceLeaf(); }
}
class WorkspaceLeaf {
	openFile(file) { seen.links.push(file.path); return Promise.resolve(); }
}
class App {
	constructor(base) { this.vault = new Vault(base); this.workspace = new Workspace(); }
}
const Platform = { isDesktop: true, isDesktopApp: true, isMobile: false, isWin: false, isMacOS: false, isLinux: true };
const editorInfoField = StateField.define({ create: () => ({ file: null }), update: value => value });

const seen = { bar: null, commands: new Map(), extensions: [], processors: [], menus: [], modals: [], notices: [], links: [] };
const parts = { App, Component, Events, FileSystemAdapter, MarkdownRenderChild, MarkdownView, Menu, MenuItem, Modal, Notice, Platform, Plugin, Vault, Workspace, WorkspaceLeaf, editorInfoField, setIcon };

// check fails where the stand-in has something that Obsidian has not.
function check() {
	const ours = new Set(['constructor', 'Workspace.open', 'Workspace.trigger']);
	for (const [name, part] of Object.entries(parts)) {
		if (!declared.has(name)) throw new Error(`obsidian.d.ts has no ${name}`);
		const has = membersOf(name);
		const names = typeof part === 'function' ? Object.getOwnPropertyNames(part.prototype) : name === 'Platform' ? Object.keys(part) : [];
		for (const member of names) {
			if (!has.has(member) && !ours.has(member) && !ours.has(`${name}.${member}`)) throw new Error(`obsidian.d.ts has no ${name}.${member}`);
		}
	}
	return `${Object.keys(parts).length} names of obsidian ${JSON.parse(fs.readFileSync(path.join(path.dirname(file), 'package.json'), 'utf8')).version}`;
}

const module_ = new Proxy(parts, { get(target, name) {
	if (!(name in target)) throw new Error(`the stand-in for obsidian has no ${String(name)}`);
	return target[name];
} });
module.exports = { obsidian: module_, parts, seen, said, check };
