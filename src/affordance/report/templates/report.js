// The sample browser. The index holds all items of the report; their texts are in the page (#kept) or in scripts next to
// it, which are loaded when an item is opened. What others have written only ever becomes text: markup comes from the
// report's own template alone, which has escaped it.
"use strict";

(() => {
  const EACH_PAGE = 50;
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const RIGHT = 1, WRONG = 2, PARTLY = 4, NO_ANSWER = 8, UNSCORED = 16, FAILED = 32, SKIPPED = 64, PENDING = 128;
  const ALWAYS = 14, NOTHING = 15; // shares of right attempts; NOTHING is scored

  // By the kinds that a model's attempts at an item ended in: what stands for them in the list. The first that fits.
  const MARKS = [
    ["right", "✓", "right", (kinds) => kinds === RIGHT],
    ["partly", "~", "partly right, or not always", (kinds) => kinds & (RIGHT | PARTLY)],
    ["wrong", "✗", "wrong", (kinds) => kinds & WRONG],
    ["no-answer", "–", "no answer", (kinds) => kinds & NO_ANSWER],
    ["unscored", "·", "not scored", (kinds) => kinds & UNSCORED],
    ["failed", "!", "failed", (kinds) => kinds & FAILED],
    ["skipped", "○", "not asked", (kinds) => kinds & SKIPPED || !kinds],
    ["pending", "…", "not finished yet", () => true],
  ];

  // Of the codes of the chosen models, whether an item is shown.
  const share = (code) => code & 15;
  const scored = (codes) => codes.map(share).filter((one) => one !== NOTHING);
  const some = (kinds) => (codes) => codes.some((code) => (code >> 4) & kinds);
  const OUTCOMES = {
    any: ["any", () => true],
    wrong: ["a wrong answer", some(WRONG)],
    partly: ["a partly right answer", some(PARTLY)],
    "no-answer": ["no answer", some(NO_ANSWER)],
    "all-right": ["all right", (codes) => scored(codes).length > 0 && scored(codes).every((one) => one === ALWAYS)],
    "all-wrong": ["all wrong", (codes) => scored(codes).length > 0 && scored(codes).every((one) => one === 0)],
    disagree: ["models disagree", (codes) => new Set(scored(codes)).size > 1],
    missing: ["failed or not asked", some(FAILED | SKIPPED | PENDING)],
  };

  const byId = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString("en-US");
  const index = JSON.parse(byId("index").textContent);
  const parts = index.parts.map(read);
  const texts = new Map(); // by address of a file: a promise of what it holds
  const handed = new Map();
  let state = fresh(parts[0]);
  let found = []; // places of the items that the filter leaves

  function made(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function read(part) {
    const models = part.models.length;
    const codes = part.ended.map((text) =>
      Array.from({ length: models }, (_, m) => (DIGITS.indexOf(text[2 * m]) << 6) | DIGITS.indexOf(text[2 * m + 1])));
    const words = part.ids.map((id, place) => `${id}\n${part.texts[part.text[place]]}`.toLowerCase());
    const tags = part.tags.map(([by, values], t) => ({ by, values, of: part.tagged[t].map((had) => [].concat(had)) }));
    return { ...part, codes, words, tags };
  }

  function fresh(part) {
    return { part, show: "any", models: null, better: -1, worse: -1, tag: -1, value: -1, find: "", page: 0, item: -1 };
  }

  // Filtering

  function chosen() {
    return state.models ?? state.part.models.map((_, m) => m);
  }

  function fits(place, words) {
    const { part, better, worse, tag, value } = state;
    const codes = part.codes[place];
    if (better >= 0 && worse >= 0) {
      const [more, less] = [share(codes[better]), share(codes[worse])];
      if (more === NOTHING || less === NOTHING || more <= less) return false;
    } else if (better >= 0 && share(codes[better]) !== ALWAYS) {
      return false;
    } else if (worse >= 0 && share(codes[worse]) >= ALWAYS) {
      return false;
    }
    if (tag >= 0 && !part.tags[tag].of[place].includes(value)) return false;
    return words.every((word) => part.words[place].includes(word));
  }

  function filter() {
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    const models = chosen();
    const counts = Object.fromEntries(Object.keys(OUTCOMES).map((key) => [key, 0]));
    found = [];
    state.part.ids.forEach((_, place) => {
      if (!fits(place, words)) return;
      const codes = models.map((m) => state.part.codes[place][m]);
      for (const [key, [, test]] of Object.entries(OUTCOMES)) counts[key] += test(codes) ? 1 : 0;
      if (OUTCOMES[state.show][1](codes)) found.push(place);
    });
    return counts;
  }

  // The list

  function markOf(code) {
    return MARKS.find(([, , , test]) => test(code >> 4));
  }

  function wordsOf([kind, , words], models) {
    if (kind !== "failed") return words;
    const people = models.filter((model) => model.startsWith("study:")).length;
    return people === 0 ? words : people === models.length ? "not answered yet" : `${words}, or not answered yet`;
  }

  function row(place) {
    const { part } = state;
    const item = made("details", "item");
    const summary = made("summary");
    const marks = made("span", "marks");
    for (const m of chosen()) {
      const found = markOf(part.codes[place][m]);
      const mark = made("span", `sign ${found[0]}`, found[1]);
      mark.title = `${part.models[m]}: ${wordsOf(found, [part.models[m]])}`;
      marks.append(mark);
    }
    const what = made("span", "what");
    what.append(made("bdi", "id", part.ids[place]), " ", made("bdi", "text", part.texts[part.text[place]]));
    summary.append(what, " ", marks, " ", made("span", "tally", part.tallies[part.tally[place]]));
    item.append(summary);
    summary.addEventListener("click", () => {
      if (item.childElementCount === 1) fill(item, place);
      state.item = item.open ? -1 : place;
      remember();
    });
    return item;
  }

  function open(at, place) {
    const item = byId("browse-list").children[at];
    fill(item, place);
    item.open = true;
    return item;
  }

  function fill(item, place) {
    const kept = byId(`item-${state.part.number}-${place}`);
    if (kept) {
      for (const child of kept.children) if (child.tagName !== "SUMMARY") item.append(child.cloneNode(true));
      return;
    }
    const body = made("div", "", "Loading…");
    item.append(body);
    if (!index.folder) {
      body.replaceWith(made("p", "placeholder",
        "This page holds only some of the items. Written to a file (affordance report --format html -o report.html), "
        + "the report keeps all of them in a folder next to it."));
      return;
    }
    const file = Math.floor(place / index.each);
    load(state.part, file).then(
      (all) => {
        const template = document.createElement("template");
        template.innerHTML = all[place % index.each];
        body.replaceWith(template.content);
      },
      (error) => body.replaceWith(made("p", "placeholder", error.message)),
    );
  }

  // From a disk a page may load scripts, but not read files.
  window.affordanceSamples = (part, file, all) => handed.set(`${part}-${file}`, all);

  function load(part, file) {
    const name = `items-${part.stamp}-${part.number}-${file}.js`;
    if (!texts.has(name)) {
      texts.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        const lost = () => {
          texts.delete(name); // so that it can be tried again
          script.remove();
          reject(new Error(`The file ${name} is missing or of another report. This page needs the folder `
            + `${decodeURIComponent(index.folder)}, which was written with it, in the same place.`));
        };
        const found = () => handed.get(`${part.number}-${file}`);
        script.onload = () => (found() ? resolve(found()) : lost());
        script.onerror = lost;
        script.src = `${index.folder}/${name}`;
        document.head.append(script);
      }));
    }
    return texts.get(name);
  }

  function render() {
    const counts = filter();
    const pages = Math.max(1, Math.ceil(found.length / EACH_PAGE));
    state.page = Math.min(Math.max(state.page, 0), pages - 1);
    const start = state.page * EACH_PAGE;
    const shown = found.slice(start, start + EACH_PAGE);
    byId("browse-list").replaceChildren(...shown.map(row));
    const none = made("p", "placeholder", "No item is like this. Choose something else, or show all.");
    if (!found.length) byId("browse-list").append(none);
    for (const option of byId("browse-show").options) {
      option.textContent = `${OUTCOMES[option.value][0]} (${number(counts[option.value])})`;
      option.disabled = !counts[option.value] && option.value !== state.show;
    }
    const all = state.part.ids.length;
    byId("browse-found").textContent = `${number(found.length)} of ${number(all)} ${all === 1 ? "item" : "items"}`;
    byId("browse-reset").hidden = found.length === all;
    byId("browse-page").textContent = found.length
      ? `${number(start + 1)} to ${number(start + shown.length)} of ${number(found.length)}` : "";
    byId("browse-before").disabled = state.page === 0;
    byId("browse-after").disabled = state.page >= pages - 1;
    for (const id of ["browse-before", "browse-after", "browse-page"]) byId(id).hidden = pages === 1;
    return shown;
  }

  // The controls

  function fillSelect(id, entries, selected) {
    byId(id).replaceChildren(...entries.map(([value, label]) => choice(value, label)));
    byId(id).value = selected;
  }

  function choice(value, label) {
    const option = made("option", "", label);
    option.value = value;
    option.dir = "auto";
    return option;
  }

  function controls() {
    const { part } = state;
    fillSelect("browse-part", parts.map((one, place) => [place, one.name]), parts.indexOf(part));
    byId("browse-part").closest("label").hidden = parts.length === 1;
    fillSelect("browse-show", Object.entries(OUTCOMES).map(([key, [label]]) => [key, label]), state.show);
    const models = part.models.map((model, m) => [m, model]);
    for (const [id, model] of [["browse-better", state.better], ["browse-worse", state.worse]]) {
      fillSelect(id, [[-1, "–"], ...models], model);
      byId(id).closest("label").hidden = models.length < 2;
    }
    byId("browse-models").closest("details").hidden = models.length < 2;
    byId("browse-models").replaceChildren(...models.map(([m, model]) => modelBox(m, model)));
    tellChosen();
    tagSelect();
    byId("browse-find").value = state.find;
    const signs = new Set(part.codes.flat().map(markOf));
    byId("browse-key").replaceChildren(...MARKS.filter((mark) => signs.has(mark)).flatMap((mark) =>
      [made("span", `sign ${mark[0]}`, mark[1]), ` ${wordsOf(mark, part.models)} `]));
    byId("browse-key").append(models.length > 1 ? "(one sign for each model, in the order of the leaderboard)" : "");
  }

  function modelBox(m, model) {
    const label = made("label");
    const box = made("input");
    box.type = "checkbox";
    box.checked = state.models?.includes(m) ?? false;
    box.addEventListener("change", () => {
      const boxes = [...byId("browse-models").querySelectorAll("input")];
      const checked = boxes.flatMap((one, place) => (one.checked ? [place] : []));
      changed({ models: checked.length ? checked : null });
      tellChosen();
    });
    label.append(box, " ", made("bdi", "", model));
    return label;
  }

  function tellChosen() {
    const { models, part } = state;
    byId("browse-chosen").textContent = models === null ? "all models"
      : models.length === 1 ? part.models[models[0]] : `${models.length} models`;
  }

  function tagSelect() {
    const { part, tag, value } = state;
    fillSelect("browse-tag", [["", "any"]], "");
    part.tags.forEach(({ by, values, of }, t) => {
      const group = made("optgroup");
      group.label = by;
      const counts = values.map(() => 0);
      for (const had of of) for (const one of had) counts[one] += 1;
      group.append(...values.map((text, v) => choice(`${t} ${v}`, `${text || "(none)"} (${number(counts[v])})`)));
      byId("browse-tag").append(group);
    });
    byId("browse-tag").value = tag < 0 ? "" : `${tag} ${value}`;
    byId("browse-tag").closest("label").hidden = !part.tags.length;
  }

  function changed(change) {
    Object.assign(state, { page: 0, item: -1 }, change);
    render();
    remember();
  }

  function startAgain(part) {
    state = fresh(part);
    controls();
    changed({});
  }

  function turn(pages) {
    changed({ page: state.page + pages });
    byId("browser").querySelector(".found").scrollIntoView({ block: "start" });
  }

  // The address: names rather than places, so that a link survives one model more

  function remember() {
    const { part, models } = state;
    const view = new URLSearchParams();
    if (parts.length > 1) view.set("part", part.name);
    if (state.show !== "any") view.set("show", state.show);
    for (const m of models ?? []) view.append("model", part.models[m]);
    if (state.better >= 0) view.set("right", part.models[state.better]);
    if (state.worse >= 0) view.set("wrong", part.models[state.worse]);
    if (state.tag >= 0) view.append("by", part.tags[state.tag].by);
    if (state.tag >= 0) view.append("value", part.tags[state.tag].values[state.value]);
    if (state.find) view.set("find", state.find);
    if (state.page) view.set("page", state.page + 1);
    if (state.item >= 0) view.set("item", part.ids[state.item]);
    history.replaceState(null, "", `#samples?${view}`);
  }

  function recall() {
    if (!location.hash.startsWith("#samples?")) return false;
    const view = new URLSearchParams(location.hash.slice("#samples?".length));
    const part = parts.find((one) => one.name === view.get("part")) ?? parts[0];
    const models = view.getAll("model").map((model) => part.models.indexOf(model)).filter((m) => m >= 0);
    const tag = part.tags.findIndex(({ by }) => by === view.get("by"));
    const value = tag < 0 ? -1 : part.tags[tag].values.indexOf(view.get("value"));
    state = {
      ...fresh(part),
      show: Object.hasOwn(OUTCOMES, view.get("show") ?? "") ? view.get("show") : "any",
      models: models.length ? models : null,
      better: part.models.indexOf(view.get("right")),
      worse: part.models.indexOf(view.get("wrong")),
      tag: value < 0 ? -1 : tag,
      value,
      find: view.get("find") ?? "",
      page: (parseInt(view.get("page"), 10) || 1) - 1,
    };
    const item = part.ids.indexOf(view.get("item"));
    filter();
    if (found.includes(item)) Object.assign(state, { item, page: Math.floor(found.indexOf(item) / EACH_PAGE) });
    controls();
    const place = render().indexOf(item);
    byId("samples").scrollIntoView();
    if (place >= 0) open(place, item).scrollIntoView({ block: "start" });
    return true;
  }

  // The keyboard

  function step(by) {
    const rows = [...byId("browse-list").querySelectorAll(":scope > .item > summary")];
    const at = rows.findIndex((one) => one.parentElement.contains(document.activeElement));
    const next = at < 0 ? 0 : at + by;
    if (rows[next]) return rows[next].focus();
    if (byId(by > 0 ? "browse-after" : "browse-before").disabled) return undefined;
    turn(by);
    return [...byId("browse-list").querySelectorAll(":scope > .item > summary")].at(by > 0 ? 0 : -1).focus();
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select, textarea");
    if (typing) {
      if (event.key === "Escape" && typing.type === "search") typing.blur();
      return;
    }
    const inList = event.target.closest("#browse-list .item > summary");
    const steps = inList ? { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 } : { j: 1, k: -1 };
    if (event.key === "/") byId("browse-find").focus();
    else if (Object.hasOwn(steps, event.key)) step(steps[event.key]);
    else return;
    event.preventDefault();
  }

  function listen() {
    const on = (id, event, act) => byId(id).addEventListener(event, act);
    on("browse-part", "change", (event) => startAgain(parts[event.target.value]));
    on("browse-show", "change", (event) => changed({ show: event.target.value }));
    on("browse-better", "change", (event) => changed({ better: Number(event.target.value) }));
    on("browse-worse", "change", (event) => changed({ worse: Number(event.target.value) }));
    on("browse-tag", "change", (event) => {
      const [tag, value] = event.target.value ? event.target.value.split(" ").map(Number) : [-1, -1];
      changed({ tag, value });
    });
    on("browse-find", "input", (event) => changed({ find: event.target.value }));
    on("browse-reset", "click", () => startAgain(state.part));
    on("browse-before", "click", () => turn(-1));
    on("browse-after", "click", () => turn(1));
    document.addEventListener("keydown", pressed);
    window.addEventListener("hashchange", recall);
  }

  if (!parts.length) return;
  byId("browser").hidden = false;
  byId("kept").classList.add("browsed");
  listen();
  if (!recall()) {
    controls();
    open(0, render()[0]);
  }
})();
