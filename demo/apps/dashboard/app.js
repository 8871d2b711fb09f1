'use strict';

/* ---------- Language ---------- */

const LANG = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
const LOCALE = { en: 'en-GB', de: 'de-DE' }[LANG];
const say = pair => pair[LANG === 'de' ? 1 : 0];

const WORDS = {
  overview: ['Overview', 'Übersicht'], shipments: ['Shipments', 'Sendungen'], alerts: ['Alerts', 'Alarme'], team: ['Team', 'Team'],
  skip: ['Skip to content', 'Zum Inhalt springen'], mainNav: ['Main', 'Hauptnavigation'], hubLoad: ['Hub load', 'Auslastung der Hubs'],
  shiftInfo: ['Day shift until 14:00', 'Frühschicht bis 14:00'], stormWatch: ['Storm watch', 'Sturmwarnung'],
  stormText: ['Gusts up to 95 km/h on the northern sea lanes until Friday. Two sailings have been moved.', 'Böen bis 95 km/h auf den nördlichen Seewegen bis Freitag. Zwei Abfahrten wurden verlegt.'],
  dismissNotice: ['Dismiss storm watch', 'Sturmwarnung ausblenden'], noticeGone: ['Storm watch dismissed', 'Sturmwarnung ausgeblendet'],
  toggleSide: ['Show or hide the sidebar', 'Seitenleiste ein- oder ausblenden'], globalSearch: ['Search everything', 'Überall suchen'], globalSearchHint: ['Shipments, people, pages', 'Sendungen, Personen, Seiten'],
  clearSearch: ['Clear search', 'Suche leeren'], clearFilter: ['Clear filter text', 'Filtertext leeren'], results: ['Search results', 'Suchergebnisse'], noResults: ['Nothing found for “{q}”', 'Nichts gefunden für „{q}“'],
  notifications: ['Notifications', 'Benachrichtigungen'], markRead: ['Mark all read', 'Alle gelesen'], dismissNote: ['Dismiss notification', 'Benachrichtigung entfernen'], noNotes: ['You are up to date', 'Alles gelesen'],
  account: ['Account of Mara Lindqvist', 'Konto von Mara Lindqvist'], compactRows: ['Compact rows', 'Kompakte Zeilen'], onBreak: ['On a break', 'In der Pause'], shortcuts: ['Keyboard shortcuts', 'Tastenkürzel'], signOut: ['Sign out', 'Abmelden'],
  signedOut: ['You are signed out', 'Sie sind abgemeldet'], signInAgain: ['Sign in again', 'Wieder anmelden'], breakOn: ['Colleagues see you as on a break', 'Andere sehen Sie als in der Pause'], breakOff: ['Colleagues see you as on shift', 'Andere sehen Sie als im Dienst'],
  keySearch: ['Go to search', 'Zur Suche'], keyClose: ['Close menu, dialog or panel', 'Menü, Dialog oder Leiste schließen'], keyEdit: ['Edit the focused cell', 'Zelle im Fokus bearbeiten'], keyMove: ['Move a focused widget', 'Widget im Fokus verschieben'],
  close: ['Close', 'Schließen'], cancel: ['Cancel', 'Abbrechen'], undo: ['Undo', 'Rückgängig'], dismissToast: ['Dismiss message', 'Meldung schließen'], back: ['Back', 'Zurück'], next: ['Next', 'Weiter'], apply: ['Apply', 'Anwenden'], save: ['Save', 'Speichern'],
  // Overview
  overviewSub: ['Network performance as of 14 May 2026, 14:00', 'Netzleistung, Stand 14. Mai 2026, 14:00 Uhr'], viewOptions: ['View options', 'Ansichtsoptionen'], compare: ['Compare', 'Vergleichen'], hubFilter: ['Hub', 'Hub'], allHubs: ['All hubs', 'Alle Hubs'],
  addWidget: ['Add widget', 'Widget hinzufügen'], keyFigures: ['Key figures', 'Kennzahlen'], widgets: ['Widgets', 'Widgets'], volume: ['Parcels delivered', 'Zugestellte Pakete'], onTime: ['On time', 'Pünktlich'], dwell: ['Dwell time', 'Standzeit'], cost: ['Cost per parcel', 'Kosten pro Paket'],
  vsBefore: ['vs. previous period', 'zum Vorzeitraum'], kpiCard: ['Target {v}. Click to chart this figure.', 'Ziel {v}. Klicken, um die Kennzahl im Diagramm zu zeigen.'], delivered: ['Delivered', 'Zugestellt'], inTransit: ['In transit', 'Unterwegs'], delayed: ['Delayed', 'Verspätet'],
  road: ['Road', 'Straße'], rail: ['Rail', 'Schiene'], air: ['Air', 'Luft'], inbound: ['Inbound', 'Eingang'], outbound: ['Outbound', 'Ausgang'], w_trend: ['Trend', 'Verlauf'], w_hubs: ['Throughput by hub', 'Durchsatz je Hub'], w_feed: ['Live events', 'Ereignisse'],
  w_carriers: ['Carrier ranking', 'Frachtführer im Vergleich'], w_docks: ['Dock staffing', 'Besetzung der Tore'], move: ['Move {w}', '{w} verschieben'], pin: ['Pin {w}', '{w} anheften'], unpin: ['Unpin {w}', '{w} lösen'], collapse: ['Collapse {w}', '{w} einklappen'], expand: ['Expand {w}', '{w} ausklappen'],
  remove: ['Remove {w}', '{w} entfernen'], resize: ['Resize {w}', 'Größe von {w} ändern'], removed: ['{w} removed', '{w} entfernt'], added: ['{w} added', '{w} hinzugefügt'], moved: ['{w} moved to position {n}', '{w} an Position {n} verschoben'], pinned: ['{w} pinned to the top', '{w} oben angeheftet'], unpinned: ['{w} unpinned', '{w} gelöst'],
  resized: ['{w} is now {n} of 12 columns wide', '{w} ist jetzt {n} von 12 Spalten breit'], rename: ['Rename', 'Umbenennen'], renameTip: ['Double-click to rename', 'Doppelklick zum Umbenennen'], moveFirst: ['Move to the front', 'Nach vorn verschieben'], grabHint: ['{w}: use the arrow keys to move it', '{w}: mit den Pfeiltasten verschieben'],
  allShown: ['All widgets are shown', 'Alle Widgets sind sichtbar'], pickHint: ['Hover for values, click a day to keep it', 'Zeigen für Werte, Klick hält einen Tag fest'], clearDay: ['Clear the kept day', 'Festgehaltenen Tag lösen'], hideSeries: ['Show or hide {s}', '{s} ein- oder ausblenden'], previous: ['Previous', 'Vorher'],
  eventList: ['Live events, scrollable', 'Ereignisse, rollbar'], flag: ['Follow {id}', '{id} verfolgen'], flagged: ['Following {id}', '{id} wird verfolgt'], unflagged: ['No longer following {id}', '{id} wird nicht mehr verfolgt'], toTop: ['Back to top', 'Nach oben'], v0: ['arrived at', 'angekommen in'], v1: ['left', 'abgefahren in'], v2: ['cleared customs in', 'verzollt in'], v3: ['held in', 'angehalten in'],
  carrier: ['Carrier', 'Frachtführer'], loadFactor: ['Load', 'Auslastung'], sortBy: ['Sort by {c}', 'Nach {c} sortieren'], dock: ['Dock {n}', 'Tor {n}'], addPerson: ['Add a person to dock {n}', 'Person zu Tor {n} hinzufügen'], dropPerson: ['Take a person off dock {n}', 'Person von Tor {n} abziehen'],
  range: ['Date range', 'Zeitraum'], last8: ['8 days', '8 Tage'], last28: ['4 weeks', '4 Wochen'], last56: ['8 weeks', '8 Wochen'], prevMonth: ['Previous month', 'Voriger Monat'], nextMonth: ['Next month', 'Nächster Monat'], pickStart: ['Choose the first day', 'Ersten Tag wählen'], pickEnd: ['Now choose the last day', 'Jetzt letzten Tag wählen'], rangeSet: ['Showing {r}', 'Zeitraum: {r}'],
  // Shipments
  shipmentList: ['Shipment list', 'Sendungsliste'], status: ['Status', 'Status'], filters: ['Filters', 'Filter'], rowSearch: ['Filter shipments', 'Sendungen filtern'], rowSearchHint: ['ID, customer, city', 'Nummer, Kunde, Ort'], columns: ['Columns', 'Spalten'], bulkActions: ['Actions for selected shipments', 'Aktionen für gewählte Sendungen'], tableRegion: ['Shipment table, scrollable', 'Sendungstabelle, rollbar'],
  newShipment: ['New shipment', 'Neue Sendung'], all: ['All', 'Alle'], transit: ['In transit', 'Unterwegs'], customs: ['Customs', 'Zoll'], anyCarrier: ['Any carrier', 'Alle Frachtführer'], shipment: ['Shipment', 'Sendung'], route: ['Route', 'Strecke'], eta: ['Arrival', 'Ankunft'], weight: ['Weight', 'Gewicht'], note: ['Note', 'Notiz'], customer: ['Customer', 'Kunde'],
  selectAll: ['Select all on this page', 'Alle auf dieser Seite wählen'], selectRow: ['Select {id}', '{id} auswählen'], rowMenu: ['Actions for {id}', 'Aktionen für {id}'], openRow: ['Open details', 'Details öffnen'], editNote: ['Edit note', 'Notiz bearbeiten'], editTip: ['Double-click to edit', 'Doppelklick zum Bearbeiten'], noNote: ['No note', 'Keine Notiz'], watch: ['Watch', 'Beobachten'], unwatch: ['Stop watching', 'Nicht mehr beobachten'],
  archive: ['Archive', 'Archivieren'], deleteForGood: ['Delete for good…', 'Endgültig löschen…'], filterCustomer: ['Only {c}', 'Nur {c}'], copyId: ['Copy tracking ID', 'Sendungsnummer kopieren'], copied: ['{x} copied', '{x} kopiert'], archived: ['{n} archived', '{n} archiviert'], deleted: ['{id} deleted for good', '{id} endgültig gelöscht'], watching: ['Watching {id}', '{id} wird beobachtet'], unwatched: ['{id} is no longer watched', '{id} wird nicht mehr beobachtet'],
  noteSaved: ['Note for {id} saved', 'Notiz für {id} gespeichert'], selected: ['{n} selected', '{n} ausgewählt'], assign: ['Assign carrier', 'Frachtführer zuweisen'], assigned: ['{n} assigned to {c}', '{n} an {c} vergeben'], markDelivered: ['Mark delivered', 'Als zugestellt melden'], markedDelivered: ['{n} marked as delivered', '{n} als zugestellt gemeldet'], clearSelection: ['Clear selection', 'Auswahl aufheben'],
  exportAll: ['Export {n}', '{n} exportieren'], exportSome: ['Export {n} selected', '{n} gewählte exportieren'], exported: ['{n} shipments exported as a CSV file', '{n} Sendungen als CSV-Datei exportiert'], dropChip: ['Remove filter {c}', 'Filter {c} entfernen'], showing: ['{a} to {b} of {n}', '{a} bis {b} von {n}'], prevPage: ['Previous page', 'Vorige Seite'], nextPage: ['Next page', 'Nächste Seite'], perPage: ['Rows per page', 'Zeilen pro Seite'], rows: ['{n} rows', '{n} Zeilen'],
  noRows: ['No shipment matches these filters.', 'Keine Sendung passt zu diesen Filtern.'], shipSummary: ['{n} open shipments, {d} delayed', '{n} laufende Sendungen, {d} verspätet'], moveColumn: ['Move column {c}', 'Spalte {c} verschieben'], columnMoved: ['Column {c} moved', 'Spalte {c} verschoben'], details: ['Shipment details', 'Sendungsdetails'], prevShipment: ['Previous shipment', 'Vorige Sendung'], nextShipment: ['Next shipment', 'Nächste Sendung'], closePanel: ['Close details', 'Details schließen'],
  history: ['History', 'Verlauf'], booked: ['Booked', 'Gebucht'], pickedUp: ['Picked up', 'Abgeholt'], atHub: ['At hub', 'Im Hub'], typeId: ['Type {id} to confirm. This cannot be undone.', 'Zur Bestätigung {id} eintippen. Das lässt sich nicht rückgängig machen.'], deleteTitle: ['Delete {id}?', '{id} löschen?'], deleteNow: ['Delete', 'Löschen'], destination: ['Destination', 'Ziel'], create: ['Create', 'Anlegen'], created: ['{id} created', '{id} angelegt'], needText: ['Enter a customer name', 'Kundennamen eingeben'], needWeight: ['Enter 1 to 24,000 kg', '1 bis 24.0 kg eingeben'],
  // Alerts
  alertList: ['Alert list', 'Alarmliste'], alertState: ['Alert state', 'Alarmstatus'], alertSearch: ['Filter alerts', 'Alarme filtern'], alertSearchHint: ['Title or place', 'Titel oder Ort'], severity: ['Severity', 'Schwere'], anySeverity: ['Any severity', 'Jede Schwere'], bad: ['Critical', 'Kritisch'], warn: ['Warning', 'Warnung'], info: ['Notice', 'Hinweis'], active: ['Active', 'Aktiv'], snoozed: ['Snoozed', 'Zurückgestellt'], resolved: ['Resolved', 'Gelöst'],
  ackAll: ['Acknowledge all', 'Alle bestätigen'], ackAllDone: ['{n} alerts acknowledged', '{n} Alarme bestätigt'], ack: ['Acknowledge', 'Bestätigen'], handOver: ['Hand over', 'Übergeben'], acked: ['You now own “{a}”', '„{a}“ liegt jetzt bei Ihnen'], handed: ['Handed over to {p}', 'An {p} übergeben'], owner: ['Owner: {p}', 'Zuständig: {p}'], snooze: ['Snooze', 'Zurückstellen'], resolve: ['Resolve', 'Lösen'], mute: ['Mute source', 'Quelle stumm schalten'], unmute: ['Unmute source', 'Quelle wieder melden'],
  resolveFirst: ['Acknowledge first, then resolve', 'Erst bestätigen, dann lösen'], wake: ['Wake now', 'Jetzt wecken'], reopen: ['Reopen', 'Wieder öffnen'], for30: ['For 30 minutes', 'Für 30 Minuten'], for2h: ['For 2 hours', 'Für 2 Stunden'], tillShift: ['Until the next shift', 'Bis zur nächsten Schicht'], snoozedMsg: ['Snoozed: {a}', 'Zurückgestellt: {a}'], resolvedMsg: ['Resolved: {a}', 'Gelöst: {a}'], mutedMsg: ['No more alerts from {p}', 'Keine Alarme mehr von {p}'], unmutedMsg: ['Alerts from {p} are on again', 'Alarme von {p} wieder an'],
  wokenMsg: ['Back in the active list: {a}', 'Wieder aktiv: {a}'], showMore: ['Show details', 'Details zeigen'], rulesAside: ['Rules and quiet hours', 'Regeln und Ruhezeiten'], rules: ['Alert rules', 'Alarmregeln'], ruleCount: ['{n} of {m} on', '{n} von {m} an'], newRule: ['New rule', 'Neue Regel'], ruleName: ['Name', 'Name'], ruleUnit: ['Unit', 'Einheit'], needName: ['Enter a name', 'Namen eingeben'], ruleAdded: ['Rule “{r}” added', 'Regel „{r}“ angelegt'], threshold: ['Threshold for {r}', 'Schwelle für {r}'],
  deleteRule: ['Delete rule {r}', 'Regel {r} löschen'], deleteRuleAsk: ['Delete the rule “{r}” for good?', 'Regel „{r}“ endgültig löschen?'], ruleDeleted: ['Rule “{r}” deleted', 'Regel „{r}“ gelöscht'], unsaved: ['Unsaved changes', 'Nicht gespeichert'], discard: ['Discard changes', 'Änderungen verwerfen'], discarded: ['Changes discarded', 'Änderungen verworfen'], savedRules: ['Rules saved', 'Regeln gespeichert'], above: ['above {v}', 'über {v}'],
  quiet: ['Quiet hours', 'Ruhezeiten'], from: ['From', 'Von'], to: ['To', 'Bis'], letCritical: ['Let critical alerts through', 'Kritische Alarme durchlassen'], quietOn: ['Quiet hours are on', 'Ruhezeiten sind an'], quietOff: ['Quiet hours are off', 'Ruhezeiten sind aus'], cause: ['Cause', 'Ursache'], chooseCause: ['Choose a cause', 'Ursache wählen'], c_weather: ['Weather', 'Wetter'], c_staff: ['Staff shortage', 'Personalmangel'], c_tech: ['Technical fault', 'Technischer Fehler'], c_false: ['False alarm', 'Fehlalarm'],
  noAlerts: ['Nothing here. Enjoy the calm.', 'Nichts zu tun. Alles ruhig.'], alertSummary: ['{n} active, {m} without an owner', '{n} aktiv, {m} ohne Zuständige'], me: ['you', 'Sie'],
  // Team
  memberSearch: ['Find a member', 'Mitglied suchen'], memberSearchHint: ['Name', 'Name'], roleFilter: ['Show role', 'Rolle anzeigen'], anyRole: ['All roles', 'Alle Rollen'], invite: ['Invite', 'Einladen'], members: ['Members', 'Mitglieder'], membersHint: ['Right-click a row for more', 'Rechtsklick auf eine Zeile für mehr'], shiftPlan: ['Shift plan for tomorrow', 'Schichtplan für morgen'], shiftHint: ['Drag people between shifts', 'Personen zwischen Schichten ziehen'], teamAside: ['Invitations and permissions', 'Einladungen und Rechte'],
  pending: ['Pending invitations', 'Offene Einladungen'], permissions: ['Permissions by role', 'Rechte je Rolle'], role: ['Role', 'Rolle'], owner_: ['Owner', 'Inhaberin'], manager: ['Manager', 'Leitung'], dispatcher: ['Dispatcher', 'Disposition'], viewer: ['Viewer', 'Lesezugriff'], roleOf: ['Role of {p}', 'Rolle von {p}'], roleSet: ['{p} now has the role {r}', '{p} hat jetzt die Rolle {r}'], lead: ['Make {p} shift lead', '{p} zur Schichtleitung machen'], unlead: ['{p} is shift lead', '{p} ist Schichtleitung'], leadOn: ['{p} leads the shift', '{p} leitet die Schicht'], leadOff: ['{p} no longer leads the shift', '{p} leitet die Schicht nicht mehr'],
  memberMenu: ['Actions for {p}', 'Aktionen für {p}'], pause: ['Pause access', 'Zugang pausieren'], pausedTag: ['Paused', 'Pausiert'], unpause: ['Restore access', 'Zugang wiederherstellen'], resetPass: ['Reset password', 'Kennwort zurücksetzen'], removeMember: ['Remove from team', 'Aus dem Team entfernen'], paused: ['Access of {p} paused', 'Zugang von {p} pausiert'], unpaused: ['Access of {p} restored', 'Zugang von {p} wiederhergestellt'], passSent: ['Reset link sent to {m}', 'Link an {m} gesendet'], copyMail: ['Copy e-mail address', 'E-Mail-Adresse kopieren'],
  resend: ['Resend to {m}', 'Erneut an {m} senden'], resent: ['Invitation sent again to {m}', 'Einladung erneut an {m} gesendet'], copyLink: ['Copy link for {m}', 'Link für {m} kopieren'], revoke: ['Revoke invitation of {m}', 'Einladung von {m} widerrufen'], revoked: ['Invitation of {m} revoked', 'Einladung von {m} widerrufen'], sentOn: ['{r}, sent {d}', '{r}, gesendet {d}'], sentNow: ['{r}, sent just now', '{r}, eben gesendet'], open: ['{n} open', '{n} offen'], noInvites: ['No open invitations', 'Keine offenen Einladungen'],
  p_view: ['See shipments', 'Sendungen sehen'], p_edit: ['Edit shipments', 'Sendungen bearbeiten'], p_delete: ['Delete shipments', 'Sendungen löschen'], p_ack: ['Acknowledge alerts', 'Alarme bestätigen'], p_rules: ['Change alert rules', 'Alarmregeln ändern'], permOn: ['{r}: “{p}” allowed', '{r}: „{p}“ erlaubt'], permOff: ['{r}: “{p}” not allowed', '{r}: „{p}“ nicht erlaubt'], resetRole: ['Reset to defaults', 'Auf Standard zurücksetzen'], roleReset: ['{r} is back to its defaults', '{r} hat wieder die Standardrechte'],
  early: ['Early', 'Früh'], late: ['Late', 'Spät'], night: ['Night', 'Nacht'], shiftOf: ['{p}, {s} shift', '{p}, Schicht {s}'], moveTo: ['Move to {s}', 'Nach {s} verschieben'], shiftMoved: ['{p} moved to {s}', '{p} nach {s} verschoben'], mail: ['E-mail address', 'E-Mail-Adresse'], addMail: ['Add address', 'Adresse hinzufügen'], dropMail: ['Remove {m}', '{m} entfernen'], badMail: ['This is not an e-mail address', 'Das ist keine E-Mail-Adresse'], inviteTitle: ['Invite people', 'Personen einladen'], sendN: ['Send {n}', '{n} senden'], invited: ['{n} invited', '{n} eingeladen'], hubsAccess: ['Access to hubs', 'Zugang zu Hubs'], teamSummary: ['{n} members, shift leads: {m}', '{n} Mitglieder, Schichtleitungen: {m}'], lastSeen: ['Last active {d}', 'Zuletzt aktiv {d}'], noMembers: ['Nobody matches.', 'Niemand gefunden.'],
};

