// Keeps a page as it is now. The pages work without this: a change is an event of
// the stream, and what it changes is the part of the page the server makes anew.
"use strict";
(() => {
  const live = () => document.getElementById("live");
  const said = document.getElementById("said");
  let stream = null, timer = 0, asking = false, again = false;

  const tick = () => {
    for (const e of document.querySelectorAll("[data-since]")) {
      const s = Math.max(0, Math.floor((Date.now() - Date.parse(e.dataset.since)) / 1000));
      e.textContent = s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s`
        : s < 172800 ? `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min` : `${Math.floor(s / 86400)} days`;
    }
  };

  const selecting = () => {
    const selection = document.getSelection();
    return selection && !selection.isCollapsed && live().contains(selection.anchorNode);
  };

  // What has the focus, and what is unfolded, stays so.
  const exchange = (fresh) => {
    const focused = live().contains(document.activeElement) ? document.activeElement : null;
    const place = focused && [...live().querySelectorAll("a, button, summary, [tabindex]")].indexOf(focused);
    const open = [...live().querySelectorAll("details[open]")].map((e) => e.id);
    live().replaceWith(fresh);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (!focused) return;
    const same = focused.id && document.getElementById(focused.id);
    (same || live().querySelectorAll("a, button, summary, [tabindex]")[place] || document.getElementById("main")).focus();
  };

  const refresh = async () => {
    timer = 0;
    if (asking || selecting()) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.status === 401) { location.reload(); return; }
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
      if (fresh) { exchange(document.adoptNode(fresh)); tick(); }
    } catch { /* the engine is away; the stream says when it is back */ } finally {
      asking = false;
      if (again) { again = false; later(); }
    }
  };
  const later = () => { if (!timer) timer = setTimeout(refresh, 250); };

  const tell = (event) => {
    const d = JSON.parse(event.data);
    if (["done", "failed", "held", "parked"].includes(d.status)) said.textContent = `${d.role}: ${d.status}, ${d.file}`;
    later();
  };

  // A browser opens few connections to one server, so a page nobody sees has none.
  const follow = () => {
    if (document.hidden) { stream?.close(); stream = null; return; }
    if (stream) return;
    stream = new EventSource("/vault-mind/events");
    stream.addEventListener("snapshot", later);
    stream.addEventListener("state", later);
    stream.addEventListener("dispatch", tell);
    stream.addEventListener("open", () => away(false));
    stream.addEventListener("error", lost);
  };

  // A browser comes again by itself when a stream has ended, but not when it was
  // turned away: the engine may be about to stop, or know this session no more.
  const lost = () => {
    away(true);
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    later();
    setTimeout(follow, 5000);
  };
  const away = (is) => { document.getElementById("away").hidden = !is; };

  // A line is copied by a button where a browser can do that.
  for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(code.textContent);
        said.textContent = "Copied";
        button.textContent = "Copied";
      } catch { document.getSelection().selectAllChildren(code); }
    });
  }

  // The second click of a double one would ask for what is done already, and show
  // that this cannot be.
  const sent = new WeakMap();
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    if (Date.now() - (sent.get(event.target) ?? 0) < 2000) event.preventDefault();
    else sent.set(event.target, Date.now());
  });

  if (!live()) return;
  document.addEventListener("visibilitychange", follow);
  document.addEventListener("selectionchange", () => { if (again && !selecting()) { again = false; later(); } });
  setInterval(tick, 1000);
  follow();
})();
