'use strict';
// A window with editors for the plugin, without Obsidian.
const fs = require('fs');
const net = require('net');
const path = require('path');
const { JSDOM, VirtualConsole } = require('jsdom');

// reached are the places that this process was about to connect to, as "host port", by whatever way: http, fetch,
// WebSocket, XMLHttpRequest and what a page loads all come down to this. The name of a host is seen before it is looked up.
const reached = new Set();
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
	const [to] = net._normalizeArgs(Array.isArray(args[0]) ? args[0] : args);
	reached.add(`${to.path ?? to.host ?? 'localhost'} ${to.port ?? ''}`);
	return connect.apply(this, args);
};

const dom = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true, resources: 'usable', virtualConsole: new VirtualConsole() });
for (const name of ['window', 'document', 'Node', 'HTMLElement', 'MutationObserver', 'getComputedStyle']) global[name] = dom.window[name];
Object.defineProperty(global, 'navigator', { value: dom.window.navigator, configurable: true });
for (const name of ['requestAnimationFrame', 'cancelAnimationFrame']) global[name] = dom.window[name].bind(dom.window);
dom.window.Range.prototype.getClientRects = () => [];
dom.window.open = url => { opened.push(url); };
// Obsidian's own ways to make elements.
dom.window.Node.prototype.createEl = function (tag, about = {}) {
	const element = this.appendChild(document.createElement(tag));
	if (about.cls) element.className = about.cls;
	if (about.text !== undefined) element.textContent = about.text;
	if (about.value !== undefined) element.value = about.value;
	for (const [name, value] of Object.entries(about.attr ?? {})) element.setAttribute(name, value);
	return element;
};
dom.window.Node.prototype.createDiv = function (about) { return this.createEl('div', about); };
dom.window.Node.prototype.setText = function (text) { this.textContent = text; };
global.createEl = (tag, about) => document.createDocumentFragment().createEl(tag, about);
global.createDiv = about => global.createEl('div', about);
global.createSpan = about => global.createEl('span', about);
const opened = [];

const { EditorView } = require('@codemirror/view');
const { EditorState } = require('@codemirror/state');
const stub = require('./stub.cjs');

const patience = 4 * 60 * 1000; // all of it takes moments, except on a machine that others use as well

// until waits for something to be so.
async function until(what, holds, instead = () => '') {
	for (const end = Date.now() + patience; ;) {
		const value = await holds();
		if (value) return value;
		if (Date.now() > end) throw new Error(`in vain: ${what}\n${instead()}`);
		await new Promise(resolve => setTimeout(resolve, 20));
	}
}

