'use strict';
/* Alderwyn, a demo shop. State lives in memory; links carry it to the next page in the query string. */

// ---------- Language: 'English|Deutsch', plural forms split by '~' ----------
const TEXT = {
  home: 'Alderwyn, to the catalogue|Alderwyn, zum Katalog', skip: 'Skip to content|Zum Inhalt', departments: 'Departments|Abteilungen',
  all: 'All|Alle', pots: 'Pots and plants|Töpfe und Pflanzen', light: 'Lighting|Leuchten', furniture: 'Furniture|Möbel',
  textile: 'Textiles|Textilien', tools: 'Garden|Garten', menu: 'Menu|Menü', search: 'Search products|Produkte suchen',
  clearSearch: 'Clear search|Suche leeren', wishList: 'Wish list|Wunschliste', openWish: 'Open wish list ({0})|Wunschliste öffnen ({0})',
  account: 'Account|Konto', cartLink: 'Cart ({0})|Warenkorb ({0})', orders: 'My orders|Meine Bestellungen', alerts: 'Delivery alerts|Lieferhinweise',
  alertsOn: 'Delivery alerts switched on|Lieferhinweise eingeschaltet', alertsOff: 'Delivery alerts switched off|Lieferhinweise ausgeschaltet',
  signOut: 'Sign out|Abmelden', signIn: 'Sign in|Anmelden', signedOut: 'You are signed out|Sie sind abgemeldet',
  signedIn: 'Welcome back, Mara|Willkommen zurück, Mara',
  ordersText: 'Order 20417 · 3 May 2026 · delivered. Order 19880 · 11 April 2026 · delivered.|Bestellung 20417 · 3. Mai 2026 · zugestellt. Bestellung 19880 · 11. April 2026 · zugestellt.',
  close: 'Close|Schließen', dismiss: 'Dismiss message|Meldung schließen', undo: 'Undo|Rückgängig', cancel: 'Cancel|Abbrechen',
  save: 'Save|Speichern', myWish: 'My wish list|Meine Wunschliste', renameHint: 'Double-click to rename|Zum Umbenennen doppelklicken',
  closeWish: 'Close wish list|Wunschliste schließen',
  wishEmpty: 'Nothing here yet. Tap a heart to keep something.|Noch leer. Ein Herz merkt ein Produkt vor.',
  allToCart: 'Add all to cart|Alle in den Warenkorb', moveItem: 'Move {0}|{0} verschieben',
  unwish: 'Take {0} off the wish list|{0} von der Wunschliste nehmen', wish: 'Add {0} to the wish list|{0} auf die Wunschliste',
  wished: '{0} is on your wish list|{0} steht auf der Wunschliste', unwished: '{0} left your wish list|{0} ist nicht mehr auf der Wunschliste',
  renamed: 'List renamed to “{0}”|Liste heißt jetzt „{0}“', filters: 'Filters|Filter', price: 'Price|Preis',
  minPrice: 'Lowest price|Mindestpreis', maxPrice: 'Highest price|Höchstpreis', colour: 'Colour|Farbe', material: 'Material|Material',
  rating: 'Rating|Bewertung', availability: 'Availability|Verfügbarkeit', inStock: 'In stock only|Nur verfügbare', onOffer: 'On offer|Im Angebot',
  offer: 'Offer|Angebot', promoTitle: 'Spring week|Frühlingswoche', dismissOffer: 'Hide this offer|Angebot ausblenden',
  promoText: '10 % off everything with the code SPRING10 in your cart.|10 % auf alles mit dem Code SPRING10 im Warenkorb.',
  select: 'Select|Auswählen', layout: 'Layout|Ansicht', gridView: 'Show as grid|Als Raster zeigen', listView: 'Show as list|Als Liste zeigen',
  activeFilters: 'Active filters|Aktive Filter', products: 'Products|Produkte', backToTop: 'Back to top|Nach oben', selection: 'Selection|Auswahl',
  allTitle: 'Home and garden|Haus und Garten', nProducts: '{0} product~{0} products|{0} Produkt~{0} Produkte',
  atLeast: '{0} stars and up|Ab {0} Sternen', removeFilter: 'Remove filter {0}|Filter {0} entfernen', clearAll: 'Clear all|Alle löschen',
  upTo: '{0} to {1}|{0} bis {1}', sortBy: 'Sort: {0}|Sortiert: {0}', s_popular: 'Popular|Beliebt', s_price: 'Price|Preis', s_name: 'Name|Name',
  s_rating: 'Rating|Bewertung', ascending: 'Ascending, switch to descending|Aufsteigend, auf absteigend umschalten',
  descending: 'Descending, switch to ascending|Absteigend, auf aufsteigend umschalten',
  nothing: 'Nothing matches these filters.|Zu diesen Filtern passt nichts.', moreN: 'Show {0} more|{0} weitere zeigen',
  quickView: 'Quick view of {0}|Schnellansicht von {0}', addOne: 'Add {0} to cart|{0} in den Warenkorb', more1: 'One more {0}|Ein Stück mehr: {0}',
  less1: 'One {0} less|Ein Stück weniger: {0}', takeOut: 'Take {0} out of the cart|{0} aus dem Warenkorb nehmen',
  added: '{0} added to cart|{0} liegt im Warenkorb', takenOut: '{0} taken out of the cart|{0} aus dem Warenkorb genommen',
  soldOut: 'Sold out|Ausverkauft', notify: 'Tell me when {0} is back|Benachrichtigen, wenn {0} wieder da ist',
  notifyOn: 'We will write when {0} is back|Wir schreiben, sobald {0} wieder da ist', notifyOff: 'No message about {0}|Keine Nachricht zu {0}',
  showIn: '{0} in {1}|{0} in {1}', open: 'Open product page|Produktseite öffnen', view: 'Quick view|Schnellansicht',
  wishAdd: 'Add to wish list|Auf die Wunschliste', wishDrop: 'Take off wish list|Von der Wunschliste nehmen', selectThis: 'Select|Auswählen',
  hide: 'Hide from results|Aus der Liste ausblenden', hidden: '{0} is hidden|{0} ist ausgeblendet', selected: '{0} selected|{0} ausgewählt',
  selectItem: 'Select {0}|{0} auswählen', selectAll: 'Select all|Alle auswählen',
  wishSelected: 'Selected to the wish list|Auswahl auf die Wunschliste', cartSelected: 'Selected to the cart|Auswahl in den Warenkorb',
  compare: 'Compare|Vergleichen', endSelect: 'End selection|Auswahl beenden',
  nWished: '{0} product put on the wish list~{0} products put on the wish list|{0} Produkt auf der Wunschliste~{0} Produkte auf der Wunschliste',
  nAdded: '{0} product added to cart~{0} products added to cart|{0} Produkt in den Warenkorb gelegt~{0} Produkte in den Warenkorb gelegt',
  breadcrumb: 'Breadcrumb|Pfad', gallery: 'Pictures|Bilder', views: 'Views|Ansichten', goodToKnow: 'Good to know|Gut zu wissen',
  details: 'Details|Details', care: 'Care|Pflege', deliveryReturns: 'Delivery and returns|Lieferung und Rückgabe',
  origin: 'Where it is made|Wo es entsteht',
  careText: 'Wipe with a soft, damp cloth. Keep out of strong sun for long periods, and away from frost in winter.|Mit einem weichen, feuchten Tuch abwischen. Nicht dauerhaft in die pralle Sonne stellen und im Winter vor Frost schützen.',
  deliveryText: 'Standard delivery takes three to five working days and is free from €250. You may return anything within 60 days.|Der Standardversand dauert drei bis fünf Werktage und ist ab 250 € frei. Rückgabe ist 60 Tage lang möglich.',
  originText: 'Made in small runs by a family workshop that we visit twice a year.|In kleinen Auflagen von einer Familienwerkstatt gefertigt, die wir zweimal im Jahr besuchen.',
  opinions: 'What customers say|Das sagen andere', reviews: 'Reviews|Bewertungen', questions: 'Questions|Fragen',
  writeReview: 'Write a review|Bewertung schreiben', filterByStars: 'Filter reviews by stars|Bewertungen nach Sternen filtern',
  searchReviews: 'Search reviews|Bewertungen durchsuchen', clearReviewSearch: 'Clear review search|Bewertungssuche leeren',
  reviewList: 'Review list|Liste der Bewertungen', backToFirst: 'Back to the first review|Zur ersten Bewertung',
  goesWith: 'Goes well with|Passt gut dazu', earlierProducts: 'Previous products|Vorige Produkte', moreProducts: 'Next products|Nächste Produkte',
  v_front: 'Front|Vorderseite', v_detail: 'Close-up|Nahaufnahme', v_room: 'In a room|Im Raum', v_size: 'Dimensions|Maße',
  prevView: 'Previous picture|Voriges Bild', nextView: 'Next picture|Nächstes Bild', zoomIn: 'Zoom in|Vergrößern', zoomOut: 'Zoom out|Verkleinern',
  dayEvening: 'Day and evening|Tag und Abend', day: 'Day|Tag', evening: 'Evening|Abend', size: 'Size|Größe', quantity: 'Quantity|Menge',
  more: 'More pieces|Mehr', fewer: 'Fewer pieces|Weniger', addToCart: 'Add to cart|In den Warenkorb', addMore: 'Add again|Noch einmal hinzufügen',
  viewCart: 'View cart|Warenkorb ansehen', share: 'Share|Teilen', copyLink: 'Copy link|Link kopieren', linkCopied: 'Link copied|Link kopiert',
  mailLink: 'Send to a friend|An Freunde senden', mailed: 'A message with the link is ready|Nachricht mit Link vorbereitet',
  reviewsN: '{0} review~{0} reviews|{0} Bewertung~{0} Bewertungen', left: 'In stock, {0} left|Verfügbar, noch {0} Stück',
  zipAsk: 'Your postcode|Ihre Postleitzahl', zipCheck: 'Check delivery|Lieferung prüfen', zipGood: 'Arrives on {0}|Kommt am {0}',
  zipBad: 'Please enter five digits|Bitte fünf Ziffern eingeben',   starsN: '{0} star~{0} stars|{0} Stern~{0} Sterne', helpful: 'Helpful ({0})|Hilfreich ({0})', notHelpful: 'Not helpful ({0})|Nicht hilfreich ({0})',
  reviewMore: 'More about the review by {0}|Mehr zur Bewertung von {0}', report: 'Report|Melden', hideReview: 'Hide|Ausblenden',
  reported: 'Thank you, we will check the review by {0}|Danke, wir prüfen die Bewertung von {0}',
  reviewHidden: 'Review by {0} is hidden|Bewertung von {0} ist ausgeblendet', noReviews: 'No review matches.|Keine passende Bewertung.',
  yourReview: 'Your review|Ihre Bewertung', reviewText: 'What did you like?|Was hat Ihnen gefallen?', publish: 'Publish|Veröffentlichen',
  reviewThanks: 'Your review is published|Ihre Bewertung ist veröffentlicht', you: 'You|Sie', answers: 'Answered by Alderwyn|Antwort von Alderwyn',
  verified: 'Verified purchase|Geprüfter Kauf', yourCart: 'Your cart|Ihr Warenkorb',
  savedForLater: 'Saved for later|Für später gemerkt', dragHint: 'Drag a line by its handle to move it|Zeilen am Griff verschieben',
  summary: 'Summary|Übersicht', delivery: 'Delivery|Lieferung', voucher: 'Voucher|Gutschein', giftWrap: 'Gift wrap|Geschenkverpackung',
  giftWrapPrice: 'Gift wrap, €3.50|Geschenkverpackung, 3,50 €', ribbon: 'Ribbon|Schleife', ribbonIn: 'Ribbon in {0}|Schleife in {0}',
  giftText: 'Card message|Kartentext', toCheckout: 'Go to checkout|Zur Kasse', nItems: '{0} item~{0} items|{0} Artikel~{0} Artikel',
  later: 'Save {0} for later|{0} für später merken', remove: 'Remove {0}|{0} entfernen', removed: '{0} removed|{0} entfernt',
  savedMsg: '{0} saved for later|{0} für später gemerkt', back: 'Put {0} back in the cart|{0} zurück in den Warenkorb',
  backMsg: '{0} is back in the cart|{0} liegt wieder im Warenkorb', forGood: 'Delete {0} for good|{0} endgültig löschen',
  forGoodAsk: 'Delete {0} for good? This cannot be undone.|{0} endgültig löschen? Das lässt sich nicht rückgängig machen.', del: 'Delete|Löschen',
  deleted: '{0} deleted|{0} gelöscht', emptyCart: 'Empty the cart|Warenkorb leeren', emptyAsk: 'Empty the whole cart?|Den ganzen Warenkorb leeren?',
  emptied: 'The cart is empty now|Der Warenkorb ist jetzt leer', removeSel: 'Remove {0} selected|{0} ausgewählte entfernen',
  laterSel: 'Save {0} selected for later|{0} ausgewählte für später merken', noLines: 'Your cart is empty.|Ihr Warenkorb ist leer.',
  noSaved: 'Nothing saved. Drop a line here to keep it.|Nichts gemerkt. Ziehen Sie eine Zeile hierher.', addNote: 'Add a note|Notiz hinzufügen',
  noteHint: 'Double-click to edit the note|Doppelklick bearbeitet die Notiz', each: '{0} each|je {0}',
  toFree: '{0} more for free delivery|Noch {0} bis zum freien Versand', isFree: 'Standard delivery is free|Der Standardversand ist frei',
  standard: 'Standard|Standard', express: 'Express|Express', pickup: 'Collect|Abholen', d_standard: '3–5 working days|3–5 Werktage',
  d_express: 'Next working day|Nächster Werktag', d_pickup: 'Shop on Mill Lane|Laden am Mühlweg', free: 'Free|Frei',
  code: 'Voucher code|Gutscheincode', apply: 'Apply|Einlösen', badCode: 'We do not know this code|Diesen Code kennen wir nicht',
  codeOn: '{0}: 10 % off|{0}: 10 % Rabatt', removeCode: 'Remove voucher {0}|Gutschein {0} entfernen', subtotal: 'Subtotal|Zwischensumme',
  discount: 'Discount|Rabatt', donation: 'Donation for trees|Baumspende', total: 'Total|Gesamt', vat: 'including VAT|inkl. MwSt.',
  checkout: 'Checkout|Kasse', progress: 'Progress|Fortschritt', st_address: 'Address|Adresse', st_delivery: 'Delivery|Lieferung',
  st_payment: 'Payment|Zahlung', st_review: 'Review|Prüfen', whereTo: 'Where shall it go?|Wohin soll es gehen?',
  savedAddresses: 'Saved addresses|Gespeicherte Adressen', useAddress: 'Use address {0}|Adresse {0} verwenden',
  addrMenu: 'Options for {0}|Optionen für {0}', rename: 'Rename|Umbenennen', newAddress: 'New address|Neue Adresse',
  addrGone: 'Address {0} deleted|Adresse {0} gelöscht', addrUsed: 'Address “{0}” filled in|Adresse „{0}“ eingesetzt',
  addrNew: 'Fields cleared for a new address|Felder für eine neue Adresse geleert', f_first: 'First name|Vorname', f_last: 'Last name|Nachname',
  f_street: 'Street and number|Straße und Hausnummer', f_zip: 'Postcode|Postleitzahl', f_city: 'Town|Ort', f_email: 'E-mail|E-Mail',
  f_phone: 'Phone (optional)|Telefon (freiwillig)', f_billName: 'Billing name|Rechnungsname', f_billStreet: 'Billing street|Rechnungsstraße',
  f_holder: 'Name on card|Name auf der Karte', f_number: 'Card number|Kartennummer', f_expiry: 'Expiry (MM/YY)|Gültig bis (MM/JJ)',
  f_cvc: 'Security code|Prüfziffer', f_cardName: 'Name for this card|Name für diese Karte', f_company: 'Company (optional)|Firma (freiwillig)',
  e_name: 'Please enter at least two letters|Bitte mindestens zwei Buchstaben',
  e_street: 'Street and house number, please|Bitte Straße und Hausnummer', e_zip: 'Five digits|Fünf Ziffern',
  e_email: 'An address such as name@mail.example|Eine Adresse wie name@mail.example', e_phone: 'Digits and spaces only|Nur Ziffern und Leerzeichen',
  e_card: 'Sixteen digits|Sechzehn Ziffern', e_expiry: 'Month and year, such as 08/28|Monat und Jahr, etwa 08/28',
  e_cvc: 'Three digits|Drei Ziffern', otherBilling: 'Bill to another address|Rechnung an andere Adresse',
  billing: 'Billing address|Rechnungsadresse', howDeliver: 'How and when?|Wie und wann?', earlierWeek: 'Earlier week|Frühere Woche',
  laterWeek: 'Later week|Spätere Woche', timeWindow: 'Time of day|Tageszeit', t_morning: 'Morning, 8 to 12|Vormittag, 8 bis 12',
  t_noon: 'Afternoon, 12 to 17|Nachmittag, 12 bis 17', t_night: 'Evening, 17 to 21|Abend, 17 bis 21',
  safePlace: 'Leave it in a safe place if nobody is in|Bei Abwesenheit sicher ablegen', safePlaceWhere: 'Safe place|Ablageort',
  porch: 'Porch|Vordach', shed: 'Garden shed|Gartenhaus', neighbour: 'With a neighbour|Bei Nachbarn',
  howPay: 'How would you like to pay?|Wie möchten Sie zahlen?', paymentMethods: 'Ways to pay|Zahlungsarten', card: 'Card|Karte',
  bank: 'Bank transfer|Überweisung', invoice: 'Invoice|Rechnung', keepCard: 'Remember this card|Karte merken',
  bankText: 'Transfer the total to account DE00 0000 4711 0815. We send the parcel when the money has arrived.|Überweisen Sie den Betrag auf das Konto DE00 0000 4711 0815. Nach Zahlungseingang geht das Paket auf die Reise.',
  copyBank: 'Copy account number|Kontonummer kopieren', bankCopied: 'Account number copied|Kontonummer kopiert',
  invoiceText: 'Pay within 30 days of delivery.|Zahlbar innerhalb von 30 Tagen nach Lieferung.', checkOrder: 'Check your order|Bestellung prüfen',
  terms: 'I accept the terms of sale and the right of return|Ich stimme den Verkaufs- und Rückgabebedingungen zu',
  yourOrder: 'Your order|Ihre Bestellung', changeCart: 'Change the cart|Warenkorb ändern', trees: 'Plant trees with us|Mit uns Bäume pflanzen',
  aboutTrees: 'About the tree donation|Zur Baumspende', giveLess: 'Give one euro less|Einen Euro weniger geben',
  giveMore: 'Give one euro more|Einen Euro mehr geben',
  i_trees: 'Every two euros pay for one young alder on the banks of the river Wyn. The donation is added to your order.|Je zwei Euro wird eine junge Erle am Ufer der Wyn gepflanzt. Die Spende wird zur Bestellung addiert.',
  toAddress: 'Back to address|Zur Adresse', toDelivery: 'Back to delivery|Zur Lieferung', toPayment: 'Back to payment|Zur Zahlung',
  goDelivery: 'Continue to delivery|Weiter zur Lieferung', goPayment: 'Continue to payment|Weiter zur Zahlung',
  goReview: 'Review order|Bestellung prüfen', place: 'Place order|Jetzt kaufen',
  fixFields: '{0} field needs attention~{0} fields need attention|{0} Feld braucht eine Korrektur~{0} Felder brauchen eine Korrektur',
  change: 'Change {0}|{0} ändern', placed: 'Thank you for your order|Danke für Ihre Bestellung',
  placedText: 'Your order number is 20533. A confirmation is on its way to {0}.|Ihre Bestellnummer ist 20533. Eine Bestätigung geht an {0}.',
  keepShopping: 'Keep shopping|Weiter einkaufen', help: 'Help|Hilfe', contact: 'Contact|Kontakt',
  i_help: 'Long-press or right-click a product for more, drag lines by their handle, double-click a list name to rename it.|Produkte lang drücken oder rechts klicken, Zeilen am Griff ziehen, Listennamen doppelt klicken.',
  i_contact: 'Write to hello@alderwyn.example or ring 0555 0142, Monday to Friday.|Schreiben Sie an hello@alderwyn.example oder rufen Sie 0555 0142 an, Montag bis Freitag.',
  sage: 'sage|Salbei', terracotta: 'terracotta|Terrakotta', sand: 'sand|Sand', charcoal: 'charcoal|Anthrazit', ochre: 'ochre|Ocker',
  mist: 'mist blue|Nebelblau', cream: 'cream|Creme', forest: 'forest|Waldgrün', blush: 'blush|Altrosa', ceramic: 'Ceramic|Keramik',
  wood: 'Wood|Holz', metal: 'Metal|Metall', cotton: 'Cotton|Baumwolle', wool: 'Wool|Wolle', plant: 'Living plant|Lebende Pflanze',
  backToCart: 'Back to cart|Zum Warenkorb',
};
const LANG = navigator.language.toLowerCase().startsWith('de') ? 1 : 0;
const LOCALE = ['en-IE', 'de-DE'][LANG];