const t = (key, values = {}) => say(WORDS[key]).replace(/\{(\w+)\}/g, (_, name) => values[name]);

/* ---------- Formats and helpers ---------- */

const DAY = 864e5;
const TODAY = Date.UTC(2026, 4, 14);
const dateText = (offset, options = { day: 'numeric', month: 'short' }) => new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', ...options }).format(TODAY + offset * DAY);
const number = (value, digits = 0) => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const esc = text => String(text).replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);
const initials = name => name.split(' ').map(part => part[0]).join('').slice(0, 2);
const avatar = name => `<span class="avatar" style="--hue:${(name.length * 47 + name.charCodeAt(1) * 13) % 360}" aria-hidden="true">${initials(name)}</span>`;
const toggleIn = (list, item) => { const at = list.indexOf(item); if (at < 0) list.push(item); else list.splice(at, 1); return at < 0; };
const options = (pairs, chosen) => pairs.map(([value, text]) => `<option value="${value}"${value === chosen ? ' selected' : ''}>${esc(text)}</option>`).join('');

const BELL = '<path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15z"/><path d="M10.5 21h3"/>';
const ICONS = {
  grid: '<path d="M4 4h7v9H4zM15 4h5v5h-5zM15 13h5v7h-5zM4 17h7v3H4z"/>', box: '<path d="M3 8l9-4 9 4v8l-9 4-9-4z"/><path d="M3 8l9 4 9-4M12 12v8"/>', bell: BELL,
  people: '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 5a3.5 3.5 0 0 1 0 6.5M18.5 14.5c2 .8 3 2.7 3 5.5"/>', menu: '<path d="M4 6h16M4 12h16M4 18h10"/>', search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  x: '<path d="m6 6 12 12M18 6 6 18"/>', chevron: '<path d="m6 9 6 6 6-6"/>', arrow: '<path d="M12 19V5M6 11l6-6 6 6"/>', sort: '<path d="m8 10 4-4 4 4M8 14l4 4 4-4"/>', plus: '<path d="M12 5v14M5 12h14"/>', minus: '<path d="M5 12h14"/>', pin: '<path d="M9 4h6l-1 7 3 3H7l3-3zM12 14v6"/>',
  grip: '<path stroke-width="2.8" d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"/>', star: '<path d="m12 4 2.4 5.2 5.6.7-4.1 3.9 1.1 5.7-5-2.8-5 2.8 1.1-5.7L4 9.9l5.6-.7z"/>', dots: '<path stroke-width="3" d="M12 5.5h.01M12 12h.01M12 18.5h.01"/>', bin: '<path d="M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5"/>',
  archive: '<path d="M4 5h16v4H4zM5.5 9l.5 11h12l.5-11M10 13h4"/>', pencil: '<path d="m4 20 1-4L16 5l3 3L8 19z"/>', download: '<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>', columns: '<path d="M4 5h16v14H4zM10 5v14M15 5v14"/>', calendar: '<path d="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"/>', check: '<path d="m5 13 4 4L19 7"/>', checks: '<path d="m3 13 4 4 8-9M12 16l1 1 8-9"/>',
  bellZ: `<path d="M6 16V11a6 6 0 0 1 6-6M18 14v2l1.5 2h-15L6 16M10.5 21h3M15.5 4H20l-4.5 6H20"/>`, bellOff: `${BELL}<path d="M4 4l16 16"/>`, bellOk: `<path d="M6 16V11a6 6 0 0 1 6-6M18 13v3l1.5 2h-15L6 16M10.5 21h3M15 7l2 2 4-4.5"/>`, again: '<path d="M20 12a8 8 0 1 1-2.5-5.8M20 4v4h-4"/>', back: '<path d="M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4"/>', copy: '<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"/>', pause: '<path d="M9 6v12M15 6v12"/>', corner: '<path d="M20 10 10 20M20 16l-4 4"/>', warnSign: '<path d="M12 4 2.5 20h19zM12 10v4M12 17h.01"/>', infoSign: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8h.01"/>', exit: '<path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/>', truck: '<path d="M2 6h12v10H2zM14 10h4l4 3v3h-8"/><circle cx="7" cy="17" r="2"/><circle cx="17.5" cy="17" r="2"/>', keys: '<path d="M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 15h8"/>',
};
const icon = (name, cls = '') => `<svg class="icon ${cls}" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;

/** Markup of a button that runs actions[act]; without text it is an icon button whose label is also its tooltip. */
function button(act, { i, turn, text = '', label, tip = text ? '' : label, cls = text ? 'plain' : 'icon-btn', id = '', disabled, ...rest }) {
  const more = Object.entries(rest).filter(([, value]) => value !== undefined).map(([name, value]) => ` ${name}="${esc(value)}"`).join('');
  return `<button type="button" class="${cls}" data-act="${act}" data-id="${esc(id)}" data-key="${act}:${esc(id)}"${label ? ` aria-label="${esc(label)}"` : ''}${tip ? ` data-tip="${esc(tip)}"` : ''}${disabled ? ' disabled' : ''}${more}>${i ? icon(i, turn) : ''}${text ? `<span>${esc(text)}</span>` : ''}</button>`;
}

const switchButton = (act, text, on, more = {}) => button(act, { cls: 'switch', role: 'switch', 'aria-checked': on, text, ...more }).replace('<span>', '<i></i><span>');
const tab = (act, id, text, count, on) => button(act, { id, text, cls: '', role: 'tab', 'aria-selected': on, tabindex: on ? 0 : -1 }).replace('</button>', count === undefined ? '</button>' : `<b>${count}</b></button>`);

/** Replaces the content of an element and keeps the focus on the control with the same key. */
function paint(root, html) {
  const key = root.contains(document.activeElement) && document.activeElement.dataset.key;
  root.innerHTML = html;
  if (key) $(`[data-key="${CSS.escape(key)}"]`, root)?.focus({ preventScroll: true });
  hideTip();
}

/* ---------- Toasts, layers, menus, dialogs, tooltips ---------- */

const actions = {}, changes = {}, inputs = {}, submits = {}, drags = {}, doubles = {}, contexts = {}, holds = {}, cards = {}, arrows = {};

/** Only the newest message can be undone, so that steps are never undone out of order. */
function toast(text, undo) {
  const box = $('#toasts');
  $$('[data-act=undo]', box).forEach(old => old.remove());
  const el = document.createElement('div');
  el.className = 'toast';
  el.innerHTML = `<span>${esc(text)}</span>${undo ? button('undo', { text: t('undo'), cls: 'ghost small' }) : ''}${button('dismissToast', { i: 'x', label: t('dismissToast'), cls: 'icon-btn small' })}`;
  el.undo = undo;
  box.append(el);
  while (box.children.length > 2) box.firstChild.remove();
}
actions.undo = el => { const box = el.closest('.toast'); box.remove(); box.undo(); };
actions.dismissToast = el => { el.closest('.toast').remove(); hideTip(); };

/** Message with an undo that restores those parts of the state that differ from `before`. */
function offerUndo(message, state, redraw, before) {
  const changed = Object.keys(state).filter(key => JSON.stringify(state[key]) !== JSON.stringify(before[key]));
  toast(message, () => { changed.forEach(key => { state[key] = before[key]; }); redraw(); });
}
/** Applies a change to a state object, redraws, and offers to undo it. */
function undoable(message, state, redraw, change) {
  const before = structuredClone(state);
  change();
  redraw();
  offerUndo(message, state, redraw, before);
}

let layer = null;
function closeLayer(refocus) {
  if (!layer) return;
  const { el, anchor } = layer;
  layer = null;
  el.remove();
  anchor?.setAttribute('aria-expanded', 'false');
  if (refocus) anchor?.focus({ preventScroll: true });
}
function place(el, spot, gap = 6) {
  const { offsetWidth: width, offsetHeight: height } = el;
  const below = spot.bottom + gap + height <= innerHeight - 8;
  const start = spot.left + width > innerWidth - 8 ? spot.right - width : spot.left;
  el.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  el.style.top = `${Math.max(8, below ? spot.bottom + gap : spot.top - gap - height)}px`;
}
/** Opens a floating panel at an element or a point; opening it again at the same element closes it. */
function openLayer(at, role, label, html, cls) {
  const anchor = at instanceof Element ? at : null;
  const again = anchor && layer?.anchor === anchor;
  closeLayer();
  if (again) return null;
  const el = document.createElement('div');
  Object.assign(el, { className: `layer ${cls}`, innerHTML: html });
  el.setAttribute('role', role);
  el.setAttribute('aria-label', label);
  document.body.append(el);
  place(el, anchor ? anchor.getBoundingClientRect() : new DOMRect(at.x, at.y, 0, 0));
  anchor?.setAttribute('aria-expanded', 'true');
  layer = { el, anchor };
  hideTip();
  return el;
}
/** Items: { text, i, run, warn, checked, disabled } or '-' for a separator. */
function openMenu(at, label, items) {
  const html = items.map((item, n) => item === '-' ? '<hr role="separator">' : button('menuItem', {
    id: n, text: item.text, i: item.i, cls: item.warn ? 'warn' : '', disabled: item.disabled, role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox', 'aria-checked': item.checked,
  }).replace('</button>', item.checked ? `${icon('check', 'check')}</button>` : '</button>')).join('');
  const el = openLayer(at, 'menu', label, html, 'menu');
  if (!el) return;
  layer.items = items;
  $('button:enabled', el)?.focus({ preventScroll: true });
}
actions.menuItem = el => { const item = layer.items[el.dataset.id]; closeLayer(true); item.run(); };

function openDialog(title, html) {
  closeLayer();
  const el = document.createElement('dialog');
  el.setAttribute('role', 'dialog');
  el.setAttribute('aria-modal', 'true');
  el.setAttribute('aria-labelledby', 'dialog-title');
  el.innerHTML = `<header><h2 id="dialog-title">${esc(title)}</h2>${button('closeDialog', { i: 'x', label: t('close') })}</header>${html}`;
  el.addEventListener('close', () => el.remove());
  document.body.append(el);
  el.showModal();
  hideTip();
  $('input, select', el)?.focus();
  return el;
}
const closeDialog = () => $('dialog')?.close();
actions.closeDialog = closeDialog;
const dialogEnds = (text, more = '') => `<div class="ends">${button('closeDialog', { text: t('cancel'), id: 'cancel' })}<button class="primary" type="submit"${more}>${esc(text)}</button></div>`;

let tip = null;
function hideTip() { tip?.remove(); tip = null; }
function showTip(el) {
  hideTip();
  const [kind, id] = (el.dataset.card || '').split(':');
  const html = kind ? cards[kind](id) : esc(el.dataset.tip);
  tip = document.createElement('div');
  Object.assign(tip, { className: 'tip', innerHTML: html });
  tip.setAttribute('role', 'tooltip');
  ($('dialog') || document.body).append(tip);
  place(tip, el.getBoundingClientRect());
}

/* ---------- Pointer gestures ---------- */

let gestureDone = false; // true between the end of a drag or long press and the click that follows it
function track(event, onMove, onEnd) {
  const { clientX: x, clientY: y } = event;
  let moved = false;
  const move = e => {
    if (!moved && Math.hypot(e.clientX - x, e.clientY - y) < 5) return;
    moved = gestureDone = true;
    document.body.classList.add('dragging');
    hideTip();
    onMove(e, e.clientX - x, e.clientY - y);
  };
  const end = e => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    document.body.classList.remove('dragging');
    onEnd(e, moved);
    setTimeout(() => { gestureDone = false; });
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
/** Drags a labelled ghost of `source`; on release over a matching element calls onDrop(target). */
function dragItem(event, source, text, targets, onDrop) {
  let ghost, target;
  track(event, e => {
    if (!ghost) {
      ghost = document.createElement('div');
      Object.assign(ghost, { className: 'ghost-drag', textContent: text });
      document.body.append(ghost);
      source.classList.add('lifted');
    }
    ghost.style.transform = `translate(${e.clientX + 12}px, ${e.clientY + 8}px)`;
    target?.classList.remove('drop');
    target = document.elementFromPoint(e.clientX, e.clientY)?.closest(targets);
    if (target === source) target = null;
    target?.classList.add('drop');
  }, () => {
    ghost?.remove();
    source.classList.remove('lifted');
    target?.classList.remove('drop');
    if (target) onDrop(target);
  });
}
function watchHold(el, event) {
  const timer = setTimeout(() => { gestureDone = true; holds[el.dataset.hold](el); }, 500);
  const { clientX: x, clientY: y } = event;
  const move = e => { if (Math.hypot(e.clientX - x, e.clientY - y) > 6) stop(); };
  const stop = () => {
    clearTimeout(timer);
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    setTimeout(() => { gestureDone = false; });
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}

/** Turns an element into a text field until Enter, Escape or loss of focus. */
function editInPlace(el, label, value, onSave) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'text', value });
  input.setAttribute('aria-label', label);
  let open = true;
  const finish = save => { if (open) { open = false; onSave(save ? input.value.trim() : value); } };
  input.addEventListener('keydown', e => {
    e.stopPropagation();
    if (e.key === 'Enter' || e.key === 'Escape') finish(e.key === 'Enter');
  });
  input.addEventListener('blur', () => finish(true));
  el.replaceChildren(input);
  hideTip();
  input.select();
}

/* ---------- Events ---------- */

const runFrom = (table, name) => event => {
  const el = event.target.closest?.(`[data-${name}]`);
  if (el) table[el.dataset[name]](el, event);
};
function onClick(event) {
  if (gestureDone) return;
  const el = event.target.closest('[data-act]');
  if (el && !el.disabled) actions[el.dataset.act](el, event);
}
function onPointerDown(event) {
  hideTip();
  if (layer && !layer.el.contains(event.target) && !layer.anchor?.contains(event.target)) closeLayer();
  if (event.button !== 0) return;
  const handle = event.target.closest('[data-drag]:not(:disabled)');
  if (handle) drags[handle.dataset.drag](handle, event);
  const hold = event.target.closest('[data-hold]');
  if (hold && !event.target.closest('button, input, select')) watchHold(hold, event);
}
function onKeyDown(event) {
  const el = event.target;
  if (event.key === 'Escape') {
    hideTip();
    if (layer) closeLayer(true);
    else if (!$('dialog')) actions.closeDrawer?.();
  } else if (event.key === '/' && !el.matches('input, select')) {
    event.preventDefault();
    $('#global-search').focus();
  } else if ((event.key === 'Enter' || event.key === ' ') && el.matches('g[role=button]')) {
    event.preventDefault();
    actions[el.dataset.act](el);
  } else if ((event.key === 'Enter' || event.key === 'F2') && el.dataset.dbl) {
    event.preventDefault();
    doubles[el.dataset.dbl](el);
  } else if (event.key.startsWith('Arrow')) onArrow(event, el);
}
function onArrow(event, el) {
  const forward = event.key === 'ArrowRight' || event.key === 'ArrowDown';
  const group = el.closest('[role=menu], [role=tablist]');
  if (group) {
    const list = $$('button:enabled', group);
    const next = list[(list.indexOf(el) + (forward ? 1 : -1) + list.length) % list.length];
    next.focus();
    if (group.matches('[role=tablist]')) next.click();
  } else if (el.dataset.arrow) arrows[el.dataset.arrow](el, event.key, forward ? 1 : -1);
  else return;
  event.preventDefault();
}
function onContextMenu(event) {
  const el = event.target.closest('[data-context]');
  if (!el || event.target.closest('input')) return;
  event.preventDefault();
  if (gestureDone) return;
  contexts[el.dataset.context](el, { x: event.clientX, y: event.clientY });
}
function onInput(event) {
  const clear = event.target.parentElement?.querySelector('[data-act=clearField]');
  if (clear) clear.hidden = !event.target.value;
  runFrom(inputs, 'input')(event);
}
function onHover(event) {
  const el = event.target.closest?.('[data-tip], [data-card]');
  const editing = el !== event.target && event.target.matches?.('input');
  if (el && !editing && (event.type === 'pointerover' || el.matches(':focus-visible'))) showTip(el);
  else hideTip();
}
function listen() {
  document.addEventListener('click', onClick);
  document.addEventListener('pointerdown', onPointerDown);
  document.addEventListener('keydown', onKeyDown);
  document.addEventListener('contextmenu', onContextMenu);
  document.addEventListener('input', onInput);
  document.addEventListener('pointerover', onHover);
  document.addEventListener('focusin', onHover);
  document.addEventListener('dblclick', runFrom(doubles, 'dbl'));
  document.addEventListener('change', runFrom(changes, 'change'));
  document.addEventListener('submit', event => { event.preventDefault(); runFrom(submits, 'submit')(event); });
  document.addEventListener('scroll', event => { hideTip(); if (layer && !layer.el.contains(event.target)) closeLayer(); }, true);
  addEventListener('resize', () => closeLayer());
}

/* ---------- Shell ---------- */

const HUBS = ['Lindholm', 'Port Avery', 'Castelmar', 'Oststein', 'Wexbridge'];
const CARRIERS = ['Tarn Road', 'Altivo Air', 'Meridor Rail', 'Selkie Sea', 'Ostrel Direct'];
const PEOPLE = ['Mara Lindqvist', 'Jonas Okafor', 'Priya Venn', 'Tomasz Hale', 'Elif Sandoval', 'Noor Castellan', 'Bram Iversen'];
const shell = {
  away: false,
  notes: [['Oststein is at 98 % of its capacity', 'Oststein ist zu 98 % ausgelastet'], ['Priya Venn mentioned you in QL-4810', 'Priya Venn hat Sie in QL-4810 erwähnt'], ['The weekly report is ready', 'Der Wochenbericht ist fertig']],
};

function translatePage() {
  document.documentElement.lang = LANG;
  $$('[data-t]').forEach(el => { el.textContent = t(el.dataset.t); });
  $$('[data-ph]').forEach(el => { el.placeholder = t(el.dataset.ph); });
  $$('[data-label]').forEach(el => {
    el.setAttribute('aria-label', t(el.dataset.label));
    if (el.matches('.icon-btn')) el.dataset.tip = t(el.dataset.label);
  });
  $$('[data-i]').forEach(el => el.insertAdjacentHTML('afterbegin', icon(el.dataset.i)));
  document.title = `${t(document.body.dataset.page)} - Quaylark Console`;
}
function setSide(open) {
  document.body.classList.toggle('rail', !open);
  $('[data-act=toggleSide]').setAttribute('aria-expanded', open);
}
actions.toggleSide = () => setSide(document.body.classList.contains('rail'));
actions.toggleNotice = el => {
  const open = el.getAttribute('aria-expanded') !== 'true';
  el.setAttribute('aria-expanded', open);
  $('#notice-more').hidden = !open;
};
actions.dismissNotice = () => {
  $('#notice').hidden = true;
  hideTip();
  toast(t('noticeGone'), () => { $('#notice').hidden = false; });
};
actions.clearField = el => {
  const input = $('input', el.parentElement);
  input.value = '';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
};
inputs.globalSearch = el => {
  const query = el.value.trim().toLowerCase();
  closeLayer();
  if (!query) return;
  const entries = [
    ...[['overview', 'index'], ['shipments', 'shipments'], ['alerts', 'alerts'], ['team', 'team']].map(([key, file]) => [t(key), 'Quaylark Console', file]),
    ...PEOPLE.map(name => [name, t('team'), 'team']),
    ...fleet.rows.map(row => [row.id, row.customer, 'shipments']),
  ].filter(([text, sub]) => `${text} ${sub}`.toLowerCase().includes(query)).slice(0, 6);
  const html = entries.map(([text, sub, file]) => `<a href="${file}.html">${esc(text)}<small>${esc(sub)}</small></a>`).join('') || `<p class="empty">${esc(t('noResults', { q: el.value }))}</p>`;
  openLayer(el, 'region', t('results'), html, 'results');
};
function notesPanel() {
  const items = shell.notes.map((note, n) => `<li><span>${esc(say(note))}</span>${button('dismissNote', { id: n, i: 'x', label: t('dismissNote'), cls: 'icon-btn small' })}</li>`).join('');
  $('#bell-count').hidden = !shell.notes.length;
  $('#bell-count').textContent = shell.notes.length;
  return `<div class="row"><h2>${t('notifications')}</h2>${button('readAll', { text: t('markRead'), cls: 'ghost small', disabled: !shell.notes.length })}</div><ul>${items || `<li>${t('noNotes')}</li>`}</ul>`;
}
actions.notifications = el => openLayer(el, 'dialog', t('notifications'), notesPanel(), 'panel notes');
actions.dismissNote = el => { shell.notes.splice(el.dataset.id, 1); paint(layer.el, notesPanel()); };
actions.readAll = () => { shell.notes = []; paint(layer.el, notesPanel()); };
actions.accountMenu = el => openMenu(el, t('account'), [
  { text: t('onBreak'), i: 'pause', checked: shell.away, run: toggleBreak },
  { text: t('compactRows'), i: 'columns', checked: document.body.classList.contains('compact'), run: () => document.body.classList.toggle('compact') },
  { text: t('shortcuts'), i: 'keys', run: showShortcuts },
  '-',
  { text: t('signOut'), i: 'exit', run: signOut },
]);
function toggleBreak() {
  shell.away = !shell.away;
  $('.shift .dot').classList.toggle('away', shell.away);
  toast(t(shell.away ? 'breakOn' : 'breakOff'));
}
function showShortcuts() {
  const keys = [['/', 'keySearch'], ['Esc', 'keyClose'], ['F2', 'keyEdit'], ['← →', 'keyMove']];
  openDialog(t('shortcuts'), `<div class="content"><dl class="facts">${keys.map(([key, text]) => `<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`).join('')}</dl></div>`);
}
function signOut() {
  paint($('#main'), `<section class="card empty" aria-labelledby="out"><h1 id="out">${t('signedOut')}</h1><p><a href="index.html">${t('signInAgain')}</a></p></section>`);
}

/* ---------- Overview ---------- */

const METRICS = {
  volume: { names: ['delivered', 'inTransit', 'delayed'], base: [1180, 640, 210], swing: .14, floor: 0, format: v => number(v), target: 9400, good: 1 },
  onTime: { names: ['road', 'rail', 'air'], base: [93.4, 89.1, 96.8], swing: .022, floor: 80, format: v => `${number(v, 1)}\u00a0%`, target: 94, good: 1 },
  dwell: { names: ['road', 'rail', 'air'], base: [18.2, 26.5, 7.4], swing: .16, floor: 0, format: v => `${number(v, 1)}\u00a0h`, target: 16.5, good: -1 },
  cost: { names: ['road', 'rail', 'air'], base: [4.8, 3.1, 11.9], swing: .09, floor: 0, format: v => `${number(v, 2)}\u00a0€`, target: 6.4, good: -1 },
};
const SHARES = [.28, .23, .2, .16, .13];
const SPANS = [4, 6, 8, 12];
const board = {
  from: -7, to: 0, compare: false, hub: '', metric: 'volume', day: null, hidden: [], names: {}, flagged: ['QL-4803'], feedCount: 9, carrierSort: 'onTime', carrierDir: -1, staff: [4, 6, 3, 5],
  widgets: [{ id: 'trend', span: 8, h: 264 }, { id: 'hubs', span: 4, h: 264 }, { id: 'feed', span: 6, h: 232 }, { id: 'carriers', span: 6, h: 232 }],
};
const widgetName = id => board.names[id] || (id === 'trend' ? `${t('w_trend')}: ${t(board.metric)}` : t(`w_${id}`));
const widgetOf = el => board.widgets.find(widget => widget.id === el.closest('[data-widget]').dataset.widget);

function reading(metric, series, day) {
  const { base, swing } = METRICS[metric];
  const place = HUBS.indexOf(board.hub) + 1;
  const phase = series * 2.1 + place + base[0];
  const wave = Math.sin(day * 1.6 + phase) * .6 + Math.sin(day * .37 + phase * 1.7) * .4;
  return base[series] * (metric === 'volume' && place ? SHARES[place - 1] : 1) * (1 + swing * wave + day * .0008);
}
function average(metric, series, from, to) {
  let sum = 0;
  for (let day = from; day <= to; day++) sum += reading(metric, series, day);
  return sum / (to - from + 1);
}
/** Splits the chosen range into at most eight equal parts. */
function buckets(from = board.from, to = board.to) {
  const days = to - from + 1, count = Math.min(8, days);
  return Array.from({ length: count }, (_, n) => ({ from: from + Math.floor(n * days / count), to: from + Math.floor((n + 1) * days / count) - 1 }));
}
function kpiValue(metric, from, to) {
  return metric === 'volume' ? average(metric, 0, from, to) * (to - from + 1) : (average(metric, 0, from, to) + average(metric, 1, from, to) + average(metric, 2, from, to)) / 3;
}
function kpiTile(metric) {
  const { format, good } = METRICS[metric], days = board.to - board.from + 1;
  const now = kpiValue(metric, board.from, board.to), change = now / kpiValue(metric, board.from - days, board.from - 1) * 100 - 100;
  const values = buckets().map(part => average(metric, 0, part.from, part.to)), low = Math.min(...values), high = Math.max(...values);
  const path = values.map((value, n) => `${n ? 'L' : 'M'}${(n * 68 / Math.max(1, values.length - 1) + 2).toFixed(1)} ${(28 - (value - low) / (high - low || 1) * 24).toFixed(1)}`).join('');
  return `<button type="button" class="kpi" data-act="pickMetric" data-id="${metric}" data-key="kpi:${metric}" data-card="kpi:${metric}" aria-pressed="${board.metric === metric}">
    <span class="name">${t(metric)}</span><strong>${format(now)}</strong><svg class="spark" viewBox="0 0 72 32" aria-hidden="true"><path d="${path}"/></svg>
    <span class="delta"><b class="${change * good < 0 ? 'bad' : ''}">${icon('arrow', change < 0 ? 'up' : '')}${number(Math.abs(change), 1)}\u00a0%</b>${t('vsBefore')}</span></button>`;
}
cards.kpi = metric => `<b>${t(metric)}</b>${t('kpiCard', { v: METRICS[metric].format(METRICS[metric].target) })}`;

function niceTop(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find(step => step * unit >= value) * unit;
}
/** Horizontal grid with labels; returns the markup and a function from value to y. */
function frame(width, height, floor, top, format) {
  const y = value => 10 + (1 - (value - floor) / (top - floor)) * (height - 36);
  const lines = [0, 1, 2, 3, 4].map(n => floor + (top - floor) * n / 4).map(value => `<line class="rule" x1="44" x2="${width}" y1="${y(value)}" y2="${y(value)}"/><text x="38" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`).join('');
  return { lines, y };
}
const partLabel = part => part.from === part.to ? dateText(part.from) : `${dateText(part.from)} – ${dateText(part.to)}`;
const shownSeries = (widget, count) => Array.from({ length: count }, (_, n) => n).filter(n => !board.hidden.includes(`${widget}:${n}`));
function partSummary(part) {
  const { names, format } = METRICS[board.metric];
  return `${partLabel(part)}: ${shownSeries('trend', 3).map(n => `${t(names[n])} ${format(average(board.metric, n, part.from, part.to))}`).join(', ')}`;
}
function drawTrend(box) {
  const { floor } = METRICS[board.metric], { clientWidth: width, clientHeight: height } = box;
  const parts = buckets(), days = board.to - board.from + 1, step = (width - 48) / parts.length;
  const shown = shownSeries('trend', 3);
  const values = [0, 1, 2].map(n => parts.map(part => average(board.metric, n, part.from, part.to)));
  const top = floor ? 100 : niceTop(Math.max(...values.flat()));
  const { lines, y } = frame(width, height, floor, top, v => number(v, top < 20 && !floor ? 1 : 0));
  const x = n => 48 + step * (n + .5);
  const line = (list, cls) => `<path class="line ${cls}" d="${list.map((value, n) => `${n ? 'L' : 'M'}${x(n)} ${y(value)}`).join('')}"/>`;
  const old = board.compare ? shown.map(n => line(parts.map(part => average(board.metric, n, part.from - days, part.to - days)), `before t${n}`)).join('') : '';
  const points = parts.map((part, n) => `<g role="button" tabindex="0" data-act="pickDay" data-id="${n}" data-key="day:${n}" data-card="day:${n}" aria-pressed="${board.day === n}" aria-label="${esc(partSummary(part))}">
    <rect class="hit" x="${x(n) - step / 2 + 2}" y="4" width="${step - 4}" height="${height - 4}"/><text x="${x(n)}" y="${height - 6}" text-anchor="middle">${dateText(part.from, step < 52 ? { day: 'numeric', month: 'numeric' } : undefined)}</text>
    ${shown.map(s => `<circle class="t${s}" cx="${x(n)}" cy="${y(values[s][n])}" r="4"/>`).join('')}</g>`).join('');
  const paths = shown.map(n => line(values[n], `t${n}`)).join('').replaceAll('<path', '<path pointer-events="none"');
  paint(box, `<svg role="group" aria-label="${esc(widgetName('trend'))}">${lines}${old}${points}${paths}</svg>`);
}
cards.day = id => {
  const part = buckets()[id], { names, format } = METRICS[board.metric], days = board.to - board.from + 1;
  const row = n => `<div><span><i class="t${n}"></i>${t(names[n])}</span><span>${format(average(board.metric, n, part.from, part.to))}${board.compare ? ` (${t('previous')} ${format(average(board.metric, n, part.from - days, part.to - days))})` : ''}</span></div>`;
  return `<b>${partLabel(part)}</b>${shownSeries('trend', 3).map(row).join('')}`;
};
const hubFlow = (hub, way) => Math.round(SHARES[hub] * (way ? 7200 : 8100) * (1 + Math.sin(hub * 2 + way * 1.7 + board.from * .3) * .12));
function drawHubs(box) {
  const { clientWidth: width, clientHeight: height } = box, step = (width - 48) / HUBS.length, bar = Math.min(16, step / 3.2);
  const shown = shownSeries('hubs', 2);
  const { lines, y } = frame(width, height, 0, 3200, v => number(v));
  const bars = HUBS.map((hub, h) => {
    const mid = 48 + step * (h + .5);
    const rects = shown.map((way, n) => `<rect class="bar-rect t${way}" x="${mid + (n - shown.length / 2) * (bar + 2) + 1}" y="${y(hubFlow(h, way))}" width="${bar}" height="${y(0) - y(hubFlow(h, way))}" rx="2"/>`).join('');
    const short = step < 76 ? hub.replace('Port ', 'P').slice(0, 3).toUpperCase() : hub;
    return `<g role="button" tabindex="0" data-act="pickHub" data-id="${hub}" data-key="hub:${hub}" data-card="hub:${h}" aria-pressed="${board.hub === hub}" aria-label="${esc(`${hub}: ${t('inbound')} ${number(hubFlow(h, 0))}, ${t('outbound')} ${number(hubFlow(h, 1))}`)}">
      <rect class="hit" x="${mid - step / 2 + 2}" y="4" width="${step - 4}" height="${height - 4}"/>${rects}<text x="${mid}" y="${height - 6}" text-anchor="middle">${short}</text></g>`;
  }).join('');
  paint(box, `<svg role="group" aria-label="${esc(widgetName('hubs'))}">${lines}${bars}</svg>`);
}
cards.hub = h => `<b>${HUBS[h]}</b>${[0, 1].map(way => `<div><span><i class="t${way}"></i>${t(['inbound', 'outbound'][way])}</span><span>${number(hubFlow(+h, way))}</span></div>`).join('')}`;

const legend = (widget, names) => `<div class="legend">${names.map((name, n) => button('toggleSeries', { id: `${widget}:${n}`, text: t(name), cls: 'ghost', label: t('hideSeries', { s: t(name) }), 'aria-pressed': !board.hidden.includes(`${widget}:${n}`) }).replace('<span>', `<i class="t${n}"></i><span>`)).join('')}</div>`;
function feedRows() {
  return Array.from({ length: board.feedCount }, (_, n) => {
    const id = `QL-${4810 - n * 7}`, minutes = 839 - n * 6, on = board.flagged.includes(id);
    return `<li>${button('flagEvent', { id, i: 'star', label: t('flag', { id }), cls: 'icon-btn small star', 'aria-pressed': on })}<time>${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}</time><span><b>${id}</b> ${t(`v${n % 4}`)} ${HUBS[n * 3 % 5]}</span></li>`;
  }).join('');
}
function carrierTable() {
  const rows = CARRIERS.map((name, n) => ({ name, onTime: [94.2, 97.1, 89.6, 86.3, 92.8][n], load: [81, 64, 88, 73, 59][n] }));
  rows.sort((a, b) => (a[board.carrierSort] > b[board.carrierSort] ? 1 : -1) * board.carrierDir);
  const head = (key, text, cls) => `<th scope="col" class="${cls}" aria-sort="${board.carrierSort !== key ? 'none' : board.carrierDir > 0 ? 'ascending' : 'descending'}">${button('sortCarriers', { id: key, cls: 'sort', text, label: t('sortBy', { c: text }) }).replace('</button>', `${sortIcon(board.carrierSort === key, board.carrierDir)}</button>`)}</th>`;
  return `<div class="scroll-list"><table class="mini"><thead><tr>${head('name', t('carrier'), '')}${head('load', t('loadFactor'), '')}${head('onTime', t('onTime'), 'num')}</tr></thead><tbody>${rows.map(row => `<tr><th scope="row">${row.name}</th><td><span class="gauge" style="--load:${row.load}%" role="img" aria-label="${row.load} %"></span></td><td class="num">${number(row.onTime, 1)} %</td></tr>`).join('')}</tbody></table></div>`;
}
const sortIcon = (on, direction) => on ? icon('arrow', direction < 0 ? 'up' : '') : icon('sort');
const dockTable = () => `<table class="mini"><tbody>${board.staff.map((count, n) => `<tr><th scope="row">${t('dock', { n: n + 1 })}</th><td class="num"><span class="stepper">${button('staffLess', { id: n, i: 'minus', label: t('dropPerson', { n: n + 1 }), disabled: !count })}<output>${count}</output>${button('staffMore', { id: n, i: 'plus', label: t('addPerson', { n: n + 1 }), disabled: count > 8 })}</span></td></tr>`).join('')}</tbody></table>`;
const BODIES = {
  trend: () => `${legend('trend', METRICS[board.metric].names)}<div class="plot" data-plot="trend"></div><div class="picked">${board.day === null ? t('pickHint') : `<span>${esc(partSummary(buckets()[board.day]))}</span>${button('clearDay', { i: 'x', label: t('clearDay'), cls: 'icon-btn small' })}`}</div>`,
  hubs: () => `${legend('hubs', ['inbound', 'outbound'])}<div class="plot" data-plot="hubs"></div>`,
  feed: () => `<div class="scroll-list" id="feed" tabindex="0" role="region" aria-label="${t('eventList')}"><ul class="feed">${feedRows()}</ul></div>${button('feedTop', { i: 'arrow', text: t('toTop'), cls: 'plain small to-top', hidden: '' })}`,
  carriers: carrierTable,
  docks: dockTable,
};
function widgetFrame(widget) {
  const { id, span, h, collapsed, pinned } = widget, w = widgetName(id);
  const tools = [
    button('pinWidget', { id, i: 'pin', label: t(pinned ? 'unpin' : 'pin', { w }), cls: 'icon-btn small', 'aria-pressed': !!pinned }),
    button('foldWidget', { id, i: 'chevron', turn: 'flip', label: t(collapsed ? 'expand' : 'collapse', { w }), cls: 'icon-btn small', 'aria-expanded': !collapsed }),
    button('removeWidget', { id, i: 'x', label: t('remove', { w }), cls: 'icon-btn small', disabled: pinned }),
  ].join('');
  return `<section class="widget${pinned ? ' pinned' : ''}${collapsed ? ' collapsed' : ''}" style="--span:${span};--h:${h}px" data-widget="${id}" data-context="widget" aria-labelledby="w-${id}">
    <header>${button('grabWidget', { id, i: 'grip', label: t('move', { w }), cls: 'icon-btn small grip', 'data-drag': 'widget', 'data-arrow': 'widget', disabled: pinned })}<h2 id="w-${id}" data-dbl="widgetName" data-tip="${t('renameTip')}">${esc(w)}</h2>${tools}</header>
    ${collapsed ? '' : `<div class="body">${BODIES[id]()}</div>${button('cycleSize', { id, i: 'corner', label: t('resize', { w }), cls: 'resize', 'data-drag': 'size', 'data-arrow': 'size' })}`}</section>`;
}
function drawCharts() {
  const draw = { trend: drawTrend, hubs: drawHubs };
  $$('[data-plot]').forEach(box => draw[box.dataset.plot](box));
}
function renderOverview() {
  const { key } = document.activeElement.dataset;
  const rangeText = `${dateText(board.from)} – ${dateText(board.to, { day: 'numeric', month: 'short', year: 'numeric' })}`;
  $('#range-text').textContent = rangeText;
  $('#hub').value = board.hub;
  $('[data-act=toggleCompare]').setAttribute('aria-checked', board.compare);
  paint($('#kpis'), Object.keys(METRICS).map(kpiTile).join(''));
  const feedAt = $('#feed')?.scrollTop || 0;
  board.widgets.sort((a, b) => !!b.pinned - !!a.pinned);
  paint($('#board'), board.widgets.map(widgetFrame).join(''));
  if ($('#feed')) $('#feed').scrollTop = feedAt;
  drawCharts();
  if (key && document.activeElement === document.body) $(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true }); // chart points exist only now
}
function startOverview() {
  $('#hub').innerHTML = options([['', t('allHubs')], ...HUBS.map(hub => [hub, hub])], '');
  const spare = innerWidth > 1120 ? Math.max(0, Math.min(200, (innerHeight - 900) / 2)) : 0; // taller charts on tall screens
  board.widgets.forEach(widget => { widget.h += spare; });
  renderOverview();
  new ResizeObserver(drawCharts).observe($('#board'));
  $('#board').addEventListener('scroll', event => { if (event.target.id === 'feed') onFeedScroll(event.target); }, true);
}
function onFeedScroll(feed) {
  $('[data-act=feedTop]').hidden = feed.scrollTop < 24;
  if (feed.scrollTop + feed.clientHeight < feed.scrollHeight - 8 || board.feedCount >= 27) return;
  board.feedCount += 6;
  paint($('ul', feed), feedRows());
}
actions.feedTop = () => { $('#feed').scrollTop = 0; };
actions.toggleCompare = () => { board.compare = !board.compare; renderOverview(); };
actions.pickMetric = el => { Object.assign(board, { metric: el.dataset.id, day: null }); renderOverview(); };
actions.toggleSeries = el => { toggleIn(board.hidden, el.dataset.id); renderOverview(); };
actions.pickDay = el => { board.day = board.day === +el.dataset.id ? null : +el.dataset.id; renderOverview(); };
actions.clearDay = () => { board.day = null; renderOverview(); };
actions.pickHub = el => { board.hub = board.hub === el.dataset.id ? '' : el.dataset.id; renderOverview(); };
changes.hub = el => { board.hub = el.value; renderOverview(); };
actions.flagEvent = el => { const { id } = el.dataset; const on = toggleIn(board.flagged, id); renderOverview(); toast(t(on ? 'flagged' : 'unflagged', { id })); };
actions.sortCarriers = el => { const key = el.dataset.id; board.carrierDir = board.carrierSort === key ? -board.carrierDir : 1; board.carrierSort = key; renderOverview(); };
actions.staffMore = el => { board.staff[el.dataset.id]++; renderOverview(); };
actions.staffLess = el => { board.staff[el.dataset.id]--; renderOverview(); };
actions.pinWidget = el => {
  const widget = widgetOf(el);
  undoable(t(widget.pinned ? 'unpinned' : 'pinned', { w: widgetName(widget.id) }), board, renderOverview, () => { widget.pinned = !widget.pinned; });
};
actions.foldWidget = el => { const widget = widgetOf(el); widget.collapsed = !widget.collapsed; renderOverview(); };
actions.removeWidget = el => removeWidget(widgetOf(el));
function removeWidget(widget) {
  undoable(t('removed', { w: widgetName(widget.id) }), board, renderOverview, () => { board.widgets = board.widgets.filter(other => other !== widget); });
}
function moveWidget(widget, to) {
  undoable(t('moved', { w: widgetName(widget.id), n: to + 1 }), board, renderOverview, () => {
    board.widgets.splice(board.widgets.indexOf(widget), 1);
    board.widgets.splice(to, 0, widget);
  });
}
actions.grabWidget = el => toast(t('grabHint', { w: widgetName(el.dataset.id) }));
drags.widget = (el, event) => {
  const widget = widgetOf(el);
  dragItem(event, el.closest('.widget'), widgetName(widget.id), '.widget', target => moveWidget(widget, board.widgets.indexOf(widgetOf(target))));
};
arrows.widget = (el, key, step) => { const widget = widgetOf(el), to = board.widgets.indexOf(widget) + step; if (board.widgets[to]) moveWidget(widget, to); };
function setSpan(widget, span) {
  undoable(t('resized', { w: widgetName(widget.id), n: span }), board, renderOverview, () => { widget.span = span; });
}
actions.cycleSize = el => { const widget = widgetOf(el); setSpan(widget, SPANS[(SPANS.indexOf(widget.span) + 1) % 4]); };
arrows.size = (el, key, step) => {
  const widget = widgetOf(el);
  if (key === 'ArrowUp' || key === 'ArrowDown') { widget.h = Math.max(180, Math.min(520, widget.h + step * 24)); renderOverview(); } else setSpan(widget, Math.max(3, Math.min(12, widget.span + step)));
};
drags.size = (el, event) => {
  const box = el.closest('.widget'), widget = widgetOf(el), column = ($('#board').clientWidth + 16) / 12, { offsetWidth: width } = box, height = $('.body', box).offsetHeight;
  const before = structuredClone(board);
  track(event, (e, dx, dy) => {
    widget.span = Math.max(3, Math.min(12, Math.round((width + dx) / column)));
    widget.h = Math.max(180, Math.min(520, height + dy));
    box.style.setProperty('--span', widget.span);
    box.style.setProperty('--h', `${widget.h}px`);
    drawCharts();
  }, (e, moved) => {
    if (!moved) return;
    renderOverview();
    offerUndo(t('resized', { w: widgetName(widget.id), n: widget.span }), board, renderOverview, before);
  });
};
doubles.widgetName = el => {
  const { id } = widgetOf(el);
  editInPlace(el, t('rename'), widgetName(id), name => { if (name && name !== widgetName(id)) board.names[id] = name; renderOverview(); });
};
contexts.widget = (el, point) => {
  const widget = widgetOf(el), w = widgetName(widget.id);
  openMenu(point, w, [
    { text: t('rename'), i: 'pencil', run: () => doubles.widgetName($(`#w-${widget.id}`)) },
    { text: t('moveFirst'), i: 'arrow', disabled: widget.pinned, run: () => moveWidget(widget, 0) },
    { text: t(widget.collapsed ? 'expand' : 'collapse', { w }), i: 'chevron', run: () => { widget.collapsed = !widget.collapsed; renderOverview(); } },
    '-',
    { text: t('remove', { w }), i: 'x', warn: true, disabled: widget.pinned, run: () => removeWidget(widget) },
  ]);
};
actions.addWidget = el => {
  const missing = Object.keys(BODIES).filter(id => !board.widgets.some(widget => widget.id === id));
  openMenu(el, t('addWidget'), missing.length ? missing.map(id => ({ text: t(`w_${id}`), i: 'plus', run: () => addWidget(id) })) : [{ text: t('allShown'), disabled: true }]);
};
function addWidget(id) {
  undoable(t('added', { w: widgetName(id) }), board, renderOverview, () => { board.widgets.unshift({ id, span: 4, h: 252 }); });
}

