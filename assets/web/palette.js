// A palette: Ctrl K (Cmd K on a Mac) lists the pages and the buttons of this page. What is typed may also be asked or searched.
"use strict";
(() => {
  const opener = document.getElementById("palette-open");
  if (!opener) return; // signed out
  const make = (tag, set, attributes = {}) => {
    const e = Object.assign(document.createElement(tag), set);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    return e;
  };
  const dialog = make("dialog", { id: "palette" }, { "aria-label": "Palette" });
  const field = make("input", { id: "palette-field", type: "text", autocomplete: "off", placeholder: "Ask, search, or choose below" },
    { role: "combobox", "aria-expanded": "true", "aria-controls": "palette-acts", "aria-label": "What to do" });
  const list = make("ul", { id: "palette-acts" }, { role: "listbox", "aria-label": "Acts" });
  dialog.append(field, list);
  document.body.append(dialog);

  const labelOf = (e) => (e.getAttribute("aria-label") ?? e.textContent).trim().replace(/\s+/g, " ");
  const pageOf = (e) => e.innerText.trim().replace(/\s+(\d\S*)$/, " ($1)"); // and how much waits there, unless that is hidden
  const go = (address) => () => location.assign(address);
  // A page is made anew while it is looked at. A button that was replaced is pressed only if it would send the same.
  const sends = (e) => labelOf(e) + (e.form ? e.form.getAttribute("action") + "?" + new URLSearchParams(new FormData(e.form)) : e.href);
  const buttons = () => [...document.querySelectorAll("main button, main a.button")].filter((e) => !e.disabled && e.checkVisibility() && e.type !== "reset");
  const press = (e, sent) => () => (e.isConnected ? e : buttons().find((other) => sends(other) === sent))?.click();
  const listActs = () => [
    ...[...document.querySelectorAll("nav a")].map((e) => [`Go to ${pageOf(e)}`, go(e.href)]),
    ...buttons().filter((e) => e.form?.id !== "ask").map((e) => [labelOf(e), press(e, sends(e))]),
    ["Sign out", () => document.querySelector('form[action="/leave"] button').click()],
  ];

  // What is found for the words, by the pages that search: notes, and parts of the documents. The answer to older words is dropped.
  let found = {}, search = 0;
  const searches = [["Note", "/search", ".found h2 a"], ["Docs:", "/docs", ".documents a"]];
  const find = (typed) => {
    clearTimeout(search);
    found = {};
    if (typed.length < 2) return;
    const mine = search = setTimeout(() => searches.forEach(async ([what, page, links]) => {
      const answer = await fetch(`${page}?q=${encodeURIComponent(typed)}`, { headers: { Accept: "text/html" } }).catch(() => null);
      if (!answer?.ok || mine !== search) return;
      const html = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== search) return;
      found[what] = [...html.querySelectorAll(links)].slice(0, 5).map((e) => [`${what} ${labelOf(e)}`, go(e.getAttribute("href"))]);
      show();
    }), 200);
  };

  let acts = [], shown = [], chosen = 0;
  const mark = () => {
    for (const [i, e] of [...list.children].entries()) e.setAttribute("aria-selected", String(i === chosen));
    const e = list.children[chosen];
    if (e) field.setAttribute("aria-activedescendant", e.id);
    else field.removeAttribute("aria-activedescendant");
    e?.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    const typed = field.value.trim(), words = typed.toLowerCase().split(/\s+/), q = encodeURIComponent(typed);
    shown = acts.filter(([label]) => words.every((word) => label.toLowerCase().includes(word)));
    const further = [[`Search for “${typed}”`, go(`/search?q=${q}`)], [`Ask “${typed}”`, go(`/?ask=1&q=${q}`)]];
    if (typed.endsWith("?") || words.length > 3) further.reverse();
    if (typed) shown.push(...further, ...searches.flatMap(([what]) => found[what] ?? []));
    chosen = Math.max(0, Math.min(chosen, shown.length - 1));
    list.replaceChildren(...shown.map(([label], i) => make("li", { id: `palette-${i}`, textContent: label }, { role: "option" })));
    mark();
  };
  const open = () => {
    if (dialog.open) return;
    [acts, field.value, chosen] = [listActs(), "", 0];
    find("");
    show();
    dialog.showModal();
  };
  const choose = (i) => {
    const act = shown[i]?.[1];
    dialog.close();
    act?.();
  };

  field.addEventListener("input", () => {
    chosen = 0;
    find(field.value.trim());
    show();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) chosen = (chosen + step + shown.length) % shown.length;
    else if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (step) mark();
    else choose(chosen);
  });
  list.addEventListener("click", (event) => choose([...list.children].indexOf(event.target.closest("li"))));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  if (navigator.platform.startsWith("Mac")) opener.querySelector("kbd").textContent = "⌘ K";
  opener.addEventListener("click", open);
  opener.hidden = false;
})();