function t(key, ...args) {
  let text = TEXT[key].split('|')[LANG];
  if (text.includes('~')) text = text.split('~')[args[0] === 1 ? 0 : 1];
  return args.reduce((out, arg, i) => out.replaceAll(`{${i}}`, arg), text);
}
const money = (n) => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'EUR' }).format(n);
const euros = (n) => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }).format(n);
const dayName = (day, style) => new Intl.DateTimeFormat(LOCALE, { ...style, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 4, day)));
const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long' };

// ---------- Drawings ----------
const ICONS = {
  close: 'M6 6l12 12M18 6L6 18', plus: 'M12 5v14M5 12h14', minus: 'M5 12h14', down: 'M6 9l6 6 6-6', up: 'M6 15l6-6 6 6',
  prev: 'M15 5l-7 7 7 7', next: 'M9 5l7 7-7 7', asc: 'M12 20V5M6 11l6-6 6 6', desc: 'M12 4v15M6 13l6 6 6-6', check: 'M5 13l4 4L19 7',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20', user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c1-4 4-5 8-5s7 1 8 5',
  heart: 'M12 20C5 15 3 12 3 8.7 3 6 5 4 7.5 4 9.5 4 11 5 12 7c1-2 2.5-3 4.5-3C19 4 21 6 21 8.7 21 12 19 15 12 20z',
  bag: 'M5 8h14l1 12H4zM9 10V7a3 3 0 0 1 6 0v3', bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5', eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  bookmark: 'M7 4h10v16l-5-4-5 4z', bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4', pencil: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4', dots: 'M5 12h.01M12 12h.01M19 12h.01',
  grip: 'M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01', grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z', list: 'M4 6h16M4 12h16M4 18h16',
  sliders: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4', tag: 'M4 12V4h8l8 8-8 8zM8 8h.01', share: 'M12 15V4M8 8l4-4 4 4M5 13v7h14v-7', copy: 'M9 9h11v11H9zM5 15H4V4h11v1', info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7.500h.01',
  scale: 'M12 4v16M8 20h8M4 7h16M6.5 7L3 14h7zM17.5 7L14 14h7z', thumb: 'M7 11v9H4v-9zM7 11l4-7c2 0 2.5 1 2 3l-.6 3H19c1 0 2 1 1.7 2l-1.7 6c-.3 1-1 2-2 2H7', truck: 'M3 6h11v11H3zM14 10h4l3 3v4h-7M7 15.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM17 15.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
};
const icon = (name, cls = '') => `<svg class="icon ${cls}" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const LOGO = '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M6 26C3 13 12 4 28 4c0 15-8 23-18 20"/><path class="vein" d="M4 29c4-9 9-14 16-18"/></svg>';
const COLOURS = { sage: '#8aa585', terracotta: '#c0694a', sand: '#d8c09a', charcoal: '#4d5355', ochre: '#cf9a3c', mist: '#86a5b8', cream: '#efe5cf', forest: '#2f6148', blush: '#d9a596' };

/* Each drawing uses currentColor for the chosen colour; sd and hl are shade and light. */
const ART = {
  planter: '<path class="leaf" d="M100 96C70 90 60 58 64 34c24 10 38 34 36 62z"/><path class="leaf2" d="M100 96c-2-34 14-58 42-68 4 32-8 60-42 68z"/><path class="leaf" d="M100 98c-6-34-4-56 4-80 16 24 14 54-4 80z"/><path d="M60 100h80l-9 70a8 8 0 0 1-8 7H77a8 8 0 0 1-8-7z"/><path class="sd" d="M112 106h27l-8 64a8 8 0 0 1-8 7h-17z"/><rect x="52" y="90" width="96" height="18" rx="6"/><rect class="hl" x="52" y="90" width="96" height="7" rx="3.5"/>',
  lamp: '<ellipse class="glow" cx="100" cy="108" rx="80" ry="56"/><path class="metal" d="M97 90h6v72h-6z"/><path d="M72 28h56l26 66H46z"/><path class="hl" d="M78 28h16L80 94H52z"/><path class="sd" d="M116 28h12l26 66h-22z"/><rect class="wood" x="66" y="160" width="68" height="15" rx="7"/><path d="M122 94v22" fill="none" stroke="#a88f5f" stroke-width="2"/><circle class="metal" cx="122" cy="119" r="4"/>',
  chair: '<path class="wood" d="M54 128l-11 48h9l17-48zM146 128l11 48h-9l-17-48z"/><path d="M60 36q40-16 80 0 8 4 8 14l4 70H48l4-70q0-10 8-14z"/><path class="sd" d="M100 44v66M76 46l-2 64M124 46l2 64" fill="none" stroke="#000" stroke-width="3"/><rect x="42" y="106" width="116" height="28" rx="13"/><rect class="hl" x="48" y="108" width="104" height="10" rx="5"/><rect class="wood" x="30" y="88" width="14" height="50" rx="7"/><rect class="wood" x="156" y="88" width="14" height="50" rx="7"/>',
  can: '<path d="M72 92c0-42 56-42 56 0M134 104c40-6 44 52 0 58" fill="none" stroke="currentColor" stroke-width="8"/><path d="M68 146L30 86l10-7 30 34z"/><path class="metal" d="M16 88l26-20 6 9-24 18z"/><path d="M62 88h76v80a7 7 0 0 1-7 7H69a7 7 0 0 1-7-7z"/><path class="sd" d="M112 88h26v80a7 7 0 0 1-7 7h-19z"/><path class="hl" d="M70 96h8v70h-8z"/>',
  vase: '<g fill="none" stroke="#8d8a58" stroke-width="3"><path d="M98 84C92 56 84 40 70 24M102 84c2-30 6-48 20-66M100 84c0-30-2-48 0-66"/></g><ellipse class="wood" cx="69" cy="24" rx="6" ry="14" transform="rotate(-32 69 24)"/><ellipse class="wood" cx="123" cy="18" rx="6" ry="14" transform="rotate(28 123 18)"/><ellipse class="wood" cx="100" cy="18" rx="6" ry="14"/><path d="M86 74h28c-2 20 32 34 32 66 0 22-14 36-26 36H80c-12 0-26-14-26-36 0-32 34-46 32-66z"/><path class="sd" d="M108 74h6c-2 20 32 34 32 66 0 22-14 36-26 36h-14c30-26 22-66 2-102z"/><path class="hl" d="M70 122c4-10 10-16 16-22-4 14-10 32-8 52-8-6-12-18-8-30z"/>',
  fig: '<path class="wood" d="M97 66h6v70h-6z"/><g class="leaf"><ellipse cx="74" cy="62" rx="30" ry="16" transform="rotate(24 74 62)"/><ellipse cx="128" cy="52" rx="30" ry="16" transform="rotate(-30 128 52)"/><ellipse cx="126" cy="98" rx="28" ry="14" transform="rotate(-18 126 98)"/></g><g class="leaf2"><ellipse cx="100" cy="36" rx="16" ry="26"/><ellipse cx="72" cy="102" rx="28" ry="14" transform="rotate(18 72 102)"/></g><path d="M70 132h60l-7 40a6 6 0 0 1-6 5H83a6 6 0 0 1-6-5z"/><path class="sd" d="M108 132h22l-7 40a6 6 0 0 1-6 5h-13z"/>',
  cushion: '<path d="M36 52c24-9 104-9 128 0 9 26 9 88 0 114-24 9-104 9-128 0-9-26-9-88 0-114z"/><path class="sd" d="M164 52c9 26 9 88 0 114-24 9-104 9-128 0 70 0 118-30 128-114z"/><g fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3" stroke-linecap="round"><path d="M74 146V84M74 100l-14-12M74 100l14-12M74 122l-14-12M74 122l14-12M126 134V72M126 88l-14-12M126 88l14-12M126 110l-14-12M126 110l14-12"/></g>',
  table: '<path class="wood" d="M66 84L50 176h8l22-92zM134 84l16 92h-8l-22-92zM97 88h7v78h-7z"/><ellipse class="wood" cx="100" cy="146" rx="40" ry="6"/><path d="M34 76v8c0 10 30 16 66 16s66-6 66-16v-8z"/><path class="sd" d="M34 76v8c0 10 30 16 66 16s66-6 66-16v-8z"/><ellipse cx="100" cy="76" rx="66" ry="15"/><path d="M84 50h24v20c0 4-24 4-24 0zM108 54c12-2 12 14 0 12" fill="#f4ecdd" stroke="#cfc3ac" stroke-width="2"/>',
  trowel: '<g transform="rotate(38 100 100)"><path d="M92 16h16a6 6 0 0 1 6 6v52a6 6 0 0 1-6 6H92a6 6 0 0 1-6-6V22a6 6 0 0 1 6-6z"/><path class="hl" d="M90 22h7v52h-7z"/><path d="M96 80h8v22h-8z" fill="#8b9193"/><path d="M78 102h44v36c0 24-12 40-22 50-10-10-22-26-22-50z" fill="#aeb5b6"/><path class="sd" d="M100 102h22v36c0 24-12 40-22 50z"/></g>',
  lantern: '<path d="M80 42c0-30 40-30 40 0" fill="none" stroke="currentColor" stroke-width="5"/><path d="M100 34l44 28H56z"/><path class="hl" d="M100 34L56 62h22z"/><rect x="62" y="62" width="76" height="104" fill="#ffe9b8"/><ellipse cx="100" cy="112" rx="24" ry="30" fill="#ffd37a" opacity=".7"/><path d="M90 126h20v40H90z" fill="#fbf5e6"/><path d="M100 102c8 10 6 20 0 22-6-2-8-12 0-22z" fill="#e8863c"/><path d="M58 62h8v108h-8zM134 62h8v108h-8zM54 166h92v10H54z"/>',
  throw: '<g stroke="currentColor" stroke-width="4" stroke-linecap="round"><path d="M52 150v22M66 150v22M80 150v22M94 150v22M108 150v22M122 150v22M136 150v22M150 150v22"/></g><path d="M30 92a20 20 0 0 1 20-20h110a10 10 0 0 1 10 10v68a10 10 0 0 1-10 10H40a10 10 0 0 1-10-10z"/><path class="sd" d="M30 118h140v32a10 10 0 0 1-10 10H40a10 10 0 0 1-10-10z"/><path d="M30 92a20 20 0 0 1 20-20h110a10 10 0 0 1 10 10v36H44a14 14 0 0 1-14-14z"/><path class="hl" d="M62 72h12v46H62zM82 72h6v46h-6zM96 72h12v46H96zM62 118h12v42H62zM82 118h6v42h-6zM96 118h12v42H96z"/>',
  bird: '<path class="wood" d="M96 138h8v40h-8z"/><path d="M62 78h76v68H62z" fill="#d9bd94"/><path class="sd" d="M112 78h26v68h-26z"/><path d="M100 26l58 54-9 10-49-45-49 45-9-10z"/><path d="M100 46l36 34H64z" fill="#cdae82"/><circle cx="100" cy="100" r="14" fill="#4a3c2c"/><path class="wood" d="M97 120h6v12h-6z"/><path class="metal" d="M54 144h92v6H54z"/>',
};
const drawing = (id) => `<ellipse class="sd" cx="100" cy="178" rx="66" ry="6"/>${ART[id]}`;
const art = (id, colour, box = '0 0 200 200') => `<svg class="art" viewBox="${box}" style="color:${COLOURS[colour]}" fill="currentColor" aria-hidden="true">${drawing(id)}</svg>`;

// ---------- Products and invented people ----------
const FIELDS = ['id', 'name', 'dept', 'price', 'was', 'rating', 'votes', 'material', 'colours', 'stock', 'dims', 'about'];
const PRODUCTS = [
  ['lamp', 'Dusk Table Lamp', 'light', 89, 0, 4.8, 164, 'metal', 'ochre forest blush', 9, '32 × 48 cm', 'A pleated shade that throws a wide, warm pool of light.'],
  ['planter', 'Orla Planter', 'pots', 39, 0, 4.7, 212, 'ceramic', 'sage terracotta sand', 14, '24 × 26 cm', 'Hand-thrown stoneware with a hidden saucer for thirsty plants.'],
  ['chair', 'Sorrel Lounge Chair', 'furniture', 249, 299, 4.6, 88, 'wood', 'forest ochre mist', 5, '74 × 82 cm', 'A deep seat on a frame of oiled ash, made for long afternoons.'],
  ['throw', 'Heather Throw', 'textile', 69, 0, 4.9, 301, 'wool', 'blush mist charcoal', 22, '130 × 180 cm', 'Brushed wool, woven loosely so that it drapes.'],
  ['can', 'Pip Watering Can', 'tools', 34, 0, 4.5, 97, 'metal', 'forest mist ochre', 31, '5 litres', 'A long spout that reaches the pots at the back.'],
  ['vase', 'Reed Vase', 'pots', 45, 56, 4.4, 73, 'ceramic', 'cream terracotta charcoal', 8, '18 × 30 cm', 'A quiet shape for dried stems and one good flower.'],
  ['lantern', 'Harbour Lantern', 'light', 52, 0, 4.6, 119, 'metal', 'charcoal forest', 12, '22 × 38 cm', 'Storm-proof glass and a door that closes with a click.'],
  ['cushion', 'Meadow Cushion', 'textile', 29, 0, 4.3, 145, 'cotton', 'sage ochre terracotta', 40, '50 × 50 cm', 'Printed with sprigs in two passes of the screen.'],
  ['table', 'Birch Side Table', 'furniture', 129, 0, 4.2, 41, 'wood', 'sand sage', 3, '45 × 52 cm', 'Three legs, so it never rocks on old floors.'],
  ['fig', 'Fiddle Fig, potted', 'pots', 59, 74, 4.1, 66, 'plant', 'terracotta cream', 6, '90 cm tall', 'Grown slowly in peat-free soil; likes a bright corner.'],
  ['trowel', 'Thorn Hand Trowel', 'tools', 24, 0, 4.8, 203, 'metal', 'terracotta forest ochre', 27, '33 cm', 'A forged blade with marks for planting depth.'],
  ['bird', 'Wren House', 'tools', 42, 0, 3.8, 29, 'wood', 'forest terracotta', 0, '20 × 26 cm', 'Untreated larch with a hole the right size for wrens.'],
].map((row) => Object.fromEntries(row.map((value, i) => [FIELDS[i], FIELDS[i] === 'colours' ? value.split(' ') : value])));
const product = (id) => PRODUCTS.find((p) => p.id === id);
const DEPTS = ['pots', 'light', 'furniture', 'textile', 'tools'];
const REVIEWS = [
  ['Ines Corvel', 5, 9, 'Better than in the picture', 'The colour is calm and rich, and it suits our old sideboard perfectly. Packed with real care.', 24, 1],
  ['Tobin Aske', 4, 6, 'Lovely, a little heavy', 'Very solid. I needed help to carry it upstairs, but it stands like a rock now.', 17, 2],
  ['Hanne Brook', 5, 2, 'A present that worked', 'My sister rang the same evening to thank me. The gift card was a nice touch.', 11, 0],
  ['Paul Reddin', 3, 1, 'Good, but slow to arrive', 'No complaint about the piece itself. Delivery took two days longer than promised.', 9, 4],
  ['Yara Quill', 5, -3, 'Second one ordered', 'The first lives in the hall, the second will go to the office. Quality is unchanged.', 8, 0],
  ['Milo Sand', 2, -6, 'Scratched on the base', 'There was a small scratch. Service sent a new one without any discussion.', 6, 3],
  ['Greta Lind', 4, -9, 'Warm and simple', 'Exactly the plain shape I was looking for. The smallest size is really small.', 5, 1],
  ['Omar Feld', 5, -14, 'Worth the wait', 'It was sold out twice. I would wait again.', 3, 0],
].map(([who, stars, day, title, text, up, down], id) => ({ id, who, stars, day, title, text, up, down }));
const QUESTIONS = [
  ['Can it stand outside all year?', 'Under a roof, yes. Bring it in before the first hard frost.'],
  ['Is the largest size delivered in one parcel?', 'Yes, all three sizes come in one parcel.'],
  ['Can I return it when the box has been opened?', 'Of course, within 60 days and free of charge.'],
];

// ---------- State ----------
const SEED = { cart: 'lamp.ochre.S.1,planter.sage.S.2,throw.blush.S.1', saved: 'vase.cream.S.1', wish: 'chair,lantern', ship: 'standard', code: '', gift: '' };
const SHIPPING = { standard: 6.9, express: 12.9, pickup: 0 };
const SIZES = { S: 0, M: 12, L: 26 };
const FREE_FROM = 250;
const query = new URLSearchParams(location.search);
const seeded = (key) => query.get(key) ?? SEED[key];
const newLine = (id, colour, size, qty) => ({ key: `${id}.${colour}.${size}`, id, colour, size, qty, note: '' });
const parseLines = (text) => text.split(',').filter(Boolean).map((part) => {
  const [id, colour, size, qty] = part.split('.');
  return newLine(id, colour, size, Number(qty));
}).filter((line) => product(line.id) && COLOURS[line.colour] && line.size in SIZES && line.qty > 0);
const state = {
  cart: parseLines(seeded('cart')), saved: parseLines(seeded('saved')), wish: seeded('wish').split(',').filter(product),
  ship: SHIPPING[seeded('ship')] === undefined ? 'standard' : seeded('ship'), code: seeded('code'), gift: seeded('gift') === '1', ribbon: 'forest', give: 0,
  wishName: t('myWish'), alerts: true, signedIn: true, picked: {}, bells: new Set(),
};
let renderPage = () => {};

/** Adds the state to a link just before it is followed, when it differs from the first visit. */
function carryState(link) {
  const url = new URL(link.href);
  const lines = (list) => list.map((l) => `${l.key}.${l.qty}`).join(',');
  const now = { cart: lines(state.cart), saved: lines(state.saved), wish: state.wish.join(','), ship: state.ship, code: state.code, gift: state.gift ? '1' : '' };
  for (const key of Object.keys(SEED)) now[key] === SEED[key] ? url.searchParams.delete(key) : url.searchParams.set(key, now[key]);
  link.href = url.href;
}
const count = () => state.cart.reduce((sum, line) => sum + line.qty, 0);
const colourOf = (p) => state.picked[p.id] ?? p.colours[0];
const lineOf = (id, colour, size = 'S') => state.cart.find((line) => line.key === `${id}.${colour}.${size}`);
const unitPrice = (line) => product(line.id).price + SIZES[line.size];
const lineText = (line) => `${t(line.colour)} · ${line.size}`;
function addToCart(id, colour, qty = 1, size = 'S') {
  const line = lineOf(id, colour, size);
  if (line) line.qty += qty;
  else state.cart.push(newLine(id, colour, size, qty));
}
function totals() {
  const sub = state.cart.reduce((sum, l) => sum + l.qty * unitPrice(l), 0);
  const off = state.code ? sub * 0.1 : 0;
  const free = state.ship === 'standard' && sub - off >= FREE_FROM;
  const ship = free || !state.cart.length ? 0 : SHIPPING[state.ship];
  const gift = state.gift ? 3.5 : 0;
  return { sub, off, ship, gift, give: state.give, total: sub - off + ship + gift + state.give };
}

// ---------- Small tools ----------
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const esc = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const clamp = (n, low, high) => Math.min(high, Math.max(low, n));
const attrs = (map) => Object.entries(map).map(([k, v]) => ` ${k}="${esc(String(v))}"`).join('');
const iconButton = (name, label, act, extra = {}, cls = '') =>
  `<button class="ib ${cls}" type="button" data-act="${act}"${attrs({ 'aria-label': label, 'data-tip': label, ...extra })}>${icon(name)}</button>`;
const href = (id) => `product.html?p=${id}`;
const stars = (n) => `<span class="stars" aria-hidden="true" style="--n:${n}">★★★★★</span>`;

/** Replaces the content and gives the focus back to the control that had it. */
function paint(target, html) {
  const active = target.contains(document.activeElement) ? { ...document.activeElement.dataset } : null;
  target.innerHTML = html;
  if (!active?.act) return;
  const same = $$(`[data-act="${active.act}"]`, target).find((el) => el.dataset.id === active.id && el.dataset.v === active.v);
  same?.focus({ preventScroll: true });
}
function refresh() {
  hideTip();
  renderHeader();
  if (!$('#drawer').hidden) renderDrawer();
  renderPage();
}
function toast(text, undo) {
  const item = document.createElement('div');
  item.className = 'toast';
  item.innerHTML = `<p>${esc(text)}</p>${undo ? `<button class="link" type="button">${t('undo')}</button>` : ''}${iconButton('close', t('dismiss'), 'dismissToast', {}, 'small')}`;
  if (undo) $('.link', item).onclick = () => { undo(); item.remove(); refresh(); };
  $('#toasts').append(item);
  if ($$('.toast').length > 2) $('.toast').remove();
}
function snapshot(text, change, onUndo = () => {}) {
  const before = { cart: structuredClone(state.cart), saved: structuredClone(state.saved), wish: [...state.wish] };
  change();
  refresh();
  toast(text, () => { Object.assign(state, before); onUndo(); });
}
function openDialog(title, body, buttons = [], cls = '') {
  const dialog = document.createElement('dialog');
  dialog.className = `dialog ${cls}`;
  dialog.innerHTML = `<div class="row between"><h2 id="dialog-title">${title}</h2>${iconButton('close', t('close'), 'closeDialog')}</div>
    <div class="dialog-body">${body}</div><div class="row end">${buttons.map((b, i) => `<button class="btn ${b.cls ?? 'ghost'}" type="button" data-button="${i}">${b.label}</button>`).join('')}</div>`;
  for (const [k, v] of [['role', 'dialog'], ['aria-modal', 'true'], ['aria-labelledby', 'dialog-title']]) dialog.setAttribute(k, v);
  dialog.addEventListener('close', () => { hideTip(); dialog.remove(); });
  $$('[data-button]', dialog).forEach((el) => { el.onclick = () => { if (buttons[el.dataset.button].run?.(dialog) !== false) dialog.close(); }; });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Opens a menu at an element or a point. Items: {label, icon, run, checked, kind, danger}. */
function openMenu(at, items, label) {
  const again = at instanceof Element && at.getAttribute('aria-expanded') === 'true';
  closeMenu();
  if (again) return;
  const menu = document.createElement('div');
  menu.className = 'menu';
  menu.id = 'menu';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', label);
  menu.innerHTML = items.map((item, i) => `<button type="button" role="${item.kind ?? 'menuitem'}" tabindex="-1" data-i="${i}" class="${item.danger ? 'danger' : ''}"
    ${item.kind ? `aria-checked="${item.checked}"` : ''}>${icon(item.kind ? 'check' : item.icon)}<span>${item.label}</span></button>`).join('');
  document.body.append(menu);
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const below = box.bottom + 6 + menu.offsetHeight < innerHeight;
  menu.style.left = `${clamp(at instanceof Element ? box.right - menu.offsetWidth : box.left, 8, innerWidth - menu.offsetWidth - 8)}px`;
  menu.style.top = `${Math.max(8, below ? box.bottom + 6 : box.top - 6 - menu.offsetHeight)}px`;
  menu.opener = at instanceof Element ? at : null;
  menu.opener?.setAttribute('aria-expanded', 'true');
  menu.onclick = (e) => { const i = e.target.closest('[data-i]')?.dataset.i; if (i) { closeMenu(); items[i].run(); } };
  menu.firstElementChild.focus();
}
function closeMenu() {
  const menu = $('#menu');
  if (!menu) return;
  menu.opener?.setAttribute('aria-expanded', 'false');
  menu.remove();
}
function moveInMenu(menu, step) {
  const items = $$('button', menu);
  items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
}
function showTip(el) {
  const tip = $('#tip');
  (el.closest('dialog') ?? document.body).append(tip);
  tip.textContent = el.dataset.tip;
  tip.hidden = false;
  const box = el.getBoundingClientRect();
  const above = box.top > tip.offsetHeight + 12;
  tip.style.left = `${clamp(box.left + (box.width - tip.offsetWidth) / 2, 8, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${above ? box.top - tip.offsetHeight - 8 : box.bottom + 8}px`;
}
function hideTip() { const tip = $('#tip'); if (tip) { document.body.append(tip); tip.hidden = true; } }

/** Turns a text into a field; Enter or leaving saves, Escape gives up. */
function editInPlace(el, value, save) {
  const input = document.createElement('input');
  input.className = 'input inline';
  input.value = value;
  input.maxLength = 40;
  input.setAttribute('aria-label', t('rename'));
  el.replaceChildren(input);
  input.select();
  let open = true;
  const finish = (keep) => { if (!open) return; open = false; save(keep ? input.value.trim() : value); };
  input.onkeydown = (e) => { e.stopPropagation(); if (e.key === 'Enter' || e.key === 'Escape') { e.preventDefault(); finish(e.key === 'Enter'); } };
  input.onblur = () => finish(true);
}

/** Slider with one or two thumbs: get(i) and set(i, value); works by pointer and arrow keys. */
function bindSlider(root, { min, max, step, get, set }) {
  const thumbs = $$('.thumb', root);
  const show = () => {
    const at = thumbs.map((_, i) => ((get(i) - min) / (max - min)) * 100);
    thumbs.forEach((thumb, i) => {
      thumb.style.left = `${at[i]}%`;
      for (const [k, v] of [['min', min], ['max', max], ['now', get(i)]]) thumb.setAttribute(`aria-value${k}`, v);
    });
    root.style.setProperty('--from', `${thumbs.length > 1 ? at[0] : 0}%`);
    root.style.setProperty('--to', `${at.at(-1)}%`);
  };
  const put = (i, value) => { set(i, clamp(Math.round(value / step) * step, min, max)); show(); };
  root.onpointerdown = (e) => {
    const value = (x) => { const box = root.getBoundingClientRect(); return min + ((x - box.left) / box.width) * (max - min); };
    const start = value(e.clientX);
    const near = thumbs.indexOf(e.target.closest('.thumb'));
    const i = near >= 0 ? near : thumbs.length > 1 && Math.abs(start - get(1)) < Math.abs(start - get(0)) ? 1 : 0;
    e.preventDefault();
    thumbs[i].focus();
    if (near < 0) put(i, start);
    track(e, (move) => put(i, value(move.clientX)));
  };
  thumbs.forEach((thumb, i) => {
    thumb.onkeydown = (e) => {
      const dir = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[e.key];
      if (dir) { e.preventDefault(); put(i, get(i) + dir * step); }
    };
  });
  show();
  return show;
}
function track(start, onMove, onEnd = () => {}) {
  const stop = () => { removeEventListener('pointermove', onMove); removeEventListener('pointerup', stop); removeEventListener('pointercancel', stop); onEnd(); };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}

/** Lists marked data-list: lines are moved by their handle, also from one list to the other. */
function dragLine(e, handle) {
  const line = handle.closest('[data-key]');
  e.preventDefault();
  handle.focus();
  line.classList.add('dragging');
  track(e, (move) => {
    const list = $$('[data-list]').find((l) => { const b = l.getBoundingClientRect(); return move.clientY >= b.top - 24 && move.clientY <= b.bottom + 24 && move.clientX >= b.left && move.clientX <= b.right; });
    if (!list || (list.dataset.list === 'wish') !== (line.parentElement.dataset.list === 'wish')) return;
    const after = $$('[data-key]', list).find((other) => { const b = other.getBoundingClientRect(); return other !== line && move.clientY < b.top + b.height / 2; });
    list.insertBefore(line, after ?? null);
  }, () => { line.classList.remove('dragging'); readLists(); });
}
function readLists() {
  const keys = (name) => $$(`[data-list="${name}"] [data-key]`).map((el) => el.dataset.key);
  if (!$('#drawer').hidden) state.wish = keys('wish');
  if ($('[data-list="cart"]')) {
    const both = [...state.cart, ...state.saved];
    for (const name of ['cart', 'saved']) state[name] = keys(name).map((key) => both.find((l) => l.key === key));
  }
  refresh();
}
function nudgeLine(handle, dir) {
  const line = handle.closest('[data-key]');
  const other = dir < 0 ? line.previousElementSibling : line.nextElementSibling;
  if (!other) return;
  dir < 0 ? other.before(line) : other.after(line);
  readLists();
  $(`[data-key="${line.dataset.key}"] [data-handle]`)?.focus();
}

// ---------- Header, wish list, footer ----------
function buildFrame() {
  const cat = document.body.dataset.page === 'index' ? query.get('cat') ?? '' : null;
  const link = (key) => `<a href="index.html${key ? `?cat=${key}` : ''}"${cat === key ? ' aria-current="page"' : ''}>${t(key || 'all')}</a>`;
  $('#top').innerHTML = `<a class="skip" href="#main">${t('skip')}</a>
    <a class="logo" href="index.html" aria-label="${t('home')}">${LOGO}<span>Alderwyn</span></a>
    <button class="ib only-narrow" type="button" data-act="navToggle" aria-expanded="false" aria-controls="nav" aria-label="${t('menu')}">${icon('list')}</button>
    <nav id="nav" aria-label="${t('departments')}">${['', ...DEPTS].map(link).join('')}</nav>
    <form class="search" role="search" id="find">${icon('search')}<input id="q" type="search" aria-label="${t('search')}" placeholder="${t('search')}" autocomplete="off">
      ${iconButton('close', t('clearSearch'), 'clearSearch', { hidden: '' }, 'small')}</form>
    <div class="row" id="quick"></div>`;
  $('#foot').innerHTML = `<p>© 2026 Alderwyn</p><div class="row">${(cat === null ? ['deliveryReturns', 'help', 'contact'] : ['help']).map((v) => `<button class="link" type="button" data-act="info" data-v="${v}">${t(v)}</button>`).join('')}</div>`;
  document.body.insertAdjacentHTML('beforeend', '<aside class="drawer" id="drawer" hidden></aside><div id="toasts" class="toasts" role="status"></div><div id="tip" class="tip" role="tooltip" hidden></div>');
  $('#find').onsubmit = (e) => { e.preventDefault(); if (!$('#grid')) followSearch(); };
  $('#q').oninput = () => { $('[data-act="clearSearch"]').hidden = !$('#q').value; onSearch($('#q').value); };
}
let onSearch = () => {};
function emptySearch() { $('#q').value = ''; $('[data-act="clearSearch"]').hidden = true; }
function followSearch() {
  const link = document.createElement('a');
  link.href = `index.html?q=${encodeURIComponent($('#q').value)}`;
  carryState(link);
  location.href = link.href;
}
const badge = (n) => (n ? `<b class="badge" aria-hidden="true">${n}</b>` : '');
const miniLine = (line) => `<li><span class="mini-pic">${art(line.id, line.colour)}</span><span>${product(line.id).name}<small>${lineText(line)} × ${line.qty}</small></span><b>${money(line.qty * unitPrice(line))}</b></li>`;
function renderHeader() {
  const open = !$('#drawer').hidden;
  paint($('#quick'), `<button class="ib" type="button" data-act="toggleWish" aria-expanded="${open}" aria-label="${t('openWish', state.wish.length)}" data-tip="${t('wishList')}">${icon('heart')}${badge(state.wish.length)}</button>
    ${iconButton('user', t('account'), 'accountMenu', { 'aria-haspopup': 'menu', 'aria-expanded': false })}
    <div class="cart-wrap"><a class="ib" href="cart.html" aria-label="${t('cartLink', count())}">${icon('bag')}${badge(count())}</a>
    <div class="mini"><ul class="mini-lines">${state.cart.map(miniLine).join('') || `<li>${t('noLines')}</li>`}</ul><p class="row between"><span>${t('subtotal')}</span><b>${money(totals().sub)}</b></p></div></div>`);
}
function renderDrawer() {
  const row = (p) => `<li class="wish" data-key="${p.id}"><button class="ib small grip" type="button" data-handle aria-label="${t('moveItem', p.name)}">${icon('grip')}</button>
    <span class="mini-pic">${art(p.id, p.colours[0])}</span><span class="grow"><a href="${href(p.id)}">${p.name}</a><small>${money(p.price)}</small></span>
    ${iconButton('plus', t('addOne', p.name), 'add', { 'data-id': p.id, ...(p.stock ? {} : { disabled: '' }) }, 'small')}${iconButton('close', t('unwish', p.name), 'wish', { 'data-id': p.id }, 'small')}</li>`;
  $('#drawer').setAttribute('aria-label', t('wishList'));
  paint($('#drawer'), `<div class="row between"><h2 data-dbl="wishName" tabindex="0" data-tip="${t('renameHint')}">${esc(state.wishName)}</h2>
    <div class="row">${iconButton('pencil', t('rename'), 'renameWish', {}, 'small')}${iconButton('close', t('closeWish'), 'toggleWish', { 'data-v': 'close' }, 'small')}</div></div>
    <ul class="lines" data-list="wish" tabindex="0" aria-label="${t('wishList')}">${state.wish.map((id) => row(product(id))).join('') || `<li class="empty">${t('wishEmpty')}</li>`}</ul>
    <button class="btn primary block" type="button" data-act="wishToCart" ${state.wish.length ? '' : 'disabled'}>${t('allToCart')}</button>`);
}
function toggleWish(p) {
  const had = state.wish.includes(p.id);
  snapshot(t(had ? 'unwished' : 'wished', p.name), () => { state.wish = had ? state.wish.filter((id) => id !== p.id) : [...state.wish, p.id]; });
}
function renameWish() {
  editInPlace($('#drawer h2'), state.wishName, (name) => {
    const changed = name && name !== state.wishName;
    if (changed) state.wishName = name;
    renderDrawer();
    if (changed) toast(t('renamed', name));
  });
}
const putAll = (ids) => ids.map(product).filter((p) => p.stock).forEach((p) => addToCart(p.id, colourOf(p)));
const accountItems = () => [
  { label: t('orders'), icon: 'bag', run: () => openDialog(t('orders'), `<p>${t('ordersText')}</p>`) },
  { label: t('alerts'), kind: 'menuitemcheckbox', checked: state.alerts, run: () => { state.alerts = !state.alerts; toast(t(state.alerts ? 'alertsOn' : 'alertsOff')); } },
  { label: t(state.signedIn ? 'signOut' : 'signIn'), icon: 'user', run: () => { state.signedIn = !state.signedIn; toast(t(state.signedIn ? 'signedIn' : 'signedOut')); } },
];
const INFO = { deliveryReturns: 'deliveryText', help: 'i_help', contact: 'i_contact', trees: 'i_trees' };
const wishButton = (p, cls = '') => { const on = state.wish.includes(p.id); return iconButton('heart', t(on ? 'unwish' : 'wish', p.name), 'wish', { 'data-id': p.id, 'aria-pressed': on }, cls); };
const swatch = (colour, label, act, on, extra = {}) =>
  `<button class="swatch" type="button" data-act="${act}" style="--c:${COLOURS[colour]}"${attrs({ 'data-v': colour, 'aria-label': label, 'data-tip': label, 'aria-pressed': on, ...extra })}></button>`;

const actions = {
  navToggle: (el) => { const open = $('#nav').classList.toggle('open'); el.setAttribute('aria-expanded', open); },
  fold: (el) => { const open = el.getAttribute('aria-expanded') !== 'true'; el.setAttribute('aria-expanded', open); $(`#${el.getAttribute('aria-controls')}`).hidden = !open; },
  clearSearch: () => { emptySearch(); hideTip(); onSearch(''); $('#q').focus(); },
  toggleWish: () => { $('#drawer').hidden = !$('#drawer').hidden; refresh(); },
  renameWish,
  wishToCart: () => {
    const ready = state.wish.filter((id) => product(id).stock);
    snapshot(t('nAdded', ready.length), () => { putAll(ready); state.wish = state.wish.filter((id) => !ready.includes(id)); });
  },
  accountMenu: (el) => openMenu(el, accountItems(), t('account')),
  info: (el) => openDialog(t(el.dataset.v), `<p>${t(INFO[el.dataset.v])}</p>`),
  closeDialog: (el) => el.closest('dialog').close(),
  dismissToast: (el) => { hideTip(); el.closest('.toast').remove(); },
  wish: (el) => toggleWish(product(el.dataset.id)),
  add: (el) => { const p = product(el.dataset.id); snapshot(t('added', p.name), () => addToCart(p.id, colourOf(p))); },
  toTop: (el) => { $(`#${el.dataset.v}`).scrollTop = 0; if (el.dataset.v === 'results') scrollTo(0, 0); },
};
const doubleClicks = { wishName: renameWish };
const contextMenus = {};
const pages = {};

// ---------- Catalogue ----------
const PRICE_MAX = 300;
const PAGE_SIZE = innerWidth < 1600 ? 9 : 10;
const FILTER_COLOURS = ['sage', 'forest', 'mist', 'terracotta', 'ochre', 'charcoal'];
const MATERIALS = ['ceramic', 'wood', 'metal', 'cotton', 'wool', 'plant'];
const noFilters = () => ({ q: '', cat: '', min: 0, max: PRICE_MAX, colours: new Set(), materials: new Set(), rating: 0, stock: false, offer: false });
const view = { filter: { ...noFilters(), rating: 4, stock: true }, sort: 'popular', up: false, layout: 'grid', shown: PAGE_SIZE, hidden: new Set(), selecting: false, chosen: new Set(), movePrice: () => {} };

function matches(p, f) {
  return !view.hidden.has(p.id) && p.name.toLowerCase().includes(f.q.toLowerCase()) && (!f.cat || p.dept === f.cat) && p.price >= f.min && p.price <= f.max
    && (!f.colours.size || p.colours.some((c) => f.colours.has(c))) && (!f.materials.size || f.materials.has(p.material))
    && p.rating >= f.rating && (!f.stock || p.stock > 0) && (!f.offer || p.was > 0);
}
const SORTS = { popular: (p) => p.votes, price: (p) => p.price, name: (p) => p.name, rating: (p) => p.rating };
function found() {
  const by = SORTS[view.sort];
  return PRODUCTS.filter((p) => matches(p, view.filter)).sort((a, b) => (by(a) > by(b) ? 1 : -1) * (view.up ? 1 : -1));
}
function tagList(f) {
  const tags = [];
  if (f.q) tags.push(['q', `“${esc(f.q)}”`]);
  if (f.cat) tags.push(['cat', t(f.cat)]);
  if (f.min > 0 || f.max < PRICE_MAX) tags.push(['price', t('upTo', euros(f.min), euros(f.max))]);
  f.colours.forEach((c) => tags.push([`colours:${c}`, t(c)]));
  f.materials.forEach((m) => tags.push([`materials:${m}`, t(m)]));
  if (f.rating) tags.push(['rating', t('atLeast', f.rating)]);
  if (f.stock) tags.push(['stock', t('inStock')]);
  if (f.offer) tags.push(['offer', t('onOffer')]);
  return tags;
}
function dropTag(tag) {
  const [name, value] = tag.split(':');
  const f = view.filter;
  if (value) f[name].delete(value);
  else if (name === 'price') Object.assign(f, { min: 0, max: PRICE_MAX });
  else f[name] = noFilters()[name];
  if (name === 'q') emptySearch();
}
function clearFilters() { view.filter = noFilters(); emptySearch(); }
function cardStepper(p, colour) {
  if (!p.stock) return iconButton('bell', t('notify', p.name), 'notify', { 'data-id': p.id, 'aria-pressed': state.bells.has(p.id) });
  const qty = lineOf(p.id, colour)?.qty ?? 0;
  if (!qty) return iconButton('plus', t('addOne', p.name), 'add', { 'data-id': p.id }, 'fill');
  return `<div class="stepper">${iconButton(qty > 1 ? 'minus' : 'bin', t(qty > 1 ? 'less1' : 'takeOut', p.name), 'less', { 'data-id': p.id })}<output>${qty}</output>${iconButton('plus', t('more1', p.name), 'add', { 'data-id': p.id })}</div>`;
}
const priceTag = (p) => `<p class="price"><b>${money(p.price)}</b>${p.was ? ` <s>${money(p.was)}</s>` : ''}</p>`;
function card(p) {
  const colour = colourOf(p);
  const chosen = view.chosen.has(p.id);
  const flag = !p.stock ? t('soldOut') : p.was ? `−${Math.round((1 - p.price / p.was) * 100)} %` : '';
  return `<article class="card${chosen ? ' chosen' : ''}" data-id="${p.id}" data-menu="card" aria-label="${p.name}"><div class="pic">${art(p.id, colour)}
    ${view.selecting ? `<button class="tick" type="button" role="checkbox" data-act="choose" data-id="${p.id}" aria-checked="${chosen}" aria-label="${t('selectItem', p.name)}">${icon('check')}</button>` : flag ? `<span class="flag">${flag}</span>` : ''}
    ${wishButton(p, 'round')}<div class="peek"><span>${t(p.material)} · ${p.dims}</span>${iconButton('eye', t('quickView', p.name), 'quickView', { 'data-id': p.id }, 'small')}</div></div>
    <div class="info"><h2><a href="${href(p.id)}" draggable="false">${p.name}</a></h2><p class="rate">${stars(p.rating)}<span>${p.rating.toLocaleString(LOCALE)} (${p.votes})</span></p>
    <div class="swatches">${p.colours.map((c) => swatch(c, t('showIn', p.name, t(c)), 'cardColour', c === colour, { 'data-id': p.id })).join('')}</div></div>
    <div class="row between buy">${priceTag(p)}${cardStepper(p, colour)}</div></article>`;
}
function renderBulk() {
  const n = view.chosen.size;
  const off = n ? {} : { disabled: '' };
  $('#bulk').hidden = !view.selecting;
  paint($('#bulk'), `<strong role="status">${t('selected', n)}</strong><button class="link" type="button" data-act="chooseAll">${t('selectAll')}</button><span class="grow"></span>
    ${iconButton('heart', t('wishSelected'), 'wishChosen', off)}${iconButton('plus', t('cartSelected'), 'cartChosen', off)}
    <button class="btn ghost" type="button" data-act="compare" aria-label="${t('compare')}" ${n > 1 && n < 5 ? '' : 'disabled'}>${icon('scale')}<span>${t('compare')}</span></button>${iconButton('close', t('endSelect'), 'toggleSelect')}`);
}
function renderFilters() {
  const f = view.filter;
  $('#price-min').textContent = euros(f.min);
  $('#price-max').textContent = euros(f.max);
  view.movePrice();
  paint($('#p-colour'), FILTER_COLOURS.map((c) => swatch(c, t(c), 'filterColour', f.colours.has(c))).join(''));
  paint($('#p-rating'), [1, 2, 3, 4].map((n) => `<button type="button" class="${n <= f.rating ? 'on' : ''}" data-act="filterRating" data-v="${n}" aria-pressed="${n === f.rating}" aria-label="${t('atLeast', n)}" data-tip="${t('atLeast', n)}">★</button>`).join('') + `<span class="muted">${f.rating ? t('atLeast', f.rating) : t('all')}</span>`);
  $$('#p-material input').forEach((box) => { box.checked = f.materials.has(box.value); });
  $$('[data-act="filterSwitch"]').forEach((el) => el.setAttribute('aria-checked', f[el.dataset.v]));
}
function renderCatalogue() {
  const list = found();
  const tags = tagList(view.filter);
  renderFilters();
  $('#title').textContent = view.filter.cat ? t(view.filter.cat) : t('allTitle');
  $('#count').textContent = t('nProducts', list.length);
  $('#sort span').textContent = t('sortBy', t(`s_${view.sort}`));
  const dir = t(view.up ? 'ascending' : 'descending');
  Object.assign($('#dir'), { innerHTML: icon(view.up ? 'asc' : 'desc'), ariaLabel: dir }).dataset.tip = dir;
  $('#select').setAttribute('aria-pressed', view.selecting);
  $$('[data-act="layout"]').forEach((el) => el.setAttribute('aria-pressed', el.dataset.v === view.layout));
  paint($('#tags'), tags.map(([key, label]) => `<span class="chip">${label}${iconButton('close', t('removeFilter', label), 'dropTag', { 'data-v': key }, 'tiny')}</span>`).join('')
    + (tags.length ? `<button class="link" type="button" data-act="clearFilters">${t('clearAll')}</button>` : ''));
  $('#grid').className = view.layout;
  paint($('#grid'), list.slice(0, view.shown).map(card).join('') || `<p class="empty">${t('nothing')}</p>`);
  $('#more').hidden = list.length <= view.shown;
  $('#more').textContent = t('moreN', list.length - view.shown);
  renderBulk();
}
function setSelecting(on, id) {
  view.selecting = on;
  view.chosen = new Set(id ? [id] : []);
  renderCatalogue();
}
function quickView(p) {
  const body = `<div class="quick"><div class="pic">${art(p.id, colourOf(p))}</div><div><p>${p.about}</p><p class="rate">${stars(p.rating)}<span>${t('reviewsN', p.votes)}</span></p><p class="muted">${t(p.material)} · ${p.dims}</p>${priceTag(p)}<a href="${href(p.id)}">${t('open')}</a></div></div>`;
  const add = { label: t('addToCart'), cls: 'primary', run: () => snapshot(t('added', p.name), () => addToCart(p.id, colourOf(p))) };
  openDialog(p.name, body, p.stock ? [{ label: t('close') }, add] : [{ label: t('close') }], 'wide');
}
function compareDialog() {
  const list = [...view.chosen].map(product);
  const row = (label, cell) => `<tr><th scope="row">${label}</th>${list.map((p) => `<td>${cell(p)}</td>`).join('')}</tr>`;
  openDialog(t('compare'), `<div class="scroll-x" tabindex="0" role="region" aria-label="${t('compare')}"><table><thead><tr><td></td>${list.map((p) => `<th scope="col">${art(p.id, colourOf(p))}<a href="${href(p.id)}">${p.name}</a></th>`).join('')}</tr></thead><tbody>
    ${row(t('price'), (p) => money(p.price))}${row(t('rating'), (p) => p.rating.toLocaleString(LOCALE))}${row(t('material'), (p) => t(p.material))}${row(t('size'), (p) => p.dims)}</tbody></table></div>`, [{ label: t('close') }], 'wide');
}
function hideProduct(p) {
  view.hidden.add(p.id);
  renderCatalogue();
  toast(t('hidden', p.name), () => view.hidden.delete(p.id));
}
const toggleIn = (set, value) => { if (!set.delete(value)) set.add(value); };
const withCatalogue = (change) => (el) => { change(el, el.dataset.v); hideTip(); renderCatalogue(); };
Object.assign(actions, {
  clearFilters: withCatalogue(clearFilters),
  filterSwitch: withCatalogue((el, v) => { view.filter[v] = !view.filter[v]; }),
  filterColour: withCatalogue((el, v) => toggleIn(view.filter.colours, v)),
  filterRating: withCatalogue((el, v) => { view.filter.rating = view.filter.rating === Number(v) ? 0 : Number(v); }),
  dropTag: withCatalogue((el, v) => dropTag(v)),
  sortDir: withCatalogue(() => { view.up = !view.up; }),
  layout: withCatalogue((el, v) => { view.layout = v; }),
  showMore: withCatalogue(() => { view.shown += PAGE_SIZE; }),
  choose: withCatalogue((el) => toggleIn(view.chosen, el.dataset.id)),
  chooseAll: withCatalogue(() => { view.chosen = new Set(found().map((p) => p.id)); }),
  cardColour: withCatalogue((el, v) => { state.picked[el.dataset.id] = v; }),
  closePromo: () => { hideTip(); $('#promo').remove(); },
  toggleFilters: (el) => el.setAttribute('aria-expanded', $('#filters').classList.toggle('open')),
  toggleSelect: () => setSelecting(!view.selecting),
  sortMenu: (el) => openMenu(el, Object.keys(SORTS).map((key) => ({ label: t(`s_${key}`), kind: 'menuitemradio', checked: key === view.sort, run: () => { view.sort = key; view.up = key === 'name' || key === 'price'; renderCatalogue(); } })), t('sortBy', '')),
  quickView: (el) => quickView(product(el.dataset.id)),
  less: (el) => {
    const p = product(el.dataset.id);
    const line = lineOf(p.id, colourOf(p));
    if (line.qty > 1) { line.qty -= 1; refresh(); } else snapshot(t('takenOut', p.name), () => { state.cart = state.cart.filter((l) => l !== line); });
  },
  notify: (el) => { const p = product(el.dataset.id); toggleIn(state.bells, p.id); refresh(); toast(t(state.bells.has(p.id) ? 'notifyOn' : 'notifyOff', p.name)); },
  wishChosen: () => { const ids = [...view.chosen]; snapshot(t('nWished', ids.length), () => { state.wish = [...new Set([...state.wish, ...ids])]; }); },
  cartChosen: () => { const ids = [...view.chosen].filter((id) => product(id).stock); snapshot(t('nAdded', ids.length), () => putAll(ids)); },
  compare: compareDialog,
});
contextMenus.card = (el) => {
  const p = product(el.dataset.id);
  return [
    { label: t('open'), icon: 'next', run: () => $('h2 a', el).click() }, { label: t('view'), icon: 'eye', run: () => quickView(p) },
    { label: t(state.wish.includes(p.id) ? 'wishDrop' : 'wishAdd'), icon: 'heart', run: () => toggleWish(p) },
    { label: t('selectThis'), icon: 'check', run: () => setSelecting(true, p.id) }, { label: t('hide'), icon: 'close', danger: true, run: () => hideProduct(p) },
  ];
};
pages.index = () => {
  const f = view.filter;
  f.cat = DEPTS.includes(query.get('cat')) ? query.get('cat') : '';
  f.q = query.get('q') ?? '';
  $('#q').value = f.q;
  $('[data-act="clearSearch"]').hidden = !f.q;
  paint($('#p-material'), MATERIALS.map((m) => `<label class="check"><input type="checkbox" value="${m}"><span>${t(m)}</span><small>${PRODUCTS.filter((p) => p.material === m).length}</small></label>`).join(''));
  $('#p-material').onchange = (e) => { toggleIn(view.filter.materials, e.target.value); renderCatalogue(); };
  onSearch = (q) => { view.filter.q = q.trim(); renderCatalogue(); };
  const ends = ['min', 'max'];
  view.movePrice = bindSlider($('#price'), { min: 0, max: PRICE_MAX, step: 10, get: (i) => view.filter[ends[i]],
    set: (i, v) => { const now = view.filter; now[ends[i]] = i ? Math.max(v, now.min + 10) : Math.min(v, now.max - 10); renderCatalogue(); } });
  const results = $('#results');
  const scrolled = () => {
    const top = Math.max(results.scrollTop, scrollY);
    $('#up').hidden = top < 120;
    results.classList.toggle('scrolled', results.scrollTop > 4);
    if (results.scrollTop > 0 && results.scrollTop + results.clientHeight > results.scrollHeight - 40 && found().length > view.shown) actions.showMore($('#more'));
  };
  results.onscroll = scrolled;
  addEventListener('scroll', scrolled);
  renderPage = renderCatalogue;
};

// ---------- Product ----------
const VIEWS = ['front', 'detail', 'room', 'size'];
const item = { p: null, view: 0, zoom: 1, split: 55, size: 'S', qty: 1, added: false, zip: '', zipText: '', zipOk: true, reviews: REVIEWS.map((r) => ({ ...r, vote: 0 })), stars: 0, q: '', shown: 4 };
const itemPrice = () => item.p.price + SIZES[item.size];

const room = (id, colour, dark) => `<svg class="art" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" style="color:${COLOURS[colour]}" fill="currentColor" aria-hidden="true">
  <rect width="400" height="220" fill="${dark ? '#3b4440' : '#e4ddcc'}"/><rect y="218" width="400" height="82" fill="${dark ? '#4a3b2c' : '#c7a57c'}"/><rect y="212" width="400" height="8" fill="${dark ? '#2d3430' : '#f7f2e7'}"/>
  <rect x="40" y="34" width="96" height="120" rx="4" fill="${dark ? '#232a35' : '#f9f5ea'}"/><rect x="47" y="41" width="82" height="106" fill="${dark ? '#2c3a54' : '#bcd6dc'}"/><path d="M88 41v106M47 94h82" stroke="${dark ? '#232a35' : '#f9f5ea'}" stroke-width="5"/>
  <rect x="292" y="48" width="66" height="84" rx="3" fill="${dark ? '#544a3b' : '#b98a5e'}"/><rect x="299" y="55" width="52" height="70" fill="${dark ? '#6b6a58' : '#f2ead8'}"/><path class="leaf" d="M325 116c-20-16-14-40 0-52 14 12 20 36 0 52z"/>
  <ellipse cx="200" cy="262" rx="150" ry="24" fill="${dark ? '#37433c' : '#a9b79f'}"/>${dark ? '<circle cx="200" cy="160" r="130" fill="#ffcf7d" opacity=".16"/><circle cx="200" cy="160" r="80" fill="#ffcf7d" opacity=".16"/>' : ''}
  <svg x="100" y="68" width="200" height="200" viewBox="0 0 200 200">${drawing(id)}</svg></svg>`;
const sizeView = (p, colour) => `${art(p.id, colour, '-30 -20 260 250')}<span class="dims">${p.dims}</span>`;
function viewArt(name, small) {
  const colour = colourOf(item.p);
  if (name === 'detail') return art(item.p.id, colour, '55 40 90 90');
  if (name === 'size') return small ? art(item.p.id, colour, '-30 -30 260 260') : sizeView(item.p, colour);
  if (name === 'room') return small ? room(item.p.id, colour) : `<div class="layer">${room(item.p.id, colour)}</div><div class="layer night">${room(item.p.id, colour, true)}</div>`;
  return art(item.p.id, colour);
}
function renderGallery() {
  const name = VIEWS[item.view];
  paint($('#thumbs'), VIEWS.map((v, i) => `<button type="button" class="thumb-pic" data-act="view" data-v="${i}" aria-pressed="${i === item.view}" aria-label="${t(`v_${v}`)}" data-tip="${t(`v_${v}`)}">${viewArt(v, true)}</button>`).join(''));
  paint($('#stage'), `<div class="canvas v-${name}" style="transform:scale(${item.zoom})">${viewArt(name)}</div>
    ${iconButton('prev', t('prevView'), 'turn', { 'data-v': -1 }, 'round start')}${iconButton('next', t('nextView'), 'turn', { 'data-v': 1 }, 'round end')}
    <div class="zoom">${iconButton('minus', t('zoomOut'), 'zoom', { 'data-v': -1, ...(item.zoom > 1 ? {} : { disabled: '' }) })}${iconButton('plus', t('zoomIn'), 'zoom', { 'data-v': 1, ...(item.zoom < 2.5 ? {} : { disabled: '' }) })}</div>
    ${name === 'room' ? `<span class="corner start">${t('day')}</span><span class="corner end">${t('evening')}</span><div class="split" id="split"><span class="thumb" role="slider" tabindex="0" aria-label="${t('dayEvening')}" data-tip="${t('dayEvening')}">${icon('prev')}${icon('next')}</span></div>` : ''}`);
  if (name !== 'room') return;
  const show = () => { $('.night').style.clipPath = `inset(0 0 0 calc(72px + (100% - 144px) * ${item.split / 100}))`; };
  bindSlider($('#split'), { min: 0, max: 100, step: 1, get: () => item.split, set: (i, v) => { item.split = v; show(); } });
  show();
}
function renderBuybox() {
  const p = item.p;
  const colour = colourOf(p);
  const short = item.qty > 1 ? {} : { disabled: '' };
  const most = item.qty < p.stock ? {} : { disabled: '' };
  paint($('#buybox'), `<h1 id="name">${p.name}</h1><p class="rate"><a href="#reviews">${stars(p.rating)}<span>${p.rating.toLocaleString(LOCALE)} · ${t('reviewsN', p.votes)}</span></a></p><p class="lead">${p.about}</p>
    <p class="price big"><b>${money(itemPrice())}</b>${p.was ? ` <s>${money(p.was + SIZES[item.size])}</s>` : ''} <small class="muted">${t('vat')}</small></p>
    <div class="option"><span>${t('colour')}: <b>${t(colour)}</b></span><div class="swatches large" role="group" aria-label="${t('colour')}">${p.colours.map((c) => swatch(c, t(c), 'itemColour', c === colour)).join('')}</div></div>
    <div class="option"><span>${t('size')}: <b>${item.size}</b></span><div class="pills" role="radiogroup" aria-label="${t('size')}">${Object.keys(SIZES).map((s) => `<button type="button" role="radio" data-act="itemSize" data-v="${s}" aria-checked="${s === item.size}">${s}</button>`).join('')}</div></div>
    <div class="row order"><div class="stepper" role="group" aria-label="${t('quantity')}">${iconButton('minus', t('fewer'), 'itemQty', { 'data-v': -1, ...short })}<output>${item.qty}</output>${iconButton('plus', t('more'), 'itemQty', { 'data-v': 1, ...most })}</div>
      <button class="btn primary grow" type="button" data-act="itemAdd" ${p.stock ? '' : 'disabled'}>${icon('bag')}<span>${t(!p.stock ? 'soldOut' : item.added ? 'addMore' : 'addToCart')} · ${money(itemPrice() * item.qty)}</span></button>
      ${wishButton(p, 'outline')}${iconButton('share', t('share'), 'shareMenu', { 'aria-haspopup': 'menu', 'aria-expanded': false }, 'outline')}</div>
    ${item.added ? `<a class="btn soft block" href="cart.html">${t('viewCart')}${icon('next')}</a>` : ''}
    <p class="stock ${p.stock ? '' : 'out'}">${p.stock ? t('left', p.stock) : t('soldOut')}</p>
    <form class="zip" id="zip" novalidate>${icon('truck')}<input class="input" id="zip-input" inputmode="numeric" maxlength="5" value="${esc(item.zip)}" aria-label="${t('zipAsk')}" placeholder="${t('zipAsk')}" autocomplete="off" aria-describedby="zip-text" aria-invalid="${!item.zipOk}">
      <button class="btn ghost" type="submit">${t('zipCheck')}</button><p id="zip-text" role="status" class="${item.zipOk ? 'good' : 'err'}">${item.zipText}</p></form>`);
  $('#zip').onsubmit = (e) => {
    e.preventDefault();
    item.zip = $('#zip-input').value;
    item.zipOk = /^\d{5}$/.test(item.zip);
    item.zipText = item.zipOk ? t('zipGood', dayName(20, LONG_DAY)) : t('zipBad');
    renderBuybox();
  };
}
const visibleReviews = () => item.reviews.filter((r) => !r.hidden && (!item.stars || r.stars === item.stars) && `${r.title} ${r.text}`.toLowerCase().includes(item.q.toLowerCase()));
function reviewCard(r) {
  const vote = (dir, key, n) => `<button class="vote ${dir < 0 ? 'flip' : ''}" type="button" data-act="vote" data-id="${r.id}" data-v="${dir}" aria-pressed="${r.vote === dir}" aria-label="${t(key, n)}" data-tip="${t(key, n)}">${icon('thumb')}${n}</button>`;
  return `<article aria-label="${esc(r.title)}"><div class="row between"><div><h3>${esc(r.title)}</h3><p class="rate">${stars(r.stars)}<span>${esc(r.who)} · ${dayName(r.day, { day: 'numeric', month: 'short', year: 'numeric' })}</span></p></div>
    ${iconButton('dots', t('reviewMore', r.who), 'reviewMenu', { 'data-id': r.id, 'aria-haspopup': 'menu', 'aria-expanded': false }, 'small')}</div><p>${esc(r.text)}</p>
    <div class="row">${vote(1, 'helpful', r.up + (r.vote > 0))}${vote(-1, 'notHelpful', r.down + (r.vote < 0))}<span class="muted">${t('verified')}</span></div></article>`;
}
function renderReviews() {
  const list = visibleReviews();
  const share = (n) => item.reviews.filter((r) => r.stars === n).length;
  paint($('#bars'), [5, 4, 3, 2, 1].map((n) => `<button type="button" data-act="starFilter" data-v="${n}" aria-pressed="${item.stars === n}" aria-label="${t('starsN', n)}" ${share(n) ? '' : 'disabled'}><span>${n} ★</span><i style="--w:${(share(n) / item.reviews.length) * 100}%"></i><span>${share(n)}</span></button>`).join(''));
  paint($('#review-list'), list.slice(0, item.shown).map(reviewCard).join('') || `<p class="empty">${t('noReviews')}</p>`);
}
function renderProduct() { renderGallery(); renderBuybox(); renderReviews(); }
function selectTab(el, names) {
  for (const name of names) {
    const on = name === el.dataset.v;
    const tab = $(`#tab-${name}`);
    tab.setAttribute('aria-selected', on);
    tab.tabIndex = on ? 0 : -1;
    $(`#pane-${name}`).hidden = !on;
  }
}
function reviewDialog() {
  let given = 5;
  const pick = () => [1, 2, 3, 4, 5].map((n) => `<button type="button" class="${n <= given ? 'on' : ''}" data-star="${n}" aria-pressed="${n === given}" aria-label="${t('starsN', n)}">★</button>`).join('');
  const publish = (dialog) => {
    const field = $('textarea', dialog);
    field.setAttribute('aria-invalid', !field.value.trim());
    if (!field.value.trim()) { field.focus(); return false; }
    item.reviews.unshift({ id: item.reviews.length, who: t('you'), stars: given, day: 15, title: t('yourReview'), text: field.value.trim(), up: 0, down: 0, vote: 0 });
    renderReviews();
    toast(t('reviewThanks'));
  };
  const dialog = openDialog(t('writeReview'), `<div class="starpick" role="group" aria-label="${t('rating')}">${pick()}</div><label class="field"><span>${t('reviewText')}</span><textarea class="input" rows="4"></textarea></label>`, [{ label: t('cancel') }, { label: t('publish'), cls: 'primary', run: publish }]);
  $('.starpick', dialog).onclick = (e) => { if (e.target.dataset.star) { given = Number(e.target.dataset.star); $('.starpick', dialog).innerHTML = pick(); $(`[data-star="${given}"]`, dialog).focus(); } };
}
const setZoom = (zoom) => { item.zoom = clamp(zoom, 1, 2.5); renderGallery(); };
const shareItems = () => [{ label: t('copyLink'), icon: 'copy', run: () => toast(t('linkCopied')) }, { label: t('mailLink'), icon: 'share', run: () => toast(t('mailed')) }];
function reviewItems(r) {
  return [{ label: t('report'), icon: 'info', run: () => toast(t('reported', r.who)) },
    { label: t('hideReview'), icon: 'close', danger: true, run: () => { r.hidden = true; renderReviews(); toast(t('reviewHidden', r.who), () => { r.hidden = false; }); } }];
}
const reviewOf = (el) => item.reviews.find((r) => r.id === Number(el.dataset.id));
Object.assign(actions, {
  view: (el) => { item.view = Number(el.dataset.v); setZoom(1); },
  turn: (el) => { item.view = (item.view + Number(el.dataset.v) + VIEWS.length) % VIEWS.length; setZoom(1); },
  zoom: (el) => setZoom(item.zoom + Number(el.dataset.v) * 0.5),
  itemColour: (el) => { state.picked[item.p.id] = el.dataset.v; item.added = false; renderProduct(); },
  itemSize: (el) => { item.size = el.dataset.v; item.added = false; renderBuybox(); },
  itemQty: (el) => { item.qty += Number(el.dataset.v); renderBuybox(); },
  itemAdd: () => { item.added = true; snapshot(t('added', `${item.qty} × ${item.p.name}`), () => addToCart(item.p.id, colourOf(item.p), item.qty, item.size), () => { item.added = false; }); },
  shareMenu: (el) => openMenu(el, shareItems(), t('share')),
  starFilter: (el) => { const n = Number(el.dataset.v); item.stars = item.stars === n ? 0 : n; renderReviews(); },
  vote: (el) => { const r = reviewOf(el); const v = Number(el.dataset.v); r.vote = r.vote === v ? 0 : v; hideTip(); renderReviews(); },
  reviewMenu: (el) => openMenu(el, reviewItems(reviewOf(el)), el.ariaLabel),
  clearReviewSearch: (el) => { item.q = ''; $('#review-q').value = ''; el.hidden = true; hideTip(); renderReviews(); },
  writeReview: reviewDialog,
  tab: (el) => selectTab(el, ['reviews', 'questions']),
  slideRelated: (el) => { $('#shelf').scrollLeft += Number(el.dataset.v) * 440; },
});
doubleClicks.zoom = () => setZoom(item.zoom > 1 ? 1 : 2);
contextMenus.stage = () => [{ label: t('zoomIn'), icon: 'plus', run: () => setZoom(item.zoom + 0.5) }, { label: t('zoomOut'), icon: 'minus', run: () => setZoom(item.zoom - 0.5) },
  { label: t('v_room'), icon: 'eye', run: () => { item.view = 2; setZoom(1); } }, { label: t('copyLink'), icon: 'copy', run: () => toast(t('linkCopied')) }];
function renderShelf() {
  const others = PRODUCTS.filter((p) => p.id !== item.p.id && p.stock);
  paint($('#shelf'), others.map((p) => `<article aria-label="${p.name}"><div class="pic">${art(p.id, p.colours[0])}${wishButton(p, 'round')}</div><h3><a href="${href(p.id)}">${p.name}</a></h3>
    <div class="row between buy">${priceTag(p)}${iconButton('plus', t('addOne', p.name), 'add', { 'data-id': p.id }, 'fill')}</div></article>`).join(''));
}
pages.product = () => {
  const p = product(query.get('p')) ?? PRODUCTS[0];
  item.p = p;
  document.title = `Alderwyn – ${p.name}`;
  $('#crumbs').innerHTML = `<a href="index.html">${t('all')}</a>${icon('next')}<a href="index.html?cat=${p.dept}">${t(p.dept)}</a>${icon('next')}<span aria-current="page">${p.name}</span>`;
  $('#a-details').innerHTML = `<p>${p.about}</p><dl class="facts"><dt>${t('material')}</dt><dd>${t(p.material)}</dd><dt>${t('size')}</dt><dd>${p.dims}</dd><dt>${t('colour')}</dt><dd>${p.colours.map((c) => t(c)).join(', ')}</dd></dl>`;
  $('#pane-questions').innerHTML = QUESTIONS.map(([ask, say], i) => `<h3><button class="fold plus" type="button" data-act="fold" aria-expanded="false" aria-controls="answer-${i}"><span>${ask}</span><i></i></button></h3><div class="fold-body" id="answer-${i}" hidden><p>${say}</p><p class="muted">${t('answers')}</p></div>`).join('');
  $('#review-q').oninput = (e) => { item.q = e.target.value.trim(); $('[data-act="clearReviewSearch"]').hidden = !e.target.value; renderReviews(); };
  const list = $('#review-list');
  list.onscroll = () => {
    $('#up').hidden = list.scrollTop < 60;
    list.classList.toggle('scrolled', list.scrollTop > 4);
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 40 && visibleReviews().length > item.shown) { item.shown += 4; renderReviews(); }
  };
  renderPage = () => { renderProduct(); renderShelf(); };
};

