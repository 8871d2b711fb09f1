/* Quirely, a demo document editor. One script for its three pages: shared parts first, then editor, files, history. */
(() => {
'use strict';

// German texts by their English original; every other language sees the English.
const DE = {
  'All documents': 'Alle Dokumente', 'Document name': 'Name des Dokuments', 'Star this document': 'Dokument mit Stern versehen', 'All changes saved': 'Alles gespeichert',
  'Menu bar': 'Menüleiste', File: 'Datei', Edit: 'Bearbeiten', View: 'Ansicht', Insert: 'Einfügen', Help: 'Hilfe', 'Version history': 'Versionsverlauf', History: 'Verlauf', Share: 'Teilen',
  Formatting: 'Formatierung', 'Undo and redo': 'Rückgängig und Wiederholen', Undo: 'Rückgängig', Redo: 'Wiederholen', 'Paragraph style': 'Absatzformat', 'Text size': 'Schriftgröße', 'Smaller text': 'Schrift kleiner',
  'Text size in points': 'Schriftgröße in Punkt', 'Larger text': 'Schrift größer', 'Text format': 'Zeichenformat', Bold: 'Fett', Italic: 'Kursiv', Underline: 'Unterstrichen', 'Highlight colour': 'Markierungsfarbe', Layout: 'Anordnung',
  Alignment: 'Ausrichtung', List: 'Liste', Review: 'Überprüfen', 'Add comment': 'Kommentar hinzufügen', 'Find and replace': 'Suchen und ersetzen', 'Show replace': 'Ersetzen einblenden', 'Hide replace': 'Ersetzen ausblenden',
  'Find in document': 'Im Dokument suchen', 'Clear search text': 'Suchtext leeren', 'Match case': 'Groß- und Kleinschreibung beachten', 'Previous match': 'Voriger Treffer', 'Next match': 'Nächster Treffer', 'Replace with': 'Ersetzen durch',
  Replace: 'Ersetzen', 'Replace all': 'Alle ersetzen', 'Close find and replace': 'Suchen und Ersetzen schließen', Outline: 'Gliederung', 'Close outline': 'Gliederung schließen', Sections: 'Abschnitte', 'Width of the outline': 'Breite der Gliederung',
  Document: 'Dokument', Page: 'Seite', 'Text, first part': 'Text, erster Teil', 'Text, second part': 'Text, zweiter Teil', 'Text, third part': 'Text, dritter Teil', 'Add column': 'Spalte hinzufügen', 'Add row': 'Zeile hinzufügen',
  'Delete this row': 'Diese Zeile löschen', 'Delete this column': 'Diese Spalte löschen', 'Width of the first column': 'Breite der ersten Spalte', 'Number of columns': 'Anzahl der Spalten', 'Number of rows': 'Anzahl der Zeilen', Figure: 'Abbildung',
  'Table: beds and helpers': 'Tabelle: Beete und Helfer', 'Figure: visitors per month': 'Abbildung: Besucher je Monat', 'Figure to the start': 'Abbildung an den Anfang', 'Figure in the middle': 'Abbildung in die Mitte', 'Figure to the end': 'Abbildung ans Ende',
  'Describe figure': 'Abbildung beschreiben', 'Delete figure': 'Abbildung löschen', 'Width of the figure': 'Breite der Abbildung', 'Height of the figure': 'Höhe der Abbildung', 'Back to top': 'Nach oben', Comments: 'Kommentare', 'New comment': 'Neuer Kommentar',
  'Close comments': 'Kommentare schließen', 'Status bar': 'Statusleiste', Zoom: 'Zoom', 'Zoom out': 'Verkleinern', 'Zoom in': 'Vergrößern', 'Reset zoom': 'Zoom zurücksetzen', Body: 'Fließtext', 'Heading 1': 'Überschrift 1', 'Heading 2': 'Überschrift 2',
  Quote: 'Zitat', 'Bullet list': 'Aufzählung', 'Numbered list': 'Nummerierung', 'No list': 'Keine Liste', 'Edited just now': 'Eben bearbeitet', 'Please enter a number': 'Bitte eine Zahl eingeben', New: 'Neu',
  Style: 'Format', Rows: 'Zeilen', Columns: 'Spalten', 'Column width': 'Spaltenbreite', 'Figure width': 'Breite der Abbildung', 'Figure height': 'Höhe der Abbildung', 'Delete row': 'Zeile löschen', 'Delete column': 'Spalte löschen', Typing: 'Eingabe',
  'Heading level': 'Ebene der Überschrift', 'Plain text': 'Normaler Text', Line: 'Linie', Highlight: 'Markierung', Paste: 'Einfügen', Format: 'Format', 'Empty cell': 'Zelle leeren', 'A table keeps at least one row and two columns': 'Eine Tabelle behält mindestens eine Zeile und zwei Spalten',
  'Row deleted': 'Zeile gelöscht', 'Column deleted': 'Spalte gelöscht', 'Collapse section': 'Abschnitt einklappen', 'Expand section': 'Abschnitt ausklappen', 'No headings yet': 'Noch keine Überschriften', 'Followed by a table or figure': 'Danach folgt eine Tabelle oder Abbildung',
  'Can edit · last here 24 February': 'Darf bearbeiten · zuletzt hier am 24. Februar', Heading: 'Überschrift', 'Rename heading': 'Überschrift umbenennen', 'Make it a subsection': 'Zum Unterabschnitt machen', 'Make it a section': 'Zum Abschnitt machen',
  'Turn into plain text': 'In normalen Text umwandeln', Section: 'Abschnitt', 'Your text': 'Ihr Text', 'Write something': 'Schreiben Sie etwas', 'Discard draft': 'Entwurf verwerfen', Reply: 'Antworten', Comment: 'Kommentar', 'Reopen comment': 'Kommentar wieder öffnen',
  'Resolve comment': 'Kommentar erledigen', 'Delete comment': 'Kommentar löschen', 'Delete comment for good': 'Kommentar endgültig löschen', 'Comment by {who}': 'Kommentar von {who}', 'Show in text': 'Im Text zeigen', Open: 'Öffnen', Unresolved: 'Offen', Resolved: 'Erledigt',
  'Resolved comments gather here': 'Hier sammeln sich erledigte Kommentare', 'Nothing to discuss': 'Nichts zu besprechen', 'Comment deleted': 'Kommentar gelöscht', 'Delete for good?': 'Endgültig löschen?', 'This resolved comment and its replies cannot be brought back.': 'Dieser erledigte Kommentar und seine Antworten lassen sich nicht zurückholen.',
  Keep: 'Behalten', Delete: 'Löschen', '{a} of {n}': '{a} von {n}', 'No match': 'Kein Treffer', '{n} matches replaced': '{n} Treffer ersetzt', '{a} of {n} words': '{a} von {n} Wörtern', '{n} words': '{n} Wörter', 'Page {a} of {n}': 'Seite {a} von {n}',
  'Narrower figure': 'Abbildung schmaler', 'Figure width in percent': 'Breite der Abbildung in Prozent', 'Wider figure': 'Abbildung breiter', 'Figure selected: size and alignment act on it': 'Abbildung ausgewählt: Größe und Ausrichtung wirken auf sie', 'In the table': 'In der Tabelle',
  'Make a copy': 'Kopie anlegen', copy: 'Kopie', 'You are now working on a copy': 'Sie arbeiten nun an einer Kopie', Rename: 'Umbenennen', 'Move to trash': 'In den Papierkorb', 'Delete paragraph': 'Absatz löschen', Margins: 'Seitenränder', 'Focus mode': 'Ruhemodus',
  'New heading': 'Neue Überschrift', 'New paragraph': 'Neuer Absatz', Paragraph: 'Absatz', 'Dividing line': 'Trennlinie', 'Table row': 'Tabellenzeile', 'Table column': 'Tabellenspalte', 'Keyboard shortcuts': 'Tastenkürzel', 'About Quirely': 'Über Quirely',
  'Quirely 4.2, a calm place to write together.': 'Quirely 4.2, ein ruhiger Ort zum gemeinsamen Schreiben.', 'Move to trash?': 'In den Papierkorb verschieben?', 'The document stays in the trash for 30 days and can be brought back.': 'Das Dokument bleibt 30 Tage im Papierkorb und lässt sich zurückholen.', Cancel: 'Abbrechen',
  'Next table cell': 'Nächste Tabellenzelle', Words: 'Wörter', Characters: 'Zeichen', Paragraphs: 'Absätze', 'Reading time in minutes': 'Lesezeit in Minuten', 'Word count': 'Wortzahl', 'Can read': 'Darf lesen', 'Can comment': 'Darf kommentieren', 'Can edit': 'Darf bearbeiten',
  'Rights of {who}': 'Rechte von {who}', 'Remove {who}': '{who} entfernen', 'E-mail address': 'E-Mail-Adresse', Invite: 'Einladen', 'That is not a full e-mail address.': 'Das ist keine vollständige E-Mail-Adresse.', 'Anyone with the link': 'Alle mit dem Link', 'Rights of the link': 'Rechte des Links',
  'Copy link': 'Link kopieren', 'Share document': 'Dokument teilen', Done: 'Fertig', 'Link copied': 'Link kopiert', 'Empty this cell': 'Diese Zelle leeren', Actions: 'Aktionen', None: 'Keine', Sun: 'Sonne', Leaf: 'Blatt', Rose: 'Rose', 'Document starred': 'Dokument mit Stern versehen', 'Star removed': 'Stern entfernt',
  Start: 'Anfang', Middle: 'Mitte', End: 'Ende', Description: 'Beschreibung', Save: 'Speichern', 'Description saved': 'Beschreibung gespeichert', 'Figure deleted': 'Abbildung gelöscht', 'Comment resolved': 'Kommentar erledigt', 'Comment reopened': 'Kommentar wieder geöffnet', 'Undo several steps': 'Mehrere Schritte rückgängig machen', Untitled: 'Ohne Titel',
  Close: 'Schließen', 'Close dialog': 'Dialog schließen', Notices: 'Meldungen', 'Dismiss notice': 'Meldung schließen',
  'Search documents': 'Dokumente suchen', 'Clear search': 'Suche leeren', 'Layout of the list': 'Darstellung der Liste', Grid: 'Kacheln', 'Account of Mara Lindqvist': 'Konto von Mara Lindqvist', Library: 'Bibliothek', 'New document': 'Neues Dokument', Views: 'Ansichten', Recent: 'Zuletzt', Starred: 'Mit Stern', Trash: 'Papierkorb',
  Storage: 'Speicher', 'Storage used': 'Belegter Speicher', '1.9 of 5 GB used': '1,9 von 5 GB belegt', Folders: 'Ordner', Files: 'Dateien', Name: 'Name', Owner: 'Besitz', Changed: 'Geändert', Size: 'Größe', 'Remove star from {name}': 'Stern entfernen: {name}', 'Star {name}': 'Stern setzen: {name}', 'Restore {name}': 'Wiederherstellen: {name}',
  'Delete {name} for good': 'Endgültig löschen: {name}', 'Remove {name} from recents': 'Aus „Zuletzt“ entfernen: {name}', 'Move {name} to trash': 'In den Papierkorb: {name}', 'Select {name}': 'Auswählen: {name}', 'Open {name}': 'Öffnen: {name}', '1 document': '1 Dokument', '{n} documents': '{n} Dokumente',
  'No document has that name': 'Kein Dokument heißt so', 'Nothing here': 'Hier ist nichts', Select: 'Auswählen', 'Cancel selection': 'Auswahl beenden', 'Restore all selected': 'Ausgewählte wiederherstellen', 'Delete all selected for good': 'Ausgewählte endgültig löschen', 'Star all selected': 'Ausgewählte mit Stern versehen',
  'Move all selected': 'Ausgewählte verschieben', 'Move all selected to trash': 'Ausgewählte in den Papierkorb', Selection: 'Auswahl', '{n} selected': '{n} ausgewählt', 'Clear selection': 'Auswahl aufheben', 'Empty trash': 'Papierkorb leeren', '“{name}” moved to trash': '„{name}“ liegt im Papierkorb', '{n} documents moved to trash': '{n} Dokumente liegen im Papierkorb',
  '“{name}” restored': '„{name}“ wiederhergestellt', '{n} documents restored': '{n} Dokumente wiederhergestellt', '“{name}” removed from recents; the document stays': '„{name}“ aus „Zuletzt“ entfernt; das Dokument bleibt', '{what} moved to {folder}': '{what} verschoben nach {folder}', '“{name}”': '„{name}“', '“{name}” starred': '„{name}“ mit Stern versehen',
  'Star removed from “{name}”': 'Stern von „{name}“ entfernt', '{n} documents starred': '{n} Dokumente mit Stern versehen', '“{name}” cannot be brought back.': '„{name}“ lässt sich nicht zurückholen.', '{n} documents cannot be brought back.': '{n} Dokumente lassen sich nicht zurückholen.', '“{name}” deleted for good': '„{name}“ endgültig gelöscht', '{n} documents deleted for good': '{n} Dokumente endgültig gelöscht',
  'Move to folder': 'In Ordner verschieben', 'No folder': 'Kein Ordner', Move: 'Verschieben', 'New name': 'Neuer Name', 'Name of the folder': 'Name des Ordners', 'Renamed to “{name}”': 'Umbenannt in „{name}“', '“{name}” created': '„{name}“ angelegt', Restore: 'Wiederherstellen', 'Delete for good': 'Endgültig löschen', 'Remove star': 'Stern entfernen', Star: 'Stern setzen',
  'Remove from recents': 'Aus „Zuletzt“ entfernen', 'Open folder': 'Ordner öffnen', 'Rename folder': 'Ordner umbenennen', 'Trash its documents': 'Inhalt in den Papierkorb', 'Sort by': 'Sortieren nach', 'Untitled document': 'Dokument ohne Titel', 'Signed in as Mara Lindqvist': 'Angemeldet als Mara Lindqvist', 'Show trash': 'Papierkorb zeigen',
  'Writing statistics': 'Schreibstatistik', Documents: 'Dokumente', 'Shared with others': 'Mit anderen geteilt', Account: 'Konto', 'Delete everything in the trash for good?': 'Alles im Papierkorb endgültig löschen?',
  'Back to the editor': 'Zurück zum Editor', Editor: 'Editor', 'Restore this version': 'Version wiederherstellen', Comparison: 'Vergleich', Changes: 'Änderungen', 'Previous change': 'Vorige Änderung', 'Next change': 'Nächste Änderung', 'Show changes': 'Änderungen zeigen', 'View of the comparison': 'Darstellung des Vergleichs', Inline: 'Im Text',
  'Side by side': 'Nebeneinander', 'Version shown': 'Gezeigte Version', Versions: 'Versionen', 'Named only': 'Nur benannte', 'List of versions': 'Liste der Versionen', Timeline: 'Zeitleiste', 'Older version': 'Ältere Version', 'Newer version': 'Neuere Version', Comparing: 'Vergleich von', 'Swap sides': 'Seiten tauschen', 'End comparison': 'Vergleich beenden',
  'compared with the version before': 'verglichen mit der Version davor', '1 change': '1 Änderung', '{n} changes': '{n} Änderungen', 'Compare {name}': 'Vergleichen: {name}', current: 'aktuell', 'Pin {name}': 'Anheften: {name}', 'Unpin {name}': 'Lösen: {name}', 'Remove the name {name}': 'Namen entfernen: {name}', 'Name version of {name}': 'Version benennen: {name}',
  'Scroll on for older versions': 'Weiter unten stehen ältere Versionen', 'Two versions compared': 'Zwei Versionen im Vergleich', 'Two selected': 'Zwei ausgewählt', 'Select one more': 'Noch eine auswählen', 'Select two versions to compare': 'Zwei Versionen zum Vergleichen auswählen', Compare: 'Vergleichen', 'Version {a} of {n}': 'Version {a} von {n}',
  'Name of the version': 'Name der Version', 'Version named “{name}”': 'Version heißt nun „{name}“', 'Restore this version?': 'Diese Version wiederherstellen?', 'The document goes back to “{name}”. Your current text is kept as a version.': 'Das Dokument kehrt zu „{name}“ zurück. Ihr jetziger Text bleibt als Version erhalten.', 'Give the new version a name': 'Die neue Version benennen',
  Restored: 'Wiederhergestellt', 'Restored from “{name}”': 'Wiederhergestellt aus „{name}“', 'Double click to name it': 'Doppelklick zum Benennen', 'Pinned: this version is kept for ever': 'Angeheftet: Diese Version bleibt für immer', 'Unpinned: may be tidied away after a year': 'Gelöst: Kann nach einem Jahr aufgeräumt werden', 'Name removed; the version stays': 'Name entfernt; die Version bleibt',
  Show: 'Zeigen', 'Name this version': 'Version benennen', 'Compare with current': 'Mit der aktuellen vergleichen',
};
const lang = navigator.language.startsWith('de') ? 'de' : 'en';
const t = (key, vars = {}) => ((lang === 'de' && DE[key]) || key).replace(/\{(\w+)\}/g, (_, name) => vars[name]);
const count = (n, one, many) => t(n === 1 ? one : many, { n });

const ICONS = {
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11', plus: 'M12 5.5v13M5.5 12h13', minus: 'M5.5 12h13', check: 'M5 12.5l4.5 4.5L19 7.5',
  bin: 'M5 7h14M10 7V4.5h4V7M7 7l.9 12.5h8.2L17 7M10.5 10.8v5M13.5 10.8v5', up: 'M6 14.5l6-6 6 6', down: 'M6 9.5l6 6 6-6',
  left: 'M14.5 6l-6 6 6 6', right: 'M9.5 6l6 6-6 6', back: 'M11 6l-6 6 6 6M5.5 12H19',
  star: 'M12 4.2l2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z', bookmark: 'M7.5 4.5h9v15L12 16l-4.5 3.5z',
  undo: 'M8 5L4.5 8.5 8 12M5 8.5h9a5 5 0 010 10H9', redo: 'M16 5l3.5 3.5L16 12M19 8.5h-9a5 5 0 000 10h5',
  bold: 'M8 5.5h5a3.1 3.1 0 010 6.3H8zM8 11.8h5.8a3.4 3.4 0 010 6.7H8z', italic: 'M10.5 5.5h6M7.5 18.5h6M13.8 5.5l-3.6 13',
  underline: 'M8 5v6.5a4 4 0 008 0V5M6.5 19.5h11', pen: 'M14.5 5l4 4-8 8H6.5v-4zM5 20.5h14',
  alignStart: 'M5 6.5h14M5 10.5h8M5 14.5h14M5 18.5h8', alignCenter: 'M5 6.5h14M8 10.5h8M5 14.5h14M8 18.5h8',
  alignEnd: 'M5 6.5h14M11 10.5h8M5 14.5h14M11 18.5h8', list: 'M9.5 7H19M9.5 12H19M9.5 17H19M5.5 7h.01M5.5 12h.01M5.5 17h.01',
  commentAdd: 'M5 5.5h14v10.5h-7.5L7.5 19.5V16H5zM12 8.2v5M9.5 10.7h5', reply: 'M10 7l-4.5 4.5L10 16M6 11.5h8a5 5 0 015 5v1.5',
  search: 'M15.5 15.5L20 20M17 11a6 6 0 11-12 0 6 6 0 0112 0z', history: 'M4.8 12.5a7.3 7.3 0 107.2-7.8c-2.5 0-4.6 1.2-6 3.1M5.3 4.2v3.9h3.9M12 8.3v4l2.8 1.8',
  share: 'M12 15V4.5M8.5 7.5L12 4l3.5 3.5M6 11.5H5v8.5h14v-8.5h-1', panelStart: 'M4.5 5.5h15v13h-15zM9.5 5.5v13', panelEnd: 'M4.5 5.5h15v13h-15zM14.5 5.5v13',
  rows: 'M5 7h14M5 12h14M5 17h14', grid: 'M5 5h5.5v5.5H5zM13.5 5H19v5.5h-5.5zM5 13.5h5.5V19H5zM13.5 13.5H19V19h-5.5z',
  file: 'M7 4h7l4 4v12H7zM14 4v4h4', folder: 'M4 6.5h6l2 2.5h8v10H4z', info: 'M12 11v5.5M12 7.8v.01M20 12a8 8 0 11-16 0 8 8 0 0116 0z',
  restore: 'M6 4.8v4.4h4.4M6.3 9a7.2 7.2 0 11-1.1 4.8', swap: 'M6 8.5h12.5L15 5M18 15.5H5.5L9 19', pencil: 'M5 19l.8-3.8 9.7-9.7 3 3-9.7 9.7z',
};
const icon = name => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const esc = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const iconButton = (name, label, attrs = '') => `<button type="button" class="ib" data-icon="${name}" aria-label="${esc(label)}" ${attrs}>${icon(name)}</button>`;
const clamp = (n, min, max) => Math.min(max, Math.max(min, n));
const formatDate = (iso, options = { day: 'numeric', month: 'short', year: 'numeric' }) => new Intl.DateTimeFormat(lang, options).format(new Date(iso));
const formatTime = iso => formatDate(iso, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const PEOPLE = { ML: 'Mara Lindqvist', TF: 'Tobias Ferrand', IO: 'Ines Okafor', JH: 'Jun Halloran' };
const avatar = who => `<span class="avatar a${Object.keys(PEOPLE).indexOf(who) + 1}" aria-hidden="true">${who}</span>`;

function translatePage() {
  document.documentElement.lang = lang;
  document.body.classList.add(`body-${document.body.dataset.page}`);
  $$('[data-t]').forEach(el => { el.textContent = t(el.textContent.trim()); });
  for (const attr of ['aria-label', 'placeholder']) $$(`[${attr}]`).forEach(el => el.setAttribute(attr, t(el.getAttribute(attr))));
  $$('[data-icon]').forEach(el => el.insertAdjacentHTML('afterbegin', icon(el.dataset.icon)));
}

// Clicks on [data-act] call the function of that name in the page's table of actions.
function wireActions(actions) {
  document.addEventListener('click', event => {
    const el = event.target.closest('[data-act]');
    if (el && !el.disabled && actions[el.dataset.act]) actions[el.dataset.act](el, event);
  });
}

let menu = null;
function closeMenu(refocus) {
  if (!menu) return;
  menu.anchor?.setAttribute('aria-expanded', 'false');
  menu.el.remove();
  if (refocus) menu.anchor?.focus();
  menu = null;
}

function menuItem(item) {
  if (!item) return '<hr role="separator">';
  const role = 'on' in item ? (item.radio ? 'menuitemradio' : 'menuitemcheckbox') : 'menuitem';
  const checked = 'on' in item ? `aria-checked="${!!item.on}"` : '';
  const sign = item.on ? icon('check') : item.icon ? icon(item.icon) : '';
  return `<button type="button" role="${role}" ${checked} class="${item.danger ? 'danger' : ''}" ${item.off ? 'disabled' : ''}>
    <span class="mi">${sign}</span><span>${esc(item.label)}</span>${item.key ? `<kbd>${item.key}</kbd>` : ''}</button>`;
}

// items: {label, run, icon, key, on, radio, off, danger} or null for a rule; opens below the anchor or at a point.
function openMenu(anchor, items, label, point) {
  const same = menu && menu.anchor === anchor && !point;
  closeMenu();
  if (same) return;
  hideTip();
  const el = document.createElement('div');
  el.className = 'menu';
  el.setAttribute('role', 'menu');
  el.setAttribute('aria-label', label);
  el.innerHTML = items.map(menuItem).join('');
  document.body.append(el);
  const box = anchor?.getBoundingClientRect();
  const { x, y } = point || { x: box.left, y: box.bottom + 4 };
  el.style.left = `${clamp(x, 8, innerWidth - el.offsetWidth - 8)}px`;
  el.style.top = `${clamp(y, 8, innerHeight - el.offsetHeight - 8)}px`;
  const choices = items.filter(Boolean);
  $$('button', el).forEach((button, i) => button.addEventListener('click', () => { closeMenu(); choices[i].run(); }));
  anchor?.setAttribute('aria-expanded', 'true');
  menu = { el, anchor };
  $('button:enabled', el)?.focus({ focusVisible: false });
}

function menuKeys(event) {
  if (!menu) return;
  const buttons = $$('button:enabled', menu.el);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  } else if (event.key === 'Escape') closeMenu(true);
}

// buttons: {label, kind, run(dialog)}; a run that returns false keeps the dialog open.
function openDialog(title, body, buttons = [{ label: t('Close') }]) {
  const el = document.createElement('dialog');
  el.setAttribute('role', 'dialog');
  el.setAttribute('aria-modal', 'true');
  el.setAttribute('aria-labelledby', 'dialogTitle');
  el.innerHTML = `<header><h2 id="dialogTitle">${esc(title)}</h2>${iconButton('cross', t('Close dialog'))}</header><div class="body">${body}</div>
    <div class="actions">${buttons.map(b => `<button type="button" class="btn ${b.kind || ''}">${esc(b.label)}</button>`).join('')}</div>`;
  document.body.append(el);
  el.addEventListener('close', () => el.remove());
  $('header button', el).onclick = () => el.close();
  $$('.actions button', el).forEach((button, i) => { button.onclick = () => { if (buttons[i].run?.(el) !== false) el.close(); }; });
  el.showModal();
  return el;
}

function toast(text, undo) {
  let stack = $('.toasts');
  if (!stack) {
    document.body.insertAdjacentHTML('beforeend', `<div class="toasts" role="status" aria-label="${t('Notices')}"></div>`);
    stack = $('.toasts');
  }
  const el = document.createElement('div');
  el.className = 'toast';
  el.innerHTML = `<span class="grow">${esc(text)}</span>${undo ? `<button type="button" class="link">${t('Undo')}</button>` : ''}${iconButton('cross', t('Dismiss notice'))}`;
  $('.ib', el).onclick = () => el.remove();
  if (undo) $('.link', el).onclick = () => { el.remove(); undo(); };
  stack.append(el);
  if (stack.children.length > 3) stack.firstChild.remove();
}

// Tooltips: an icon's own label, or a richer card for elements that tipCards (selector -> html) knows.
const tipCards = {};
function hideTip() { $('.tip')?.remove(); }
function showTip(event) {
  const target = event.target.closest?.('.ib, .mini, .dot, [data-card]');
  hideTip();
  if (!target || menu || event.buttons) return;
  const card = tipCards[target.dataset.card]?.(target);
  const tip = document.createElement('div');
  tip.className = card ? 'tip rich' : 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.innerHTML = card || esc(target.getAttribute('aria-label') || '');
  document.body.append(tip);
  const box = target.getBoundingClientRect();
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.left = `${clamp(box.left + box.width / 2 - tip.offsetWidth / 2, 8, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${below ? box.bottom + 6 : box.top - 6 - tip.offsetHeight}px`;
}

function editInPlace(el, value, label, commit) {
  const input = document.createElement('input');
  input.className = 'edit';
  input.value = value;
  input.setAttribute('aria-label', label);
  let done = false;
  const finish = save => {
    if (done) return;
    done = true;
    input.replaceWith(el);
    if (save && input.value.trim() && input.value.trim() !== value) commit(input.value.trim());
  };
  input.onkeydown = event => {
    if (event.key === 'Enter' || event.key === 'Escape') finish(event.key === 'Enter');
    event.stopPropagation();
  };
  input.onblur = () => finish(true);
  el.replaceWith(input);
  input.focus();
  input.select();
}

// After a drag or a long press the click that ends it must not count.
function swallowClick() {
  const stop = event => { event.preventDefault(); event.stopPropagation(); };
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, true), 60);
}

