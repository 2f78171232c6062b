// A presentation as what it is: cards that turn, a quiz that counts, slides one at a time, a script that follows its sound.
// Without this it is a text to be read. Nothing is stored: what was known is forgotten with the page.
"use strict";
(() => {
  const article = document.querySelector("article.made[data-kind]");
  if (!article) return;
  const kind = article.dataset.kind, title = document.querySelector("h1").textContent;
  const make = (tag, set = {}, ...children) => {
    const { aria = {}, ...rest } = set, e = Object.assign(document.createElement(tag), rest);
    for (const [name, value] of Object.entries(aria)) e.setAttribute("aria-" + name, value);
    e.append(...children);
    return e;
  };
  const copies = (nodes) => nodes.map((e) => e.cloneNode(true));
  // The key of a button is said on it, and presses it. What a key does returns false where it does nothing.
  const keys = new Map();
  const button = (text, key, act, set = {}) => {
    const e = make("button", { type: "button", onclick: act, ...set }, text);
    if (key) {
      keys.set(key, () => { if (!e.checkVisibility()) return false; e.click(); });
      e.append(" ", make("kbd", { textContent: { " ": "Space", ArrowLeft: "←", ArrowRight: "→" }[key] ?? key.toUpperCase() }));
    }
    return e;
  };
  document.addEventListener("keydown", (event) => {
    const on = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || on.closest("input, textarea, select, audio, dialog, .map")) return;
    if (event.key === " " && on.closest("button, summary, a")) return;
    const act = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (act && act() !== false) event.preventDefault();
  });

  // A stage stands before the text, which folds away below it.
  const stage = (...children) => {
    const place = make("section", { className: "stage", aria: { label: title } }, ...children);
    const text = make("details", {}, make("summary", { textContent: "All as text" }));
    article.before(place, text);
    text.append(article);
    return place;
  };
  // One of several things is shown, with its number and the two buttons that turn to the next.
  const deck = (count, show) => {
    const number = make("output", { className: "number" });
    const turn = (to) => {
      d.at = Math.min(Math.max(to, 0), count() - 1);
      number.textContent = `${d.at + 1} of ${count()}`;
      before.disabled = d.at === 0;
      after.disabled = d.at === count() - 1;
      show(d.at);
    };
    const before = button("Back", "ArrowLeft", () => turn(d.at - 1)), after = button("Next", "ArrowRight", () => turn(d.at + 1));
    const d = { at: 0, turn, row: make("p", { className: "buttons turns" }, before, number, after) };
    return d;
  };

  // What stands between two headings or lines, as lists of elements.
  const parts = (starts) => {
    const list = [];
    for (const e of article.children) {
      if (starts(e)) list.push([e]);
      else list.at(-1)?.push(e);
    }
    return list;
  };

  const showCards = () => {
    const all = parts((e) => e.matches(".front, h2")).filter(([front]) => front.matches(".front"));
    if (!all.length) return;
    let order = all, known = new Map();
    const front = make("div", { className: "side front" }), back = make("div", { className: "side back" });
    const card = make("div", { className: "card", onclick: (event) => event.target.closest("a") || flip.click() }, front, back);
    const score = make("p", { className: "score", role: "status" });
    const face = (over) => {
      card.classList.toggle("over", over);
      [front.inert, back.inert] = [over, !over];
      no.disabled = yes.disabled = !over;
    };
    const flip = button("Turn", " ", () => face(!card.classList.contains("over")), { className: "main" });
    const tell = () => {
      const yeses = order.filter((c) => known.get(c)).length, noes = order.filter((c) => known.get(c) === false).length;
      score.textContent = `${yeses} known, ${noes} not yet` + (yeses + noes === order.length ? `: all ${order.length} seen` : "");
      again.hidden = !noes || yeses + noes < order.length;
    };
    const start = (list) => { [order, known] = [list, new Map()]; d.turn(0); tell(); };
    const judge = (is) => () => { known.set(order[d.at], is); tell(); flip.focus(); if (d.at < order.length - 1) d.turn(d.at + 1); };
    const d = deck(() => order.length, (at) => {
      front.replaceChildren(...copies(order[at].slice(0, 1)));
      back.replaceChildren(...copies(order[at].slice(1)));
      face(false);
    });
    const no = button("Not yet", "1", judge(false)), yes = button("Known", "2", judge(true));
    const again = button("Those not yet known again", "", () => start(order.filter((c) => !known.get(c))));
    stage(card, make("p", { className: "buttons turns" }, no, flip, yes), d.row, score,
      make("p", { className: "buttons turns" }, again, button("Shuffle", "s", () => start(all.map((c) => [Math.random(), c]).sort((a, b) => a[0] - b[0]).map(([, c]) => c)))));
    start(all);
  };

  const showQuiz = () => {
    const all = parts((e) => e.matches("h2")).filter((part) => part.some((e) => e.matches("details")));
    if (!all.length) return;
    const given = new Map(); // whether the answer of a question was right
    const place = make("div", { className: "question" }), score = make("p", { className: "score", role: "status" });
    const tell = () => {
      const right = [...given.values()].filter(Boolean).length;
      score.textContent = given.size ? `${right} of ${given.size} right` + (given.size === all.length ? ": that was all" : "") : "No answer yet";
      again.hidden = !given.size;
    };
    const answer = (at, right) => { if (!given.has(at)) { given.set(at, right); tell(); } };
    const d = deck(() => all.length, (at) => {
      const [, ...rest] = all[at], folded = rest.find((e) => e.matches("details")), list = rest.find((e) => e.matches("ul"));
      const said = make("div", { className: "said", hidden: true, tabIndex: -1 }, ...copies([...folded.children].slice(1)));
      const right = /^\s*([A-Z])\)/.exec(folded.children[1]?.textContent ?? "")?.[1];
      const tellAnswer = () => { said.hidden = false; said.focus(); }; // the button that had the focus is gone
      const reveal = () => { tellAnswer(); for (const e of choices.querySelectorAll("button")) e.disabled = true; };
      const choices = make("p", { className: "choices" });
      const letters = list ? [...list.children].map((e) => e.textContent.trim()) : [];
      if (right) for (const text of letters) choices.append(button(text, text[0].toLowerCase(), (event) => {
        reveal();
        for (const e of choices.children) if (e.textContent[0] === right) e.classList.add("right");
        if (text[0] !== right) event.currentTarget.classList.add("wrong");
        answer(at, text[0] === right);
      }));
      else {
        const no = button("Not yet", "1", () => { reveal(); answer(at, false); }), yes = button("Known", "2", () => { reveal(); answer(at, true); });
        choices.append(button("Show the answer", " ", (event) => { event.currentTarget.remove(); choices.append(no, yes); tellAnswer(); }));
      }
      place.replaceChildren(...copies(all[at].filter((e) => e !== list && e !== folded)), choices, said);
      if (given.has(at)) { choices.replaceChildren(make("span", { className: "minor", textContent: given.get(at) ? "answered right" : "answered wrong" })); said.hidden = false; }
    });
    const again = button("Begin again", "", () => { given.clear(); d.turn(0); tell(); });
    stage(place, d.row, score, make("p", { className: "buttons turns" }, again));
    d.turn(0);
    tell();
  };

  const showSlides = () => {
    const slides = [[make("h2", { textContent: title })]];
    for (const e of article.children) {
      if (!e.matches("hr")) slides.at(-1).push(e);
      else if (e.nextElementSibling) slides.push([]);
    }
    const slide = make("div", { className: "slide", tabIndex: 0, role: "group" }), all = make("div", { className: "overview", hidden: true });
    const d = deck(() => slides.length, (at) => {
      slide.replaceChildren(...copies(slides[at]));
      slide.ariaLabel = `Slide ${at + 1} of ${slides.length}`;
      for (const [i, e] of [...all.children].entries()) e.toggleAttribute("aria-current", i === at);
    });
    const look = (over) => { all.hidden = !over; slide.hidden = over; (over ? all.children[d.at] : slide).focus(); };
    for (const [i, part] of slides.entries()) {
      all.append(button("", "", () => { d.turn(i); look(false); }, { className: "thumb" }));
      for (const e of part) for (const a of e.querySelectorAll("a")) a.replaceWith(...a.childNodes); // a button has no links in it
      all.lastChild.append(make("span", { className: "slide" }, ...copies(part)), make("span", { textContent: i + 1, className: "minor" }));
    }
    const overview = button("All slides", "o", () => look(all.hidden));
    const wide = button("Full screen", "f", () => (document.fullscreenElement ? document.exitFullscreen() : place.requestFullscreen()));
    wide.hidden = !document.fullscreenEnabled;
    d.row.append(overview, wide);
    const place = stage(slide, all, d.row);
    for (const [key, same] of [["PageUp", "ArrowLeft"], ["PageDown", "ArrowRight"], [" ", "ArrowRight"]]) keys.set(key, keys.get(same));
    keys.set("Home", () => d.turn(0));
    keys.set("End", () => d.turn(slides.length - 1));
    d.turn(0);
  };

  const foldMap = () => {
    const map = document.querySelector(".map");
    const fold = (open) => () => { for (const e of map.querySelectorAll("li li details")) e.open = open; };
    if (map?.querySelector("li li details")) map.before(make("p", { className: "buttons" }, button("Fold", "", fold(false)), button("Unfold all", "", fold(true))));
  };

  // What is spoken is marked: a turn has its times, and a part of it those of its share of the letters.
  const followSound = () => {
    const sound = document.getElementById("sound"), place = sound?.querySelector("track");
    if (!place) return;
    const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
    const blocks = [...article.querySelectorAll("h2, h3, h4, p, li")].map((e) => [e, letters(e.textContent.replace(/\(\d+(, \d+)*\)\s*$/, ""))]).filter(([, text]) => text);
    let spoken = [], now = null;
    const read = () => {
      let next = 0;
      spoken = [...(place.track.cues ?? [])].flatMap((cue) => {
        const said = letters(cue.text), second = (cue.endTime - cue.startTime) / said.length, found = [];
        for (let i = next, at = 0; i < blocks.length; i++) {
          const [e, text] = blocks[i], within = said.indexOf(text, at);
          if (within < 0 && !text.includes(said)) { if (found.length) break; continue; }
          at = Math.max(within, 0) + text.length;
          next = i + 1;
          found.push([cue.startTime + Math.max(within, 0) * second, e]);
        }
        return found;
      });
    };
    place.track.mode = "hidden"; // it is loaded
    sound.addEventListener("timeupdate", () => {
      if (!spoken.length) read();
      const e = spoken.findLast(([from]) => from <= sound.currentTime + .05)?.[1];
      if (e === now) return;
      now?.classList.remove("spoken");
      (now = e)?.classList.add("spoken");
      if (!sound.paused) e?.scrollIntoView({ block: "nearest" });
    });
  };

  followSound();
  ({ cards: showCards, quiz: showQuiz, slides: showSlides, "mind map": foldMap })[kind]?.();
})();