// ---------- Cart ----------
const basket = { chosen: new Set(), error: '' };
function lineHtml(line, saved) {
  const p = product(line.id);
  const id = { 'data-id': line.key };
  const side = saved
    ? `<b class="sum">${money(unitPrice(line) * line.qty)}</b><div class="row tight">${iconButton('plus', t('back', p.name), 'toCart', id)}${iconButton('bin', t('forGood', p.name), 'forGood', id)}</div>`
    : `<div class="stepper">${iconButton('minus', t('less1', p.name), 'lineQty', { ...id, 'data-v': -1, ...(line.qty > 1 ? {} : { disabled: '' }) })}<output>${line.qty}</output>${iconButton('plus', t('more1', p.name), 'lineQty', { ...id, 'data-v': 1 })}</div>
      <b class="sum">${money(unitPrice(line) * line.qty)}</b><div class="row tight">${iconButton('bookmark', t('later', p.name), 'later', id)}${iconButton('close', t('remove', p.name), 'removeLine', id)}</div>`;
  const tick = `<button class="tick" type="button" role="checkbox" data-act="chooseLine" data-id="${line.key}" aria-checked="${basket.chosen.has(line.key)}" aria-label="${t('selectItem', p.name)}">${icon('check')}</button>`;
  const note = `<p class="note" tabindex="0" data-dbl="note" data-id="${line.key}" data-tip="${t('noteHint')}">${icon('pencil')}<span>${line.note ? esc(line.note) : t('addNote')}</span></p>`;
  return `<li class="line" data-key="${line.key}" data-menu="${saved ? 'savedLine' : 'line'}"><button class="ib small grip" type="button" data-handle aria-label="${t('moveItem', p.name)}">${icon('grip')}</button>${saved ? '' : tick}
    <span class="mini-pic big">${art(line.id, line.colour)}</span><div class="grow what"><a href="${href(p.id)}">${p.name}</a><small>${lineText(line)} · ${t('each', money(unitPrice(line)))}</small>${saved ? '' : note}</div><div class="side">${side}</div></li>`;
}
function renderShipping() {
  const { sub, off } = totals();
  const price = (key) => { const n = key === 'standard' && sub - off >= FREE_FROM ? 0 : SHIPPING[key]; return n ? money(n) : t('free'); };
  const legend = $('#shipping legend').outerHTML;
  const focused = document.activeElement?.name === 'ship';
  $('#shipping').innerHTML = legend + Object.keys(SHIPPING).map((key) => `<label class="choice"><input type="radio" name="ship" value="${key}" ${key === state.ship ? 'checked' : ''}><span>${t(key)}<small>${t(`d_${key}`)}</small></span><b>${price(key)}</b></label>`).join('');
  if (focused) $('#shipping input:checked').focus();
}
function renderVoucher() {
  const typed = $('#code')?.value ?? '';
  paint($('#voucher'), state.code ? `<span class="chip">${icon('tag')}${t('codeOn', state.code)}${iconButton('close', t('removeCode', state.code), 'dropCode', {}, 'tiny')}</span>`
    : `<div class="row"><input class="input" id="code" value="${esc(typed)}" aria-label="${t('code')}" placeholder="${t('code')}" autocomplete="off" aria-invalid="${!!basket.error}" aria-describedby="code-error"><button class="btn ghost" type="button" data-act="applyCode">${t('apply')}</button></div><p class="err" id="code-error" role="status">${basket.error}</p>`);
}
function renderTotals() {
  const sums = totals();
  const row = (label, n, show = true) => (show ? `<div><dt>${label}</dt><dd>${n ? money(n) : t('free')}</dd></div>` : '');
  $('#totals').innerHTML = `<div><dt>${t('subtotal')}</dt><dd>${money(sums.sub)}</dd></div>${row(t('discount'), -sums.off, sums.off)}${row(`${t('delivery')} (${t(state.ship)})`, sums.ship)}${row(t('giftWrap'), sums.gift, sums.gift)}${row(t('donation'), sums.give, sums.give)}
    <div class="grand"><dt>${t('total')} <small>${t('vat')}</small></dt><dd>${money(sums.total)}</dd></div>`;
}
function renderCartTools() {
  const n = basket.chosen.size;
  const none = state.cart.length ? {} : { disabled: '' };
  paint($('#cart-tools'), `<button class="btn ghost" type="button" data-act="chooseLines" aria-pressed="${n > 0 && n === state.cart.length}" ${state.cart.length ? '' : 'disabled'}>${icon('check')}<span>${n ? t('selected', n) : t('selectAll')}</span></button>
    ${n ? iconButton('bookmark', t('laterSel', n), 'laterSel', {}, 'outline') : ''}${iconButton('bin', n ? t('removeSel', n) : t('emptyCart'), 'bin', none, 'outline')}`);
}
function renderCart() {
  basket.chosen = new Set([...basket.chosen].filter((key) => state.cart.some((l) => l.key === key)));
  const { sub, off } = totals();
  const rest = FREE_FROM - sub + off;
  $('#cart-count').textContent = t('nItems', count());
  renderCartTools();
  paint($('#lines'), state.cart.map((l) => lineHtml(l)).join('') || `<li class="empty">${t('noLines')}</li>`);
  paint($('#saved'), state.saved.map((l) => lineHtml(l, true)).join('') || `<li class="empty">${t('noSaved')}</li>`);
  $('#progress').innerHTML = `<p>${rest > 0 ? t('toFree', money(rest)) : t('isFree')}</p><span style="--w:${clamp(100 - (rest / FREE_FROM) * 100, 0, 100)}%"></span>`;
  renderShipping();
  renderVoucher();
  $('#gift').setAttribute('aria-checked', state.gift);
  $('#gift-options').disabled = !state.gift;
  paint($('#ribbons'), ['forest', 'terracotta', 'ochre', 'mist'].map((c) => swatch(c, t('ribbonIn', t(c)), 'ribbon', c === state.ribbon)).join(''));
  renderTotals();
  $('#go').toggleAttribute('aria-disabled', !state.cart.length);
}
/** Moves lines between the cart and the saved list; the same product is counted together. */
function moveLines(keys, from, to) {
  for (const line of state[from].filter((l) => keys.includes(l.key))) {
    const same = state[to].find((l) => l.key === line.key);
    if (same) same.qty += line.qty; else state[to].push(line);
  }
  state[from] = state[from].filter((l) => !keys.includes(l.key));
}
const lineName = (key) => product(key.split('.')[0]).name;
const dropLines = (keys) => { state.cart = state.cart.filter((l) => !keys.includes(l.key)); };
const saveLine = (key) => snapshot(t('savedMsg', lineName(key)), () => moveLines([key], 'cart', 'saved'));
const removeLine = (key) => snapshot(t('removed', lineName(key)), () => dropLines([key]));
const returnLine = (key) => snapshot(t('backMsg', lineName(key)), () => moveLines([key], 'saved', 'cart'));
function deleteForGood(key) {
  const run = () => { state.saved = state.saved.filter((l) => l.key !== key); refresh(); toast(t('deleted', lineName(key))); };
  openDialog(t('del'), `<p>${t('forGoodAsk', lineName(key))}</p>`, [{ label: t('cancel') }, { label: t('del'), cls: 'danger', run }]);
}
function binPressed() {
  const keys = [...basket.chosen];
  if (keys.length) snapshot(t('removed', t('nItems', keys.length)), () => dropLines(keys));
  else if (confirm(t('emptyAsk'))) { state.cart = []; refresh(); toast(t('emptied')); }
}
function editNote(el) {
  const line = state.cart.find((l) => l.key === el.dataset.id);
  editInPlace(el, line.note, (text) => { line.note = text; renderPage(); });
}
function applyCode() {
  const typed = $('#code').value.trim().toUpperCase();
  state.code = typed === 'SPRING10' ? typed : '';
  basket.error = state.code ? '' : t('badCode');
  refresh();
}
Object.assign(actions, {
  lineQty: (el) => { state.cart.find((l) => l.key === el.dataset.id).qty += Number(el.dataset.v); refresh(); },
  later: (el) => saveLine(el.dataset.id), removeLine: (el) => removeLine(el.dataset.id), toCart: (el) => returnLine(el.dataset.id), forGood: (el) => deleteForGood(el.dataset.id),
  chooseLine: (el) => { toggleIn(basket.chosen, el.dataset.id); refresh(); },
  chooseLines: () => { basket.chosen = new Set(basket.chosen.size === state.cart.length ? [] : state.cart.map((l) => l.key)); refresh(); },
  laterSel: () => { const keys = [...basket.chosen]; snapshot(t('savedMsg', t('nItems', keys.length)), () => moveLines(keys, 'cart', 'saved')); },
  bin: binPressed, applyCode,
  dropCode: () => { state.code = ''; refresh(); },
  giftSwitch: () => { state.gift = !state.gift; refresh(); },
  ribbon: (el) => { state.ribbon = el.dataset.v; refresh(); },
});
doubleClicks.note = editNote;
contextMenus.line = (el) => [{ label: t('later', lineName(el.dataset.key)), icon: 'bookmark', run: () => saveLine(el.dataset.key) }, { label: t('addNote'), icon: 'pencil', run: () => editNote($('.note', el)) },
  { label: t('remove', lineName(el.dataset.key)), icon: 'close', danger: true, run: () => removeLine(el.dataset.key) }];
