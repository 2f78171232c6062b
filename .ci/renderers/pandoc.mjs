// Answers of the generator in Pandoc, by the filter judge.lua:
//   node pandoc.mjs PROGRAM JUDGE SEED COUNT
// Pandoc takes very long for some brackets within each other, as they come or clean. An answer that takes longer than the
// limit is left out, and is a fault unless it does so as it came as well.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [program, judge, seed, count] = process.argv.slice(2);
const file = join(mkdtempSync(join(tmpdir(), "pandoc-")), "answers");

// begin has Pandoc read answers in turn, until one takes longer than limit milliseconds: that is late, else -1.
function begin(answers, limit) {
  writeFileSync(file, answers.map((text) => text.replaceAll("\x1e", "")).join("\x1e"));
  return new Promise((resolve, reject) => {
    const found = { acts: [], late: -1 };
    const pandoc = spawn("pandoc", ["-f", "markdown", "-t", "plain", "--lua-filter", judge], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ANSWERS: file } });
    let at = -1, rest = "", timer;
    const read = (line) => {
      const m = /^at (\d+)$/.exec(line), act = /^acts (.*)/.exec(line);
      if (act) found.acts.push(`${at}: ${act[1]}`);
      if (!m) return;
      at = Number(m[1]);
      clearTimeout(timer);
      timer = setTimeout(() => { found.late = at; pandoc.kill("SIGKILL"); }, limit);
    };
    pandoc.stderr.on("data", (data) => {
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      lines.forEach(read);
    });
    pandoc.on("close", (status) => {
      clearTimeout(timer);
      if (status !== 0 && found.late < 0) reject(new Error(`pandoc ends with ${status}: ${rest}`));
      else resolve(found);
    });
  });
}

async function read(answers, limit) {
  const all = { acts: [], late: [] };
  for (let from = 0; from < answers.length; ) {
    const found = await begin(answers.slice(from), limit);
    all.acts.push(...found.acts);
    if (found.late < 0) break;
    all.late.push(from + found.late);
    from += found.late + 1;
  }
  return all;
}

let acts = 0, late = 0, slower = 0, acted = 0, looked = 0;
for (let from = 0; from < Number(count); from += 250) {
  const pairs = JSON.parse(execFileSync(program, ["attacks", seed, String(from), String(Math.min(250, count - from))], { maxBuffer: 1 << 28 }).toString());
  const found = await read(pairs.map((p) => p.clean), 20000);
  if (found.acts.length) console.log(`from number ${from}:\n${found.acts.join("\n")}`);
  acts += found.acts.length;
  late += found.late.length;
  for (const i of found.late) {
    if ((await read([pairs[i].raw], 10000)).late.length) continue;
    slower++;
    console.log(`number ${from + i} is slow only when it is clean: ${JSON.stringify(pairs[i])}`);
  }
  if (from % 1000 === 0) { // the judge can tell
    const raw = await read(pairs.slice(0, 100).map((p) => p.raw), 10000);
    acted += raw.acts.length;
    looked += Math.min(100, pairs.length) - raw.late.length;
  }
}
console.log(`Pandoc: ${count} answers of the generator (seed: TEST_SEED=${seed}), ${acted} of ${looked} act as they come: ${acts} act, ${late} take it longer than 20 s, ${slower} of which are faster as they come`);
process.exit(acts > 0 || slower > 0 || acted < looked / 20 ? 1 : 0);
