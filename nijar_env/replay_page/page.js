"use strict";

// Frames are lists of numbers of pieces; each is told by what differs from the one before it:
// [at, removed, [added ...]], places counted in the one before.
function rebuild(frames) {
  let before = [];
  return frames.map((hunks) => {
    const now = [];
    let at = 0;
    for (const [start, removed, added] of hunks) {
      for (; at < start; at++) now.push(before[at]);
      for (const piece of added) now.push(piece);
      at += removed;
    }
    for (; at < before.length; at++) now.push(before[at]);
    before = now;
    return now;
  });
}

// Where a button leads to from decision `at`.
function target(go, at, steps) {
  const last = steps.length - 1;
  const begins = (name, k) => k === 0 || steps[k][name] !== steps[k - 1][name];
  if (go === "first") return 0;
  if (go === "last") return last;
  const ahead = go[0] === "+" ? 1 : -1;
  const name = go.slice(1);
  let k = Math.min(Math.max(at + ahead, 0), last);
  if (name !== "step") while (k > 0 && k < last && !begins(name, k)) k += ahead;
  return k;
}

function start(data) {
  const frames = rebuild(data.frames);
  const { steps, seats, colours } = data;
  const last = steps.length - 1;
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const drawn = (tag, values, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  let at = 0;
  let timer = null;

  byId("facts").textContent = data.facts;
  const slider = byId("slider");
  slider.max = last;

  // -- seats
  const rows = seats.map((seat, k) => {
    const row = make("tr");
    const dot = make("td");
    dot.append(make("span", undefined, "dot"));
    dot.firstChild.style.background = colours[k];
    const points = make("td");
    row.append(dot, make("td", seat), points);
    byId("seats").append(row);
    return { row, points };
  });

  // -- the log
  const log = byId("log");
  const lines = data.log.map((line, number) => {
    const head = !line.startsWith("    ");
    const item = make("li", line.trim(), head ? "head" : "");
    item.addEventListener("click", () => show(steps.findIndex((step) => step.lines > number)));
    log.append(item);
    return item;
  });

  // -- curves
  const curves = byId("curves");
  const top = Math.max(1, ...steps.flatMap((step) => step.vp));
  const low = Math.min(0, ...steps.flatMap((step) => step.vp));
  const x = (k) => 30 + (365 * k) / Math.max(last, 1);
  const y = (vp) => 140 - (130 * (vp - low)) / (top - low);
  const label = { "font-size": 10, fill: "#555", "text-anchor": "end" };
  for (const vp of new Set([low, 0, top])) {
    curves.append(drawn("line", { x1: 30, x2: 395, y1: y(vp), y2: y(vp), stroke: "#ddd" }));
    curves.append(drawn("text", { x: 26, y: y(vp) + 3, ...label }, vp));
  }
  steps.forEach((step, k) => {
    if (k > 0 && step.round !== steps[k - 1].round) {
      curves.append(drawn("line", { x1: x(k), x2: x(k), y1: 10, y2: 140, stroke: "#ddd" }));
    }
  });
  seats.forEach((seat, s) => {
    const points = steps.map((step, k) => `${x(k).toFixed(1)},${y(step.vp[s]).toFixed(1)}`);
    const line = { points: points.join(" "), fill: "none", stroke: colours[s], "stroke-width": 2 };
    const element = drawn("polyline", line);
    element.append(drawn("title", {}, seat));
    curves.append(element);
  });
  const cursor = curves.appendChild(drawn("line", { y1: 5, y2: 145, stroke: "#d00000" }));
  curves.addEventListener("click", (event) => {
    const box = curves.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * 400;
    show(Math.round(((place - 30) / 365) * last));
  });

  // -- one decision
  function showBoard() {
    const text = frames[at].map((piece) => data.pieces[piece]).join("");
    const board = byId("board");
    if (data.form === "svg") {
      board.innerHTML = text;
      for (const element of board.querySelectorAll("[data-actions]")) {
        const actions = element.dataset.actions.split(" ");
        if (actions.includes(steps[at].action)) element.classList.add("taken");
      }
    } else {
      board.replaceChildren(make("pre", text));
    }
  }

  function showNote() {
    const note = data.notes[at];
    const place = byId("note");
    place.replaceChildren();
    if (!note) {
      place.append(make("p", "no note"));
      return;
    }
    const table = make("table");
    const head = make("tr");
    const priors = note.choices.some((choice) => choice[3] !== null);
    head.append(make("th", "choice"), make("th", "VP", "n"), make("th", "looks", "n"));
    if (priors) head.append(make("th", "prior", "n"));
    table.append(head);
    note.choices.forEach(([names, value, looks, prior, words], k) => {
      const row = make("tr");
      row.title = words;
      row.append(make("td", (k === 0 ? "▸ " : "") + names.join(" › ")));
      row.append(make("td", value.toFixed(1), "n"), make("td", looks || "", "n"));
      if (priors) row.append(make("td", prior === null ? "" : `${Math.round(prior * 100)} %`, "n"));
      table.append(row);
    });
    place.append(table);
    if (note.left_out) place.append(make("p", `and ${note.left_out} more`));
    if (note.reasons.length) {
      const why = note.reasons.map(([words, vp]) => `${words} ${vp > 0 ? "+" : ""}${vp.toFixed(1)}`);
      place.append(make("p", `rather than the second: ${why.join("; ")}`));
    }
    place.append(make("p", `VP: ${note.measure}`));
  }

  function show(k) {
    at = Math.min(Math.max(Number.isFinite(k) ? k : 0, 0), last);
    const step = steps[at];
    showBoard();
    showNote();
    rows.forEach(({ row, points }, seat) => {
      points.textContent = `${step.vp[seat]} VP${at === last && data.winner === seat ? ", wins" : ""}`;
      row.classList.toggle("acts", seat === step.player);
    });
    const from = at > 0 ? steps[at - 1].lines : 0;
    lines.forEach((line, number) => {
      line.classList.toggle("later", number >= step.lines);
      line.classList.toggle("fresh", number >= from && number < step.lines);
    });
    log.scrollTop = log.scrollHeight;
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    slider.value = at;
    const where = step.round ? `round ${step.round}, ${step.phase}` : step.phase;
    const what = step.action === null ? data.end : `player ${step.player} chooses: ${step.words}`;
    byId("now").textContent = `${at} of ${last} · ${where} · ${what}`;
    history.replaceState(null, "", `#${at}`);
  }

  // -- moving about
  const button = document.querySelector('[data-go="play"]');
  function stop() {
    clearInterval(timer);
    timer = null;
    button.textContent = "play";
  }
  function go(where) {
    if (where !== "play") {
      stop();
      show(target(where, at, steps));
    } else if (timer !== null) {
      stop();
    } else {
      if (at === last) show(0);
      button.textContent = "stop";
      timer = setInterval(() => (at === last ? stop() : show(at + 1)), 700);
    }
  }
  for (const element of document.querySelectorAll("[data-go]")) {
    element.addEventListener("click", () => go(element.dataset.go));
  }
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  const KEYS = {
    ArrowLeft: "-step",
    ArrowRight: "+step",
    "Shift+ArrowLeft": "-turn",
    "Shift+ArrowRight": "+turn",
    "[": "-round",
    "]": "+round",
    Home: "first",
    End: "last",
    " ": "play",
  };
  document.addEventListener("keydown", (event) => {
    if (event.metaKey || (event.ctrlKey && !event.altKey)) return; // both: AltGr
    if (event.key === " " && event.target.tagName === "BUTTON") return; // it presses that button
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    if (!(name in KEYS)) return;
    event.preventDefault();
    go(KEYS[name]);
  });
  show(Number.parseInt(location.hash.slice(1), 10));
}

if (typeof document === "undefined") module.exports = { rebuild, target };
else start(JSON.parse(document.getElementById("replay").textContent));