// Date range: the first click sets the start, the second the end, then Apply becomes possible.
let draft = null;
const PRESETS = [['last8', -7], ['last28', -27], ['last56', -55]];
function rangePanel() {
  const first = new Date(Date.UTC(2026, draft.month, 1)), count = new Date(Date.UTC(2026, draft.month + 1, 0)).getUTCDate(), base = (first - TODAY) / DAY;
  const heads = [0, 1, 2, 3, 4, 5, 6].map(n => `<span>${dateText(n - 3, { weekday: 'short' }).slice(0, 2)}</span>`).join('');
  const days = Array.from({ length: count }, (_, n) => {
    const day = base + n, edge = day === draft.from || day === draft.to, inside = draft.to !== null && day > draft.from && day < draft.to;
    return button('pickRangeDay', { id: day, text: String(n + 1), cls: inside ? 'in' : '', label: dateText(day, { day: 'numeric', month: 'long', year: 'numeric' }), disabled: day > 0, 'aria-pressed': edge });
  }).join('');
  return `<div class="presets">${PRESETS.map(([key, from]) => button('preset', { id: from, text: t(key), cls: 'plain small', 'aria-pressed': draft.from === from && draft.to === 0 })).join('')}</div>
    <div class="row">${button('rangeMonth', { id: -1, i: 'chevron', turn: 'left', label: t('prevMonth'), disabled: draft.month <= 0 })}<h2>${dateText(base, { month: 'long', year: 'numeric' })}</h2>${button('rangeMonth', { id: 1, i: 'chevron', turn: 'right', label: t('nextMonth'), disabled: draft.month >= 4 })}</div>
    <div class="days">${heads}${'<span></span>'.repeat((first.getUTCDay() + 6) % 7)}${days}</div>
    <div class="row"><span class="hint">${draft.to === null ? t('pickEnd') : t('pickStart')}</span>${button('applyRange', { text: t('apply'), cls: 'primary', disabled: draft.to === null })}</div>`;
}
actions.rangePicker = el => {
  draft = { from: board.from, to: board.to, month: 4 };
  openLayer(el, 'dialog', t('range'), rangePanel(), 'panel range');
};
actions.rangeMonth = el => { draft.month += +el.dataset.id; paint(layer.el, rangePanel()); };
actions.pickRangeDay = el => {
  const day = +el.dataset.id;
  if (draft.to === null) [draft.from, draft.to] = [draft.from, day].sort((a, b) => a - b);
  else Object.assign(draft, { from: day, to: null });
  paint(layer.el, rangePanel());
};
actions.preset = el => { Object.assign(draft, { from: +el.dataset.id, to: 0, month: 4 }); paint(layer.el, rangePanel()); };
actions.applyRange = () => {
  closeLayer(true);
  const { from, to } = draft;
  undoable(t('rangeSet', { r: `${dateText(from)} – ${dateText(to)}` }), board, renderOverview, () => Object.assign(board, { from, to, day: null }));
};

