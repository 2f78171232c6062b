// Answers of the generator in Pandoc, by the filter judge.lua, 50 at a time:
//   node pandoc.mjs PROGRAM JUDGE SEED COUNT
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [program, judge, seed, count] = process.argv.slice(2);
const file = join(mkdtempSync(join(tmpdir(), "pandoc-")), "answers");

// read has Pandoc read answers, and returns how many of them act and what it said. Pandoc takes very long for some brackets
// within each other, cleaned or not: after a minute those answers are read one by one, and those left out are counted.
function read(answers) {
  writeFileSync(file, answers.join("\x1e"));
  const done = spawnSync("pandoc", ["-f", "markdown", "-t", "plain", "--lua-filter", judge], { input: "", env: { ...process.env, ANSWERS: file }, timeout: 60000, killSignal: "SIGKILL" });
  if (done.signal) {
    if (answers.length === 1) return { acts: 0, late: 1, said: "" };
    return answers.map((one) => read([one])).reduce((a, b) => ({ acts: a.acts + b.acts, late: a.late + b.late, said: a.said + b.said }));
  }
  if (done.status !== 0) throw new Error(`pandoc ends with ${done.status}: ${done.stderr}`);
  return { acts: Number(done.stdout.toString().trim()), late: 0, said: done.stderr.toString().replace(/^\[WARNING\].*\n/gm, "") };
}

let acts = 0, late = 0, acted = 0, looked = 0;
for (let from = 0; from < Number(count); from += 50) {
  const pairs = JSON.parse(execFileSync(program, ["attacks", seed, String(from), String(Math.min(50, count - from))], { maxBuffer: 1 << 28 }).toString());
  const found = read(pairs.map((p) => p.clean));
  if (found.acts) console.log(`from number ${from}:\n${found.said}`);
  acts += found.acts;
  late += found.late;
  if (from % 500 === 0) { // the judge can tell
    const raw = read(pairs.map((p) => p.raw.replaceAll("\x1e", "")));
    acted += raw.acts;
    looked += pairs.length - raw.late;
  }
}
console.log(`Pandoc: ${count} answers of the generator (seed: TEST_SEED=${seed}), ${acted} of ${looked} act as they come: ${acts} act, ${late} take it longer than a minute`);
process.exit(acts > 0 || acted < looked / 20 || late > count / 50 ? 1 : 0);
