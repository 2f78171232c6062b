// Two clients of the official SDK, one over HTTP with the token and one over standard input and
// output, ask the same; and what a search costs beside what an agent without it does: a grep for
// the rarest word of the question, then the whole note. Usage: check.mjs PORT TOKEN WIKI VAULT
import { createRequire } from "node:module";
import { createServer, request } from "node:http";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [port, token, wiki, vault] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "package.json"));
const load = (name) => import(require.resolve("@modelcontextprotocol/sdk/" + name));
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
const { StdioClientTransport } = await load("client/stdio.js");

const fail = (text) => { console.error(text); process.exit(1); };
const connect = async (transport) => {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(transport);
  return client;
};
const bearer = { requestInit: { headers: { Authorization: "Bearer " + token } } };
const http = await connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), bearer));
const stdio = await connect(new StdioClientTransport({ command: wiki, args: ["mcp"], env: process.env }));
const text = async (client, name, args) => {
  const result = await client.callTool({ name, arguments: args });
  return (result.isError ? "!" : "") + result.content[0].text;
};
const tools = async (client) => (await client.listTools()).tools.map((tool) => tool.name).sort().join(" ");
const want = "backlinks list_notes questions read_note recent related search";
for (const [name, client] of Object.entries({ http, stdio }))
  if ((await tools(client)) !== want) fail(`${name}: other tools: ${await tools(client)}`);
for (const [name, args] of [["search", { query: "backups" }], ["read_note", { note: "Backups" }], ["related", { note: "Backups" }],
  ["list_notes", {}], ["backlinks", { note: "Backups" }], ["recent", {}], ["questions", {}], ["read_note", { note: "../x" }], ["search", { query: "x", limit: 999 }],
  ["search", { query: "backups", limit: "3", extra: true }], ["search", { query: "backups", limit: "three" }]]) {
  const [a, b] = [await text(http, name, args), await text(stdio, name, args)];
  if (a !== b) fail(`${name}: the two answer differently:\n${a}\n${b}`);
}
try {
  await connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  fail("without the token it answers");
} catch { /* as it should be */ }

const questions = [
  ["what did we decide about backups?", "restic", "Meetings/2026-03-12 Backups and the shop computer.md"],
  ["how is a backup restored?", "restore", "How-to/Restore a backup.md"],
  ["how do I clean the roaster?", "chaff", "How-to/Clean the roaster.md"],
  ["how is espresso dialled in?", "espresso", "How-to/Dial in espresso.md"],
  ["how is a wholesale order packed?", "wholesale", "How-to/Pack a wholesale order.md"],
];
const sum = { grep: 0, search: 0, found: 0 };
for (const [question, word, note] of questions) {
  const grep = spawnSync("grep", ["-rniI", "--include=*.md", word, "."], { cwd: vault, encoding: "utf8" }).stdout;
  sum.grep += Buffer.byteLength(grep) + readFileSync(join(vault, note)).length;
  const found = await text(http, "search", { query: question, limit: 3 });
  sum.search += Buffer.byteLength(found);
  if (JSON.parse(found).results.some((result) => result.note === note)) sum.found++;
  else console.log(`not among three: ${question}`);
}
console.log(`${questions.length} questions: grep and read ${2 * questions.length} calls, ${sum.grep} bytes; search ${questions.length} calls, ${sum.search} bytes, the note found for ${sum.found}`);
if (sum.search >= sum.grep || sum.found < questions.length - 1) fail("a search costs more, or finds less");
await http.close();
await stdio.close();

// The conformance run sends no token, so a door in front adds it. What it asks about tools that a
// reference server has is none of ours, and its question about other origins is for servers without
// a token: our guard lets no page in, also none of this address.
const door = createServer((from, to) => {
  const headers = { ...from.headers, authorization: "Bearer " + token, host: `127.0.0.1:${port}` };
  from.pipe(request({ host: "127.0.0.1", port, path: from.url, method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode, answer.headers);
    answer.pipe(to);
  }));
});
await new Promise((ready) => door.listen(0, "127.0.0.1", ready));
for (const scenario of ["server-initialize", "ping", "tools-list"]) {
  const run = spawn(process.execPath, [join(process.cwd(), "node_modules/.bin/conformance"), "server", "--url", `http://127.0.0.1:${door.address().port}/mcp`, "--scenario", scenario]);
  let said = "";
  run.stdout.on("data", (part) => (said += part));
  run.stderr.on("data", (part) => (said += part));
  const status = await new Promise((ended) => run.on("close", ended));
  if (status !== 0) fail(`conformance ${scenario}: ${status}\n${said}`);
  console.log(`conformance ${scenario}: passed`);
}
door.close();