/* ---------- Shipments ---------- */

const CUSTOMERS = ['Halden Optics', 'Brightmoor Foods', 'Tessaly Paper', 'Orrin & Vale', 'Kestrel Cycles', 'Nordlicht Labs', 'Pemberly Toys', 'Sable Ceramics', 'Juniper Mills', 'Arden Pharma'];
const NOTES = [['Fragile, keep upright', 'Zerbrechlich, aufrecht lagern'], ['', ''], ['Call before delivery', 'Vor Zustellung anrufen'], ['Tail lift needed', 'Hebebühne nötig'], ['', ''], ['Chilled, 4 to 6 °C', 'Gekühlt, 4 bis 6 °C'], ['Customs papers with driver', 'Zollpapiere beim Fahrer']];
const STATES = { transit: '', delayed: 'bad', customs: 'warn', delivered: 'ok' };
const COLUMNS = { route: row => `${row.from} → ${row.to}`, carrier: row => row.carrier, status: row => row.status, eta: row => row.eta, weight: row => row.kg };
function makeRow(n) {
  const status = ['transit', 'transit', 'delayed', 'delivered', 'customs', 'transit', 'delivered'][n * 3 % 7];
  return { id: `QL-${4817 - n * 7}`, customer: CUSTOMERS[n * 7 % 10], from: HUBS[n * 2 % 5], to: HUBS[(n * 3 + 1 + (n * 2 % 5 === (n * 3 + 1) % 5)) % 5], carrier: CARRIERS[n * 4 % 5], status, eta: status === 'delivered' ? -1 - n % 5 : n * 5 % 9, kg: 180 + n * 613 % 8400, note: say(NOTES[n * 5 % 7]) };
}
const fleet = {
  rows: Array.from({ length: 46 }, (_, n) => makeRow(n)), status: 'all', query: '', carrier: '', sort: 'id', dir: -1, page: 0, size: 8, picked: [], watched: ['QL-4803'], detail: null, historyOpen: true,
  columns: [['route', true], ['carrier', false], ['status', true], ['eta', true], ['weight', true], ['note', true]],
};
const rowById = id => fleet.rows.find(row => row.id === id);
const statusPill = status => `<span class="pill ${STATES[status]}">${t(status)}</span>`;
const matchesFilters = row => (!fleet.carrier || row.carrier === fleet.carrier) && `${row.id} ${row.customer} ${row.from} ${row.to}`.toLowerCase().includes(fleet.query.toLowerCase());
function shownRows() {
  const value = fleet.sort === 'id' ? row => row.id : COLUMNS[fleet.sort];
  return fleet.rows.filter(row => matchesFilters(row) && (fleet.status === 'all' || row.status === fleet.status)).sort((a, b) => (value(a) > value(b) ? 1 : value(a) < value(b) ? -1 : 0) * fleet.dir);
}
const pageRows = () => shownRows().slice(fleet.page * fleet.size, (fleet.page + 1) * fleet.size);
const CELLS = {
  route: row => `<td class="optional">${row.from}<small>→ ${row.to}</small></td>`,
  carrier: row => `<td class="optional">${row.carrier}</td>`,
  status: row => `<td>${statusPill(row.status)}</td>`,
  eta: row => `<td class="optional">${dateText(row.eta, { weekday: 'short', day: 'numeric', month: 'short' })}</td>`,
  weight: row => `<td class="num optional">${number(row.kg)} kg</td>`,
  note: row => `<td class="editable" tabindex="0" data-dbl="note" data-id="${row.id}" data-key="note:${row.id}" data-tip="${t('editTip')}"><span class="${row.note ? '' : 'none'}">${esc(row.note || t('noNote'))}</span></td>`,
};
const shownColumns = () => fleet.columns.filter(([, on]) => on).map(([id]) => id);
function sortHead(id, text, cls = '') {
  const on = fleet.sort === id;
  return `<th scope="col" class="${cls}" aria-sort="${!on ? 'none' : fleet.dir > 0 ? 'ascending' : 'descending'}">${button('sortRows', { id, text, cls: 'sort', label: t('sortBy', { c: text }) }).replace('</button>', `${sortIcon(on, fleet.dir)}</button>`)}</th>`;
}
function tableHead(rows) {
  const all = rows.length && rows.every(row => fleet.picked.includes(row.id));
  const heads = shownColumns().map(id => id === 'note' ? `<th scope="col"><span class="sort">${t('note')}</span></th>` : sortHead(id, t(id), `${id === 'weight' ? 'num ' : ''}${id === 'status' ? '' : 'optional'}`));
  return `<tr><th><input type="checkbox" data-change="pickAll" data-key="pickAll" aria-label="${t('selectAll')}"${all ? ' checked' : ''}></th>${sortHead('id', t('shipment'))}${heads.join('')}<th><span hidden>${t('rowMenu', { id: '' })}</span></th></tr>`;
}
function tableRow(row) {
  const on = fleet.picked.includes(row.id);
  const star = fleet.watched.includes(row.id) ? icon('star') : '';
  return `<tr data-context="row" data-hold="row" data-id="${row.id}" class="${on ? 'picked-row' : ''}"><td><input type="checkbox" data-change="pickRow" data-id="${row.id}" data-key="pick:${row.id}" aria-label="${t('selectRow', { id: row.id })}"${on ? ' checked' : ''}></td>
    <td><button type="button" class="link" data-act="openRow" data-id="${row.id}" data-key="open:${row.id}" data-card="row:${row.id}">${row.id}${star}</button><small>${esc(row.customer)}</small></td>
    ${shownColumns().map(id => CELLS[id](row)).join('')}<td>${button('rowMenu', { id: row.id, i: 'dots', label: t('rowMenu', { id: row.id }), 'aria-haspopup': 'menu', 'aria-expanded': false })}</td></tr>`;
}
cards.row = id => { const row = rowById(id); return `<b>${esc(row.customer)}</b>${row.from} → ${row.to}<br>${row.carrier}, ${t(row.status)}`; };
function pagerBar(total) {
  const last = Math.max(0, Math.ceil(total / fleet.size) - 1), first = fleet.page * fleet.size;
  return `<span class="hint">${t('showing', { a: Math.min(first + 1, total), b: Math.min(first + fleet.size, total), n: total })}</span><span class="grow"></span><select data-change="pageSize" data-key="pageSize" aria-label="${t('perPage')}">${options([8, 12, 24].map(n => [n, t('rows', { n })]), fleet.size)}</select>
    ${button('turnPage', { id: -1, i: 'chevron', turn: 'left', label: t('prevPage'), disabled: fleet.page === 0 })}${button('turnPage', { id: 1, i: 'chevron', turn: 'right', label: t('nextPage'), disabled: fleet.page >= last })}`;
}
function bulkBar() {
  return `${button('clearSelection', { i: 'x', label: t('clearSelection') })}<b>${t('selected', { n: fleet.picked.length })}</b><span class="grow"></span>
    ${button('bulkAssign', { i: 'truck', text: t('assign'), 'aria-haspopup': 'menu', 'aria-expanded': false })}${button('bulkDelivered', { i: 'check', text: t('markDelivered') })}${button('bulkArchive', { i: 'archive', text: t('archive') })}`;
}
function renderShipments() {
  const rows = shownRows();
  fleet.page = Math.min(fleet.page, Math.max(0, Math.ceil(rows.length / fleet.size) - 1));
  fleet.picked = fleet.picked.filter(rowById);
  const some = fleet.picked.length, page = pageRows();
  const count = status => fleet.rows.filter(row => matchesFilters(row) && (status === 'all' || row.status === status)).length;
  $('#summary').textContent = t('shipSummary', { n: fleet.rows.filter(row => row.status !== 'delivered').length, d: fleet.rows.filter(row => row.status === 'delayed').length });
  $('#export-text').textContent = some ? t('exportSome', { n: some }) : t('exportAll', { n: rows.length });
  paint($('#tabs'), ['all', ...Object.keys(STATES)].map(id => tab('statusTab', id, t(id), count(id), fleet.status === id)).join(''));
  paint($('#chips'), [[fleet.carrier, 'carrier'], [fleet.query, 'query']].filter(([text]) => text).map(([text, id]) => `<span class="chip">${esc(text)}${button('dropChip', { id, i: 'x', label: t('dropChip', { c: text }), cls: 'icon-btn small' })}</span>`).join(''));
  paint($('#bulk'), bulkBar());
  $('#bulk').hidden = !some;
  $('#filters').hidden = !!some;
  paint($('#thead'), tableHead(page));
  paint($('#tbody'), page.map(tableRow).join('') || `<tr><td colspan="9" class="empty">${t('noRows')}</td></tr>`);
  paint($('#pager'), pagerBar(rows.length));
  renderDrawer();
}
function startShipments() {
  $('#carrier').innerHTML = options([['', t('anyCarrier')], ...CARRIERS.map(name => [name, name])], '');
  if (innerHeight >= 1000) fleet.size = 12;
  $('#scroller').addEventListener('scroll', event => event.target.classList.toggle('scrolled', event.target.scrollTop > 0));
  renderShipments();
}
const setFleet = patch => { Object.assign(fleet, patch); renderShipments(); };
inputs.rowSearch = el => setFleet({ query: el.value.trim(), page: 0 });
changes.carrier = el => setFleet({ carrier: el.value, page: 0 });
changes.pageSize = el => setFleet({ size: +el.value, page: 0 });
actions.statusTab = el => setFleet({ status: el.dataset.id, page: 0 });
actions.turnPage = el => setFleet({ page: fleet.page + +el.dataset.id });
actions.sortRows = el => setFleet({ dir: fleet.sort === el.dataset.id ? -fleet.dir : 1, sort: el.dataset.id });
actions.dropChip = el => {
  const field = el.dataset.id === 'query' ? $('#row-search') : $('#carrier');
  field.value = '';
  field.dispatchEvent(new Event(el.dataset.id === 'query' ? 'input' : 'change', { bubbles: true }));
};
changes.pickRow = el => { toggleIn(fleet.picked, el.dataset.id); renderShipments(); };
changes.pickAll = el => { const ids = pageRows().map(row => row.id); setFleet({ picked: [...fleet.picked.filter(id => !ids.includes(id)), ...(el.checked ? ids : [])] }); };
holds.row = el => { toggleIn(fleet.picked, el.dataset.id); renderShipments(); };
actions.clearSelection = () => setFleet({ picked: [] });
actions.exportRows = () => toast(t('exported', { n: fleet.picked.length || shownRows().length }));
const eachPicked = change => fleet.picked.forEach(id => change(rowById(id)));
actions.bulkAssign = el => openMenu(el, t('assign'), CARRIERS.map(c => ({
  text: c, i: 'truck', run: () => undoable(t('assigned', { n: fleet.picked.length, c }), fleet, renderShipments, () => { eachPicked(row => { row.carrier = c; }); fleet.picked = []; }),
})));
actions.bulkDelivered = () => undoable(t('markedDelivered', { n: fleet.picked.length }), fleet, renderShipments, () => { eachPicked(row => { row.status = 'delivered'; }); fleet.picked = []; });
const archiveRows = ids => undoable(t('archived', { n: ids.length > 1 ? ids.length : ids[0] }), fleet, renderShipments, () => { fleet.rows = fleet.rows.filter(row => !ids.includes(row.id)); });
actions.bulkArchive = () => archiveRows(fleet.picked);
function toggleWatch(id) {
  const on = toggleIn(fleet.watched, id);
  renderShipments();
  toast(t(on ? 'watching' : 'unwatched', { id }));
}
const rowMenuItems = row => [
  { text: t('openRow'), i: 'box', run: () => setFleet({ detail: row.id }) },
  { text: t('editNote'), i: 'pencil', disabled: !shownColumns().includes('note'), run: () => doubles.note($(`[data-dbl][data-id="${row.id}"]`)) },
  { text: t(fleet.watched.includes(row.id) ? 'unwatch' : 'watch'), i: 'star', run: () => toggleWatch(row.id) },
];
actions.rowMenu = el => {
  const row = rowById(el.dataset.id);
  openMenu(el, t('rowMenu', { id: row.id }), [...rowMenuItems(row), '-', { text: t('archive'), i: 'archive', run: () => archiveRows([row.id]) }, { text: t('deleteForGood'), i: 'bin', warn: true, run: () => askDelete(row.id) }]);
};
contexts.row = (el, point) => {
  const row = rowById(el.dataset.id);
  openMenu(point, t('rowMenu', { id: row.id }), [
    { text: t('copyId'), i: 'copy', run: () => toast(t('copied', { x: row.id })) },
    { text: t('filterCustomer', { c: row.customer }), i: 'search', run: () => { $('#row-search').value = row.customer; $('#row-search').dispatchEvent(new Event('input', { bubbles: true })); } },
    { text: t('selectRow', { id: row.id }), i: 'check', run: () => holds.row(el) }, '-', ...rowMenuItems(row),
  ]);
};
doubles.note = el => {
  const row = rowById(el.dataset.id);
  editInPlace(el, t('editNote'), row.note, note => {
    const changed = note !== row.note;
    if (changed) undoable(t('noteSaved', { id: row.id }), fleet, renderShipments, () => { row.note = note; });
    else renderShipments();
  });
};
function askDelete(id) {
  openDialog(t('deleteTitle', { id }), `<form data-submit="deleteRow" data-id="${id}"><label>${t('typeId', { id })}<input name="id" autocomplete="off" data-input="deleteId"></label><div class="ends">${button('closeDialog', { text: t('cancel'), id: 'cancel' })}<button type="submit" class="danger" disabled>${t('deleteNow')}</button></div></form>`);
}
inputs.deleteId = el => { $('[type=submit]', el.form).disabled = el.value.trim() !== el.form.dataset.id; };
submits.deleteRow = form => {
  closeDialog();
  setFleet({ rows: fleet.rows.filter(row => row.id !== form.dataset.id), detail: null });
  toast(t('deleted', { id: form.dataset.id }));
};
actions.newShipment = () => openDialog(t('newShipment'), `<form data-submit="newShipment" novalidate><label>${t('customer')}<input name="customer" autocomplete="off"><span class="error" data-error="customer"></span></label>
  <div class="two"><label>${t('destination')}<select name="to">${options(HUBS.map(hub => [hub, hub]), HUBS[0])}</select></label><label>${t('weight')} (kg)<input name="kg" inputmode="numeric" autocomplete="off"><span class="error" data-error="kg"></span></label></div>${dialogEnds(t('create'))}</form>`);