contextMenus.savedLine = (el) => [{ label: t('back', lineName(el.dataset.key)), icon: 'plus', run: () => returnLine(el.dataset.key) }, { label: t('forGood', lineName(el.dataset.key)), icon: 'bin', danger: true, run: () => deleteForGood(el.dataset.key) }];
function bindShipping() {
  $('#shipping').onchange = (e) => { state.ship = e.target.value; refresh(); };
  $('#voucher').onkeydown = (e) => { if (e.key === 'Enter' && e.target.id === 'code') { e.preventDefault(); applyCode(); } };
}
pages.cart = () => { bindShipping(); renderPage = renderCart; };

// ---------- Checkout ----------
const STEPS = ['address', 'delivery', 'payment', 'review'];
const NEXT = ['goDelivery', 'goPayment', 'goReview', 'place'];
const BACK = ['backToCart', 'toAddress', 'toDelivery', 'toPayment'];
const RULES = { name: /^.*\p{L}.*\p{L}.*$/u, street: /\p{L}.*\d/u, zip: /^\d{5}$/, email: /^\S+@\S+\.\S+$/, phone: /^[\d +]*$/, card: /^(\d{4} ?){4}$/, expiry: /^(0[1-9]|1[0-2])\/\d\d$/, cvc: /^\d{3}$/, any: /^/ };
const order = { step: 0, reached: 0, address: '', week: 0, day: 20, slot: 'morning', pay: 'card', moveGive: () => {},
  addresses: [
    { id: 'home', name: LANG ? 'Zuhause' : 'Home', first: 'Mara', last: 'Ellison', street: 'Millrace Lane 14', zip: '40213', city: 'Oakhaven', email: 'mara@mail.example', phone: '0555 0179' },
    { id: 'work', name: LANG ? 'Atelier' : 'Studio', first: 'Mara', last: 'Ellison', street: 'Ropewalk 3', zip: '40477', city: 'Oakhaven', email: 'studio@mail.example', phone: '' },
  ] };
