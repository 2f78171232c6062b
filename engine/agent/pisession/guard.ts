// Keeps pi's reading tools to what the vault shows: no hidden file or folder, and
// nothing that a link leads to outside. The line above names the vault's folder.
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";

const readers = ["read", "grep", "find", "ls"];
const hidden = /(^|[\\/])\.[^\\/\s]/;

// place is the real place of a path that the vault shows, or nothing.
function place(root: string, cwd: string, wanted: unknown): string | undefined {
  let path = String(wanted || ".").replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ").replace(/^@/, "");
  if (path === "~" || path.startsWith("~/")) path = homedir() + path.slice(1);
  try {
    const found = realpathSync(resolve(cwd, path));
    const inside = relative(root, found);
    if (isAbsolute(inside) || inside.split(sep).some((name) => name.startsWith("."))) return undefined;
    return found;
  } catch {
    return undefined;
  }
}

export default function (pi: any) {
  pi.on("tool_call", (event: any, context: any) => {
    if (!readers.includes(event.toolName)) return;
    const found = place(realpathSync(vault), context.cwd, event.input.path);
    if (found === undefined) return { block: true, reason: "only files that the vault shows can be read" };
    event.input.path = found;
  });
  pi.on("tool_result", (event: any) => {
    if (event.toolName === "read" || !readers.includes(event.toolName)) return;
    const shown = (text: string) => text.split("\n").filter((line) => !hidden.test(line)).join("\n");
    return { content: event.content.map((part: any) => (part.type === "text" ? { ...part, text: shown(part.text) } : part)) };
  });
}