// Calls run(element) when a pointer rests on a matching element for half a second.
function onLongPress(root, selector, run) {
  let timer = 0;
  let start = null;
  const cancel = () => clearTimeout(timer);
  root.addEventListener('pointerdown', event => {
    const el = event.target.closest(selector);
    cancel();
    if (!el || event.button) return;
    start = event;
    timer = setTimeout(() => {
      addEventListener('pointerup', swallowClick, { once: true });
      run(el);
    }, 500);
  });
  addEventListener('pointermove', event => { if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 6) cancel(); });
  addEventListener('pointerup', cancel);
  addEventListener('pointercancel', cancel);
}

function setZoom(percent) {
  const value = clamp(percent, 60, 180);
  document.documentElement.style.setProperty('--zoom', value / 100);
  $('#zoomLabel').textContent = `${value} %`;
  if ($('#zoom')) $('#zoom').value = value;
  $('#zoomLabel').disabled = value === 100;
  $('[data-act="zoomOut"]').disabled = value === 60;
  $('[data-act="zoomIn"]').disabled = value === 180;
  return value;
}
const zoomActions = (() => {
  let zoom = 100;
  return { zoomIn: () => { zoom = setZoom(zoom + 10); }, zoomOut: () => { zoom = setZoom(zoom - 10); }, zoomReset: () => { zoom = setZoom(100); }, zoomTo: n => { zoom = setZoom(n); } };
})();