/** Shows the message at the field when the field is not valid; returns whether it is. */
function check(form, name, valid, message) {
  form.elements[name].setAttribute('aria-invalid', !valid);
  $(`[data-error=${name}]`, form).textContent = valid ? '' : message;
  return valid;
}
submits.newShipment = form => {
  const { customer, to, kg } = form.elements;
  const named = check(form, 'customer', customer.value.trim(), t('needText')), weighed = check(form, 'kg', +kg.value >= 1 && +kg.value <= 24000, t('needWeight'));
  if (!named || !weighed) return;
  const row = { ...makeRow(0), id: `QL-${4824 + 7 * fleet.rows.filter(other => other.id > 'QL-4817').length}`, customer: customer.value.trim(), to: to.value, from: HUBS.find(hub => hub !== to.value), kg: +kg.value, status: 'transit', note: '' };
  closeDialog();
  undoable(t('created', { id: row.id }), fleet, renderShipments, () => { fleet.rows.unshift(row); });
};
function chooserPanel() {
  return `<h2>${t('columns')}</h2><ul>${fleet.columns.map(([id, on]) => `<li data-column="${id}">${button('columnDown', { id, i: 'grip', label: t('moveColumn', { c: t(id) }), cls: 'icon-btn small grip', 'data-drag': 'column', 'data-arrow': 'column' })}<label><input type="checkbox" data-change="column" data-id="${id}" data-key="col:${id}"${on ? ' checked' : ''}>${t(id)}</label></li>`).join('')}</ul>`;
}
actions.columnChooser = el => openLayer(el, 'dialog', t('columns'), chooserPanel(), 'panel chooser');
changes.column = el => { fleet.columns.find(([id]) => id === el.dataset.id)[1] = el.checked; renderShipments(); };
function moveColumn(id, to) {
  const at = fleet.columns.findIndex(([other]) => other === id);
  if (!fleet.columns[to]) return;
  const redraw = () => { renderShipments(); if (layer) paint(layer.el, chooserPanel()); };
  undoable(t('columnMoved', { c: t(id) }), fleet, redraw, () => { fleet.columns.splice(to, 0, ...fleet.columns.splice(at, 1)); });
}
const columnIndex = id => fleet.columns.findIndex(([other]) => other === id);
actions.columnDown = el => moveColumn(el.dataset.id, (columnIndex(el.dataset.id) + 1) % fleet.columns.length);
drags.column = (el, event) => dragItem(event, el.closest('li'), t(el.dataset.id), '[data-column]', target => moveColumn(el.dataset.id, columnIndex(target.dataset.column)));
arrows.column = (el, key, step) => moveColumn(el.dataset.id, columnIndex(el.dataset.id) + step);

