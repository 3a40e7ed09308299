"use strict";

const POLL = 400; // ms, while agents choose
const AGAIN = 3000; // ms, when the server does not answer
const SLIP = 500; // ms, the longest between the two clicks of a double click
const byId = (id) => document.getElementById(id);
let state = null; // what the server has told last
let busy = false;
let timer = null;
let typed = "";
let shownAt = 0; // when what can be clicked came into view

// -- talking to the server

async function ask(path, body) {
  const options = { cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify({ version: state.version, ...body });
  }
  const answer = await fetch(path, options);
  const told = await answer.json();
  return { status: answer.status, told };
}

async function refresh() {
  clearTimeout(timer);
  try {
    const known = state === null ? "" : `?after=${state.version}`;
    const { told } = await ask(`state${known}`);
    byId("lost").hidden = true;
    if (state === null || told.version > state.version) show(told);
    else if (told.version === state.version) state = { ...state, ...told };
    showStatus();
    if (state.mode === "thinking") timer = setTimeout(refresh, POLL);
  } catch {
    lost();
  }
}

function lost() {
  const goOn = state && state.file ? `--resume ${state.file}` : "...";
  byId("lost").textContent = `The server does not answer. Was it stopped? nijar play --web ${goOn} starts it; its page has a new address.`;
  byId("lost").hidden = false;
  timer = setTimeout(refresh, AGAIN);
}

// One request at a time. The server refuses what is about a past moment, so nothing is done twice.
async function order(path, body = {}) {
  if (busy || state === null) return null;
  busy = true;
  document.body.classList.add("busy");
  closeMenu();
  type("");
  let done = null;
  let fault = "";
  try {
    const { status, told } = await ask(path, body);
    if (status === 200) done = told;
    else if (status !== 409) fault = told.error;
  } catch {
    lost();
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
  await refresh();
  if (fault) say(fault, true);
  return done;
}

const choose = (action) => order("choose", { action });

// The second click of a double click, on what has come into view since the first: it meant that.
const slipped = (event) => event.detail > 1 && performance.now() - shownAt < SLIP;

// -- what is shown

function make(tag, text, name) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
}

function say(text, fault = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("fault", fault);
}

function show(told) {
  state = told;
  shownAt = performance.now();
  closeMenu();
  type("");
  document.body.dataset.mode = told.mode;
  document.body.dataset.version = told.version;
  const cover = told.mode === "cover";
  byId("cover").hidden = !cover;
  byId("play").hidden = cover;
  byId("cover-title").textContent = cover ? `It is player ${told.person}'s choice` : "";
  byId("sit").textContent = cover ? `I am player ${told.person}` : "";
  document.title = cover || told.mode === "choose" ? "Níjar: your choice" : "Níjar";
  byId("told").hidden = true;
  byId("told").textContent = "";
  byId("where").textContent = told.where || "";
  showSeats(told.seats);
  byId("board").innerHTML = told.svg || ""; // ours, with all words in it escaped
  const drawn = byId("board").querySelector("svg");
  if (drawn) {
    const { width, height } = drawn.viewBox.baseVal;
    document.body.style.setProperty("--shape", width / height);
  }
  showChoices(told.choices || []);
  const log = told.log || [];
  const news = log.slice(told.news);
  fill(byId("news"), news);
  byId("news").scrollTop = 0;
  byId("fresh").hidden = news.length === 0;
  fill(byId("log"), log);
  byId("all").hidden = log.length === 0;
  byId("undo").disabled = !told.can_undo;
  byId("hint").disabled = !(told.hints && told.mode === "choose");
  byId("save").hidden = !told.any_file;
  byId("saved").textContent = told.file ? `saved to ${told.file} after each choice` : "";
  byId("over").hidden = told.mode !== "over";
  byId("end").textContent = (told.end || []).join("\n");
  if (cover) byId("sit").focus();
}

function showStatus() {
  if (state.fault) return say(state.fault, true);
  if (state.mode === "thinking") {
    const time = state.seconds > 1 ? `, ${state.seconds} s` : "";
    return say(`${state.who} is thinking${time} …`);
  }
  if (state.mode === "choose") return say(`player ${state.person}, you may`);
  return say("");
}

function showSeats(seats) {
  byId("seats").replaceChildren(
    ...seats.map((seat) => {
      const row = make("tr", undefined, seat.acts ? "acts" : "");
      const dot = make("span", undefined, "dot");
      dot.style.background = seat.colour;
      const first = make("td");
      first.append(dot);
      row.append(first, make("td", seat.name), make("td", `${seat.vp} VP${seat.wins ? ", wins" : ""}`));
      return row;
    }),
  );
}

function fill(list, lines) {
  list.replaceChildren(
    ...lines.map((line) => make("li", line.trim(), line.startsWith("    ") ? "" : "head")),
  );
  list.scrollTop = list.scrollHeight;
}

function choiceButton(choice, number) {
  const button = make("button");
  button.type = "button";
  button.dataset.action = choice.action;
  button.title = choice.action;
  button.append(make("span", number, "n"), make("span", choice.text));
  button.addEventListener("click", (event) => {
    if (!slipped(event)) choose(choice.action);
  });
  return button;
}

