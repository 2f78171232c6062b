// Keeps a page as it is now. The pages work without this: a change is an event of
// the stream, and what it changes is the part of the page the server makes anew.
"use strict";
(() => {
  const live = () => document.getElementById("live");
  const said = document.getElementById("said");
  let timer = 0, refreshed = 0, asking = false, again = false;

  const tick = () => {
    for (const e of document.querySelectorAll("[data-since]")) {
      const s = Math.max(0, Math.floor((Date.now() - Date.parse(e.dataset.since)) / 1000));
      e.textContent = s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s`
        : s < 172800 ? `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min` : `${Math.floor(s / 86400)} days`;
    }
    for (const e of document.querySelectorAll("time[title]")) {
      const s = (Date.now() - Date.parse(e.dateTime)) / 1000, n = Math.floor(Math.abs(s));
      const far = n < 60 ? `${n} s` : n < 3600 ? `${Math.floor(n / 60)} min` : n < 86400 ? `${Math.floor(n / 3600)} h`
        : `${Math.floor(n / 86400)} day${n < 172800 ? "" : "s"}`;
      const says = n < 10 ? "just now" : n >= 604800 ? e.title.slice(0, 10) : s < 0 ? `in ${far}` : `${far} ago`;
      if (e.textContent !== says) e.textContent = says;
    }
  };

  const selecting = () => {
    const selection = document.getSelection();
    return selection && !selection.isCollapsed && live().contains(selection.anchorNode);
  };

  const writing = () => [...live().querySelectorAll("input, textarea")].some((e) => e.value !== e.defaultValue);

  // Since when the first proposal of the page is the first: what nobody can have read yet is not decided by a key.
  const first = () => document.querySelector("[data-page=proposed] section");
  let shown = "", since = 0;
  const see = () => {
    const now = first()?.getAttribute("aria-labelledby") ?? "";
    if (now !== shown) [shown, since] = [now, Date.now()];
  };
  const deciding = (e) => e.closest("[data-page=proposed]");

  // What has the focus, and what is unfolded, stays so.
  const exchange = (fresh) => {
    const focused = live().contains(document.activeElement) ? document.activeElement : null;
    const place = focused && [...live().querySelectorAll("a, button, summary, [tabindex]")].indexOf(focused);
    const folded = () => { // by name, or by what is counted of those that have none
      let nth = 0;
      return new Map([...live().querySelectorAll("details")].map((e) => [e.id || nth++, e]));
    };
    const before = folded();
    live().replaceWith(fresh);
    see();
    for (const [name, e] of folded()) if (before.get(name)?.open) e.open = true;
    if (!focused) return;
    const same = focused.id && document.getElementById(focused.id);
    const there = deciding(focused) ? null : live().querySelectorAll("a, button, summary, [tabindex]")[place];
    (same || there || document.getElementById("main")).focus(); // never on the button of another proposal
  };

  const refresh = async () => {
    timer = 0;
    refreshed = Date.now();
    if (asking || selecting() || writing()) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch(live().dataset.from ?? location.href, { headers: { Accept: "text/html" } });
      if (answer.status === 401) { location.reload(); return; }
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (selecting() || writing()) { again = true; return; } // since the page was asked for
      const [fresh, state] = [page.getElementById("live"), page.getElementById("state")];
      if (fresh) { exchange(document.adoptNode(fresh)); offerCopies(); tick(); }
      if (state) document.getElementById("state")?.replaceWith(document.adoptNode(state));
      for (const count of page.querySelectorAll("nav b")) document.getElementById(count.id)?.replaceWith(document.adoptNode(count));
    } catch { /* the engine is away; the stream says when it is back */ } finally {
      asking = false;
      if (again) { again = false; later(); }
    }
  };
  const later = () => { if (!timer) timer = setTimeout(refresh, Math.max(100, refreshed + 1000 - Date.now())); };

  // What is said over the page: that the engine is away, or that it has no room.
  const say = (id) => {
    for (const e of document.querySelectorAll("#away, #full")) e.hidden = e.id !== id;
  };

  const words = { done: "done", failed: "unanswered", held: "waiting for you", proposed: "for you to approve", parked: "kept", none: "no result", some: "partly no result" };
  const hear = ({ name, data }) => {
    if (name === "trouble") { say(data); return; }
    if (name === "dispatch") {
      const d = JSON.parse(data);
      const word = words[d.result || d.status];
      if (word) said.textContent = `${d.role}: ${word}, ${d.file}`;
    }
    later();
  };

  // A browser opens few connections to one server, and the engine has room for few
  // streams. So the pages of a browser share one: it belongs to the page that has the
  // lock, and that tells the others. A page nobody sees lets go of it.
  // In a browser that cannot share, each page has its own.
  const others = navigator.locks && self.BroadcastChannel ? new BroadcastChannel("events") : null;
  if (others) others.onmessage = (message) => { if (part) hear(message.data); };
  const tell = (name, data) => { hear({ name, data }); others?.postMessage({ name, data }); };
  let part = null; // our part in the stream, ended by its abort

  const follow = () => {
    if (document.hidden) { part?.abort(); part = null; return; }
    if (part) return;
    part = new AbortController();
    const { signal } = part;
    const lead = () => new Promise((done) => { signal.addEventListener("abort", done); open(signal); });
    if (!others) { lead(); return; }
    // It is refused to a page that was hidden before its turn, and where the browser keeps nothing.
    navigator.locks.request("events", { signal }, lead).catch(() => { if (!signal.aborted) lead(); });
  };

  const open = (signal) => {
    if (signal.aborted) return;
    const stream = new EventSource("/vault-mind/events");
    signal.addEventListener("abort", () => stream.close());
    for (const name of ["snapshot", "state", "dispatch"]) stream.addEventListener(name, (event) => tell(name, event.data));
    stream.addEventListener("open", () => tell("trouble", ""));
    stream.addEventListener("error", () => {
      if (signal.aborted) return;
      if (stream.readyState === EventSource.CLOSED) refused(signal);
      else tell("trouble", "away");
    });
  };

  // A browser comes again by itself when a stream has ended, but not when it was
  // turned away, and does not say why: there is no room, or the engine is about to
  // stop, or knows this session no more. The page is made anew all the same.
  const refused = async (signal) => {
    if (signal.aborted) return;
    const attempt = new AbortController();
    let status = 0;
    try {
      status = (await fetch("/vault-mind/events", { signal: attempt.signal })).status;
    } catch { /* nobody is there */ }
    attempt.abort();
    if (status === 200) { open(signal); return; }
    tell("trouble", status === 429 ? "full" : "away");
    tell("state");
    setTimeout(refused, 5000, signal);
  };

  // A line is copied by a button where a browser can do that.
  const offerCopies = () => {
    for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) button.hidden = false;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const code = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = "Copied";
      button.textContent = "Copied";
    } catch { document.getSelection().selectAllChildren(code); }
  });
  offerCopies();

  // The second click of a double one would ask for what is done already, and show
  // that this cannot be. Between the two the page may have been made anew, so what is
  // sent tells a form, and not its element.
  const sent = new Map();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    const what = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form, event.submitter));
    if (Date.now() - (sent.get(what) ?? 0) < 2000) event.preventDefault();
    else {
      sent.set(what, Date.now());
      if (form.getAttribute("action") !== "/ask" || !document.getElementById("spoken")) return;
      event.preventDefault();
      ask(new FormData(form));
    }
  });

  // An answer is shown while it is made. What it says at the end counts, whatever was said before. A
  // later question takes its place; the earlier one goes on, and has its page.
  let asked = 0;
  const ask = async (fields) => {
    const mine = ++asked;
    const [place, text, state] = ["spoken", "spoken-text", "spoken-state"].map((id) => document.getElementById(id));
    const show = (says, ...more) => { if (mine === asked) { text.textContent = says; state.replaceChildren(...more); } };
    const link = (id) => Object.assign(document.createElement("a"), { href: "/dispatch/" + encodeURIComponent(id), textContent: "all about it" });
    place.hidden = false;
    place.setAttribute("aria-busy", "true");
    show("", "It is asked.");
    let id = "", said = "", ended = false, answered = false;
    const hear = { // the events of the stream
      accepted: (told) => { id = told.dispatch; show("", "It is at work: ", link(id)); },
      said: (piece) => { said = (piece.anew ? "" : said) + piece.text; show(said, "It goes on: ", link(id)); },
      failed: (problem) => { ended = true; show(said, problem.error + " ", ...(id ? [link(id)] : [])); },
      answer: (answer) => {
        answered = ended = true;
        const places = answer.sources.map((s) => s.file + (s.heading ? " › " + s.heading : ""));
        if (answer.file) places.push("added to " + answer.file);
        show(answer.answer, ...(answer.notice ? [answer.notice + " "] : []), ...(places.length ? [places.join("; ") + "; "] : []), link(id));
      },
    };
    const render = async () => { // as its page has it
      const page = await fetch("/dispatch/" + encodeURIComponent(id), { headers: { Accept: "text/html" } });
      const parts = page.ok ? new DOMParser().parseFromString(await page.text(), "text/html").querySelectorAll(".answer > .made") : [];
      if (mine === asked && parts.length) text.replaceChildren(...parts);
    };
    try {
      const answer = await fetch("/vault-mind/ask", {
        method: "POST", headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
        body: JSON.stringify({ question: fields.get("question"), role: fields.get("role"), vault: fields.get("vault") ?? "", file: fields.get("file").trim(), append: fields.has("append") }),
      });
      if (answer.status === 401) { location.reload(); return; }
      if (!answer.ok) { hear.failed(await answer.json()); return; }
      let rest = "";
      for (const stream = answer.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
        const { value, done } = await stream.read();
        if (done) break;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
          hear[name]?.(JSON.parse(data));
        }
      }
      if (answered) await render();
    } catch { /* the engine is away */ } finally {
      if (!ended) show(said, "The answer did not arrive here. ", ...(id ? [link(id)] : []));
      if (mine === asked) place.removeAttribute("aria-busy");
    }
  };

  // One letter decides about the proposal that has the focus, or the first.
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !/^[ar]$/.test(event.key)) return;
    const section = event.target.closest("[data-page=proposed] section") ?? (Date.now() - since > 1000 ? first() : null);
    section?.querySelector(`button[data-key=${event.key}]`)?.click();
  });
  see();

  if (!live()) return;
  if (document.getElementById("keys")) document.getElementById("keys").hidden = false;
  document.addEventListener("visibilitychange", () => { follow(); if (part) later(); });
  addEventListener("pagehide", () => { part?.abort(); part = null; });
  addEventListener("pageshow", (event) => { if (event.persisted) { follow(); later(); } });
  document.addEventListener("selectionchange", () => { if (again && !selecting()) { again = false; later(); } });
  setInterval(tick, 1000);
  // A line of the log is no event.
  const every = Number(live().dataset.every);
  if (every) setInterval(() => { if (part) later(); }, every * 1000);
  follow();
  later(); // what was told to the pages since this one was made
})();