function wireShared() {
  translatePage();
  document.addEventListener('keydown', menuKeys);
  document.addEventListener('pointerdown', event => {
    hideTip();
    if (menu && !menu.el.contains(event.target) && !menu.anchor?.contains(event.target)) closeMenu();
  });
  document.addEventListener('pointerover', showTip);
  document.addEventListener('dragstart', event => event.preventDefault());
}

/* ---------- Editor ---------- */
function startEditor() {
  const paper = $('#paper');
  const canvas = $('#canvas');
  const STYLES = { P: 'Body', H2: 'Heading 1', H3: 'Heading 2', BLOCKQUOTE: 'Quote', UL: 'Bullet list', OL: 'Numbered list', DIV: 'Body' };
  const state = { block: null, cell: null, figure: false, range: null, undo: [], redo: [], typing: false, tab: 'open', active: null, folded: new Set(['s3']), draft: null };
  let comments = [
    { id: 'c1', who: 'IO', when: '2026-02-24T09:12', quote: 'the second Saturday in March', text: 'Can we name the date outright? Everyone will ask.', replies: [] },
    { id: 'c2', who: 'TF', when: '2026-02-23T18:40', quote: 'forty raised beds', text: 'Thirty-eight. I counted them on Sunday.', replies: [{ who: 'ML', text: 'With the two by the shed it is forty.' }, { who: 'TF', text: 'True, I left those out.' }] },
    { id: 'c3', who: 'JH', when: '2026-02-21T14:05', quote: 'rain barrels from the cooperative', text: 'We need their offer in writing before we promise this.', replies: [] },
    { id: 'c4', who: 'ML', when: '2026-02-19T11:30', quote: 'guided walks', text: 'Shall we mention the fee? Settled: no fee this year.', replies: [], done: true },
  ];

  // History of the page: snapshots of its markup, so that undo covers text, table and figure alike.
  function snapshot(label) {
    state.undo.push({ label, html: paper.innerHTML });
    state.redo = [];
    $('#saved').textContent = t('Edited just now');
  }
  function change(label, run) {
    state.typing = false;
    snapshot(label);
    run();
    refresh();
  }
  function step(from, to) {
    const entry = from.pop();
    if (!entry) return;
    to.push({ label: entry.label, html: paper.innerHTML });
    paper.innerHTML = entry.html;
    Object.assign(state, { typing: false, range: null, cell: null, figure: false });
    $$('.selected, .current, .in-cell', paper).forEach(el => el.classList.remove('selected', 'current', 'in-cell'));
    setBlock($('.flow > p', paper));
    refresh();
  }

  // What a command acts on: the figure, or the selected text, or the paragraph with the caret.
  function setBlock(block) {
    state.block?.classList.remove('current');
    state.block = block;
    block?.classList.add('current');
  }
  function selectFigure(on) {
    state.figure = on;
    $('.pic', paper)?.classList.toggle('selected', on);
    refresh();
  }
  function setCell(cell) {
    state.cell?.classList.remove('in-cell');
    state.cell = cell;
    for (const name of ['row', 'col']) $(`.del-${name}`, paper).hidden = !cell;
    if (!cell) return;
    cell.classList.add('in-cell');
    $('.del-row', paper).style.top = `${cell.offsetTop + cell.offsetHeight / 2}px`;
    $('.del-col', paper).style.left = `${cell.offsetLeft + cell.offsetWidth / 2}px`;
    $('.del-row', paper).hidden = cell.tagName === 'TH';
  }
  function followSelection() {
    const selection = getSelection();
    const node = selection.anchorNode;
    if (!node || !paper.contains(node)) return;
    const el = node.nodeType === 1 ? node : node.parentElement;
    const block = el.closest('.flow > *');
    const cell = el.closest('td, th');
    state.range = selection.isCollapsed || !block ? null : selection.getRangeAt(0).cloneRange();
    if (block && block !== state.block) { setBlock(block); state.typing = false; }
    if (cell !== state.cell && $('.tbl', paper)) setCell(cell);
    refreshToolbar();
    showWords();
  }

  // Text format: the selected text becomes flat spans (.run), one text node each, so that they never nest.
  function runsIn(range) {
    const root = state.block;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) if (range.intersectsNode(walker.currentNode)) nodes.push(walker.currentNode);
    const { startContainer, startOffset, endContainer, endOffset } = range;
    return nodes.map(node => {
      let part = node;
      if (node === endContainer && endOffset < node.length) node.splitText(endOffset);
      if (node === startContainer && startOffset > 0) part = node.splitText(startOffset);
      return part.length ? isolate(part) : null;
    }).filter(Boolean);
  }
  function isolate(textNode) {
    const parent = textNode.parentElement;
    if (!parent.classList.contains('run')) {
      const run = document.createElement('span');
      run.className = 'run';
      textNode.replaceWith(run);
      run.append(textNode);
      return run;
    }
    for (const sibling of [...parent.childNodes]) {
      const copy = parent.cloneNode(false);
      copy.append(sibling);
      parent.before(copy);
    }
    parent.remove();
    return textNode.parentElement;
  }
  function applyClass(cls, group) {
    const targets = state.range && state.block.contains(state.range.commonAncestorContainer) && !state.block.classList.contains(cls) ? runsIn(state.range) : [state.block];
    const on = targets.every(el => el.classList.contains(cls));
    for (const el of targets) {
      if (group) el.classList.remove(...group);
      if (cls) el.classList.toggle(cls, group ? true : !on);
    }
    if (targets[0] !== state.block) getSelection().setBaseAndExtent(targets[0].firstChild, 0, targets.at(-1).lastChild, targets.at(-1).lastChild.length);
  }
  function hasClass(cls) {
    const el = state.range?.startContainer.parentElement;
    return !!state.block && (state.block.classList.contains(cls) || !!el?.closest(`.run.${cls}`));
  }
  function retag(block, tag) {
    const fresh = document.createElement(tag);
    const isList = /^(UL|OL)$/i;
    fresh.className = block.className;
    if (block.id) fresh.id = block.id;
    if (isList.test(tag) === isList.test(block.tagName)) fresh.append(...block.childNodes);
    else if (isList.test(tag)) { fresh.append(document.createElement('li')); fresh.firstChild.append(...block.childNodes); }
    else $$('li', block).forEach((li, i) => { if (i) fresh.append(document.createElement('br')); fresh.append(...li.childNodes); });
    block.replaceWith(fresh);
    state.range = null;
    setBlock(fresh);
  }
  const styleItem = ([tag, name]) => ({ label: t(name), radio: true, on: state.block?.tagName === tag, run: () => change('Style', () => retag(state.block, tag)) });
  const alignItem = (v, name, sign) => ({ label: t(name), icon: sign, radio: true, on: alignment() === v, run: () => change('Alignment', () => setAlignment(v)) });
  const aligned = () => (state.figure ? $('.pic', paper) : state.block);
  const alignment = () => aligned().dataset.align || 'start';
  const setAlignment = v => { aligned().dataset.align = v; };

  function currentSize() {
    if (state.figure) return Math.round(parseFloat($('.pic', paper).style.width));
    return state.block?.style.fontSize ? Math.round(parseFloat(state.block.style.fontSize) * 12) : 12;
  }
  function setSize(value) {
    const n = state.figure ? clamp(value, 40, 100) : clamp(value, 8, 40);
    if (!Number.isFinite(n)) { toast(t('Please enter a number')); return refreshToolbar(); }
    change(state.figure ? 'Figure width' : 'Text size', () => {
      if (state.figure) $('.pic', paper).style.width = `${n}%`;
      else state.block.style.fontSize = `${n / 12}em`;
    });
  }

  // Table and figure: each round handle is a slider over one number.
  const table = () => $('.tbl table', paper);
  const pic = () => $('.pic', paper);
  function setRows(n) {
    const body = table().tBodies[0];
    while (body.rows.length > n) body.rows[body.rows.length - 1].remove();
    while (body.rows.length < n) {
      const row = body.insertRow();
      for (let i = 0; i < table().rows[0].cells.length; i++) row.insertCell().innerHTML = '<br>';
    }
    if (!table().contains(state.cell)) setCell(null);
  }
  function setCols(n) {
    for (const row of table().rows) {
      while (row.cells.length > n) row.lastElementChild.remove();
      while (row.cells.length < n) {
        const cell = document.createElement(row.parentElement.tagName === 'THEAD' ? 'th' : 'td');
        cell.innerHTML = cell.tagName === 'TH' ? t('New') : '<br>';
        row.append(cell);
      }
    }
    setCell(table().contains(state.cell) ? state.cell : null);
  }
  const HANDLES = {
    rows: { axis: 'y', px: 36, min: 1, max: 9, name: 'Rows', get: () => table().tBodies[0].rows.length, set: setRows },
    cols: { axis: 'x', px: 60, min: 2, max: 7, name: 'Columns', get: () => table().rows[0].cells.length, set: setCols },
    colWidth: { axis: 'x', px: 6, min: 12, max: 55, name: 'Column width', get: () => parseInt($('col', table()).style.width, 10), set: n => { $('col', table()).style.width = `${n}%`; $('.tbl', paper).style.setProperty('--first', `${n}%`); } },
    picWidth: { axis: 'x', px: 4, min: 40, max: 100, name: 'Figure width', get: () => Math.round(parseFloat(pic().style.width)), set: n => { pic().style.width = `${n}%`; } },
    picHeight: { axis: 'y', px: 1, min: 120, max: 360, name: 'Figure height', get: () => parseInt($('svg[role]', pic()).style.height, 10), set: n => { $('svg[role]', pic()).style.height = `${n}px`; } },
    panel: { axis: 'x', px: 1, min: 180, max: 340, get: () => $('#outline').offsetWidth, set: n => $('#outline').style.setProperty('--panel', `${n}px`) },
  };
  function moveHandle(el, value) {
    const spec = HANDLES[el.dataset.handle];
    spec.set(clamp(Math.round(value), spec.min, spec.max));
    refreshHandles();
  }
  function dragHandle(event) {
    const el = event.target.closest('[data-handle]');
    if (!el || event.button) return;
    event.preventDefault();
    const spec = HANDLES[el.dataset.handle];
    const start = spec.get();
    let saved = !spec.name;
    el.focus({ focusVisible: false });
    el.setPointerCapture(event.pointerId);
    el.onpointermove = move => {
      const delta = spec.axis === 'x' ? move.clientX - event.clientX : move.clientY - event.clientY;
      if (!saved && Math.abs(delta) > 3) { saved = true; snapshot(spec.name); }
      moveHandle(el, start + delta / spec.px);
    };
    el.onlostpointercapture = () => { el.onpointermove = null; refresh(); };
  }
  function keyHandle(event) {
    const el = event.target.closest?.('[data-handle]');
    const dir = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!el || !dir) return;
    event.preventDefault();
    const spec = HANDLES[el.dataset.handle];
    if (spec.name) snapshot(spec.name);
    moveHandle(el, spec.get() + dir * (spec.max > 100 ? 8 : 1));
    refresh();
  }
  function refreshHandles() {
    for (const el of $$('[data-handle]')) {
      const { get, min, max } = HANDLES[el.dataset.handle];
      for (const [key, value] of Object.entries({ valuemin: min, valuemax: max, valuenow: get() })) el.setAttribute(`aria-${key}`, value);
    }
  }
  function deleteCells(kind) {
    const cell = state.cell;
    const { cellIndex } = cell;
    if (kind === 'row' ? table().tBodies[0].rows.length < 2 : table().rows[0].cells.length < 3) return toast(t('A table keeps at least one row and two columns'));
    change(kind === 'row' ? 'Delete row' : 'Delete column', () => {
      setCell(null);
      if (kind === 'row') cell.parentElement.remove();
      else for (const row of table().rows) row.cells[cellIndex].remove();
    });
    toast(t(kind === 'row' ? 'Row deleted' : 'Column deleted'), actions.undo);
  }

  // Outline
  function renderOutline() {
    const heads = $$('.flow > h2, .flow > h3', paper);
    heads.forEach((head, i) => { head.id ||= `n${i}`; });
    let parent = null;
    $('#sections').innerHTML = heads.map((head, i) => {
      const top = head.tagName === 'H2';
      if (top) parent = head.id;
      if (!top && state.folded.has(parent)) return '';
      const has = top && heads[i + 1]?.tagName === 'H3';
      const open = !state.folded.has(head.id);
      const fold = has ? iconButton(open ? 'down' : 'right', t(open ? 'Collapse section' : 'Expand section'), `data-act="fold" data-v="${head.id}" aria-expanded="${open}"`).replace('"ib"', '"ib small"') : '';
      return `<div class="sec ${top ? '' : 'sub'} ${has ? 'has' : ''}">${fold}<button type="button" class="jump" data-act="jump" data-card="section" data-v="${head.id}">${esc(head.textContent)}</button></div>`;
    }).join('') || `<p class="empty">${t('No headings yet')}</p>`;
    markSection();
  }
  function markSection() {
    const edge = canvas.getBoundingClientRect().top + 120;
    const seen = $$('.flow > h2, .flow > h3', paper).filter(h => h.getBoundingClientRect().top < edge).at(-1);
    $$('.jump').forEach(b => b.toggleAttribute('aria-current', false));
    const here = $(`.jump[data-v="${seen?.id}"]`) || $('.jump');
    here?.setAttribute('aria-current', 'location');
  }
  tipCards.section = el => {
    const next = document.getElementById(el.dataset.v)?.nextElementSibling;
    return `<b>${esc(el.textContent)}</b>${next ? esc(next.textContent.slice(0, 90)) + ' …' : t('Followed by a table or figure')}`;
  };
  tipCards.person = el => `<b>${PEOPLE[el.dataset.who]}</b>${t('Can edit · last here 24 February')}`;
  function renameHeading(button) {
    const head = document.getElementById(button.dataset.v);
    editInPlace(button, head.textContent, t('Heading'), text => change('Rename heading', () => { head.textContent = text; }));
  }
  function sectionMenu(button, point) {
    const head = document.getElementById(button.dataset.v);
    const top = head.tagName === 'H2';
    openMenu(null, [
      { label: t('Rename heading'), icon: 'pencil', run: () => renameHeading(button) },
      { label: t(top ? 'Make it a subsection' : 'Make it a section'), icon: top ? 'right' : 'left', run: () => change('Heading level', () => retag(head, top ? 'H3' : 'H2')) },
      null,
      { label: t('Turn into plain text'), icon: 'cross', run: () => change('Plain text', () => { retag(head, 'P'); state.block.removeAttribute('id'); }) },
    ], t('Section'), point);
  }

  // Comments
  const draftBox = (value, act) => `<div class="draft"><textarea rows="2" aria-label="${t('Your text')}" placeholder="${t('Write something')}">${esc(value)}</textarea>
    <div class="row">${iconButton('cross', t('Discard draft'), `data-act="${act}Discard"`)}<button type="button" class="btn primary" data-act="${act}Send" ${value.trim() ? '' : 'disabled'}>${t(act === 'reply' ? 'Reply' : 'Comment')}</button></div></div>`;
  function commentCard(c) {
    const foot = iconButton('check', t(c.done ? 'Reopen comment' : 'Resolve comment'), `data-act="resolve" aria-pressed="${!!c.done}"`)
      + (c.done ? '' : iconButton('reply', t('Reply'), `data-act="reply" aria-expanded="${c.draft != null}"`))
      + '<span class="grow"></span>' + iconButton('bin', t(c.done ? 'Delete comment for good' : 'Delete comment'), 'data-act="deleteComment"');
    return `<article class="card ${c.id === state.active ? 'active' : ''}" data-id="${c.id}" aria-label="${t('Comment by {who}', { who: PEOPLE[c.who] })}">
      <div class="card-head"><span data-card="person" data-who="${c.who}">${avatar(c.who)}</span><span class="who"><b>${PEOPLE[c.who]}</b><span class="muted">${formatTime(c.when)}</span></span></div>
      <button type="button" class="quote" data-act="showQuote" aria-label="${t('Show in text')}: ${esc(c.quote)}">${esc(c.quote)}</button><p>${esc(c.text)}</p>
      ${c.replies.map(r => `<div class="reply"><span class="muted">${PEOPLE[r.who]}</span><p>${esc(r.text)}</p></div>`).join('')}
      ${c.draft != null ? draftBox(c.draft, 'reply') : ''}<div class="card-foot">${foot}</div></article>`;
  }
  function renderComments() {
    const done = state.tab === 'done';
    const shown = comments.filter(c => !!c.done === done);
    const open = comments.filter(c => !c.done).length;
    $('#tabOpen').textContent = `${t('Unresolved')} ${open}`;
    $('#tabDone').textContent = `${t('Resolved')} ${comments.length - open}`;
    $('#tabOpen').setAttribute('aria-selected', !done);
    $('#tabDone').setAttribute('aria-selected', done);
    $('#commentList').setAttribute('aria-labelledby', done ? 'tabDone' : 'tabOpen');
    const draft = state.draft && !done ? `<div class="card active" data-id="new"><p class="quote">${esc(state.draft.quote)}</p>${draftBox(state.draft.text, 'comment')}</div>` : '';
    $('#commentList').innerHTML = draft + (shown.map(commentCard).join('') || (draft ? '' : `<p class="empty">${t(done ? 'Resolved comments gather here' : 'Nothing to discuss')}</p>`));
    for (const el of $$('[data-c]', paper)) {
      const c = comments.find(one => one.id === el.dataset.c);
      el.classList.toggle(el.tagName === 'MARK' ? 'open' : 'has-comment', !!c && !c.done);
      el.classList.toggle('active', !!c && c.id === state.active);
    }
  }
  const commentOf = el => comments.find(c => c.id === el.closest('[data-id]').dataset.id);
  function startComment() {
    togglePanel('comments', true);
    const quote = state.figure ? $('figcaption', paper).textContent : (state.range?.toString() || state.block?.textContent || '').trim();
    Object.assign(state, { tab: 'open', draft: { quote: quote.length > 60 ? `${quote.slice(0, 60)} …` : quote, text: '', range: state.range, block: state.figure ? null : state.block } });
    renderComments();
    $('#commentList').scrollTop = 0;
    $('#commentList textarea').focus();
  }
  function sendComment() {
    const { quote, text, range, block } = state.draft;
    const id = `n${comments.length + 1}`;
    if (range && range.startContainer === range.endContainer && paper.contains(range.startContainer)) {
      const mark = Object.assign(document.createElement('mark'), { className: 'anchor' });
      mark.dataset.c = id;
      range.surroundContents(mark);
    } else if (block) block.dataset.c = id;
    comments.unshift({ id, who: 'ML', when: '2026-02-24T10:00', quote, text, replies: [] });
    Object.assign(state, { draft: null, active: id, range: null });
    renderComments();
  }
  function removeComment(c) {
    const before = comments;
    const drop = () => { comments = comments.filter(one => one !== c); renderComments(); };
    if (!c.done) { drop(); return toast(t('Comment deleted'), () => { comments = before; renderComments(); }); }
    openDialog(t('Delete for good?'), `<p>${t('This resolved comment and its replies cannot be brought back.')}</p>`, [{ label: t('Keep') }, { label: t('Delete'), kind: 'danger', run: drop }]);
  }
  function activate(id, scrollText) {
    state.active = id;
    renderComments();
    const target = scrollText ? $(`[data-c="${id}"]`, paper) : $(`.card[data-id="${id}"]`);
    target?.scrollIntoView({ block: 'center' });
  }

  // Find and replace: ranges are painted by the highlight registry, the text itself stays untouched.
  const find = { hits: [], at: 0, matchCase: false };
  function search(keep) {
    const query = $('#findText').value;
    const fold = s => (find.matchCase ? s : s.toLowerCase());
    find.hits = [];
    const walker = document.createTreeWalker(paper, NodeFilter.SHOW_TEXT, n => (n.parentElement.closest('[contenteditable]') ? 1 : 2));
    while (query && walker.nextNode()) {
      const text = fold(walker.currentNode.data);
      for (let i = text.indexOf(fold(query)); i >= 0; i = text.indexOf(fold(query), i + query.length)) {
        const hit = document.createRange();
        hit.setStart(walker.currentNode, i);
        hit.setEnd(walker.currentNode, i + query.length);
        find.hits.push(hit);
      }
    }
    find.at = keep ? Math.min(find.at, Math.max(0, find.hits.length - 1)) : 0;
    showHits();
  }
  function showHits() {
    const n = find.hits.length;
    const query = $('#findText').value;
    $('#findCount').textContent = !query ? '' : n ? t('{a} of {n}', { a: find.at + 1, n }) : t('No match');
    $('[data-act="findClear"]').hidden = !query;
    for (const act of ['findPrev', 'findNext', 'replaceOne', 'replaceAll']) $(`[data-act="${act}"]`).disabled = !n;
    CSS.highlights?.set('found', new Highlight(...find.hits));
    CSS.highlights?.set('found-now', new Highlight(...find.hits.slice(find.at, find.at + 1)));
    find.hits[find.at]?.startContainer.parentElement.scrollIntoView({ block: 'nearest' });
  }
  function moveHit(step) { find.at = (find.at + step + find.hits.length) % find.hits.length; showHits(); }
  function replaceHits(hits) {
    change('Replace', () => [...hits].reverse().forEach(hit => hit.startContainer.replaceData(hit.startOffset, hit.endOffset - hit.startOffset, $('#replaceText').value)));
    search(true);
    if (hits.length > 1) toast(t('{n} matches replaced', { n: hits.length }), () => { actions.undo(); search(); });
  }
  function toggleFind(open) {
    $('#findbar').hidden = !open;
    $('[data-act="findToggle"]').setAttribute('aria-expanded', open);
    if (open) $('#findText').focus();
    else CSS.highlights?.clear();
    if (open) search();
  }

  // Panels, counts, toolbar state
  function togglePanel(id, open = $(`#${id}`).hidden) {
    document.body.classList.remove('focus');
    $(`#${id}`).hidden = !open;
    $(`.status [data-act="toggle${id[0].toUpperCase()}${id.slice(1)}"]`).setAttribute('aria-pressed', open);
  }
  const textOf = () => $$('h1, .flow > *, .tbl th, .tbl td, .pic:not([hidden]) figcaption', paper).map(el => el.innerText).join('\n');
  const wordsIn = text => (text.match(/\S+/g) || []).length;
  function showWords() {
    const all = wordsIn(textOf());
    const part = state.range ? wordsIn(state.range.toString()) : 0;
    $('#words').textContent = part ? t('{a} of {n} words', { a: part, n: all }) : t('{n} words', { n: all });
  }
  function showPage() {
    const size = paper.offsetWidth * 1.3;
    const total = Math.max(1, Math.ceil(paper.offsetHeight / size));
    const atEnd = canvas.scrollTop + canvas.clientHeight >= canvas.scrollHeight - 4;
    $('#pageNo').textContent = t('Page {a} of {n}', { a: atEnd ? total : Math.min(total, 1 + Math.floor((canvas.scrollTop + 200) / size)), n: total });
  }
  function refreshToolbar() {
    const { figure, block } = state;
    for (const el of $$('[data-act="fmt"], [data-act="hlMenu"], [data-act="listMenu"], [data-act="styleMenu"]')) el.disabled = figure || !block;
    $$('[data-act="fmt"]').forEach(el => el.setAttribute('aria-pressed', !figure && hasClass(el.dataset.cls)));
    $('#styleName').textContent = figure ? t('Figure') : t(STYLES[block?.tagName] || 'Body');
    $('#size').value = currentSize();
    const labels = figure ? ['Figure width', 'Narrower figure', 'Figure width in percent', 'Wider figure'] : ['Text size', 'Smaller text', 'Text size in points', 'Larger text'];
    [$('#sizeGroup'), ...$('#sizeGroup').children].forEach((el, i) => el.setAttribute('aria-label', t(labels[i])));
    $('[data-act="undo"]').disabled = !state.undo.length;
    $('[data-act="redo"]').disabled = !state.redo.length;
    $('#where').textContent = figure ? t('Figure selected: size and alignment act on it') : state.cell ? t('In the table') : '';
    $$('[data-act="picAlign"]').forEach(el => el.setAttribute('aria-pressed', el.dataset.v === (pic().dataset.align || 'start')));
    const sign = `align${{ start: 'Start', center: 'Center', end: 'End' }[block || figure ? alignment() : 'start']}`;
    $('[data-act="alignMenu"] svg').outerHTML = icon(sign);
  }
  function refresh() {
    if (!state.block?.isConnected) setBlock($('.flow > *', paper));
    refreshToolbar();
    refreshHandles();
    renderOutline();
    renderComments();
    showWords();
    showPage();
  }

  // Menus and dialogs
  const insertAfter = (html, label) => change(label, () => {
    state.block.insertAdjacentHTML('afterend', html);
    setBlock(state.block.nextElementSibling);
    state.block.scrollIntoView({ block: 'nearest' });
  });
  const has = selector => !!$(selector, paper);
  const MENUS = {
    file: () => [
      { label: t('All documents'), icon: 'folder', run: () => { location.href = 'files.html'; } },
      { label: t('Version history'), icon: 'history', run: () => { location.href = 'history.html'; } }, null,
      { label: t('Make a copy'), icon: 'file', run: () => { $('#docName').value += ` (${t('copy')})`; toast(t('You are now working on a copy')); } },
      { label: t('Rename'), icon: 'pencil', run: () => $('#docName').select() }, null,
      { label: t('Move to trash'), icon: 'bin', danger: true, run: trashDialog },
    ],
    edit: () => [
      { label: t('Undo'), icon: 'undo', key: 'Ctrl Z', off: !state.undo.length, run: actions.undo },
      { label: t('Redo'), icon: 'redo', key: 'Ctrl Y', off: !state.redo.length, run: actions.redo }, null,
      { label: t('Find and replace'), icon: 'search', key: 'Ctrl F', run: () => toggleFind(true) },
      { label: t('Delete paragraph'), icon: 'bin', off: !state.block || $$('.flow > *', paper).length < 2, run: () => change('Delete paragraph', () => state.block.remove()) },
    ],
    view: () => [
      { label: t('Outline'), on: !$('#outline').hidden, run: () => togglePanel('outline') },
      { label: t('Comments'), on: !$('#comments').hidden, run: () => togglePanel('comments') },
      { label: t('Margins'), on: paper.classList.contains('margins'), run: () => paper.classList.toggle('margins') },
      { label: t('Focus mode'), on: document.body.classList.contains('focus'), run: () => document.body.classList.toggle('focus') }, null,
      { label: t('Zoom in'), icon: 'plus', run: zoomActions.zoomIn }, { label: t('Zoom out'), icon: 'minus', run: zoomActions.zoomOut },
    ],
    insert: () => [
      { label: t('Heading'), run: () => insertAfter(`<h2>${t('New heading')}</h2>`, 'Heading') },
      { label: t('Paragraph'), run: () => insertAfter(`<p>${t('New paragraph')}</p>`, 'Paragraph') },
      { label: t('Dividing line'), run: () => insertAfter('<hr>', 'Line') }, null,
      { label: t('Table row'), icon: 'plus', off: !has('.tbl'), run: () => actions.addRow() },
      { label: t('Table column'), icon: 'plus', off: !has('.tbl'), run: () => actions.addCol() },
      { label: t('Comment'), icon: 'commentAdd', run: startComment },
    ],
    help: () => [
      { label: t('Keyboard shortcuts'), icon: 'info', run: shortcutsDialog },
      { label: t('About Quirely'), icon: 'file', run: () => openDialog(t('About Quirely'), `<p>${t('Quirely 4.2, a calm place to write together.')}</p>`) },
    ],
  };
  function trashDialog() {
    openDialog(t('Move to trash?'), `<p>${t('The document stays in the trash for 30 days and can be brought back.')}</p>`,
      [{ label: t('Cancel') }, { label: t('Move to trash'), kind: 'danger', run: () => { location.href = 'files.html#trash'; } }]);
  }
  function shortcutsDialog() {
    const keys = { Bold: 'Ctrl B', Italic: 'Ctrl I', Underline: 'Ctrl U', Undo: 'Ctrl Z', Redo: 'Ctrl Y', 'Find and replace': 'Ctrl F', 'Next table cell': 'Tab' };
    openDialog(t('Keyboard shortcuts'), `<dl>${Object.entries(keys).map(([name, key]) => `<dt>${t(name)}</dt><dd>${key}</dd>`).join('')}</dl>`);
  }
  function wordDialog() {
    const text = textOf();
    const rows = { Words: wordsIn(text), Characters: text.length, Paragraphs: $$('.flow > *', paper).length, 'Reading time in minutes': Math.ceil(wordsIn(text) / 220) };
    openDialog(t('Word count'), `<dl>${Object.entries(rows).map(([name, n]) => `<dt>${t(name)}</dt><dd>${n}</dd>`).join('')}</dl>`);
  }
  const shared = { people: [['IO', 'edit'], ['TF', 'comment'], ['JH', 'read']], link: false, level: 'read' };
  function shareDialog() {
    const levels = level => ['read', 'comment', 'edit'].map(v => `<option value="${v}" ${v === level ? 'selected' : ''}>${t({ read: 'Can read', comment: 'Can comment', edit: 'Can edit' }[v])}</option>`).join('');
    const person = ([who, level], i) => `<div class="row">${PEOPLE[who] ? avatar(who) : '<span class="avatar a4" aria-hidden="true">@</span>'}<span class="grow">${esc(PEOPLE[who] || who)}</span><select data-i="${i}" aria-label="${t('Rights of {who}', { who: esc(PEOPLE[who] || who) })}">${levels(level)}</select>${iconButton('cross', t('Remove {who}', { who: PEOPLE[who] || who }), `data-remove="${i}"`)}</div>`;
    const body = () => `<div class="row"><input type="email" aria-label="${t('E-mail address')}" placeholder="name@example.org"><button type="button" class="btn" data-add>${t('Invite')}</button></div><p class="error" role="alert" hidden>${t('That is not a full e-mail address.')}</p>
      ${shared.people.map(person).join('')}<hr><div><button type="button" class="switch" role="switch" aria-checked="${shared.link}"><span class="knob" aria-hidden="true"></span><span>${t('Anyone with the link')}</span></button></div>
      <div class="row"><select class="grow" data-level aria-label="${t('Rights of the link')}" ${shared.link ? '' : 'disabled'}>${levels(shared.level)}</select><button type="button" class="btn" data-copy ${shared.link ? '' : 'disabled'}>${t('Copy link')}</button></div>`;
    const dialog = openDialog(t('Share document'), body(), [{ label: t('Done'), kind: 'primary' }]);
    const box = $('.body', dialog);
    box.onclick = event => {
      const hit = selector => event.target.closest(selector);
      if (hit('[data-copy]')) { dialog.close(); return toast(t('Link copied')); }
      if (hit('[data-add]')) {
        const mail = $('input', box).value.trim();
        if (!/^\S+@\S+\.\S+$/.test(mail)) { $('.error', box).hidden = false; return $('input', box).focus(); }
        shared.people.push([mail, 'read']);
      } else if (hit('[data-remove]')) shared.people.splice(hit('[data-remove]').dataset.remove, 1);
      else if (hit('.switch')) shared.link = !shared.link;
      else return null;
      box.innerHTML = body();
      return $('.switch', box).focus({ focusVisible: false });
    };
    box.onchange = event => {
      const { i, level } = event.target.dataset;
      if (i) shared.people[i][1] = event.target.value;
      else if (level != null) shared.level = event.target.value;
    };
  }
  function pageMenu(event) {
    const inTable = !!state.cell && !!event.target.closest('.tbl');
    const inFigure = !!event.target.closest('.pic');
    if (inFigure) selectFigure(true);
    openMenu(null, inFigure ? [
      { label: t('Describe figure'), icon: 'info', run: actions.picAlt }, { label: t('Add comment'), icon: 'commentAdd', run: startComment }, null,
      { label: t('Delete figure'), icon: 'bin', danger: true, run: actions.picDelete },
    ] : inTable ? [
      { label: t('Add row'), icon: 'plus', run: () => actions.addRow() }, { label: t('Add column'), icon: 'plus', run: () => actions.addCol() }, null,
      { label: t('Delete this row'), icon: 'cross', off: state.cell.tagName === 'TH', run: () => deleteCells('row') }, { label: t('Delete this column'), icon: 'cross', run: () => deleteCells('col') },
      { label: t('Empty this cell'), icon: 'bin', run: () => change('Empty cell', () => { state.cell.innerHTML = '<br>'; }) },
    ] : [
      { label: t('Bold'), icon: 'bold', on: hasClass('b'), run: () => change('Bold', () => applyClass('b')) },
      { label: t('Add comment'), icon: 'commentAdd', run: startComment }, null,
      { label: t('Delete paragraph'), icon: 'bin', danger: true, run: () => change('Delete paragraph', () => state.block.remove()) },
    ], t('Actions'), { x: event.clientX, y: event.clientY });
  }

  const HIGHLIGHTS = { '': 'None', 'hl-sun': 'Sun', 'hl-leaf': 'Leaf', 'hl-rose': 'Rose' };
  const HL_CLASSES = Object.keys(HIGHLIGHTS).filter(Boolean);
  const actions = {
    ...zoomActions,
    undo: () => step(state.undo, state.redo),
    redo: () => step(state.redo, state.undo),
    starDoc(el) {
      const on = el.getAttribute('aria-pressed') !== 'true';
      el.setAttribute('aria-pressed', on);
      toast(t(on ? 'Document starred' : 'Star removed'));
    },
    share: shareDialog, wordCount: wordDialog, newComment: startComment,
    styleMenu: el => openMenu(el, Object.entries(STYLES).slice(0, 4).map(styleItem), t('Paragraph style')),
    hlMenu: el => openMenu(el, Object.entries(HIGHLIGHTS).map(([cls, name]) => ({ label: t(name), radio: true, on: cls ? hasClass(cls) : !HL_CLASSES.some(hasClass), run: () => change('Highlight', () => applyClass(cls, HL_CLASSES)) })), t('Highlight colour')),
    alignMenu: el => openMenu(el, [alignItem('start', 'Start', 'alignStart'), alignItem('center', 'Middle', 'alignCenter'), alignItem('end', 'End', 'alignEnd')], t('Alignment')),
    listMenu: el => openMenu(el, [['P', 'No list'], ['UL', 'Bullet list'], ['OL', 'Numbered list']].map(styleItem), t('List')),
    fmt: el => change(el.getAttribute('aria-label'), () => applyClass(el.dataset.cls)),
    sizeUp: () => setSize(currentSize() + (state.figure ? 5 : 1)),
    sizeDown: () => setSize(currentSize() - (state.figure ? 5 : 1)),
    findToggle: () => toggleFind($('#findbar').hidden),
    findClear() { $('#findText').value = ''; search(); $('#findText').focus(); },
    findPrev: () => moveHit(-1), findNext: () => moveHit(1),
    replaceOne: () => replaceHits([find.hits[find.at]]), replaceAll: () => replaceHits(find.hits),
    matchCase(el) { find.matchCase = !find.matchCase; el.setAttribute('aria-pressed', find.matchCase); search(); },
    replaceToggle(el) {
      const open = $('#replaceRow').hidden;
      $('#replaceRow').hidden = !open;
      el.setAttribute('aria-expanded', open);
      el.setAttribute('aria-label', t(open ? 'Hide replace' : 'Show replace'));
      el.innerHTML = icon(open ? 'down' : 'right');
    },
    toggleOutline: () => togglePanel('outline'), toggleComments: () => togglePanel('comments'),
    fold(el) { const id = el.dataset.v; if (!state.folded.delete(id)) state.folded.add(id); renderOutline(); },
    jump(el) { document.getElementById(el.dataset.v).scrollIntoView({ block: 'start' }); setBlock(document.getElementById(el.dataset.v)); refreshToolbar(); },
    addRow: () => change('Add row', () => setRows(Math.min(9, HANDLES.rows.get() + 1))),
    addCol: () => change('Add column', () => setCols(Math.min(7, HANDLES.cols.get() + 1))),
    delRow: () => deleteCells('row'), delCol: () => deleteCells('col'),
    picAlign: el => change('Alignment', () => { pic().dataset.align = el.dataset.v; }),
    picAlt: () => openDialog(t('Describe figure'), `<textarea rows="4" aria-label="${t('Description')}">${esc($('svg[role]', pic()).getAttribute('aria-label'))}</textarea>`, [{ label: t('Cancel') },
      { label: t('Save'), kind: 'primary', run: d => { const text = $('textarea', d).value; change('Description', () => $('svg[role]', pic()).setAttribute('aria-label', text)); toast(t('Description saved')); } }]),
    picDelete() { change('Delete figure', () => { pic().hidden = true; state.figure = false; pic().classList.remove('selected'); }); toast(t('Figure deleted'), actions.undo); },
    commentTab(el) { state.tab = el.dataset.v; renderComments(); },
    resolve(el) {
      const c = commentOf(el);
      c.done = !c.done;
      renderComments();
      toast(t(c.done ? 'Comment resolved' : 'Comment reopened'), () => { c.done = !c.done; renderComments(); });
    },
    reply(el) { const c = commentOf(el); c.draft = c.draft == null ? '' : null; renderComments(); $(`[data-id="${c.id}"] textarea`)?.focus(); },
    replyDiscard(el) { commentOf(el).draft = null; renderComments(); },
    replySend(el) { const c = commentOf(el); c.replies.push({ who: 'ML', text: c.draft.trim() }); c.draft = null; renderComments(); },
    commentDiscard() { state.draft = null; renderComments(); },
    commentSend: sendComment,
    deleteComment: el => removeComment(commentOf(el)),
    showQuote: el => activate(commentOf(el).id, true),
    toTop: () => { canvas.scrollTop = 0; },
  };
  wireActions(actions);

  // Text input
  paper.addEventListener('beforeinput', event => {
    if (event.inputType.startsWith('history')) event.preventDefault();
    else if (!state.typing) { snapshot('Typing'); state.typing = true; }
  });
  paper.addEventListener('input', () => { renderOutline(); showWords(); refreshToolbar(); if (!$('#findbar').hidden) search(true); });
  paper.addEventListener('paste', event => {
    event.preventDefault();
    change('Paste', () => {
      const range = getSelection().getRangeAt(0);
      range.deleteContents();
      range.insertNode(document.createTextNode(event.clipboardData.getData('text/plain')));
      getSelection().collapseToEnd();
    });
  });
  paper.addEventListener('keydown', event => {
    const cell = event.target.closest('table') && state.cell;
    if (cell && (event.key === 'Tab' || event.key === 'Enter')) {
      event.preventDefault();
      const cells = $$('th, td', table());
      const next = cells[(cells.indexOf(cell) + (event.shiftKey ? -1 : 1) + cells.length) % cells.length];
      getSelection().selectAllChildren(next);
    } else if (event.key === 'Enter' && event.target.closest('h1, figcaption')) event.preventDefault();
    else if (event.key === 'Enter' && event.target === pic()) selectFigure(true);
  });
  document.addEventListener('selectionchange', followSelection);
  document.addEventListener('keydown', event => {
    keyHandle(event);
    if (event.key === 'Escape' && state.figure) selectFigure(false);
    else if (event.key === 'Escape' && event.target.closest?.('#findbar')) toggleFind(false);
    if (!(event.ctrlKey || event.metaKey)) return;
    const format = { b: 'b', i: 'i', u: 'u' }[event.key];
    const run = { z: actions.undo, y: actions.redo, f: () => toggleFind(true) }[event.key];
    if ((format || run) && !event.target.matches('input, textarea')) {
      event.preventDefault();
      if (run) run();
      else if (!state.figure) change('Format', () => applyClass(format));
    }
  });

  // Pointer
  document.addEventListener('pointerdown', dragHandle);
  $('#toolbar').addEventListener('mousedown', event => { if (event.target.closest('button')) event.preventDefault(); });
  paper.addEventListener('click', event => {
    const mark = event.target.closest('[data-c]');
    if (mark && comments.some(c => c.id === mark.dataset.c && !c.done)) { togglePanel('comments', true); state.tab = 'open'; activate(mark.dataset.c); }
    if (event.target.closest('.pic')) { if (!event.target.closest('.pic-bar, figcaption') && !state.figure) selectFigure(true); } else if (state.figure) selectFigure(false);
  });
  paper.addEventListener('contextmenu', event => { event.preventDefault(); pageMenu(event); });
  $('#sections').addEventListener('dblclick', event => { const b = event.target.closest('.jump'); if (b) renameHeading(b); });
  $('#sections').addEventListener('contextmenu', event => {
    const b = event.target.closest('.jump');
    if (b) { event.preventDefault(); sectionMenu(b, { x: event.clientX, y: event.clientY }); }
  });
  $('.menubar').addEventListener('click', event => openFrom(event.target.closest('button')));
  $('.menubar').addEventListener('pointerover', event => { const b = event.target.closest('button'); if (b && menu?.anchor?.closest('.menubar') && menu.anchor !== b) openFrom(b); });
  const openFrom = b => { if (b) openMenu(b, MENUS[b.dataset.menu](), b.textContent); };
  onLongPress(document, '[data-act="undo"]', el => openMenu(el, state.undo.slice(-8).reverse().map((entry, i) => ({ label: t(entry.label), icon: 'undo', run: () => { for (let k = 0; k <= i; k++) actions.undo(); } })), t('Undo several steps')));

  // Fields
  $('#commentList').addEventListener('input', event => {
    const card = event.target.closest('[data-id]');
    const target = card.dataset.id === 'new' ? state.draft : commentOf(card);
    target[card.dataset.id === 'new' ? 'text' : 'draft'] = event.target.value;
    $('.draft .primary', card).disabled = !event.target.value.trim();
  });
  $('#size').addEventListener('change', event => setSize(Number(event.target.value.replace(',', '.') || NaN)));
  $('#zoom').addEventListener('input', event => zoomActions.zoomTo(Number(event.target.value)));
  $('#docName').addEventListener('input', event => { document.title = `${event.target.value || t('Untitled')} – Quirely`; $('#saved').textContent = t('Edited just now'); });
  $('#findText').addEventListener('input', () => search());
  $('#findText').addEventListener('keydown', event => { if (event.key === 'Enter' && find.hits.length) moveHit(event.shiftKey ? -1 : 1); });
  canvas.addEventListener('scroll', () => {
    markSection();
    showPage();
    $('#toTop').hidden = canvas.scrollTop < 160;
    $('#toolbar').classList.toggle('lifted', canvas.scrollTop > 4);
  });
  setBlock($('.flow > p', paper));
  if (matchMedia('(max-width: 1000px)').matches) ['outline', 'comments'].forEach(id => togglePanel(id, false));
  setZoom(100);
  refresh();
}

