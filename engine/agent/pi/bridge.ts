// The command /vault-dispatch FILE hands the payload in FILE to the subagent
// tool of pi-subagents, as it is and without asking a model, and writes what
// came of it to FILE.out. The events are those by which that package's own slash
// commands reach the tool.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const request = "subagent:slash:request";
const started = "subagent:slash:started";
const response = "subagent:slash:response";
const patience = 5000; // milliseconds until the tool has to have started

export default function (pi: any) {
	pi.registerCommand("vault-dispatch", {
		description: "Run a payload of Vault Dispatcher",
		handler: async (file: string, ctx: any) => {
			const path = file.trim();
			const outcome = await run(pi.events, ctx, JSON.parse(readFileSync(path, "utf8")));
			writeFileSync(path + ".tmp", JSON.stringify(outcome), { mode: 0o600 });
			renameSync(path + ".tmp", path + ".out");
		},
	});
}

function run(events: any, ctx: any, params: unknown): Promise<unknown> {
	const requestId = "vault-dispatch-" + process.pid;
	return new Promise((resolve) => {
		const subscriptions: Array<unknown> = [];
		const end = (outcome: unknown) => {
			clearTimeout(timer);
			for (const stop of subscriptions) if (typeof stop === "function") stop();
			resolve(outcome);
		};
		const on = (event: string, act: (data: any) => void) =>
			subscriptions.push(events.on(event, (data: any) => {
				if (data?.requestId === requestId) act(data);
			}));
		const timer = setTimeout(() => end({ started: false }), patience);
		on(started, () => clearTimeout(timer));
		on(response, (data) => end({ started: true, isError: data.isError, errorText: data.errorText, result: data.result }));
		events.emit(request, { requestId, params, ctx });
	});
}