function buildField(el) {
  const { field, rule } = el.dataset;
  el.innerHTML = `<label for="${field}">${t(`f_${field}`)}</label><input class="input" id="${field}" autocomplete="off" aria-invalid="false" aria-describedby="${field}-e"><p class="err" id="${field}-e" role="status"></p>`;
  const input = $('input', el);
  if (['zip', 'card', 'expiry', 'cvc'].includes(rule)) input.inputMode = 'numeric';
  input.onblur = () => { if (input.value) validate(el); };
  input.oninput = () => { if (rule === 'card') input.value = input.value.replace(/\D/g, '').slice(0, 16).replace(/(.{4})(?=.)/g, '$1 '); if (input.ariaInvalid === 'true') validate(el); };
}
function validate(el) {
  const input = $('input', el);
  const good = RULES[el.dataset.rule].test(input.value.trim());
  input.setAttribute('aria-invalid', !good);
  $('.err', el).textContent = good ? '' : t(`e_${el.dataset.rule}`);
  return good;
}
function stepIsValid() {
  const fields = $$(`[data-step="${STEPS[order.step]}"] [data-field]`).filter((el) => !el.closest('fieldset:disabled') && !el.closest('[role="tabpanel"][hidden]'));
  const bad = fields.filter((el) => !validate(el));
  if (!bad.length) return true;
  $('input', bad[0]).focus();
  toast(t('fixFields', bad.length));
  return false;
}
function goTo(step) {
  order.step = step;
  order.reached = Math.max(order.reached, step);
  renderPage();
  $$('.toast').forEach((el) => el.remove());
  scrollTo(0, 0);
}
function renderAddresses() {
  const one = (a) => `<div class="address${a.id === order.address ? ' on' : ''}" data-menu="address" data-id="${a.id}"><button class="pick" type="button" data-act="useAddress" data-id="${a.id}" aria-pressed="${a.id === order.address}" aria-label="${t('useAddress', esc(a.name))}"></button>
    <strong data-dbl="addressName" data-id="${a.id}" tabindex="0" data-tip="${t('renameHint')}">${esc(a.name)}</strong><small>${a.street}<br>${a.zip} ${a.city}</small>${iconButton('dots', t('addrMenu', a.name), 'addressMenu', { 'data-id': a.id, 'aria-haspopup': 'menu', 'aria-expanded': false }, 'small')}</div>`;
  paint($('#addresses'), `${order.addresses.map(one).join('')}<button class="address add" type="button" data-act="newAddress">${icon('plus')}<span>${t('newAddress')}</span></button>`);
}
function renderDelivery() {
  renderShipping();
  const first = 18 + order.week * 7;
  const soonest = { standard: 20, express: 18, pickup: 18 }[state.ship];
  if (order.day < soonest) order.day = soonest;
  $('#week').textContent = `${dayName(first, { day: 'numeric', month: 'long' })} – ${dayName(first + 5, { day: 'numeric', month: 'long' })}`;
  $$('[data-act="week"]').forEach((el) => { el.disabled = el.dataset.v < 0 ? order.week === 0 : order.week === 2; });
  paint($('#days'), [0, 1, 2, 3, 4, 5].map((i) => first + i).map((d) => `<button type="button" role="radio" data-act="day" data-v="${d}" aria-checked="${d === order.day}" aria-label="${dayName(d, LONG_DAY)}" ${d < soonest ? 'disabled' : ''}><small>${dayName(d, { weekday: 'short' })}</small><b>${dayName(d, { day: 'numeric' }).replace('.', '')}</b></button>`).join(''));
  paint($('#slots'), ['morning', 'noon', 'night'].map((s) => `<button type="button" role="radio" data-act="slot" data-v="${s}" aria-checked="${s === order.slot}">${t(`t_${s}`)}</button>`).join(''));
}
function renderReview() {
  const v = (id) => esc($(`#${id}`).value.trim());
  const pay = { card: () => `${t('card')} ···· ${v('number').slice(-4)}`, bank: () => t('bank'), invoice: () => t('invoice') }[order.pay]();
  const parts = [['st_address', `${v('first')} ${v('last')}<br>${v('street')}, ${v('zip')} ${v('city')}<br>${v('email')}`], ['st_delivery', `${t(state.ship)}, ${dayName(order.day, LONG_DAY)}<br>${t(`t_${order.slot}`)}`], ['st_payment', pay]];
  paint($('#review'), parts.map(([key, html], i) => `<section class="row between part" aria-label="${t(key)}"><div><h3>${t(key)}</h3><p>${html}</p></div>${iconButton('pencil', t('change', t(key)), 'goStep', { 'data-v': i })}</section>`).join(''));
}
function renderSteps() {
  paint($('#steps'), STEPS.map((s, i) => `<li><button type="button" data-act="goStep" data-v="${i}" ${i === order.step ? 'aria-current="step" disabled' : ''} ${i > order.reached ? 'disabled' : ''} class="${i < order.step ? 'done' : ''}"><b>${i < order.step ? icon('check') : i + 1}</b><span>${t(`st_${s}`)}</span></button></li>`).join(''));
}
function renderCheckout() {
  const last = order.step === STEPS.length - 1;
  renderSteps();
  $$('[data-step]').forEach((el) => { el.hidden = el.dataset.step !== STEPS[order.step]; });
  renderAddresses();
  renderDelivery();
  if (last) renderReview();
  $('#back span').textContent = t(BACK[order.step]);
  $('#next span').textContent = last ? `${t('place')} · ${money(totals().total)}` : t(NEXT[order.step]);
  $('#next').disabled = last && !($('#terms').checked && state.cart.length);
  $('#mini').innerHTML = state.cart.map(miniLine).join('');
  order.moveGive();
  renderVoucher();
  renderTotals();
}
function placeOrder() {
  const mail = esc($('#email').value);
  openDialog(t('placed'), `<p>${t('placedText', mail)}</p><a class="btn primary" href="index.html">${t('keepShopping')}</a>`);
  Object.assign(state, { cart: [], code: '', gift: false, give: 0 });
  refresh();
}
const addressOf = (el) => order.addresses.find((a) => a.id === el.dataset.id);
function fillAddress(a, message) {
  order.address = a.id ?? '';
  for (const key of ['first', 'last', 'street', 'zip', 'city', 'email', 'phone']) { const input = $(`#${key}`); input.value = a[key] ?? ''; input.setAttribute('aria-invalid', false); $(`#${key}-e`).textContent = ''; }
  renderAddresses();
  toast(message);
}
function renameAddress(a) {
  editInPlace($(`.address[data-id="${a.id}"] strong`), a.name, (name) => { a.name = name || a.name; renderAddresses(); });
}
function dropAddress(a) {
  const before = order.addresses;
  order.addresses = before.filter((other) => other !== a);
  renderAddresses();
  toast(t('addrGone', a.name), () => { order.addresses = before; });
}
const addressItems = (a) => [{ label: t('rename'), icon: 'pencil', run: () => renameAddress(a) }, { label: t('del'), icon: 'bin', danger: true, run: () => dropAddress(a) }];
const setGive = (v) => { state.give = clamp(v, 0, 10); renderCheckout(); };
function stepBack() {
  if (order.step) return goTo(order.step - 1);
  const link = $('a[href^="cart.html"].block');
  link.click();
}
Object.assign(actions, {
  stepBack,
  goStep: (el) => goTo(Number(el.dataset.v)),
  useAddress: (el) => { const a = addressOf(el); fillAddress(a, t('addrUsed', a.name)); },
  newAddress: () => { fillAddress({}, t('addrNew')); $('#first').focus(); },
  addressMenu: (el) => openMenu(el, addressItems(addressOf(el)), el.ariaLabel),
  formSwitch: (el) => { const on = el.ariaChecked !== 'true'; el.setAttribute('aria-checked', on); $(`#${el.dataset.v}`).disabled = !on; },
  week: (el) => { order.week += Number(el.dataset.v); renderDelivery(); },
  day: (el) => { order.day = Number(el.dataset.v); renderDelivery(); },
  slot: (el) => { order.slot = el.dataset.v; renderDelivery(); },
  payTab: (el) => { order.pay = el.dataset.v; selectTab(el, ['card', 'bank', 'invoice']); },
  copyBank: () => toast(t('bankCopied')),
  give: (el) => setGive(state.give + Number(el.dataset.v)),
});
doubleClicks.addressName = (el) => renameAddress(addressOf(el));
contextMenus.address = (el) => addressItems(addressOf(el));
pages.checkout = () => {
  $$('[data-field]').forEach(buildField);
  bindShipping();
  order.moveGive = bindSlider($('#give'), { min: 0, max: 10, step: 1, get: () => state.give, set: (i, v) => { if (v !== state.give) setGive(v); } });
  $('#terms').onchange = renderCheckout;
  $('#wizard').onsubmit = (e) => {
    e.preventDefault();
    if (order.step === STEPS.length - 1) placeOrder();
    else if (stepIsValid()) goTo(order.step + 1);
  };
  renderPage = renderCheckout;
};

