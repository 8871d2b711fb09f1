/** Keys of the page that are not those of the screen itself.
 * @param {import("../lib/keys.js").Keymap} map
 * @param {object} page
 */
export function addPageKeys(map, page) {
  const edits = () => page.mayEdit && page.sheet !== null;
  const open = () => page.sheet !== null;
  const tree = document.getElementById("region-tree");
  const inTree = () => open() && tree === document.activeElement;
  const chosen = () => edits() && page.selection.name !== null;
  const carrying = () => edits() && page.tree.carried !== null;
  const none = () => false; // the tree itself listens to these; they are here to be listed

  const images = "Images";
  map.add(["J", "PageDown"], "Next image", images, () => page.step(1));
  map.add(["K", "PageUp"], "Previous image", images, () => page.step(-1));
  map.add("D", "Mark the image as done and go to the next that is not", images, () => page.done(), edits);
  map.add("Shift+D", "Take back that it is done", images, () => page.undone(), edits);
  map.add("I", "Find an image", images, () => find(page, "images"));

  const work = "Everywhere";
  map.add("Ctrl+Z", "Undo", work, () => page.undo(), edits);
  map.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", work, () => page.redo(), edits);
  map.add("F6", "Next pane", work, () => page.layout.step(1));
  map.add("Shift+F6", "Previous pane", work, () => page.layout.step(-1));

  const regions = "Regions";
  map.add("/", "Find a region", regions, () => find(page, "tree"), open);
  map.add("W", "Worst score first, or reading order", regions, () => page.tree.toggleWorst(), open);
  map.add("X", "Take the region up, to put it under another", regions, () => page.tree.cut(), edits);
  map.add("V", "Put it under the selected region", regions, () => page.tree.paste(), carrying);
  map.add("Escape", "Leave it where it was", regions, () => page.tree.cancel(), carrying);

  const walking = "In the tree";
  map.add(["ArrowUp", "ArrowDown"], "Previous or next region", walking, none, none);
  map.add(["ArrowLeft", "ArrowRight"], "Close and outward, open and inward", walking, none, none);
  map.add("Enter", "Zoom to the region", walking, none, none);
  map.add("Delete", "Delete the region and what is inside", walking, () => page.stage.remove(false), inTree);
  map.add("Shift+Delete", "Delete it and keep what is inside", walking, () => page.stage.remove(true), inTree);

  const details = "Details";
  map.add("E", "Write the text of the region", details, () => reach(page, "focusText"), chosen);
  map.add("T", "Choose the type of the region", details, () => reach(page, "focusType"), chosen);
  map.add("Ctrl+Enter", "Save the text that is being written", details, () => page.panel.save());
}

function find(page, pane) {
  if (page.layout.narrow) page.layout.show(pane);
  page[pane].findFocus();
}

function reach(page, what) {
  if (page.layout.narrow) page.layout.show("panel");
  page.panel[what]();
}