// The list, and the elements of the board that stand for one choice or several.
function showChoices(choices) {
  byId("choosing").hidden = choices.length === 0;
  byId("choices").replaceChildren(
    ...choices.map((choice, k) => {
      const item = make("li");
      item.append(choiceButton(choice, k + 1));
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false]]) {
        item.addEventListener(event, () => light(elementsOf(choice.action), on));
      }
      return item;
    }),
  );
  byId("choosing").scrollTop = 0;
  const words = new Map(choices.map((choice) => [choice.action, choice.text]));
  for (const element of byId("board").querySelectorAll("[data-actions]")) {
    const actions = element.dataset.actions.split(" ");
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    const title = element.querySelector(":scope > title");
    if (title) title.textContent = actions.map((action) => words.get(action) || action).join("\n");
    const buttons = actions.map(buttonOf).filter((button) => button);
    element.addEventListener("mouseenter", () => light(buttons, true));
    element.addEventListener("mouseleave", () => light(buttons, false));
  }
}

const light = (elements, on) => elements.forEach((element) => element.classList.toggle("lit", on));
const buttonOf = (action) => byId("choices").querySelector(`[data-action="${CSS.escape(action)}"]`);
const elementsOf = (action) =>
  [...byId("board").querySelectorAll("[data-actions]")].filter((element) =>
    element.dataset.actions.split(" ").includes(action),
  );

// -- the board

function pick(element, x, y) {
  const actions = element.dataset.actions.split(" ");
  if (actions.length === 1) {
    choose(actions[0]);
    return;
  }
  const numbers = new Map(state.choices.map((choice, k) => [choice.action, k]));
  const menu = byId("menu");
  menu.replaceChildren(
    ...actions
      .filter((action) => numbers.has(action))
      .map((action) => choiceButton(state.choices[numbers.get(action)], numbers.get(action) + 1)),
  );
  for (const button of menu.children) button.setAttribute("role", "menuitem");
  menu.hidden = false;
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 8))}px`;
  menu.firstChild.focus();
  shownAt = performance.now();
}

function closeMenu() {
  byId("menu").hidden = true;
  byId("menu").replaceChildren();
}

byId("board").addEventListener("click", (event) => {
  const element = event.target.closest("[data-actions]");
  if (element && !busy && !slipped(event)) pick(element, event.clientX, event.clientY);
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#menu")) closeMenu();
});

// -- commands

async function hint() {
  say("thinking of a hint …");
  const asked = state.version;
  const told = await order("hint");
  if (told === null || state.version !== asked) return;
  byId("told").textContent = told.lines.join("\n");
  byId("told").hidden = false;
  const button = buttonOf(told.action);
  for (const element of [button, ...elementsOf(told.action)]) element.classList.add("hinted");
  button.scrollIntoView({ block: "nearest" });
}

// The board as wide as there is room, or as high as the window.
function fit() {
  const whole = document.body.classList.toggle("whole");
  byId("fit").textContent = whole ? "large board" : "whole board";
}

byId("fit").addEventListener("click", fit);
byId("sit").addEventListener("click", (event) => {
  if (!slipped(event)) order("sit"); // or a double click would show the next person's hand
});
byId("undo").addEventListener("click", () => order("undo"));
byId("hint").addEventListener("click", hint);
byId("save").addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await order("save", { file: byId("file").value.trim() });
  if (told === null) return;
  state.file = told.file;
  byId("file").value = "";
  byId("saved").textContent = `saved to ${told.file}, from now on after each choice`;
});

// -- the keyboard

// Numbers are typed digit by digit, until only one choice is left that begins so, or Enter.
function type(digits) {
  const count = state && state.choices ? state.choices.length : 0;
  typed = digits !== "" && Number(digits) >= 1 && Number(digits) <= count ? digits : "";
  for (const button of byId("choices").querySelectorAll("button")) {
    const number = button.firstChild.textContent;
    button.classList.toggle("typed", typed !== "" && number.startsWith(typed));
  }
  if (typed !== "" && Number(typed) * 10 > count) choose(state.choices[Number(typed) - 1].action);
}

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.target.tagName === "INPUT") return;
  if (state === null || state.mode === "cover") return;
  if (event.repeat) return; // a key held down is pressed once, and chooses once
  const { key } = event;
  if ((key === "Enter" || key === " ") && event.target.matches("[data-actions]")) {
    const box = event.target.getBoundingClientRect();
    pick(event.target, box.left + box.width / 2, box.top + box.height / 2);
  } else if (key === "Enter" && typed !== "") {
    choose(state.choices[Number(typed) - 1].action);
  } else if (/^[0-9]$/.test(key)) {
    type(typed + key);
  } else if (key === "Escape") {
    closeMenu();
    type("");
  } else if (key === "u" && !byId("undo").disabled) {
    order("undo");
  } else if (key === "h" && !byId("hint").disabled) {
    hint();
  } else if (key === "b") {
    fit();
  } else if (key === "l") {
    byId("all").open = !byId("all").open;
  } else {
    return;
  }
  event.preventDefault();
});

// Another window may have played on.
window.addEventListener("focus", () => busy || refresh());
refresh();