/* ---------- Files ---------- */
function startFiles() {
  const row = (id, name, who, when, size, folder, flags = '') => ({ id, name, who, when, size, folder, star: flags.includes('s'), recent: flags.includes('r'), trash: flags.includes('t') });
  const folders = [{ id: 'garden', name: 'Garden programme', star: true }, { id: 'meetings', name: 'Meetings', star: false }, { id: 'letters', name: 'Letters', star: false }];
  const files = [
    row('d1', 'Harbour Garden: Spring Programme', 'ML', '2026-02-24', 84, 'garden', 'rs'), row('d2', 'Minutes of the January meeting', 'TF', '2026-02-20', 41, 'meetings', 'r'),
    row('d3', 'Letter to the harbour office', 'ML', '2026-02-18', 22, null, 'r'), row('d4', 'Planting calendar', 'IO', '2026-02-17', 130, 'garden', 'rs'),
    row('d5', 'Budget for hoses and barrels', 'JH', '2026-02-12', 58, null, 'r'), row('d6', 'Volunteer handbook', 'ML', '2026-02-09', 212, null, 'r'),
    row('d7', 'Thank-you note to the boat school', 'IO', '2026-02-03', 18, 'letters', 'r'), row('d8', 'Signs for the rope yard', 'TF', '2026-01-28', 64, 'garden', 'r'),
    row('d9', 'Agenda, residents’ meeting', 'ML', '2026-01-22', 27, 'meetings', 'r'), row('d10', 'Soup recipes for planting day', 'JH', '2026-01-15', 35, null, 'r'),
    row('d11', 'Visitor survey, questions', 'TF', '2026-01-09', 47, null), row('d12', 'Insurance summary', 'ML', '2025-12-18', 96, null, 's'),
    row('d13', 'Winter newsletter', 'IO', '2025-12-04', 150, 'letters'), row('d14', 'Tool shed rota 2025', 'JH', '2025-11-21', 30, 'meetings'),
    row('d15', 'Old logo sketches', 'TF', '2025-11-02', 310, null, 't'), row('d16', 'Draft: bee hotel', 'ML', '2025-10-27', 44, null, 't'), row('d17', 'Untitled notes', 'ML', '2025-10-12', 9, null, 't'),
  ];
  const state = { view: 'recent', folder: null, layout: 'list', sort: 'when', dir: -1, query: '', selecting: false, picked: new Set(), more: false };
  const COLUMNS = [['name', 'Name', ''], ['who', 'Owner', 'mid-col'], ['when', 'Changed', 'mid-col'], ['size', 'Size', 'mid-col opt-col']];
  const VIEWS = { recent: 'Recent', all: 'All documents', starred: 'Starred', trash: 'Trash' };
  const list = $('#files');
  const fileOf = el => files.find(f => f.id === el.closest('[data-file]').dataset.file);
  const folderOf = el => folders.find(f => f.id === el.closest('[data-folder]').dataset.folder);
  const inTrash = () => state.view === 'trash';

  function visible() {
    const test = { recent: f => f.recent, all: f => state.folder ? f.folder === state.folder : true, starred: f => f.star, trash: () => true }[state.view];
    const key = f => (state.sort === 'who' ? PEOPLE[f.who] : f[state.sort]);
    return files.filter(f => f.trash === inTrash() && test(f) && f.name.toLowerCase().includes(state.query.toLowerCase()))
      .sort((a, b) => state.dir * (typeof key(a) === 'number' ? key(a) - key(b) : key(a).localeCompare(key(b), lang)));
  }
  const star = (thing, act) => iconButton('star', t(thing.star ? 'Remove star from {name}' : 'Star {name}', thing), `data-act="${act}" aria-pressed="${thing.star}"`);
  // The last button of a row looks much the same everywhere; the view decides what it does.
  function rowButtons(f) {
    if (inTrash()) return iconButton('restore', t('Restore {name}', f), 'data-act="restore"') + iconButton('bin', t('Delete {name} for good', f), 'data-act="destroy"');
    const last = state.view === 'recent' ? iconButton('cross', t('Remove {name} from recents', f), 'data-act="forget"') : iconButton('bin', t('Move {name} to trash', f), 'data-act="trash"');
    return star(f, 'starFile') + last;
  }
  const tick = f => (state.selecting ? `<input type="checkbox" data-act="pick" aria-label="${t('Select {name}', { name: esc(f.name) })}" ${state.picked.has(f.id) ? 'checked' : ''}>` : '');
  const thumb = f => `<a class="thumb t${'MTIJ'.indexOf(f.who[0]) + 1}" href="index.html" data-card="preview" draggable="false" aria-label="${t('Open {name}', { name: esc(f.name) })}"></a>`;
  const nameButton = f => `<button type="button" class="name" data-act="choose" aria-pressed="${state.picked.has(f.id)}">${esc(f.name)}</button>`;
  const fileRow = f => `<tr data-file="${f.id}" class="${state.picked.has(f.id) ? 'picked' : ''}"><td><div class="main-cell">${tick(f)}${thumb(f)}${nameButton(f)}</div></td>
    <td class="mid-col">${PEOPLE[f.who]}</td><td class="mid-col">${formatDate(f.when)}</td><td class="mid-col opt-col">${f.size} KB</td><td>${rowButtons(f)}</td></tr>`;
  const fileCard = f => `<article class="file-card ${state.picked.has(f.id) ? 'picked' : ''}" data-file="${f.id}" aria-label="${esc(f.name)}">${tick(f)}${thumb(f)}<div class="meta">${nameButton(f)}</div><div class="foot"><span>${formatDate(f.when, { day: 'numeric', month: 'short' })}</span>${rowButtons(f)}</div></article>`;
  function sortHead([key, label, cls]) {
    const on = state.sort === key;
    return `<th class="${cls}" scope="col" aria-sort="${on ? (state.dir > 0 ? 'ascending' : 'descending') : 'none'}"><button type="button" class="sort" data-act="sort" data-v="${key}">${t(label)}${icon(on && state.dir > 0 ? 'up' : 'down')}</button></th>`;
  }

  function render() {
    const shown = visible();
    const folder = folders.find(f => f.id === state.folder);
    $('#viewTitle').innerHTML = folder ? `<a href="#all">${t('All documents')}</a> ${icon('right')} ${esc(folder.name)}` : t(VIEWS[state.view]);
    $('#viewCount').textContent = count(shown.length, '1 document', '{n} documents');
    $('#trashCount').textContent = files.filter(f => f.trash).length;
    $$('[data-view]').forEach(a => (a.dataset.view === state.view ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current')));
    $$('[data-act="layout"]').forEach(b => b.setAttribute('aria-pressed', b.dataset.v === state.layout));
    $('[data-act="clearSearch"]').hidden = !state.query;
    renderTools(shown);
    $('#folders').hidden = inTrash() || !!state.folder;
    $('#folders').innerHTML = folders.filter(f => state.view !== 'starred' || f.star).map(f => `<div class="folder" data-folder="${f.id}" data-drop="${f.id}"><a href="#folder-${f.id}" draggable="false">${icon('folder')}<span><span class="folder-name">${esc(f.name)}</span><small>${count(files.filter(one => one.folder === f.id && !one.trash).length, '1 document', '{n} documents')}</small></span></a>${star(f, 'starFolder')}</div>`).join('');
    // The first eleven are drawn at once, the rest when the list is scrolled to its end.
    const drawn = state.more ? shown : shown.slice(0, 11);
    const head = `<thead><tr>${COLUMNS.map(sortHead).join('')}<th scope="col" aria-label="${t('Actions')}"></th></tr></thead>`;
    list.innerHTML = !shown.length ? `<div class="empty">${icon('file')}<p>${t(state.query ? 'No document has that name' : 'Nothing here')}</p></div>`
      : state.layout === 'list' ? `<table aria-label="${t('Files')}">${head}<tbody>${drawn.map(fileRow).join('')}</tbody></table>` : `<div class="cards">${drawn.map(fileCard).join('')}</div>`;
  }
  function renderTools(shown) {
    const n = state.picked.size;
    const select = `<button type="button" class="btn" data-act="select" aria-pressed="${state.selecting}">${t(state.selecting ? 'Cancel selection' : 'Select')}</button>`;
    const bulk = inTrash() ? iconButton('restore', t('Restore all selected'), 'data-act="bulkRestore"') + iconButton('bin', t('Delete all selected for good'), 'data-act="bulkDestroy"')
      : iconButton('star', t('Star all selected'), 'data-act="bulkStar"') + iconButton('folder', t('Move all selected'), 'data-act="bulkMove" aria-haspopup="dialog"') + iconButton('bin', t('Move all selected to trash'), 'data-act="bulkTrash"');
    $('#libTools').innerHTML = n ? `<div class="bulk" role="toolbar" aria-label="${t('Selection')}"><span role="status">${t('{n} selected', { n })}</span>${bulk}${iconButton('cross', t('Clear selection'), 'data-act="clearPicked"')}</div>`
      : (inTrash() ? `<button type="button" class="btn danger" data-act="emptyTrash" ${shown.length ? '' : 'disabled'}>${t('Empty trash')}</button>` : '') + select;
  }

  function update(targets, patch, message) {
    const before = targets.map(f => ({ ...f }));
    targets.forEach(f => Object.assign(f, patch));
    state.picked.clear();
    render();
    toast(message, () => { targets.forEach((f, i) => Object.assign(f, before[i])); render(); });
  }
  const naming = (targets, one, many) => (targets.length === 1 ? t(one, { name: targets[0].name }) : t(many, { n: targets.length }));
  const toTrash = targets => update(targets, { trash: true, recent: false }, naming(targets, '“{name}” moved to trash', '{n} documents moved to trash'));
  const restore = targets => update(targets, { trash: false }, naming(targets, '“{name}” restored', '{n} documents restored'));
  const forget = f => update([f], { recent: false }, t('“{name}” removed from recents; the document stays', f));
  const moveTo = (targets, id) => update(targets, { folder: id }, t('{what} moved to {folder}', { what: naming(targets, '“{name}”', '{n} documents'), folder: id ? folders.find(f => f.id === id).name : t('All documents') }));
  const setStar = (targets, on) => update(targets, { star: on }, naming(targets, on ? '“{name}” starred' : 'Star removed from “{name}”', '{n} documents starred'));
  function destroy(targets) {
    openDialog(t('Delete for good?'), `<p>${esc(naming(targets, '“{name}” cannot be brought back.', '{n} documents cannot be brought back.'))}</p>`, [{ label: t('Keep') }, { label: t('Delete'), kind: 'danger', run: () => erase(targets) }]);
  }
  function erase(targets) {
    targets.forEach(f => files.splice(files.indexOf(f), 1));
    state.picked.clear();
    render();
    toast(naming(targets, '“{name}” deleted for good', '{n} documents deleted for good'));
  }
  function moveDialog(targets) {
    const option = (id, name) => `<label class="opt"><input type="radio" name="to" value="${id}" ${(targets[0].folder || '') === id ? 'checked' : ''}>${esc(name)}</label>`;
    openDialog(t('Move to folder'), `<div role="radiogroup" aria-label="${t('Folders')}">${option('', t('No folder'))}${folders.map(f => option(f.id, f.name)).join('')}</div>`,
      [{ label: t('Cancel') }, { label: t('Move'), kind: 'primary', run: d => moveTo(targets, $('input:checked', d)?.value || null) }]);
  }
  const picked = () => files.filter(f => state.picked.has(f.id));
  const rename = f => editInPlace($(`[data-file="${f.id}"] .name`), f.name, t('New name'), name => update([f], { name }, t('Renamed to “{name}”', { name })));
  const renameFolder = f => editInPlace($(`[data-folder="${f.id}"] a`), f.name, t('Name of the folder'), name => update([f], { name }, t('Renamed to “{name}”', { name })));
  function newFile(name, source = {}) {
    const f = { ...row(`n${files.length}`, name, 'ML', '2026-02-24', 4, state.folder, 'r'), ...source, name, id: `n${files.length}` };
    files.unshift(f);
    if (inTrash() || state.view === 'starred') location.hash = 'recent';
    render();
    toast(t('“{name}” created', f), () => erase([f]));
  }

  function fileMenu(f, point) {
    openMenu(null, inTrash() ? [
      { label: t('Restore'), icon: 'restore', run: () => restore([f]) }, { label: t('Delete for good'), icon: 'bin', danger: true, run: () => destroy([f]) },
    ] : [
      { label: t('Open'), icon: 'file', run: () => { location.href = 'index.html'; } }, { label: t('Rename'), icon: 'pencil', run: () => rename(f) },
      { label: t('Make a copy'), icon: 'plus', run: () => newFile(`${f.name} (${t('copy')})`, f) }, { label: t('Move to folder'), icon: 'folder', run: () => moveDialog([f]) },
      { label: t(f.star ? 'Remove star' : 'Star'), icon: 'star', run: () => setStar([f], !f.star) }, { label: t('Version history'), icon: 'history', run: () => { location.href = 'history.html'; } }, null,
      { label: t('Remove from recents'), icon: 'cross', off: !f.recent, run: () => forget(f) }, { label: t('Move to trash'), icon: 'bin', danger: true, run: () => toTrash([f]) },
    ], f.name, point);
  }
  function folderMenu(f, point) {
    openMenu(null, [
      { label: t('Open folder'), icon: 'folder', run: () => { location.hash = `folder-${f.id}`; } }, { label: t('Rename folder'), icon: 'pencil', run: () => renameFolder(f) },
      { label: t(f.star ? 'Remove star' : 'Star'), icon: 'star', run: () => setStar([f], !f.star) }, null,
      { label: t('Trash its documents'), icon: 'bin', danger: true, off: !files.some(one => one.folder === f.id && !one.trash), run: () => toTrash(files.filter(one => one.folder === f.id && !one.trash)) },
    ], f.name, point);
  }
  function emptyMenu(point) {
    openMenu(null, [
      { label: t('New document'), icon: 'plus', run: actions.newDoc }, { label: t('Select'), icon: 'check', run: actions.select }, null,
      ...COLUMNS.map(([key, label]) => ({ label: `${t('Sort by')}: ${t(label)}`, radio: true, on: state.sort === key, run: () => { state.sort = key; render(); } })),
    ], t('List'), point);
  }

  // Dragging a file: a label follows the pointer, whatever has data-drop can take it.
  function startDrag(event) {
    const el = event.target.closest('[data-file]');
    if (!el || event.button || event.pointerType === 'touch' || inTrash() || event.target.closest('.ib, input')) return;
    const f = fileOf(el);
    const cargo = state.picked.has(f.id) ? picked() : [f];
    let ghost = null;
    let over = null;
    const move = e => {
      if (!ghost && Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) < 6) return;
      if (!ghost) {
        ghost = document.createElement('div');
        ghost.className = 'ghost';
        ghost.textContent = naming(cargo, '{name}', '{n} documents');
        document.body.append(ghost);
      }
      ghost.style.left = `${e.clientX + 12}px`;
      ghost.style.top = `${e.clientY + 8}px`;
      over?.classList.remove('over');
      over = document.elementFromPoint(e.clientX, e.clientY)?.closest('[data-drop]');
      over?.classList.add('over');
    };
    const drop = () => {
      removeEventListener('pointermove', move);
      if (!ghost) return;
      ghost.remove();
      swallowClick();
      if (!over) return;
      over.classList.remove('over');
      const place = over.dataset.drop;
      if (place === 'trash') toTrash(cargo);
      else if (place === 'star') setStar(cargo, true);
      else moveTo(cargo, place);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', drop, { once: true });
  }
  tipCards.preview = el => {
    const f = fileOf(el);
    return `<b>${esc(f.name)}</b>${PEOPLE[f.who]} · ${formatDate(f.when)}<br>${f.folder ? esc(folders.find(one => one.id === f.folder).name) : t('No folder')} · ${f.size} KB`;
  };

  function readHash() {
    const name = location.hash.slice(1);
    state.folder = name.startsWith('folder-') ? name.slice(7) : null;
    state.view = state.folder ? 'all' : VIEWS[name] ? name : 'recent';
    Object.assign(state, { selecting: false, more: false });
    state.picked.clear();
    render();
  }
  function togglePick(f) {
    if (!state.picked.delete(f.id)) state.picked.add(f.id);
    render();
  }
  const actions = {
    newDoc: () => newFile(t('Untitled document')),
    clearSearch() { $('#q').value = ''; state.query = ''; render(); $('#q').focus(); },
    layout(el) { state.layout = el.dataset.v; render(); },
    account: el => openMenu(el, [{ label: t('Signed in as Mara Lindqvist'), off: true, run() {} }, null, { label: t('Show trash'), icon: 'bin', run: () => { location.hash = 'trash'; } }, { label: t('Writing statistics'), icon: 'info', run: () => openDialog(t('Writing statistics'), `<dl><dt>${t('Documents')}</dt><dd>${files.length}</dd><dt>${t('Shared with others')}</dt><dd>9</dd></dl>`) }], t('Account')),
    sort(el) { if (state.sort === el.dataset.v) state.dir *= -1; else Object.assign(state, { sort: el.dataset.v, dir: 1 }); render(); },
    starFile: el => setStar([fileOf(el)], !fileOf(el).star),
    starFolder: el => setStar([folderOf(el)], !folderOf(el).star),
    forget: el => forget(fileOf(el)), trash: el => toTrash([fileOf(el)]), restore: el => restore([fileOf(el)]), destroy: el => destroy([fileOf(el)]),
    choose(el, event) {
      if (event.detail > 1) return null; // second click of a double click: the name is about to be edited
      if (state.selecting) return togglePick(fileOf(el));
      const only = state.picked.has(fileOf(el).id) && state.picked.size === 1;
      state.picked = new Set(only ? [] : [fileOf(el).id]);
      return render();
    },
    pick: el => togglePick(fileOf(el)),
    select() { state.selecting = !state.selecting; state.picked.clear(); render(); },
    clearPicked() { state.picked.clear(); state.selecting = false; render(); },
    bulkStar: () => setStar(picked(), true), bulkMove: () => moveDialog(picked()), bulkTrash: () => toTrash(picked()),
    bulkRestore: () => restore(picked()), bulkDestroy: () => destroy(picked()),
    emptyTrash() { if (confirm(t('Delete everything in the trash for good?'))) erase(files.filter(f => f.trash)); },
  };
  wireActions(actions);
  addEventListener('hashchange', readHash);
  list.addEventListener('pointerdown', startDrag);
  list.addEventListener('dblclick', event => { const el = event.target.closest('.name'); if (el && !inTrash()) rename(fileOf(el)); });
  $('.lib').addEventListener('contextmenu', event => {
    event.preventDefault();
    const point = { x: event.clientX, y: event.clientY };
    if (event.target.closest('[data-file]')) fileMenu(fileOf(event.target), point);
    else if (event.target.closest('[data-folder]')) folderMenu(folderOf(event.target), point);
    else emptyMenu(point);
  });
  onLongPress(list, '[data-file]', el => { state.selecting = true; state.picked.add(fileOf(el).id); render(); });
  list.addEventListener('scroll', () => {
    list.classList.toggle('lifted', list.scrollTop > 2);
    if (!state.more && list.scrollTop + list.clientHeight > list.scrollHeight - 40) { state.more = true; render(); }
  });
  $('#q').addEventListener('input', event => { state.query = event.target.value; render(); });
  $('#q').addEventListener('keydown', event => { if (event.key === 'Escape') actions.clearSearch(); });
  readHash();
}

/* ---------- History ---------- */
function startHistory() {
  const TITLE = 'Harbour Garden: Spring Programme';
  const OPENING = ['The garden opens again in April.', 'We have thirty beds along the quay and a shed with a leaking roof.', 'Helpers are welcome on Saturdays.', '', '', '', '',
    'The residents’ meeting decides on 12 March. Whoever cannot come may send a note to the harbour office until noon on the same day.',
    'The boat school looks after the old pump and keeps the key to the pump house. Shared tools carry the colour of their bed and are back in the shed by dusk.'];
  // Oldest first: [when, who, name, {paragraph: new text}].
  const EDITS = [
    ['2026-02-02T10:15', 'ML', 'First outline', {}],
    ['2026-02-03T09:40', 'TF', '', { 1: 'We have thirty-eight beds along the quay and a shed with a leaking roof.' }],
    ['2026-02-09T17:22', 'ML', '', { 2: 'Helpers are welcome on Saturdays from nine to one.' }],
    ['2026-02-10T08:55', 'IO', 'With the table', { 3: 'The table shows who has signed up for which bed so far.' }],
    ['2026-02-10T15:31', 'IO', '', { 0: 'The garden opens again in March, three weeks sooner than last year.' }],
    ['2026-02-17T11:04', 'JH', '', { 4: 'Two rain barrels would cover a dry week.' }],
    ['2026-02-17T16:48', 'TF', '', { 1: 'We have forty beds along the quay, and the tool shed has a new roof.' }],
    ['2026-02-21T14:02', 'JH', 'Sent to the committee', { 4: 'Two rain barrels from the cooperative would cover a dry fortnight.' }],
    ['2026-02-23T18:37', 'TF', '', { 5: 'July brought the most visitors, nearly all of them on the two market weekends.' }],
    ['2026-02-23T19:10', 'TF', '', { 2: 'Each bed needs one person who waters and one who stands in.' }],
    ['2026-02-24T09:05', 'ML', '', { 0: 'The frost left the quay three weeks sooner than last year, so the gates open on the second Saturday in March.' }],
    ['2026-02-24T09:58', 'ML', 'For the residents’ meeting', { 6: 'The first planting day is the Saturday after, with soup at the lantern wall.' }],
  ];
  let paragraphs = OPENING;
  let versions = EDITS.map(([when, who, name, edits], i) => {
    paragraphs = Object.entries(edits).reduce((all, [at, text]) => Object.assign([...all], { [at]: text }), paragraphs);
    return { id: `v${i + 1}`, when, who, name, pinned: i === 7, text: paragraphs };
  });
  const state = { shown: versions.at(-1).id, picked: [], pair: null, changes: true, mode: 'inline', namedOnly: false, older: false, folded: new Set(), at: -1 };
  const byId = id => versions.find(v => v.id === id);
  const label = v => v.name || formatTime(v.when);
  const isCurrent = v => v === versions.at(-1);

  // Longest common subsequence of words, as a list of [kind, words] with kind 'same', 'del' or 'ins'.
  function diffWords(from, to) {
    const a = from.split(/(?<=\s)/);
    const b = to.split(/(?<=\s)/);
    const best = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
    for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) best[i][j] = a[i].trim() === b[j].trim() ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const parts = [];
    const add = (kind, word) => (parts.at(-1)?.[0] === kind ? (parts.at(-1)[1] += word) : parts.push([kind, word]));
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i].trim() === b[j].trim()) { add('same', b[j]); i++; j++; }
      else if (i < a.length && (j === b.length || best[i + 1][j] >= best[i][j + 1])) add('del', a[i++]);
      else add('ins', b[j++]);
    }
    return parts.filter(([, words]) => words);
  }
  const mark = ([kind, words]) => (kind === 'same' ? esc(words) : `<${kind}>${esc(words.trimEnd())}</${kind}> `);
  function sheet(name, lines) { return `<article class="paper" aria-label="${esc(name)}"><h2>${TITLE}</h2>${lines.filter(Boolean).map(line => `<p>${line}</p>`).join('')}</article>`; }

  function sides() {
    if (state.pair) return state.pair.map(byId);
    const shown = byId(state.shown);
    return [versions[versions.indexOf(shown) - 1] || shown, shown];
  }
  function renderSheet() {
    const [from, to] = sides();
    const rows = Array.from({ length: Math.max(from.text.length, to.text.length) }, (_, i) => diffWords(from.text[i] || '', to.text[i] || ''));
    const only = kinds => rows.map(parts => parts.filter(([kind]) => kinds.includes(kind)).map(mark).join(''));
    const plain = v => v.text.map(esc);
    const lists = state.mode === 'side' ? [state.changes ? only(['same', 'del']) : plain(from), state.changes ? only(['same', 'ins']) : plain(to)] : [state.changes ? only(['same', 'del', 'ins']) : plain(to)];
    $('#diff').classList.toggle('two', state.mode === 'side');
    $('#diff').innerHTML = lists.map((lines, i) => sheet(label(lists.length > 1 && !i ? from : to), lines)).join('');
    $('#pair').innerHTML = state.pair ? `<span>${t('Comparing')} <b>${esc(label(from))}</b></span>${iconButton('swap', t('Swap sides'), 'data-act="swap"')}<b>${esc(label(to))}</b>${iconButton('cross', t('End comparison'), 'data-act="endCompare"')}`
      : from === to ? `<b>${esc(label(to))}</b>` : `<span><b>${esc(label(to))}</b> · ${t('compared with the version before')}</span>`;
    state.at = -1;
    const n = marks().length;
    $('#changeCount').textContent = count(n, '1 change', '{n} changes');
    for (const act of ['prevChange', 'nextChange']) $(`[data-act="${act}"]`).disabled = !n;
  }
  const marks = () => $$('ins, del', $('#diff'));
  function goToChange(step) {
    const all = marks();
    state.at = (state.at + step + all.length + (state.at < 0 && step < 0 ? 1 : 0)) % all.length;
    all.forEach((el, i) => el.classList.toggle('now', i === state.at));
    all[state.at].scrollIntoView({ block: 'nearest' });
    $('#changeCount').textContent = t('{a} of {n}', { a: state.at + 1, n: all.length });
  }

  function versionRow(v) {
    const named = !!v.name;
    return `<div class="ver ${v.id === state.shown && !state.pair ? 'shown' : ''}" data-id="${v.id}"><input type="checkbox" data-act="pick" aria-label="${t('Compare {name}', { name: esc(label(v)) })}" ${state.picked.includes(v.id) ? 'checked' : ''}>
      <button type="button" class="ver-name" data-act="show" data-card="version" ${v.id === state.shown && !state.pair ? 'aria-current="true"' : ''}><b>${esc(label(v))}</b><small>${named ? `${formatTime(v.when)} · ` : ''}${PEOPLE[v.who]}${isCurrent(v) ? ` · ${t('current')}` : ''}</small></button>
      ${iconButton('bookmark', t(v.pinned ? 'Unpin {name}' : 'Pin {name}', { name: label(v) }), `data-act="pin" aria-pressed="${v.pinned}"`)}${iconButton(named ? 'cross' : 'pencil', t(named ? 'Remove the name {name}' : 'Name version of {name}', { name: label(v) }), `data-act="${named ? 'unname' : 'rename'}"`)}${iconButton('restore', t('Restore {name}', { name: label(v) }), `data-act="restore" ${isCurrent(v) ? 'disabled' : ''}`)}</div>`;
  }
  function renderList() {
    const shown = versions.filter((v, i) => (state.older || i > 2) && (!state.namedOnly || v.name)).reverse();
    const days = [...new Set(shown.map(v => v.when.slice(0, 10)))];
    $('#versionList').innerHTML = days.map(day => {
      const open = !state.folded.has(day);
      return `<section aria-label="${formatDate(day)}"><button type="button" class="day" data-act="fold" data-v="${day}" aria-expanded="${open}">${icon(open ? 'down' : 'right')}${formatDate(day)}</button>${open ? shown.filter(v => v.when.startsWith(day)).map(versionRow).join('') : ''}</section>`;
    }).join('') + (state.older ? '' : `<p class="empty">${t('Scroll on for older versions')}</p>`);
    const n = state.picked.length;
    $('#compareBar').innerHTML = `<span class="grow">${state.pair ? t('Two versions compared') : n === 2 ? t('Two selected') : n ? t('Select one more') : t('Select two versions to compare')}</span>${n ? iconButton('cross', t('Clear selection'), 'data-act="clearPicked"') : ''}<button type="button" class="btn ${n === 2 ? 'primary' : ''}" data-act="compare" ${n === 2 && !state.pair ? '' : 'disabled'}>${t('Compare')}</button>`;
    const at = versions.indexOf(byId(state.shown));
    Object.assign($('#timeline'), { max: versions.length - 1, value: at });
    $('#timelineLabel').textContent = `${t('Version {a} of {n}', { a: at + 1, n: versions.length })} · ${formatTime(versions[at].when)}`;
    $('[data-act="older"]').disabled = at === 0;
    $('[data-act="newer"]').disabled = at === versions.length - 1;
    $('#restoreTop').disabled = isCurrent(byId(state.shown)) || !!state.pair;
  }
  function render() { renderList(); renderSheet(); }
  function show(id) {
    Object.assign(state, { shown: id, pair: null });
    if (versions.indexOf(byId(id)) < 3) state.older = true;
    render();
    $('.ver.shown')?.scrollIntoView({ block: 'nearest' });
  }
  const versionOf = el => byId(el.closest('[data-id]').dataset.id);
  function setName(v, name, message) {
    const before = v.name;
    v.name = name;
    render();
    toast(message, () => { v.name = before; render(); });
  }
  const rename = v => editInPlace($(`[data-id="${v.id}"] .ver-name`), v.name, t('Name of the version'), name => setName(v, name, t('Version named “{name}”', { name })));
  function restoreDialog(v) {
    openDialog(t('Restore this version?'), `<p>${t('The document goes back to “{name}”. Your current text is kept as a version.', { name: esc(label(v)) })}</p><label class="opt"><input type="checkbox" id="nameIt">${t('Give the new version a name')}</label><input id="newName" aria-label="${t('Name of the version')}" value="${t('Restored')}" disabled>`, [{ label: t('Cancel') },
      { label: t('Restore'), kind: 'primary', run: d => restore(v, $('#nameIt', d).checked ? $('#newName', d).value.trim() : '') }]);
    $('#nameIt').onchange = event => { $('#newName').disabled = !event.target.checked; };
  }
  function restore(v, name) {
    const before = versions;
    const fresh = { ...v, id: `r${versions.length}`, when: '2026-02-24T10:00', who: 'ML', name, pinned: false };
    versions = [...versions, fresh];
    state.picked = [];
    show(fresh.id);
    toast(t('Restored from “{name}”', { name: label(v) }), () => { versions = before; state.picked = []; show(before.at(-1).id); });
  }
  const stepVersion = step => show(versions[versions.indexOf(byId(state.shown)) + step].id);
  tipCards.version = el => {
    const v = versionOf(el);
    const words = v.text.join(' ').split(' ').length;
    return `<b>${esc(label(v))}</b>${t('{n} words', { n: words })} · ${PEOPLE[v.who]}<br>${t('Double click to name it')}`;
  };
  function toggleSwitch(el) {
    const on = el.getAttribute('aria-checked') !== 'true';
    el.setAttribute('aria-checked', on);
    return on;
  }

  const actions = {
    ...zoomActions,
    restoreShown: () => restoreDialog(byId(state.shown)), restore: el => restoreDialog(versionOf(el)),
    prevChange: () => goToChange(-1), nextChange: () => goToChange(1),
    showChanges(el) { state.changes = toggleSwitch(el); renderSheet(); },
    namedOnly(el) { state.namedOnly = toggleSwitch(el); renderList(); },
    mode(el) { state.mode = el.dataset.v; $$('[data-act="mode"]').forEach(b => b.setAttribute('aria-pressed', b === el)); renderSheet(); },
    show: (el, event) => { if (event.detail < 2) show(versionOf(el).id); },
    pick(el) {
      const { id } = versionOf(el);
      state.picked = state.picked.includes(id) ? state.picked.filter(one => one !== id) : [...state.picked, id].slice(-2);
      state.pair = null;
      render();
    },
    pin(el) { const v = versionOf(el); v.pinned = !v.pinned; renderList(); toast(t(v.pinned ? 'Pinned: this version is kept for ever' : 'Unpinned: may be tidied away after a year')); },
    rename: el => rename(versionOf(el)),
    unname: el => setName(versionOf(el), '', t('Name removed; the version stays')),
    fold(el) { if (!state.folded.delete(el.dataset.v)) state.folded.add(el.dataset.v); renderList(); },
    compare() { state.pair = [...state.picked].sort((a, b) => versions.indexOf(byId(a)) - versions.indexOf(byId(b))); render(); },
    swap() { state.pair.reverse(); renderSheet(); },
    endCompare() { Object.assign(state, { pair: null, picked: [] }); render(); },
    clearPicked() { Object.assign(state, { pair: null, picked: [] }); render(); },
    older: () => stepVersion(-1), newer: () => stepVersion(1),
  };
  wireActions(actions);
  const list = $('#versionList');
  list.addEventListener('dblclick', event => { const el = event.target.closest('.ver-name'); if (el) rename(versionOf(el)); });
  list.addEventListener('contextmenu', event => {
    const el = event.target.closest('.ver');
    if (!el) return;
    event.preventDefault();
    const v = versionOf(el);
    openMenu(null, [
      { label: t('Show'), icon: 'file', run: () => show(v.id) }, { label: t('Name this version'), icon: 'pencil', run: () => rename(v) },
      { label: t('Compare with current'), icon: 'swap', off: isCurrent(v), run: () => { state.picked = [v.id, versions.at(-1).id]; actions.compare(); } }, null,
      { label: t('Restore'), icon: 'restore', off: isCurrent(v), run: () => restoreDialog(v) },
    ], label(v), { x: event.clientX, y: event.clientY });
  });
  onLongPress(list, '.ver', el => { const { id } = versionOf(el); if (!state.picked.includes(id)) state.picked = [...state.picked, id].slice(-2); state.pair = null; render(); });
  list.addEventListener('scroll', () => { if (!state.older && list.scrollTop + list.clientHeight > list.scrollHeight - 24) { state.older = true; renderList(); } });
  $('#canvas').addEventListener('scroll', () => $('.toolbar').classList.toggle('lifted', $('#canvas').scrollTop > 4));
  $('#timeline').addEventListener('input', event => show(versions[Number(event.target.value)].id));
  setZoom(100);
  render();
}

wireShared();
({ editor: startEditor, files: startFiles, history: startHistory })[document.body.dataset.page]();
})();