// load runs the plugin as Obsidian does. wanted hears of each module that it asks for.
async function load(folder, base, wanted = () => {}) {
	const code = fs.readFileSync(path.join(folder, 'main.js'), 'utf8');
	const module_ = { exports: {} };
	const require_ = name => {
		wanted(name);
		if (name === 'obsidian') return stub.obsidian;
		if (name === '@codemirror/view' || name === '@codemirror/state' || ['fs', 'http', 'os', 'path', 'process'].includes(name)) return require(name);
		throw new Error(`Obsidian has no module ${name}`);
	};
	new Function('require', 'module', 'exports', code)(require_, module_, module_.exports);
	stub.seen.commands.clear();
	for (const key of ['extensions', 'processors', 'menus', 'modals', 'notices', 'links']) stub.seen[key].length = 0;
	const app = new stub.parts.App(base);
	const plugin = new module_.exports.default(app, JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')));
	await plugin.load();
	return { app, plugin };
}

// edit opens a note in an editor.
function edit(app, file, text) {
	const view = new EditorView({ parent: document.body, state: EditorState.create({ doc: text, extensions: [stub.parts.editorInfoField.init(() => ({ file })), stub.seen.extensions] }) });
	app.workspace.open({ view: new stub.parts.MarkdownView(file, async () => {}) });
	return view;
}

// look shows the lines of a note, counted from 0, in the reading view.
function look(note, text, lineStart, lineEnd) {
	const el = document.body.appendChild(document.createElement('div'));
	const about = { sourcePath: note, getSectionInfo: () => ({ text, lineStart, lineEnd }), addChild: child => { about.child = child; child.load(); } };
	for (const process of stub.seen.processors) process(el, about);
	return { dom: el, end: () => about.child.unload() };
}

const fileAt = rel => ({ path: rel, basename: path.basename(rel, path.extname(rel)) });
const texts = (view, found) => [...view.dom.querySelectorAll(found)].map(e => e.textContent);
const words = view => texts(view, '.vault-dispatcher-words');
const marks = view => [...view.dom.querySelectorAll('.vault-dispatcher-mark')];

// press opens the menu of a mark, until it has an item, and returns its items by their titles.
async function press(mark, wanted = '') {
	let items;
	await until(`${wanted} in a menu`, async () => {
		const before = stub.seen.menus.length;
		mark().dispatchEvent(new dom.window.MouseEvent('click', { bubbles: true }));
		await until('a menu', () => stub.seen.menus.length > before);
		items = new Map(stub.seen.menus.at(-1).items.map(item => [stub.said(item).title, stub.said(item)]));
		return [...items.keys()].some(title => title.startsWith(wanted));
	}, () => [...items.keys()].join());
	return items;
}

// theme has the colours of the light theme, by the names that https://docs.obsidian.md/Reference/CSS+variables/CSS+variables lists.
const theme = `body { font: 16px/1.5 sans-serif; margin: 16px; --text-muted: #5c5c5c; --text-accent: #6c31e3; --text-error: #e4374b; --text-warning: #b26b00;
	--font-ui-smaller: 12px; --background-modifier-hover: rgba(0, 0, 0, 0.075); --color-red-rgb: 233, 49, 71; --color-green-rgb: 8, 185, 78; } .cm-editor { border: 1px solid #ddd; } body > div:not(.cm-editor) { padding: 8px 0; }
	.cm-line { white-space: pre-wrap; } .cm-line > .vault-dispatcher-mark { position: absolute; left: 4px; } .cm-editor .cm-gutters { width: 2em; visibility: hidden; }
	.cm-editor .cm-content { flex-shrink: 1; min-width: 0; } .cm-line { padding-block: 1px; } body > .vault-dispatcher-bar { font-size: 13px; color: #5c5c5c; }`;

// signs stand for the pictures that Obsidian's setIcon draws.
const signs = { circle: '○', loader: '◌', x: '✕', pause: '‖', 'help-circle': '?', dot: '•', 'rotate-ccw': '↺' };

// picture keeps what is shown now as a page, where OBSIDIAN_PICTURES names a folder for it. jsdom measures no lines, so each
// sign with words is put into the line of its words.
function picture(folder, name) {
	if (!process.env.OBSIDIAN_PICTURES) return;
	const page = document.documentElement.cloneNode(true);
	const style = page.querySelector('head').appendChild(document.createElement('style'));
	style.textContent = theme + fs.readFileSync(path.join(folder, 'styles.css'), 'utf8');
	const beside = [...page.querySelectorAll('.cm-gutter .vault-dispatcher-mark')], lines = [...page.querySelectorAll('.cm-line:has(.vault-dispatcher-words)')];
	if (beside.length === lines.length) lines.forEach((line, i) => line.prepend(beside[i]));
	page.querySelectorAll('[data-icon]').forEach(mark => { mark.textContent = signs[mark.dataset.icon]; });
	document.querySelectorAll('textarea').forEach((field, i) => { page.querySelectorAll('textarea')[i].textContent = field.value; });
	fs.writeFileSync(path.join(process.env.OBSIDIAN_PICTURES, name + '.html'), '<!doctype html>' + page.outerHTML);
}

module.exports = { picture, dom, opened, reached, stub, until, load, edit, look, fileAt, texts, words, marks, press };
