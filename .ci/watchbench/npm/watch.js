// watch.js NAME FOLDER [INTERVAL]: one watcher of another project, as a child of
// the bench. It prints "ready MILLISECONDS MILLISECONDS-OF-CPU"
// and then a path for each event.
import { once } from "node:events";
import { resolve } from "node:path";

const [name, folder, interval] = process.argv.slice(2);
const say = (line) => process.stdout.write(line + "\n");
const root = resolve(folder);

function start() {
  const begun = performance.now(), cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    say(`ready ${performance.now() - begun} ${(user + system) / 1000}`);
  };
}

async function parcel() {
  const { default: watcher } = await import("@parcel/watcher");
  const ready = start();
  // Without a backend it takes watchman where that is installed.
  await watcher.subscribe(root, (err, events) => {
    if (err) console.error(err);
    for (const e of events ?? []) if (e.type !== "delete") say(e.path);
  }, { backend: "inotify" });
  ready();
}

async function chokidar(polling) {
  const { watch } = await import("chokidar");
  const ready = start();
  const w = watch(root, {
    ignoreInitial: true,
    ignored: /(^|[/\\])\../,
    usePolling: polling,
    interval: Number(interval) || 1000,
  });
  w.on("error", (err) => console.error(err));
  await once(w, "ready");
  ready();
  w.on("add", say).on("change", say);
}

await { parcel, chokidar: () => chokidar(false), "chokidar-poll": () => chokidar(true) }[name]();
setInterval(() => {}, 1 << 30);