function renderDrawer() {
  const row = rowById(fleet.detail), drawer = $('#drawer');
  drawer.hidden = !row;
  if (!row) return;
  const list = shownRows(), at = list.indexOf(row), on = fleet.watched.includes(row.id);
  const facts = [['customer', esc(row.customer)], ['route', `${row.from} → ${row.to}`], ['carrier', row.carrier], ['status', statusPill(row.status)], ['eta', dateText(row.eta)], ['weight', `${number(row.kg)} kg`], ['note', esc(row.note || t('noNote'))]];
  const steps = [['booked', row.eta - 6], ['pickedUp', row.eta - 4], ['atHub', row.eta - 2]];
  paint(drawer, `<header><h2>${row.id}</h2>${button('stepRow', { id: -1, i: 'chevron', turn: 'left', label: t('prevShipment'), disabled: at <= 0 })}${button('stepRow', { id: 1, i: 'chevron', turn: 'right', label: t('nextShipment'), disabled: at < 0 || at >= list.length - 1 })}
    ${button('watchRow', { i: 'star', label: t(on ? 'unwatch' : 'watch'), cls: 'icon-btn star', 'aria-pressed': on })}${button('closeDrawer', { i: 'x', label: t('closePanel') })}</header>
    <dl class="facts">${facts.map(([key, value]) => `<dt>${t(key)}</dt><dd>${value}</dd>`).join('')}</dl>
    ${button('toggleHistory', { i: 'chevron', turn: 'flip', text: t('history'), cls: 'ghost disclose', 'aria-expanded': fleet.historyOpen })}
    ${fleet.historyOpen ? `<ul class="steps">${steps.map(([key, day]) => `<li>${t(key)}, ${row.from}<small>${dateText(Math.min(day, 0))}</small></li>`).join('')}</ul>` : ''}
    <div class="tools">${button('archiveOne', { i: 'archive', text: t('archive') })}${button('deleteOne', { i: 'bin', text: t('deleteForGood') })}</div>`);
}
actions.openRow = el => setFleet({ detail: fleet.detail === el.dataset.id ? null : el.dataset.id });
actions.closeDrawer = () => { if (fleet.detail && $('#drawer')) setFleet({ detail: null }); };
actions.stepRow = el => { const list = shownRows(); setFleet({ detail: list[list.indexOf(rowById(fleet.detail)) + +el.dataset.id].id }); };
actions.watchRow = () => toggleWatch(fleet.detail);
actions.toggleHistory = () => setFleet({ historyOpen: !fleet.historyOpen });
actions.archiveOne = () => archiveRows([fleet.detail]);
actions.deleteOne = () => askDelete(fleet.detail);