// ---------- Start ----------
function translatePage() {
  document.documentElement.lang = ['en', 'de'][LANG];
  $$('[data-t]').forEach((el) => { el.textContent = t(el.dataset.t); });
  $$('[data-t-label]').forEach((el) => { el.setAttribute('aria-label', t(el.dataset.tLabel)); if (el.matches('.ib')) el.dataset.tip = t(el.dataset.tLabel); });
  $$('[data-t-ph]').forEach((el) => { el.placeholder = t(el.dataset.tPh); });
  $$('[data-icon]').forEach((el) => { el.outerHTML = icon(el.dataset.icon); });
}
let skipClick = false;
function bindLongPress() {
  let timer = 0;
  const cancel = () => clearTimeout(timer);
  addEventListener('pointerdown', (e) => {
    skipClick = false;
    const target = e.button === 0 && !e.target.closest('button') ? e.target.closest('article.card') : null;
    if (target) timer = setTimeout(() => { skipClick = true; setSelecting(true, target.dataset.id); }, 500);
  });
  for (const type of ['pointerup', 'pointercancel', 'scroll']) addEventListener(type, cancel, true);
  addEventListener('pointermove', (e) => { if (Math.abs(e.movementX) + Math.abs(e.movementY) > 6) cancel(); });
}
function onClick(e) {
  if (skipClick) { skipClick = false; e.preventDefault(); return; }
  if (!e.target.closest('#menu, [aria-haspopup="menu"]')) closeMenu();
  const link = e.target.closest('a[href*=".html"]');
  const el = e.target.closest('[data-act]');
  if (link && link.getAttribute('aria-disabled') !== null) e.preventDefault();
  else if (link) carryState(link);
  else if (el && !el.disabled) actions[el.dataset.act](el, e);
}
function onKey(e) {
  const menu = $('#menu');
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  const handle = e.target.closest?.('[data-handle]');
  if (e.key === 'Escape') {
    hideTip();
    if ($('dialog')) return;
    if (menu) { const { opener } = menu; closeMenu(); opener?.focus(); } else if (view.selecting) setSelecting(false); else if (!$('#drawer').hidden) actions.toggleWish();
  } else if (menu && step) { e.preventDefault(); moveInMenu(menu, step); } else if (handle && step) { e.preventDefault(); nudgeLine(handle, step); }
  else if (e.target.matches?.('[role="tab"]') && ['ArrowLeft', 'ArrowRight'].includes(e.key)) {
    const next = e.key === 'ArrowRight' ? e.target.nextElementSibling : e.target.previousElementSibling;
    if (next) { next.click(); next.focus(); }
  } else if (e.key === 'Enter' && e.target.matches?.('[data-dbl][tabindex]')) doubleClicks[e.target.dataset.dbl](e.target);
}
function bindEvents() {
  document.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
  document.addEventListener('dblclick', (e) => { const el = e.target.closest('[data-dbl]'); if (el && !e.target.closest('button, input')) doubleClicks[el.dataset.dbl](el); });
  document.addEventListener('contextmenu', (e) => {
    const el = e.target.closest('[data-menu]');
    if (!el || e.target.closest('input')) return;
    e.preventDefault();
    openMenu({ x: e.clientX, y: e.clientY }, contextMenus[el.dataset.menu](el), t('menu'));
  });
  document.addEventListener('pointerdown', (e) => { const handle = e.target.closest('[data-handle]'); if (handle && e.button === 0) dragLine(e, handle); });
  document.addEventListener('pointerover', (e) => { const el = e.target.closest('[data-tip]'); if (el) showTip(el); else hideTip(); });
  document.addEventListener('focusin', (e) => { if (e.target.matches('[data-tip]:focus-visible')) showTip(e.target); else hideTip(); });
  bindLongPress();
}
buildFrame();
translatePage();
bindEvents();
pages[document.body.dataset.page]();
refresh();
