'use strict';
// Our plugin for Obsidian in jsdom, first beside a server that says what it shall say, then
// beside the engine. Usage: check.cjs PLUGIN WIKI
const assert = require('node:assert');
const fs = require('fs');
const http = require('http');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const { picture, dom, opened, reached, stub, until, load, edit, look, fileAt, texts, words, marks, press } = require('./bed.cjs');

const [folder, wiki] = process.argv.slice(2);
const { seen } = stub;
const home = process.env.HOME, state = path.join(home, '.local/state/vault-dispatcher');
const write = (file, text, mode = 0o600) => {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, text);
	fs.chmodSync(file, mode);
};
const bar = () => seen.bar.textContent;
const ours = new Set(); // places that the plugin is to reach

// say starts a server that plays the engine: it streams what it is told, and answers from a table.
async function say(token, answers = {}) {
	const fake = { calls: [], sent: [], streams: new Set(), product: 'vault-dispatcher' };
	const server = http.createServer((request, response) => {
		fake.calls.push(`${request.method} ${request.url} ${request.headers.authorization}`);
		response.setHeader('Server', fake.product);
		if (request.headers.authorization !== 'Bearer ' + token) {
			response.writeHead(401, { 'Content-Type': 'application/json' });
			return response.end('{"error":"This call needs the token.","code":"unauthorized"}');
		}
		if (request.url === '/vault-mind/events') {
			response.writeHead(200, { 'Content-Type': 'text/event-stream' });
			fake.streams.add(response);
			response.write('retry: 2000\n\n');
			return fake.snapshot && response.write(`event: snapshot\ndata: ${JSON.stringify(fake.snapshot)}\n\n`);
		}
		response.setHeader('Content-Type', 'application/json');
		let answer = answers[request.url.split('?')[0]] ?? { dispatches: [] }, body = '';
		request.on('data', piece => { body += piece; }).on('end', () => {
			if (body) fake.sent.push([request.url, JSON.parse(body)]);
			if (answer instanceof Function) [response.statusCode, answer] = answer();
			response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
		});
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	fake.port = server.address().port;
	ours.add(`127.0.0.1 ${fake.port}`);
	fake.tell = (event, data) => { for (const s of fake.streams) s.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`); };
	fake.end = () => new Promise(resolve => { server.close(resolve); server.closeAllConnections(); });
	write(path.join(state, 'port'), `${fake.port}\n`);
	write(path.join(state, 'token'), token);
	return fake;
}

const statusOf = (vaults, more) => ({ running: true, vaults, dispatches: [], watcher: { running: true }, queue: {}, agents: [], notTaken: [], notTakenCount: 0, ...more });
const dispatch = (status, line, more) => ({ id: 'd' + line, vault: 'Notes', file: 'Today.md', key: 'agent-Miner', lines: [line], markers: 1, status, createdAt: '2026-01-01T00:00:00Z', instruction: 'why?', ...more });
const base = fs.realpathSync(fs.mkdtempSync(path.join(home, 'vault-')));
const notes = [{ name: 'Notes', path: base, state: 'watching' }];

const tests = {
	'the stand-in is like Obsidian'() {
		return stub.check();
	},

	async 'what is reached by whatever way is seen'() {
		const ways = {
			'127.0.0.2': url => fetch(url).catch(() => {}),
			'127.0.0.3': url => new Promise(done => http.get(url).on('error', done)),
			'127.0.0.4': url => new Promise(done => { new dom.window.WebSocket(url.replace('http', 'ws')).onerror = done; }),
			'127.0.0.5': href => new Promise(onerror => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onerror }))),
			'localhost': url => fetch(url).catch(() => {}),
		};
		for (const [host, go] of Object.entries(ways)) {
			await go(`http://${host}:2/`);
			assert.ok(reached.has(host + ' 2'), `${host}: ${[...reached]}`);
		}
		document.head.replaceChildren();
		reached.clear();
	},

	async 'away, it does nothing and says so'() {
		const { app, plugin } = await load(folder, base);
		const view = edit(app, fileAt('Today.md'), '> @agent-Miner why?\n');
		assert.equal(bar(), 'Dispatcher: away');
		assert.equal(seen.commands.get('ask').checkCallback(true), false);
		assert.equal(seen.commands.get('dashboard').checkCallback(true), false);
		const pauses = [plugin.engine.pause];
		for (let i = 0; i < 8; i++) {
			window.clearTimeout(plugin.engine.timer);
			plugin.engine.start();
			pauses.push(plugin.engine.pause);
		}
		assert.deepEqual(pauses, [2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000, 60000]);
		assert.deepEqual([words(view), seen.notices, plugin.engine.requests.size], [[], [], 0]);
		plugin.unload();
	},

	async 'a token that others can read is not used'() {
		const fake = await say('a'.repeat(64));
		fs.chmodSync(path.join(state, 'token'), 0o644);
		const { plugin } = await load(folder, base);
		assert.equal(plugin.engine.place, null);
		plugin.unload();
		assert.deepEqual(fake.calls, []);
		await fake.end();
	},

	async 'the port of a crashed engine gets no token'() {
		write(path.join(state, 'port'), '1\n'); // where nobody listens
		write(path.join(state, 'token'), 'a'.repeat(64));
		const { plugin } = await load(folder, base);
		assert.equal(plugin.engine.place, null);
		plugin.unload();
	},

	async 'another program at the port is left alone'() {
		const fake = await say('a'.repeat(64));
		fake.product = 'something';
		const { plugin } = await load(folder, base);
		await until('a look at it', () => fake.calls.length === 1 && plugin.engine.requests.size === 0);
		assert.deepEqual([bar(), seen.notices], ['Dispatcher: away', []]);
		plugin.unload();
		await fake.end();
	},

	async 'what becomes of a question, in its margin'() {
		const fake = await say('a'.repeat(64));
		const { app, plugin } = await load(folder, base);
		fake.snapshot = statusOf(notes, { dispatches: [dispatch('queued', 3)] });
		await until('a stream', () => fake.streams.size);
		fake.tell('snapshot', fake.snapshot);
		const view = edit(app, fileAt('Today.md'), 'a\nb\n> @agent-Miner why?\nc\n');
		const host = require('os').hostname();
		const become = async (d, want) => {
			fake.tell('dispatch', d);
			await until(want, () => words(view)[0] === want, () => words(view).join());
			assert.equal(marks(view)[0].getAttribute('aria-label'), want);
			picture(folder, 'margin-' + d.status);
		};
		await until('queued', () => words(view)[0] === 'queued on ' + host, () => words(view).join());
		await become(dispatch('processing', 3), 'working on ' + host);
		await become(dispatch('processing', 3, { progress: 'section 2 of 4' }), `working on ${host}, section 2 of 4`);
		await become(dispatch('failed', 3, { error: 'out of paper' }), 'failed because out of paper');
		await become(dispatch('proposed', 3), 'for you to approve: see the dashboard');
		await become(dispatch('held', 3, { hold: { kind: 'old', reason: 'it stood there before' } }), 'waiting for you: it stood there before');
		assert.deepEqual([...(await press(() => marks(view)[0])).keys()], ['waiting for you: it stood there before', 'Cancel', 'Open the dashboard']);
		view.dispatch({ changes: { from: 0, insert: 'x\ny\n' } });
		assert.equal(view.state.doc.lineAt(view.posAtDOM(view.dom.querySelector('.vault-dispatcher-words'))).number, 5);
		fake.tell('dispatch', dispatch('done', 3));
		await until('nothing', () => words(view).length === 0);
		plugin.unload();
		await fake.end();
	},

	async 'hostile words stay words'() {
		const fake = await say('a'.repeat(64));
		const evil = '<img src=x onerror="document.title=1">\u202e\u0007<script>document.title=1</script>';
		fake.snapshot = statusOf(notes, { dispatches: [dispatch('failed', 1, { error: evil, instruction: evil.slice(0, 20) })], agents: [{ role: evil, ready: true }],
			notTaken: [{ vault: 'Notes', file: 'Today.md', line: 2, text: '@agent-Miner: x', reason: evil, mend: '> @agent-Miner ' + evil, kind: 'miss' }] });
		const { app, plugin } = await load(folder, base);
		const view = edit(app, fileAt('Today.md'), `> @agent-Miner ${evil}\n@agent-Miner: x\n`);
		await until('words', () => words(view).length === 2, () => view.dom.outerHTML);
		assert.ok(seen.commands.get('ask').checkCallback(false) === true);
		assert.equal(document.querySelectorAll('img[src], script').length, 0);
		assert.ok(!/[\u202e\u0007]/.test(words(view).join() + marks(view).map(m => m.getAttribute('aria-label')).join()));
		assert.equal(document.title, '');
		seen.modals[0].close();
		plugin.unload();
		await fake.end();
	},

	async 'of two equal answers the one that was clicked'() {
		const block = '<!-- agent-response -->\nYes.\n<!-- /agent-response -->';
		const detail = (id, line, more) => ({ id, markers: 1, diff: `@@ line ${line} @@\n-> @agent-Miner is it ${id}?\n` + block.replace(/^/gm, '+') + '\n', ...more });
		const of = id => '/vault-mind/dispatches/' + id;
		const fake = await say('a'.repeat(64), {
			'/vault-mind/dispatches': { dispatches: [dispatch('done', 9, { id: 'late' }), dispatch('done', 3, { id: 'early' }), dispatch('done', 5, { id: 'other' })] },
			[of('late')]: detail('late', 9), [of('early')]: detail('early', 3), [of('other')]: { id: 'other', markers: 1, diff: '@@ line 5 @@\n-x\n+y\n' },
			[of('late') + '/undo']: {}, [of('early') + '/undo']: {},
		});
		fake.snapshot = statusOf(notes);
		const { app, plugin } = await load(folder, base);
		const view = edit(app, fileAt('Today.md'), `a\nb\n${block}\nc\nd\ne\n${block}\n`);
		await until('two signs', () => marks(view).length === 2);
		for (const [i, id] of [[1, 'late'], [0, 'early']]) {
			(await press(() => marks(view)[i], 'Undo')).get('Undo').act();
			await until('an undo', () => fake.calls.some(call => call.includes('/undo ')), () => fake.calls.join('\n'));
			assert.deepEqual(fake.calls.filter(call => call.includes('/undo ')).map(call => call.split(' ')[1]), [of(id) + '/undo']);
			fake.calls.length = 0;
		}
		// Lines above have moved both, and the later question was written above the earlier one.
		view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: `${'x\n'.repeat(30)}${block}\n${'x\n'.repeat(30)}${block}\n${block.replace('Yes', 'No')}\n` } });
		await until('three signs', () => marks(view).length === 3);
		(await press(() => marks(view)[1], 'Undo')).get('Undo').act();
		await until('an undo', () => fake.calls.some(call => call.includes('/late/undo ')), () => fake.calls.join('\n'));
		assert.ok(!(await press(() => marks(view)[2])).has('Undo'));
		plugin.unload();
		await fake.end();
	},

	async 'the reading view has the signs too'() {
		const block = '<!-- agent-response -->\nYes.\n<!-- /agent-response -->', text = `a\n\n> @agent-Miner why?\n\n${block}\n`;
		const fake = await say('a'.repeat(64), {
			'/vault-mind/dispatches': { dispatches: [dispatch('done', 5)] },
			'/vault-mind/dispatches/d5': dispatch('done', 5, { diff: `@@ line 5 @@\n-> @agent-Miner who?\n${block.replace(/^/gm, '+')}\n` }),
		});
		fake.snapshot = statusOf(notes, { dispatches: [dispatch('failed', 3, { error: 'out of paper' })] });
		const { app, plugin } = await load(folder, base);
		app.vault.files.add('Today.md');
		const [question, answer, other] = [look('Today.md', text, 2, 2), look('Today.md', text, 4, 6), look('Today.md', text, 0, 0)];
		await until('words', () => words(question)[0] === 'failed because out of paper', () => words(question).join());
		assert.deepEqual([...(await press(() => marks(question)[0])).keys()], ['failed because out of paper', 'Ask again', 'Cancel', 'Open the dashboard']);
		assert.deepEqual([marks(question)[0].dataset.icon, marks(answer)[0].dataset.icon, words(answer), marks(other)], ['x', 'rotate-ccw', [], []]);
		(await press(() => marks(answer)[0], 'Undo')).get('Undo').act();
		await until('an undo', () => fake.calls.some(call => call.includes('/d5/undo ')), () => fake.calls.join('\n'));
		fake.tell('dispatch', dispatch('processing', 3));
		await until('other words', () => words(question)[0]?.startsWith('working on '), () => words(question).join());
		for (const one of [question, answer, other]) one.end();
		assert.equal(plugin.shown.size, 0);
		plugin.unload();
		await fake.end();
	},

	async 'a mend replaces no text that was typed since'() {
		const fake = await say('a'.repeat(64));
		const asked = '@agent-Miner: what did we decide about the backups of all the machines in the office, and who said so?';
		fake.snapshot = statusOf(notes, { notTaken: [{ vault: 'Notes', file: 'Today.md', line: 1, text: asked.slice(0, 79) + '…', reason: 'a colon', mend: '> ' + asked.replace(':', ''), kind: 'miss' }] });
		const { app, plugin } = await load(folder, base);
		const view = edit(app, fileAt('Today.md'), asked + '\n');
		const become = text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
		const titles = async () => [...(await press(() => marks(view)[0])).keys()].map(title => title.split(' ')[0]);
		await until('a sign', () => marks(view).length === 1);
		assert.deepEqual(await titles(), ['not', 'Write', 'Open']);
		for (const typed of [asked + ' And when?', asked.replace('who', 'WHO'), asked.slice(0, -4), asked.replace('who ', '')]) {
			become(typed + '\n');
			assert.deepEqual(await titles(), ['not', 'Open'], typed);
		}
		become(asked + '\n');
		(await press(() => marks(view)[0], 'Write ')).forEach((item, title) => title.startsWith('Write ') && item.act());
		assert.equal(view.state.doc.toString(), '> ' + asked.replace(':', '') + '\n');
		plugin.unload();
		await fake.end();
	},

	async 'a proposal is shown at its place, and decided there'() {
		const q = '> @agent-Editor! shorten this', text = `a\nb\nc\n${q}\nd\n`;
		const answers = {}, fake = await say('a'.repeat(64), answers);
		const offer = (id, diff, more) => ({ ...dispatch('proposed', 4), id, key: 'agent-Editor', instruction: 'shorten this', diff, seen: 'seen of ' + diff.length, answers: [{ answer: 'Shorter.' }], ...more });
		const diffOf = (answer, at = 1) => `@@ -${at},5 +${at},5 @@\n a\n b\n c\n-${q}\n+${answer}\n+\u202e<b>x</b>\n d\n`;
		const become = list => {
			answers['/vault-mind/proposed'] = { proposed: list };
			fake.tell('snapshot', fake.snapshot = statusOf(notes, { dispatches: list }));
		};
		await load(folder, base).then(async ({ app, plugin }) => {
			const file = fileAt('Today.md'), view = edit(app, file, text), doc = () => view.state.doc.toString();
			await until('a stream', () => fake.streams.size);
			const shown = () => [texts(view, '.cm-line del'), texts(view, 'ins'), texts(view, 'button:not(.vault-dispatcher-mark)'), words(view)].map(list => list.join('|')).join(' ');
			const is = async (name, want) => { await until(name, () => shown() === want, () => `${shown()}\n${want}`); assert.deepEqual(seen.notices, []); };
			const button = name => [...view.dom.querySelectorAll('button')].find(b => b.textContent === name);
			const click = (name, detail = 1) => button(name).dispatchEvent(new dom.window.MouseEvent('click', { bubbles: true, detail }));
			const sent = async (...want) => { await until('a call', () => fake.sent.length); assert.deepEqual(fake.sent.splice(0), [want]); };
			const accept = '/vault-mind/dispatches/p/accept', reject = '/vault-mind/dispatches/p/reject', first = offer('p', diffOf('one'));
			const whole = answer => `${q} ${answer}|⟨U+202E⟩<b>x</b> Accept|Change|Reject for you to approve`;
			become([first]);
			await is('a change', whole('one'));
			picture(folder, 'proposed');
			assert.equal(doc(), text);
			// What is typed around it moves it, and what is typed in it ends it.
			view.dispatch({ changes: [{ from: 0, insert: 'x\ny\n' }, { from: text.length - 2, to: text.length - 1, insert: 'D' }] });
			await is('the same change', whole('one'));
			fake.tell('state', { queue: {} });
			await new Promise(resolve => setTimeout(resolve, 200));
			await is('the same change, placed again', whole('one'));
			assert.equal(view.state.doc.lineAt(view.posAtDOM(view.dom.querySelector('del'))).number, 6);
			const at = doc().indexOf(' this');
			view.dispatch({ changes: { from: at, insert: ',' } });
			await is('nothing to decide', '   ');
			view.dispatch({ changes: { from: at, to: at + 1 } });
			await is('it again', whole('one'));
			// Comments on progress are no part of a note.
			view.dispatch({ changes: { from: doc().indexOf('\nD'), insert: '\n<!-- agent-progress: for you to approve (0w7kq3v9m2x4t.5d41402a) -->' } });
			await is('it above a comment', whole('one'));

			const other = offer('p', diffOf('another', 3));
			answers[accept] = () => [409, { error: 'Look at it again.', code: 'changed', diff: other.diff, seen: other.seen }];
			click('Accept', 2); // the second click of a double one
			assert.deepEqual(fake.sent, []);
			click('Accept');
			await sent(accept, { seen: first.seen });
			await until('a notice', () => seen.notices.length);
			assert.deepEqual(seen.notices.splice(0), ['Look at it again.']);
			await is('what it would be now', whole('another'));
			assert.equal(button('Accept').disabled, false);
			answers[accept] = () => [200, {}];
			click('Accept');
			await sent(accept, { seen: other.seen });
			assert.equal(button('Accept').disabled, true);

			// A save that makes it another change shows that.
			const third = offer('p', diffOf('a third', 3));
			answers['/vault-mind/proposed'] = { proposed: [third] };
			app.vault.trigger('modify', fileAt('Other.md'));
			app.vault.trigger('modify', file);
			await is('a third change', whole('a third'));
			click('Change');
			let modal = seen.modals.at(-1);
			const [field] = modal.contentEl.querySelectorAll('textarea'), [take] = modal.contentEl.querySelectorAll('button');
			assert.deepEqual([field.value, texts({ dom: modal.contentEl }, 'del, ins')], ['Shorter.', [q, 'a third', '⟨U+202E⟩<b>x</b>']]);
			picture(folder, 'change');
			field.value = ' ';
			take.click();
			field.value = 'My own\nwords.';
			answers[accept] = () => [409, { error: 'Look at it again.', code: 'changed', diff: other.diff, seen: other.seen }];
			take.click();
			await sent(accept, { seen: third.seen, text: 'My own\nwords.' });
			await until('the other change', () => texts({ dom: modal.contentEl }, 'ins')[0] === 'another');
			assert.deepEqual([field.value, seen.notices.splice(0)], ['My own\nwords.', ['Look at it again.']]);
			answers[accept] = () => [200, {}];
			field.dispatchEvent(new dom.window.KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
			await sent(accept, { seen: other.seen, text: 'My own\nwords.' });
			await until('no window', () => !modal.contentEl.isConnected);
			// By the menu, which a command opens.
			answers[reject] = () => [200, {}];
			for (const [because, body] of [['', {}], ['too long', { because: 'too long' }]]) {
				(await press(() => marks(view)[0], 'Reject')).get('Reject').act();
				modal = seen.modals.at(-1);
				modal.contentEl.querySelector('textarea').value = because;
				modal.contentEl.querySelector('button').click();
				await sent(reject, body);
			}
			assert.deepEqual([...(await press(() => marks(view)[0])).keys()], ['for you to approve', 'Accept', 'Change', 'Reject', 'Cancel', 'Open the dashboard']);
			fake.tell('dispatch', { ...first, status: 'done' });
			await is('what the note tells', '   for you to approve');

			// A change at several places is decided where all of it can be seen; of several answers none is changed.
			become([offer('p', `@@ -0,0 +1,1 @@\n+top\n x\n@@ -8,2 +9,1 @@\n-D\n${''} \n`, { answers: [{ answer: '1' }, { answer: '2' }] })]);
			await is('a change at two places', 'D top|top Accept|Reject for you to approve');
			assert.equal(texts(view, 'summary')[0], 'All 2 changes');
			become([offer('p', `@@ -1,1 +1,2 @@\n x\n+y\n@@ -9,1 +9,1 @@\n-gone\n+come\n`)]);
			await is('no half of a change', '   for you to approve: see the dashboard');
			// Where it might be at two places it is shown at neither.
			const end = view.state.doc.length;
			view.dispatch({ changes: { from: end, insert: 'b\n' } });
			become([offer('p', '@@ -4,1 +4,1 @@\n-b\n+\u3164\u2800\u2764\ufe0f\n')]);
			await is('no guess', '   for you to approve: see the dashboard');
			view.dispatch({ changes: { from: end, to: end + 2 } });
			await is('a change of letters without a shape', 'b ⟨U+3164⟩⟨U+2800⟩❤️ Accept|Change|Reject for you to approve');
			for (const odd of [null, 1, {}, [], { toString: 1 }]) become([{ ...first, instruction: odd, answers: odd, diff: odd }, { ...first, id: 'r', diff: '@@ -1 @@' }, { ...first, id: 's', seen: odd }]);
			become([{ ...first, answers: [1, null, { answer: {} }] }]);
			await is('it without its words', whole('one'));
			click('Change');
			seen.modals.at(-1).close();
			await fake.end();
			await until('away', () => bar() === 'Dispatcher: away', bar);
			await is('what the note tells without an engine', '   for you to approve');
			assert.equal(document.querySelectorAll('b').length, 0);
			plugin.unload();
		});
	},

	async 'hostile answers'() {
		const evil = '<img src=x onerror="document.title=1">', odd = [null, 1, 'x', [], {}, { toString: 1, valueOf: 1, __proto__: null }];
		const strange = { id: odd[5], vault: 'Notes', file: 'Today.md', key: 'agent-Odd', status: 'failed', lines: [odd[5], null], markers: 2, instruction: odd[5], error: odd[5], createdAt: odd[5] };
		const whole = { running: true, vaults: [...odd, ...notes], dispatches: [...odd, strange], watcher: null, queue: odd[5], agents: [...odd, { role: odd[5], ready: true }, { role: 'Miner', ready: true }],
			notTaken: [...odd, { ...strange, line: odd[5], text: odd[5], reason: odd[5], mend: odd[5] }], notTakenCount: odd[5] };
		const answers = {};
		const fake = await say('a'.repeat(64), answers);
		fake.snapshot = whole;
		const thrown = [];
		const note = error => thrown.push(error);
		process.on('uncaughtException', note).on('unhandledRejection', note);
		const { app, plugin } = await load(folder, base), file = fileAt('Today.md');
		app.vault.files.add('Here.md');
		const view = edit(app, file, '> @agent-Miner why?\n> @agent-Odd x\n<!-- agent-response -->\nYes.\n<!-- /agent-response -->\n');
		await until('a status', () => bar() === 'Dispatcher: paused', bar);
		for (const data of [...odd, 'null']) for (const event of ['snapshot', 'state', 'dispatch', 'other']) fake.tell(event, data);
		for (const stream of fake.streams) stream.write('event: snapshot\ndata: {"vaults":\n\nevent\n\n:\n\n');
		fake.tell('snapshot', whole);
		fake.tell('dispatch', strange);
		fake.tell('dispatch', dispatch('failed', 1, { error: evil }));
		await until('what came last', () => words(view).join() === `failed because ${evil},failed because [object Object]`, () => words(view).join());

		const answered = () => marks(view).find(m => m.classList.contains('vault-dispatcher-answered'));
		for (const list of [...odd, '{', '', { dispatches: {} }, { dispatches: [...odd, strange, dispatch('done', 3, { id: '../../session' })] }]) {
			answers['/vault-mind/dispatches'] = list ?? 'null';
			assert.ok(!(await press(answered)).has('Undo'));
		}
		answers['/vault-mind/dispatches'] = { dispatches: [dispatch('done', 3)] };
		for (const detail of [...odd, '{', { diff: odd[5] }, { diff: odd }]) {
			answers['/vault-mind/dispatches/d3'] = detail ?? 'null';
			assert.ok(!(await press(answered)).has('Undo'));
		}
		for (const link of [...odd, '{', { url: odd[5] }, { url: 'https://elsewhere.invalid/' }, { url: `http://127.0.0.1:${fake.port}@elsewhere.invalid/` }, { url: 'javascript:alert(1)' }]) {
			answers['/vault-mind/session'] = link ?? 'null';
			await plugin.openDashboard();
		}
		assert.deepEqual(opened, []);

		seen.commands.get('ask').checkCallback(false);
		const modal = seen.modals.at(-1), asking = () => modal.buttons[0].disabled;
		modal.question.value = 'why?';
		for (const told of [...odd, '{', { answer: odd[5], sources: odd }, { answer: evil, notice: odd[5], sources: [{ file: evil }, { file: '../../etc/passwd.md' }, { file: 'Gone.md' }, { file: 'Here.md' }, { file: 'Here.md' }, { file: odd[5] }] }]) {
			answers['/vault-mind/ask'] = told ?? 'null';
			modal.buttons[0].click();
			await until('an answer', () => !asking());
		}
		assert.ok(modal.answer.textContent.startsWith(evil), modal.answer.textContent);
		for (const button of modal.answer.querySelectorAll('button')) button.click();
		assert.deepEqual(seen.links, ['Here.md']); // what is not there is not made
		assert.deepEqual([...new Set(seen.notices)], ['Obsidian does not have this note.']);
		modal.close();
		assert.equal(document.querySelectorAll('img[src], script, iframe').length, 0);
		assert.equal(document.title, '');
		await new Promise(resolve => setImmediate(resolve));
		assert.deepEqual(thrown, []);
		process.off('uncaughtException', note).off('unhandledRejection', note);
		plugin.unload();
		await fake.end();
	},

	async 'a question of several lines, in a note whose letters are spelled in another way'() {
		const fake = await say('a'.repeat(64));
		fake.snapshot = statusOf(notes, { dispatches: [dispatch('failed', 1, { file: 'Cafe\u0301.md', error: 'of paper', instruction: 'what did we decide about all of the backups, and who said so?' })] });
		const { app, plugin } = await load(folder, base);
		const view = edit(app, fileAt('Caf\u00e9.md'), '> @agent-Miner what did we decide\n> about all of the backups, and who said so?\n');
		await until('words', () => words(view)[0] === 'failed because of paper', () => words(view).join());
		plugin.unload();
		await fake.end();
	},

	async 'two vaults with the same notes, and one elsewhere'() {
		const other = fs.realpathSync(fs.mkdtempSync(path.join(home, 'vault-')));
		const link = path.join(home, 'link-to-vault');
		fs.symlinkSync(base, link);
		const fake = await say('a'.repeat(64));
		fake.snapshot = statusOf([{ name: 'Notes', path: link, state: 'watching' }, { name: 'Other', path: path.dirname(other), state: 'watching' }],
			{ dispatches: [dispatch('failed', 1, { error: 'of the first' }), dispatch('failed', 3, { vault: 'Third', lines: [1], error: 'of the third', createdAt: '2026-02-01T00:00:00Z' }), dispatch('failed', 2, { vault: 'Other', file: path.basename(other) + '/Today.md', lines: [1], error: 'of the second' })] });
		for (const [root, want] of [[base, 'of the first'], [other, 'of the second']]) {
			const { app, plugin } = await load(folder, root);
			const view = edit(app, fileAt('Today.md'), '> @agent-Miner why?\n');
			await until(want, () => words(view)[0] === 'failed because ' + want, () => words(view).join());
			plugin.unload();
		}
		const { app, plugin } = await load(folder, '/');
		edit(app, fileAt('etc/Today.md'), '> @agent-Miner why?\n');
		await until('no vault of the engine', () => bar() === 'Dispatcher: not for this note', bar);
		assert.equal(seen.commands.get('ask').checkCallback(true), false);
		plugin.unload();
		await fake.end();
	},

	async 'a note under another name'() {
		const fake = await say('a'.repeat(64));
		fake.snapshot = statusOf(notes, { dispatches: [dispatch('processing', 1)] });
		const { app, plugin } = await load(folder, base), file = fileAt('Today.md');
		const view = edit(app, file, '> @agent-Miner why?\n');
		await until('words', () => words(view).length === 1);
		file.path = 'Then.md';
		app.vault.trigger('rename', file, 'Today.md');
		await until('no words', () => words(view).length === 0);
		fake.tell('dispatch', dispatch('processing', 1, { file: 'Then.md' }));
		await until('words again', () => words(view).length === 1);
		plugin.unload();
		await fake.end();
	},

	async 'another token at another port'() {
		const first = await say('a'.repeat(64));
		first.snapshot = statusOf(notes);
		const { app, plugin } = await load(folder, base);
		edit(app, fileAt('Today.md'), 'x\n');
		await until('ready', () => bar() === 'Dispatcher: ready', bar);
		await first.end();
		await until('away', () => bar() === 'Dispatcher: away', bar);
		const second = await say('b'.repeat(64));
		second.snapshot = statusOf(notes);
		await until('ready again', () => bar() === 'Dispatcher: ready', bar);
		assert.ok(second.calls.every(call => call.endsWith('b'.repeat(64))));
		assert.deepEqual(seen.notices, []);
		plugin.unload();
		await until('no connection', () => plugin.engine.requests.size === 0);
		await second.end();
	},

	async 'on a phone it makes no call and shows what the note holds'() {
		const fake = await say('a'.repeat(64));
		Object.assign(stub.parts.Platform, { isDesktop: false, isDesktopApp: false, isMobile: true });
		const asked = [];
		const { app, plugin } = await load(folder, base, name => asked.push(name));
		const view = edit(app, fileAt('Today.md'), '> @agent-Miner why?\n<!-- agent-progress: working on Desk since 14:05 (0w7kq3v9m2x4t.5d41402a) -->\n');
		assert.deepEqual(words(view), ['working on Desk since 14:05']);
		assert.deepEqual([...(await press(() => marks(view)[0])).keys()], ['working on Desk since 14:05']);
		assert.deepEqual([...new Set(asked)].sort(), ['@codemirror/state', '@codemirror/view', 'obsidian']);
		assert.deepEqual([...seen.commands.keys()], ['act']);
		const missed = fileAt('Missed.md'); // a line that is no question has the sign of what the note says of it
		const told = '<!-- agent-progress: not taken up: a colon (0w7kq3v9m2x4t.5d41402a) -->';
		const answered = '<!-- agent-response -->\nYes.\n<!-- /agent-response -->\n';
		assert.deepEqual(words(edit(app, missed, `@agent-Miner: why?\n${told}\n${answered}`)), ['not taken up: a colon']);
		const act = line => seen.commands.get('act').editorCheckCallback(true, { getCursor: () => ({ line }) }, { file: missed });
		assert.deepEqual([act(0), act(3)], [true, false]);
		plugin.unload();
		assert.deepEqual(fake.calls, []);
		Object.assign(stub.parts.Platform, { isDesktop: true, isDesktopApp: true, isMobile: false });
		await fake.end();
	},

	async 'beside the engine'() {
		const vault = path.join(home, 'Roastery');
		const gated = 'cat >/dev/null; until [ -e "$GATE" ]; do sleep 0.1; done; echo "Shorter."';
		write(path.join(home, '.config/vault-dispatcher/config.yaml'), `wiki:\n  vaults: ["${vault}"]\n  settle: 0s\n  debounce: 100ms\n  agents:\n` +
			`    Editor: {runner: command, command: [sh, -c, '${gated}'], env: {GATE: ${home}/gate}}\n`);
		const note = path.join(vault, 'Today.md'), read = () => fs.readFileSync(note, 'utf8');
		write(path.join(vault, 'Backups.md'), 'We decided about backups: every Friday to the blue disk.\n');
		const started = [];
		const start = async () => {
			const engine = spawn(wiki, ['run', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
			engine.log = '';
			engine.stderr.on('data', text => { engine.log += text; });
			engine.over = new Promise(resolve => engine.on('close', resolve));
			started.push(engine);
			await until('an engine', () => spawnSync(wiki, ['server', 'status']).status === 0, () => engine.log);
			ours.add('127.0.0.1 ' + fs.readFileSync(path.join(state, 'port'), 'latin1').trim());
			return engine;
		};
		try {
			const engine = await start();
			write(note, '# Today\n\n> @agent-Editor shorten this\n\n@agent-Miner: what did we decide about backups?\n');
			const { app, plugin } = await load(folder, vault), file = fileAt('Today.md');
			app.vault.files.add('Backups.md');
			const view = edit(app, file, read());
			const show = () => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: read() } });
			await until('a question at work', () => words(view).some(w => w.startsWith('working on ')), () => words(view).join() + bar());
			await until('one that is not taken up', () => words(view).some(w => w.startsWith('not taken up: ')), () => words(view).join());
			picture(folder, 'asked');
			const mend = [...await press(() => marks(view)[1], 'Write ')].find(([title]) => title.startsWith('Write '))[1];
			mend.act();
			assert.match(view.state.doc.toString(), /^> @agent-Miner what did we decide about backups\?$/m);
			write(note, view.state.doc.toString());
			write(path.join(home, 'gate'), '');
			await until('both answers', () => /blue disk/.test(read()) && /Shorter\./.test(read()) && !/@agent-/.test(read()), read);
			show();
			const answered = read();
			const answersShown = () => marks(view).filter(m => m.classList.contains('vault-dispatcher-answered'));
			await until('the marks of two answers', () => answersShown().length === 2);
			picture(folder, 'answered');
			(await press(() => answersShown()[1], 'Undo')).get('Undo').act();
			await until('the question again', () => /@agent-Miner what did we decide/.test(read()), read);
			assert.match(read(), /Shorter\./);
			show();
			await until('that it is cancelled', () => words(view).includes('cancelled'), () => words(view).join());
			(await press(() => marks(view)[1], 'Ask again')).get('Ask again').act();
			await until('the answer again', () => read() === answered, read);
			show();
			fs.rmSync(path.join(home, 'gate'));
			(await press(() => answersShown()[0], 'Ask again')).get('Ask again').act();
			await until('an editor at work', () => bar() === 'Dispatcher: working on 1', bar);
			write(path.join(home, 'gate'), '');
			await until('the same answer', () => bar() === 'Dispatcher: ready' && read() === answered, () => bar() + read());

			// A proposal, decided in the editor.
			const button = name => [...view.dom.querySelectorAll('button')].find(b => b.textContent === name);
			write(note, answered + '\n> @agent-Editor! shorten that\n');
			show();
			await until('a proposal', () => button('Accept'), () => words(view).join());
			assert.deepEqual(texts(view, '.cm-line del'), ['> @agent-Editor! shorten that']);
			assert.deepEqual(texts(view, 'ins'), ['<!-- agent-response -->', 'Shorter.', '<!-- /agent-response -->']);
			assert.equal(read(), view.state.doc.toString());
			button('Change').click();
			const change = seen.modals.pop();
			change.contentEl.querySelector('textarea').value = 'My own words.';
			change.contentEl.querySelector('button').click();
			await until('the changed answer', () => read() === answered + '\n<!-- agent-response -->\nMy own words.\n<!-- /agent-response -->\n', read);
			await until('nothing to decide', () => !button('Accept'));
			write(note, answered);
			show();
			await until('rest', () => bar() === 'Dispatcher: ready', bar);

			// All at once: one for the person to approve, one at work, one that is not taken up.
			const asked = '# Today\n\nThe server moves on Friday, with all that is in the cellar.\n\n> @agent-Editor! shorten that\n';
			write(note, asked);
			show();
			await until('a proposal', () => button('Accept'), () => words(view).join());
			fs.rmSync(path.join(home, 'gate'));
			write(note, asked + '\n> @agent-Editor:server what has to be packed?\n\n@agent-Miner: what did we decide about backups?\n');
			show();
			await until('all three', () => words(view).length === 3 && words(view).some(w => w.startsWith('working on ')) && button('Accept'), () => words(view).join());
			picture(folder, 'note');
			write(path.join(home, 'gate'), '');
			await until('its answer', () => !/@agent-Editor:server/.test(read()), read);
			write(note, answered);
			show();
			await until('rest again', () => bar() === 'Dispatcher: ready', bar);

			assert.equal(seen.commands.get('ask').checkCallback(false), true);
			const [modal] = seen.modals;
			modal.question.value = 'what did we decide about backups?';
			modal.buttons[0].click();
			await until('an answer', () => /blue disk/.test(modal.answer.textContent), () => modal.answer.textContent);
			assert.equal(read(), answered);
			picture(folder, 'ask');
			modal.answer.querySelector('button').click();
			assert.equal(seen.links[0], 'Backups.md');
			modal.buttons[1].click();
			await until('the answer in the note', () => read() !== answered && read().startsWith(answered.trimEnd()), read);
			modal.close();

			seen.commands.get('dashboard').checkCallback(false);
			await until('the dashboard', () => opened.length > 0);
			assert.match(opened[0], /^http:\/\/127\.0\.0\.1:\d+\/open\//);

			engine.kill('SIGINT');
			await engine.over;
			await until('away', () => bar() === 'Dispatcher: away', bar);
			await start();
			await until('back', () => bar() === 'Dispatcher: ready', bar);
			assert.deepEqual(seen.notices, []);
			plugin.unload();
			const token = fs.readFileSync(path.join(state, 'token'), 'utf8');
			assert.equal(spawnSync('grep', ['-r', token, vault]).status, 1, 'the token is in the vault');
		} finally {
			for (const engine of started) engine.kill('SIGINT');
			await Promise.all(started.map(engine => engine.over));
		}
	},

	'it has reached nothing else'() {
		assert.deepEqual([...reached].filter(place => !ours.has(place)), []);
		assert.ok(reached.size > 0);
		return `${reached.size} places of ours, elsewhere 0`;
	},
};

(async () => {
	for (const [name, test] of Object.entries(tests)) {
		try {
			const said = await test();
			fs.rmSync(state, { recursive: true, force: true });
			console.log('ok: ' + name + (said ? `: ${said}` : ''));
		} catch (err) {
			console.error(`FAILED: ${name}\n${err.stack}`);
			process.exit(1);
		}
		document.body.replaceChildren();
	}
	process.exit(0); // jsdom keeps its timers
})();