/* ---------- Alerts ---------- */

const SIGNS = { bad: 'warnSign', warn: 'warnSign', info: 'infoSign' };
const makeAlert = (id, severity, place, time, title, text, more = {}) => ({ id, severity, place, time, title: say(title), text: say(text), state: 'active', owner: '', muted: false, open: false, ...more });
const makeRule = (id, name, value, min, max, unit, on = true) => ({ id, name: say(name), value, min, max, unit, on });
const desk = {
  tab: 'active', query: '', severity: '',
  alerts: [
    makeAlert(1, 'bad', 'Oststein', '13:52', ['Hub above 95 % capacity', 'Hub über 95 % Auslastung'], ['1,940 of 1,980 slots are taken. Inbound trucks queue for 40 minutes.', '1.940 von 1.980 Plätzen belegt. Lkw warten 40 Minuten.']),
    makeAlert(2, 'bad', 'Port Avery', '13:41', ['Cold chain above 6 °C', 'Kühlkette über 6 °C'], ['Container SK-77 has been at 7.4 °C for 18 minutes.', 'Container SK-77 liegt seit 18 Minuten bei 7,4 °C.']),
    makeAlert(3, 'warn', 'Castelmar', '13:20', ['Customs queue longer than 3 h', 'Zollstau länger als 3 h'], ['12 shipments wait for papers, 3 of them are express.', '12 Sendungen warten auf Papiere, davon 3 Express.'], { owner: 'Jonas Okafor' }),
    makeAlert(4, 'warn', 'Selkie Sea', '12:58', ['Sailing moved by 5 h', 'Abfahrt um 5 h verlegt'], ['The 15:00 sailing leaves at 20:00 because of strong wind.', 'Die Abfahrt um 15:00 ist wegen Sturms erst um 20:00.']),
    makeAlert(5, 'info', 'Wexbridge', '12:30', ['Scanner battery low at gate 4', 'Scanner-Akku an Tor 4 schwach'], ['Two handhelds are below 10 %.', 'Zwei Geräte liegen unter 10 %.']),
    makeAlert(6, 'warn', 'Lindholm', '11:47', ['Returns rate above 4 %', 'Retourenquote über 4 %'], ['4.6 % today, the usual rate is 2.9 %.', 'Heute 4,6 %, üblich sind 2,9 %.']),
    makeAlert(7, 'info', 'Tarn Road', '10:15', ['Three drivers near their hour limit', 'Drei Fahrer nahe der Lenkzeitgrenze'], ['They must rest before 16:30.', 'Sie müssen vor 16:30 Pause machen.'], { state: 'snoozed' }),
    makeAlert(8, 'warn', 'Oststein', '09:05', ['Dock 3 blocked', 'Tor 3 blockiert'], ['Waiting for the tow truck.', 'Der Abschleppwagen ist bestellt.'], { state: 'snoozed' }),
    makeAlert(9, 'bad', 'Lindholm', '08:12', ['Label printers offline', 'Etikettendrucker offline'], ['Restarted after the update.', 'Nach dem Update neu gestartet.'], { state: 'resolved', owner: 'Priya Venn' }),
  ],
  rules: [makeRule('load', ['Hub load', 'Hub-Auslastung'], 95, 60, 100, '%'), makeRule('delay', ['Delay on route', 'Verspätung auf Strecke'], 45, 10, 180, 'min'), makeRule('temp', ['Cold chain', 'Kühlkette'], 6, 2, 12, '°C'), makeRule('returns', ['Returns rate', 'Retourenquote'], 4, 1, 15, '%', false)],
  quiet: { on: false, from: '22:00', to: '06:00', critical: true },
};
let savedRules = structuredClone(desk.rules);
const alertById = id => desk.alerts.find(alert => alert.id === +id);
const ruleById = id => desk.rules.find(rule => rule.id === id);
const ownerName = owner => owner === 'me' ? t('me') : owner;

function alertButtons(alert) {
  const { id, owner, muted, open, state } = alert, a = alert.title;
  const main = { active: owner ? ['handOver', 'handOver', 'plain small'] : ['ack', 'ack', 'soft small'], snoozed: ['wake', 'wake', 'plain small'], resolved: ['wake', 'reopen', 'plain small'] }[state];
  return [
    button(main[0], { id, text: t(main[1]), label: `${t(main[1])}: ${a}`, cls: main[2], ...(main[0] === 'handOver' ? { 'aria-haspopup': 'menu', 'aria-expanded': false } : {}) }),
    state === 'active' ? button('snooze', { id, i: 'bellZ', label: `${t('snooze')}: ${a}`, tip: t('snooze'), 'aria-haspopup': 'menu', 'aria-expanded': false }) : '',
    state === 'active' ? button('resolve', { id, i: 'bellOk', label: `${t('resolve')}: ${a}`, tip: t('resolve'), disabled: !owner, title: owner ? undefined : t('resolveFirst'), 'aria-haspopup': 'dialog' }) : '',
    button('mute', { id, i: 'bellOff', label: `${t(muted ? 'unmute' : 'mute')}: ${alert.place}`, tip: t(muted ? 'unmute' : 'mute'), 'aria-pressed': muted }),
    button('foldAlert', { id, i: 'chevron', turn: 'flip', label: `${t('showMore')}: ${a}`, tip: t('showMore'), 'aria-expanded': open }),
  ].join('');
}
function alertCard(alert) {
  const { id, severity, place, time, title, text, owner, cause } = alert;
  const meta = [t(severity), place, time, owner && t('owner', { p: ownerName(owner) }), cause && t(cause)].filter(Boolean).join(' · ');
  return `<article class="alert${alert.muted ? ' muted' : ''}" data-context="alert" data-id="${id}" aria-labelledby="a-${id}"><span class="sev ${severity}">${icon(SIGNS[severity])}</span><div class="what"><h3 id="a-${id}">${esc(title)}</h3><p>${esc(meta)}</p></div><div class="acts">${alertButtons(alert)}</div>${alert.open ? `<p class="more">${esc(text)}</p>` : ''}</article>`;
}
function ruleCard(rule) {
  const { id, name, value, min, max, unit, on } = rule;
  return `<div class="rule${on ? '' : ' off'}" role="group" aria-label="${esc(name)}"><div class="row">${switchButton('toggleRule', name, on, { id })}${button('deleteRule', { id, i: 'bin', label: t('deleteRule', { r: name }), cls: 'icon-btn small' })}</div>
    <div class="row"><input type="range" data-input="threshold" data-id="${id}" data-key="range:${id}" aria-label="${esc(t('threshold', { r: name }))}" aria-valuetext="${value} ${unit}" min="${min}" max="${max}" value="${value}" style="--fill:${(value - min) / (max - min) * 100}%"${on ? '' : ' disabled'}><output>${t('above', { v: `${value} ${unit}` })}</output></div></div>`;
}
function quietCard() {
  const { on, from, to, critical } = desk.quiet, hours = ['06:00', '20:00', '22:00', '23:00'].map(hour => [hour, hour]), off = on ? '' : ' disabled';
  return `<header class="card-head"><h2 id="quiet-title">${t('quiet')}</h2>${button('toggleQuiet', { cls: 'switch', role: 'switch', 'aria-checked': on, label: t('quiet'), tip: '' }).replace('</button>', '<i></i></button>')}</header>
    <div class="quiet-body"><label>${t('from')}<select data-change="quietFrom" data-key="quietFrom"${off}>${options(hours, from)}</select></label><label>${t('to')}<select data-change="quietTo" data-key="quietTo"${off}>${options(hours, to)}</select></label><label><input type="checkbox" data-change="quietCritical" data-key="quietCritical"${critical ? ' checked' : ''}${off}>${t('letCritical')}</label></div>`;
}
function renderRules() {
  paint($('#rules'), desk.rules.map(ruleCard).join(''));
  $('#rule-count').textContent = t('ruleCount', { n: desk.rules.filter(rule => rule.on).length, m: desk.rules.length });
  renderSaveBar();
}
function renderSaveBar() {
  const changed = JSON.stringify(desk.rules) !== JSON.stringify(savedRules);
  if (changed && $('#rule-save').hidden) paint($('#rule-save'), `<b>${t('unsaved')}</b><span class="grow"></span>${button('discardRules', { i: 'x', label: t('discard') })}${button('saveRules', { i: 'check', text: t('save'), cls: 'primary' })}`);
  $('#rule-save').hidden = !changed;
}
function renderAlerts() {
  const { tab: current, query, severity } = desk;
  const count = state => desk.alerts.filter(alert => alert.state === state).length;
  const free = desk.alerts.filter(alert => alert.state === 'active' && !alert.owner).length;
  const list = desk.alerts.filter(alert => alert.state === current && (!severity || alert.severity === severity) && `${alert.title} ${alert.place}`.toLowerCase().includes(query));
  $('#alert-summary').textContent = t('alertSummary', { n: count('active'), m: free });
  $('#nav-alerts').textContent = count('active');
  $('#ack-all').disabled = !free;
  paint($('#tabs'), ['active', 'snoozed', 'resolved'].map(id => tab('alertTab', id, t(id), count(id), current === id)).join(''));
  paint($('#alerts'), list.map(alertCard).join('') || `<p class="empty">${t('noAlerts')}</p>`);
  renderRules();
  paint($('#quiet'), quietCard());
}
function startAlerts() {
  $('#severity').innerHTML = options([['', t('anySeverity')], ...Object.keys(SIGNS).map(key => [key, t(key)])], '');
  renderAlerts();
}
const setDesk = patch => { Object.assign(desk, patch); renderAlerts(); };
const changeAlert = (message, id, patch) => undoable(message, desk, renderAlerts, () => Object.assign(alertById(id), patch));
actions.alertTab = el => setDesk({ tab: el.dataset.id });
inputs.alertSearch = el => setDesk({ query: el.value.trim().toLowerCase() });
changes.severity = el => setDesk({ severity: el.value });
actions.ack = el => changeAlert(t('acked', { a: alertById(el.dataset.id).title }), el.dataset.id, { owner: 'me' });
actions.ackAll = () => {
  const free = desk.alerts.filter(alert => alert.state === 'active' && !alert.owner);
  undoable(t('ackAllDone', { n: free.length }), desk, renderAlerts, () => free.forEach(alert => { alert.owner = 'me'; }));
};
actions.handOver = el => openMenu(el, t('handOver'), PEOPLE.slice(1, 5).map(p => ({ text: p, i: 'people', checked: alertById(el.dataset.id).owner === p, run: () => changeAlert(t('handed', { p }), el.dataset.id, { owner: p }) })));
const snoozeMenu = (at, alert) => openMenu(at, t('snooze'), ['for30', 'for2h', 'tillShift'].map(key => ({ text: t(key), i: 'bellZ', run: () => changeAlert(t('snoozedMsg', { a: alert.title }), alert.id, { state: 'snoozed', cause: key }) })));
actions.snooze = el => snoozeMenu(el, alertById(el.dataset.id));
actions.wake = el => changeAlert(t('wokenMsg', { a: alertById(el.dataset.id).title }), el.dataset.id, { state: 'active', cause: '' });
function toggleMute(alert) {
  changeAlert(t(alert.muted ? 'unmutedMsg' : 'mutedMsg', { p: alert.place }), alert.id, { muted: !alert.muted });
}
actions.mute = el => toggleMute(alertById(el.dataset.id));
actions.foldAlert = el => { const alert = alertById(el.dataset.id); alert.open = !alert.open; renderAlerts(); };
contexts.alert = (el, point) => {
  const alert = alertById(el.dataset.id);
  openMenu(point, alert.title, [
    { text: t('snooze'), i: 'bellZ', disabled: alert.state !== 'active', run: () => snoozeMenu(point, alert) },
    { text: t('resolve'), i: 'bellOk', disabled: alert.state !== 'active' || !alert.owner, run: () => askCause(alert) },
    { text: t(alert.muted ? 'unmute' : 'mute'), i: 'bellOff', run: () => toggleMute(alert) },
  ]);
};
function askCause(alert) {
  const causes = ['c_weather', 'c_staff', 'c_tech', 'c_false'].map(key => [key, t(key)]);
  openDialog(`${t('resolve')}: ${alert.title}`, `<form data-submit="resolve" data-id="${alert.id}"><label>${t('cause')}<select name="cause" data-change="cause">${options([['', t('chooseCause')], ...causes], '')}</select></label>${dialogEnds(t('resolve'), ' disabled')}</form>`);
}
actions.resolve = el => askCause(alertById(el.dataset.id));
changes.cause = el => { $('[type=submit]', el.form).disabled = !el.value; };
submits.resolve = form => {
  closeDialog();
  changeAlert(t('resolvedMsg', { a: alertById(form.dataset.id).title }), form.dataset.id, { state: 'resolved', cause: form.elements.cause.value });
};
inputs.threshold = el => {
  const rule = ruleById(el.dataset.id);
  rule.value = +el.value;
  el.style.setProperty('--fill', `${(rule.value - rule.min) / (rule.max - rule.min) * 100}%`);
  el.setAttribute('aria-valuetext', `${rule.value} ${rule.unit}`);
  el.nextElementSibling.textContent = t('above', { v: `${rule.value} ${rule.unit}` });
  renderSaveBar();
};
actions.toggleRule = el => { const rule = ruleById(el.dataset.id); rule.on = !rule.on; renderRules(); };
actions.saveRules = () => { savedRules = structuredClone(desk.rules); renderRules(); toast(t('savedRules')); };
actions.discardRules = () => { desk.rules = structuredClone(savedRules); renderRules(); toast(t('discarded')); };
actions.deleteRule = el => {
  const rule = ruleById(el.dataset.id);
  if (!confirm(t('deleteRuleAsk', { r: rule.name }))) return;
  [desk.rules, savedRules] = [desk.rules, savedRules].map(list => list.filter(other => other.id !== rule.id));
  renderRules();
  toast(t('ruleDeleted', { r: rule.name }));
};
actions.newRule = () => openDialog(t('newRule'), `<form data-submit="newRule" novalidate><label>${t('ruleName')}<input name="name" autocomplete="off"><span class="error" data-error="name"></span></label><label>${t('ruleUnit')}<select name="unit">${options(['%', 'min', '°C', 'kg'].map(unit => [unit, unit]), '%')}</select></label>${dialogEnds(t('create'))}</form>`);
submits.newRule = form => {
  const name = form.elements.name.value.trim();
  if (!check(form, 'name', name, t('needName'))) return;
  const rule = makeRule(`own${desk.rules.length}-${name}`, [name, name], 50, 0, 100, form.elements.unit.value);
  desk.rules.push(rule);
  savedRules.push({ ...rule });
  closeDialog();
  renderRules();
  toast(t('ruleAdded', { r: name }));
};
actions.toggleQuiet = () => { desk.quiet.on = !desk.quiet.on; renderAlerts(); toast(t(desk.quiet.on ? 'quietOn' : 'quietOff')); };
changes.quietFrom = el => { desk.quiet.from = el.value; };
changes.quietTo = el => { desk.quiet.to = el.value; };
changes.quietCritical = el => { desk.quiet.critical = el.checked; };

/* ---------- Team ---------- */

const ROLES = ['manager', 'dispatcher', 'viewer'];
const RIGHTS = ['view', 'edit', 'delete', 'ack', 'rules'];
const DEFAULT_RIGHTS = { manager: ['view', 'edit', 'delete', 'ack', 'rules'], dispatcher: ['view', 'edit', 'ack'], viewer: ['view'] };
const SHIFTS = { early: '06:00', late: '14:00', night: '22:00' };
const mailOf = name => `${name.toLowerCase().replace(' ', '.')}@quaylark.example`;
const crew = {
  query: '', role: '', tab: 'dispatcher', rights: structuredClone(DEFAULT_RIGHTS),
  members: PEOPLE.map((name, id) => ({ id, name, role: ['owner_', 'manager', 'dispatcher', 'dispatcher', 'viewer', 'dispatcher', 'viewer'][id], shift: ['early', 'early', 'late', 'night', 'early', 'late', 'night'][id], lead: id === 1, paused: id === 6, seen: [0, 0, -1, -1, -3, -2, -21][id] })),
  invites: [['lena.marsh@halden.example', 'viewer', -2], ['t.oyelaran@quaylark.example', 'dispatcher', -5], ['r.fontane@quaylark.example', 'manager', -9]].map(([mail, role, sent]) => ({ mail, role, sent })),
};
const memberOf = el => crew.members.find(member => member.id === +el.dataset.id);
const inviteOf = el => crew.invites.find(invite => invite.mail === el.dataset.id);

function memberRow({ id, name, role, lead, paused }) {
  const owner = role === 'owner_', roles = owner ? ['owner_'] : ROLES;
  return `<div class="member${paused ? ' paused' : ''}" role="listitem" data-context="member" data-id="${id}">${avatar(name)}<div class="who" data-card="member:${id}"><b>${name}</b><small>${mailOf(name)}</small></div>
    ${paused ? `<span class="pill warn optional">${t('pausedTag')}</span>` : ''}${button('lead', { id, i: 'star', label: t(lead ? 'unlead' : 'lead', { p: name }), cls: 'icon-btn star', 'aria-pressed': lead })}
    <select data-change="memberRole" data-id="${id}" data-key="role:${id}" aria-label="${t('roleOf', { p: name })}"${owner ? ' disabled' : ''}>${options(roles.map(key => [key, t(key)]), role)}</select>
    ${button('memberMenu', { id, i: 'dots', label: t('memberMenu', { p: name }), 'aria-haspopup': 'menu', 'aria-expanded': false })}</div>`;
}
cards.member = id => { const { name, role, shift, seen } = crew.members.find(member => member.id === +id); return `<b>${name}</b>${t(role)} · ${t('shiftOf', { p: initials(name), s: t(shift) })}<br>${t('lastSeen', { d: dateText(seen) })}`; };
function inviteRow({ mail, role, sent, resent }) {
  return `<li><span class="who"><b>${esc(mail)}</b><small>${resent ? t('sentNow', { r: t(role) }) : t('sentOn', { r: t(role), d: dateText(sent) })}</small></span>${button('copyLink', { id: mail, i: 'link', label: t('copyLink', { m: mail }) })}${button('resend', { id: mail, i: 'again', label: t('resend', { m: mail }), disabled: resent })}${button('revoke', { id: mail, i: 'x', label: t('revoke', { m: mail }) })}</li>`;
}
function rightRow(right) {
  const has = name => crew.rights[crew.tab].includes(name), needs = { edit: 'view', delete: 'edit' }[right];
  return `<div class="perm">${switchButton('right', t(`p_${right}`), has(right), { id: right, disabled: needs && !has(needs) })}</div>`;
}
function lane(shift) {
  const people = crew.members.filter(member => member.shift === shift && !member.paused);
  return `<section class="lane" data-lane="${shift}" aria-label="${t(shift)}"><h3>${t(shift)}<span>${SHIFTS[shift]}</span></h3>${people.map(({ id, name }) => button('personMenu', { id, text: name, cls: 'person', label: t('shiftOf', { p: name, s: t(shift) }), 'data-drag': 'person', 'aria-haspopup': 'menu', 'aria-expanded': false }).replace('<span>', `${avatar(name)}<span>`)).join('')}</section>`;
}
function renderTeam() {
  const list = crew.members.filter(member => (!crew.role || member.role === crew.role) && member.name.toLowerCase().includes(crew.query));
  $('#team-summary').textContent = t('teamSummary', { n: crew.members.length, m: crew.members.filter(member => member.lead).length });
  $('#pending-count').textContent = t('open', { n: crew.invites.length });
  paint($('#members'), list.map(memberRow).join('') || `<p class="empty">${t('noMembers')}</p>`);
  paint($('#invites'), crew.invites.map(inviteRow).join('') || `<li>${t('noInvites')}</li>`);
  paint($('#role-tabs'), ROLES.map(id => tab('roleTab', id, t(id), undefined, crew.tab === id)).join(''));
  const changed = String(crew.rights[crew.tab]) !== String(DEFAULT_RIGHTS[crew.tab]);
  paint($('#perms'), `${RIGHTS.map(rightRow).join('')}${button('resetRole', { i: 'back', text: t('resetRole'), cls: 'ghost small', disabled: !changed })}`);
  paint($('#lanes'), Object.keys(SHIFTS).map(lane).join(''));
}
function startTeam() {
  $('#role-filter').innerHTML = options([['', t('anyRole')], ...ROLES.map(key => [key, t(key)])], '');
  renderTeam();
}
const setCrew = patch => { Object.assign(crew, patch); renderTeam(); };
const changeCrew = (message, change) => undoable(message, crew, renderTeam, change);
inputs.memberSearch = el => setCrew({ query: el.value.trim().toLowerCase() });
changes.roleFilter = el => setCrew({ role: el.value });
changes.memberRole = el => { const member = memberOf(el); changeCrew(t('roleSet', { p: member.name, r: t(el.value) }), () => { member.role = el.value; }); };
actions.lead = el => { const member = memberOf(el); changeCrew(t(member.lead ? 'leadOff' : 'leadOn', { p: member.name }), () => { member.lead = !member.lead; }); };
function memberMenu(at, member) {
  const { name: p, paused, role } = member, owner = role === 'owner_';
  openMenu(at, t('memberMenu', { p }), [
    { text: t('copyMail'), i: 'copy', run: () => toast(t('copied', { x: mailOf(p) })) },
    { text: t('resetPass'), i: 'again', run: () => toast(t('passSent', { m: mailOf(p) })) },
    { text: t(paused ? 'unpause' : 'pause'), i: paused ? 'back' : 'pause', disabled: owner, run: () => changeCrew(t(paused ? 'unpaused' : 'paused', { p }), () => { member.paused = !paused; }) },
    '-',
    { text: t('removeMember'), i: 'x', warn: true, disabled: owner, run: () => changeCrew(t('removed', { w: p }), () => { crew.members = crew.members.filter(other => other !== member); }) },
  ]);
}
actions.memberMenu = el => memberMenu(el, memberOf(el));
contexts.member = (el, point) => memberMenu(point, memberOf(el));
actions.copyLink = el => toast(t('copied', { x: `quaylark.example/join/${el.dataset.id.split('@')[0]}` }));
actions.resend = el => { inviteOf(el).resent = true; renderTeam(); toast(t('resent', { m: el.dataset.id })); };
actions.revoke = el => { const invite = inviteOf(el); changeCrew(t('revoked', { m: invite.mail }), () => { crew.invites = crew.invites.filter(other => other !== invite); }); };
actions.roleTab = el => setCrew({ tab: el.dataset.id });
actions.right = el => {
  const list = crew.rights[crew.tab], right = el.dataset.id, on = !list.includes(right), gone = { view: ['view', 'edit', 'delete'], edit: ['edit', 'delete'] }[right] || [right];
  changeCrew(t(on ? 'permOn' : 'permOff', { r: t(crew.tab), p: t(`p_${right}`) }), () => { crew.rights[crew.tab] = RIGHTS.filter(name => on ? list.includes(name) || name === right : list.includes(name) && !gone.includes(name)); });
};
actions.resetRole = () => changeCrew(t('roleReset', { r: t(crew.tab) }), () => { crew.rights[crew.tab] = [...DEFAULT_RIGHTS[crew.tab]]; });
const moveShift = (member, shift) => changeCrew(t('shiftMoved', { p: member.name, s: t(shift) }), () => { member.shift = shift; });
actions.personMenu = el => {
  const member = memberOf(el);
  openMenu(el, member.name, Object.keys(SHIFTS).map(shift => ({ text: t('moveTo', { s: t(shift) }), checked: member.shift === shift, disabled: member.shift === shift, run: () => moveShift(member, shift) })));
};
drags.person = (el, event) => {
  const member = memberOf(el);
  dragItem(event, el, member.name, '[data-lane]', target => { if (target.dataset.lane !== member.shift) moveShift(member, target.dataset.lane); });
};

// Invitation in two steps: addresses first, then role and hubs; the same button first says Next, then Send.
let wizard = null;
function inviteForm() {
  const { mails, step, role, hubs } = wizard;
  const chips = mails.map(mail => `<span class="chip">${esc(mail)}${button('dropMail', { id: mail, i: 'x', label: t('dropMail', { m: mail }), cls: 'icon-btn small' })}</span>`).join('');
  const first = `<label>${t('mail')}<span class="adder"><input name="mail" type="email" autocomplete="off" data-key="mail" placeholder="name@quaylark.example">${button('addMail', { i: 'plus', label: t('addMail'), cls: 'plain' })}</span><span class="error" data-error="mail"></span></label><div class="chips">${chips}</div>`;
  const second = `<fieldset><legend>${t('role')}</legend>${ROLES.map(key => `<label class="row"><input type="radio" name="role" value="${key}" data-change="wizardRole"${key === role ? ' checked' : ''}>${t(key)}</label>`).join('')}</fieldset><fieldset><legend>${t('hubsAccess')}</legend>${HUBS.map(hub => `<label class="row"><input type="checkbox" value="${hub}" data-change="wizardHub"${hubs.includes(hub) ? ' checked' : ''}>${hub}</label>`).join('')}</fieldset>`;
  const left = step ? button('wizardBack', { text: t('back') }) : button('closeDialog', { text: t('cancel'), id: 'cancel' });
  return `${step ? second : first}<div class="ends">${left}${button('wizardNext', { text: step ? t('sendN', { n: mails.length }) : t('next'), cls: 'primary', disabled: !mails.length || (step && !hubs.length) })}</div>`;
}
const paintWizard = () => paint($('dialog form'), inviteForm());
actions.invite = () => {
  wizard = { mails: [], step: 0, role: 'dispatcher', hubs: [HUBS[0]] };
  openDialog(t('inviteTitle'), `<form data-submit="addMail" novalidate>${inviteForm()}</form>`);
};
submits.addMail = form => {
  const mail = form.elements.mail?.value.trim();
  if (mail === undefined || !check(form, 'mail', /^[^@\s]+@[^@\s]+\.\w+$/.test(mail), t('badMail'))) return;
  if (!wizard.mails.includes(mail)) wizard.mails.push(mail);
  paintWizard();
  $('dialog [name=mail]').focus();
};
actions.addMail = el => submits.addMail(el.form);
actions.dropMail = el => { wizard.mails = wizard.mails.filter(mail => mail !== el.dataset.id); paintWizard(); };
actions.wizardBack = () => { wizard.step = 0; paintWizard(); };
changes.wizardRole = el => { wizard.role = el.value; };
changes.wizardHub = el => { toggleIn(wizard.hubs, el.value); $('[data-act=wizardNext]').disabled = !wizard.hubs.length; };
actions.wizardNext = () => {
  const { mails, role } = wizard;
  if (!wizard.step) { wizard.step = 1; paintWizard(); return; }
  closeDialog();
  changeCrew(t('invited', { n: mails.length }), () => { crew.invites.unshift(...mails.map(mail => ({ mail, role, sent: 0, resent: true }))); });
};

/* ---------- Start ---------- */

translatePage();
setSide(innerWidth > 1120);
listen();
({ overview: startOverview, shipments: startShipments, alerts: startAlerts, team: startTeam })[document.body.dataset.page]();
