'use strict';
(() => {
  // ---------- Words: English, German, Arabic ----------
  const LANGS = ['en', 'de', 'ar'];
  const WORDS = {
    titleHome: ['Kipla – City map', 'Kipla – Stadtplan', 'كيبلا – خريطة المدينة'], titleTrips: ['Kipla – Trips', 'Kipla – Fahrten', 'كيبلا – الرحلات'],
    titleWallet: ['Kipla – Wallet', 'Kipla – Geldbörse', 'كيبلا – المحفظة'], titleProfile: ['Kipla – Profile', 'Kipla – Profil', 'كيبلا – الملف الشخصي'],
    tabs: ['Main', 'Hauptbereiche', 'الأقسام الرئيسية'], tabMap: ['Map', 'Karte', 'الخريطة'], tabTrips: ['Trips', 'Fahrten', 'الرحلات'],
    tabWallet: ['Wallet', 'Geldbörse', 'المحفظة'], tabProfile: ['Profile', 'Profil', 'حسابي'],
    undo: ['Undo', 'Zurücknehmen', 'تراجع'], undone: ['Undone', 'Zurückgenommen', 'تم التراجع'], dismiss: ['Dismiss message', 'Meldung schließen', 'إغلاق الرسالة'],
    cancel: ['Cancel', 'Abbrechen', 'إلغاء'], close: ['Close', 'Schließen', 'إغلاق'], save: ['Save', 'Sichern', 'حفظ'], add: ['Add', 'Hinzufügen', 'إضافة'],
    rename: ['Rename', 'Umbenennen', 'إعادة تسمية'], newName: ['New name', 'Neuer Name', 'الاسم الجديد'], renamed: ['Renamed to “{x}”', 'Umbenannt in „{x}“', 'تمت التسمية: {x}'],
    share: ['Share', 'Teilen', 'مشاركة'], star: ['Star', 'Merken', 'تمييز'], select: ['Select', 'Auswählen', 'تحديد'], remove: ['Remove', 'Entfernen', 'إزالة'], more: ['More for {x}', 'Mehr zu {x}', 'المزيد: {x}'],
    // map
    whereTo: ['Where to?', 'Wohin?', 'إلى أين؟'], clearSearch: ['Clear search', 'Suche leeren', 'مسح البحث'], searchResults: ['Search results', 'Suchergebnisse', 'نتائج البحث'],
    noMatch: ['Nothing matches “{x}”', 'Nichts passt zu „{x}“', 'لا نتائج مطابقة: {x}'], notices: ['Notices', 'Hinweise', 'التنبيهات'], closeNotices: ['Close notices', 'Hinweise schließen', 'إغلاق التنبيهات'],
    dismissNotice: ['Dismiss: {x}', 'Verwerfen: {x}', 'تجاهل: {x}'], noNotices: ['All quiet. No notices.', 'Alles ruhig. Keine Hinweise.', 'لا توجد تنبيهات.'], noticeGone: ['Notice dismissed', 'Hinweis verworfen', 'تم تجاهل التنبيه'],
    layers: ['Show on map', 'Auf der Karte zeigen', 'عرض على الخريطة'], layer_tram: ['Trams', 'Trams', 'ترام'], layer_bike: ['Bikes', 'Räder', 'دراجات'], layer_scooter: ['Scooters', 'Roller', 'سكوتر'], layer_locker: ['Lockers', 'Paketfächer', 'خزائن'],
    cityMap: ['City map', 'Stadtplan', 'خريطة المدينة'], markers: ['Places on the map', 'Orte auf der Karte', 'أماكن على الخريطة'], mapTools: ['Map controls', 'Kartensteuerung', 'أدوات الخريطة'],
    zoomIn: ['Zoom in', 'Vergrößern', 'تكبير'], zoomOut: ['Zoom out', 'Verkleinern', 'تصغير'], locate: ['Follow my position', 'Meinem Standort folgen', 'تتبع موقعي'],
    sheet: ['Places and errands', 'Orte und Erledigungen', 'الأماكن والمهام'], sheetBody: ['Sheet content', 'Inhalt des Blatts', 'محتوى اللوحة'], sheetGrip: ['Resize sheet', 'Blatt vergrößern oder verkleinern', 'تغيير حجم اللوحة'],
    favourites: ['Favourite places', 'Lieblingsorte', 'الأماكن المفضلة'], addFav: ['Add favourite place', 'Lieblingsort hinzufügen', 'إضافة مكان مفضل'], placeName: ['Name', 'Name', 'الاسم'], placeStreet: ['Street and number', 'Straße und Hausnummer', 'الشارع والرقم'],
    needStreet: ['Give a street with a number, such as Quay Row 7.', 'Bitte Straße mit Nummer, etwa Quay Row 7.', 'اكتب الشارع مع الرقم، مثل Quay Row 7.'],
    unfav: ['Remove {x} from favourites', '{x} aus Lieblingsorten entfernen', 'إزالة {x} من المفضلة'], fav: ['Save {x} as favourite', '{x} als Lieblingsort sichern', 'حفظ {x} في المفضلة'],
    favGone: ['{x} removed from favourites', '{x} ist kein Lieblingsort mehr', 'أزيل {x} من المفضلة'], favSaved: ['{x} saved as favourite', '{x} ist jetzt Lieblingsort', 'حُفظ {x} في المفضلة'], toTopOfList: ['Move to top', 'Nach oben', 'نقل إلى الأعلى'],
    home: ['Home', 'Zuhause', 'المنزل'], work: ['Work', 'Arbeit', 'العمل'], minutes: ['{x} min', '{x} Min.', '{x} د'], errandsToday: ['Errands today', 'Erledigungen heute', 'مهام اليوم'], doneOf: ['{x} of {y} done', '{x} von {y} erledigt', 'أُنجز {x} من {y}'],
    addErrand: ['Add an errand', 'Erledigung hinzufügen', 'إضافة مهمة'], removeErrand: ['Remove errand: {x}', 'Erledigung entfernen: {x}', 'إزالة المهمة: {x}'], errandGone: ['Errand removed: {x}', 'Erledigung entfernt: {x}', 'أزيلت المهمة: {x}'], clearDone: ['Clear done', 'Erledigte leeren', 'مسح المنجز'],
    closePlan: ['Close {x}', '{x} schließen', 'إغلاق {x}'], modes: ['How to get there', 'Wie hinkommen', 'وسيلة التنقل'], mode_tram: ['Tram', 'Tram', 'ترام'], mode_bike: ['Bike', 'Rad', 'دراجة'], mode_walk: ['Walk', 'Zu Fuß', 'مشيًا'], mode_scooter: ['Scooter', 'Roller', 'سكوتر'],
    free: ['free', 'gratis', 'مجانًا'], riders: ['Riders', 'Mitfahrende', 'الركاب'], fewerRiders: ['One rider fewer', 'Eine Person weniger', 'راكب أقل'], moreRiders: ['One rider more', 'Eine Person mehr', 'راكب إضافي'],
    step_start: ['Start trip · {p}', 'Fahrt starten · {p}', 'بدء الرحلة · {p}'], step_end: ['End trip', 'Fahrt beenden', 'إنهاء الرحلة'], step_reserve: ['Reserve', 'Reservieren', 'حجز'], step_unlock: ['Unlock', 'Aufschließen', 'فتح القفل'], step_endRide: ['End ride', 'Fahrt beenden', 'إنهاء الركوب'],
    step_openLocker: ['Open compartment', 'Fach öffnen', 'فتح الخزانة'], step_closeLocker: ['Parcel taken, close', 'Paket entnommen, schließen', 'أُخذ الطرد، إغلاق'],
    live_end: ['On the way to {x}', 'Unterwegs nach {x}', 'في الطريق إلى {x}'], live_unlock: ['Held for 10 minutes', 'Für 10 Minuten reserviert', 'محجوز لمدة 10 دقائق'], live_endRide: ['Unlocked. Have a good ride!', 'Aufgeschlossen. Gute Fahrt!', 'فُتح القفل. رحلة سعيدة!'], live_closeLocker: ['Compartment 7 is open', 'Fach 7 ist offen', 'الخزانة 7 مفتوحة'],
    finished: ['Finished: {x}', 'Beendet: {x}', 'انتهى: {x}'], pinHere: ['Drop a pin', 'Stecknadel setzen', 'وضع دبوس'], routeHere: ['Route to here', 'Route hierher', 'مسار إلى هنا'], zoomHere: ['Zoom in here', 'Hier vergrößern', 'تكبير هنا'],
    pin: ['Dropped pin', 'Stecknadel', 'دبوس'], pinDropped: ['Pin dropped', 'Stecknadel gesetzt', 'وُضع الدبوس'], mapMenu: ['Map menu', 'Kartenmenü', 'قائمة الخريطة'],
    // trips
    searchTrips: ['Search trips', 'Fahrten suchen', 'بحث في الرحلات'], sortByDate: ['Latest first', 'Späteste zuerst', 'الأحدث أولًا'], filterMode: ['Filter by vehicle', 'Nach Verkehrsmittel filtern', 'تصفية حسب الوسيلة'], allModes: ['All vehicles', 'Alle Verkehrsmittel', 'كل الوسائل'], clearFilter: ['Remove filter', 'Filter entfernen', 'إزالة التصفية'],
    tripKind: ['Kind of trips', 'Art der Fahrten', 'نوع الرحلات'], upcoming: ['Upcoming', 'Geplant', 'القادمة'], past: ['Past', 'Vergangen', 'السابقة'], tripList: ['List of trips', 'Liste der Fahrten', 'قائمة الرحلات'], backToTop: ['Back to top', 'Nach oben', 'إلى الأعلى'],
    thisWeek: ['This week', 'Diese Woche', 'هذا الأسبوع'], later: ['Later', 'Später', 'لاحقًا'], leaveSelect: ['Leave selection', 'Auswahl beenden', 'إنهاء التحديد'], selected: ['Selected: {x}', 'Ausgewählt: {x}', 'المحدد: {x}'], selectAll: ['Select all', 'Alle auswählen', 'تحديد الكل'], selectNone: ['Select none', 'Keine auswählen', 'إلغاء التحديد'],
    bulkActions: ['Actions for selection', 'Aktionen für die Auswahl', 'إجراءات التحديد'], remind: ['Remind me', 'Erinnern', 'ذكّرني'], reminded: ['Reminder set for {x}', 'Erinnerung an {x} gesetzt', 'ضُبط تذكير: {x}'], again: ['Book again', 'Erneut buchen', 'حجز مجددًا'], booked: ['{x} booked for 26 May', '{x} für 26. Mai gebucht', 'حُجزت {x} ليوم 26 مايو'],
    cancelTrip: ['Cancel trip', 'Stornieren', 'إلغاء الرحلة'], deleteTrip: ['Delete', 'Löschen', 'حذف'], keepTrip: ['Keep', 'Behalten', 'إبقاء'], cancelOneQ: ['Cancel “{x}”?', '„{x}“ stornieren?', 'إلغاء الرحلة «{x}»؟'], cancelQ: ['Cancel {x} trips?', '{x} Fahrten stornieren?', 'إلغاء الرحلات المحددة ({x})؟'], cancelText: ['The fare goes back to your balance. This cannot be undone.', 'Der Fahrpreis geht zurück aufs Guthaben. Das lässt sich nicht zurücknehmen.', 'تُعاد الأجرة إلى رصيدك. لا يمكن التراجع عن ذلك.'],
    cancelled: ['Cancelled: {x}', 'Storniert: {x}', 'أُلغيت: {x}'], deleted: ['Deleted from history: {x}', 'Aus dem Verlauf gelöscht: {x}', 'حُذفت من السجل: {x}'], shared: ['Share link ready: {x}', 'Link zum Teilen bereit: {x}', 'رابط المشاركة جاهز: {x}'], starTrip: ['Star {x}', '{x} merken', 'تمييز {x}'], starred: ['Starred: {x}', 'Gemerkt: {x}', 'مُيزت: {x}'],
    distance: ['Distance', 'Strecke', 'المسافة'], saved: ['CO₂ saved', 'CO₂ gespart', 'توفير CO₂'], fare: ['Fare', 'Preis', 'الأجرة'], receipt: ['Receipt', 'Beleg', 'الإيصال'], loaded: ['Older trips loaded', 'Ältere Fahrten geladen', 'حُملت رحلات أقدم'], noTrips: ['No trips here', 'Hier sind keine Fahrten', 'لا توجد رحلات هنا'], allShown: ['That is all', 'Das ist alles', 'هذا كل شيء'],
    // wallet
    hideAmounts: ['Hide amounts', 'Beträge verbergen', 'إخفاء المبالغ'], addPass: ['Add a pass', 'Karte hinzufügen', 'إضافة بطاقة'], balance: ['Balance', 'Guthaben', 'الرصيد'], topUpAmount: ['Top-up amount', 'Aufladebetrag', 'مبلغ الشحن'], lessTopUp: ['Top up 5 less', '5 weniger aufladen', 'إنقاص 5'], moreTopUp: ['Top up 5 more', '5 mehr aufladen', 'زيادة 5'],
    quickAmounts: ['Quick amounts', 'Schnellbeträge', 'مبالغ سريعة'], topUp: ['Top up {x}', '{x} laden', 'شحن {x}'], payWith: ['Pay with', 'Bezahlen mit', 'الدفع بواسطة'], pay: ['Pay {x}', '{x} zahlen', 'دفع {x}'], toppedUp: ['{x} added to your balance', '{x} aufgeladen', 'أُضيف {x} إلى رصيدك'],
    passes: ['Passes', 'Karten', 'البطاقات'], stackHint: ['Tap to flip, drag aside to shuffle', 'Tippen dreht um, Ziehen legt nach hinten', 'انقر للقلب واسحب جانبًا للتبديل'], bringFront: ['Bring {x} to front', '{x} nach vorn holen', 'إحضار {x} إلى الأمام'], showCode: ['Show code of {x}', 'Code von {x} zeigen', 'عرض رمز {x}'], showFront: ['Show front of {x}', 'Vorderseite von {x} zeigen', 'عرض وجه {x}'],
    toBack: ['Move to back', 'Nach hinten legen', 'نقل إلى الخلف'], movedBack: ['{x} moved to the back', '{x} liegt jetzt hinten', 'نُقلت {x} إلى الخلف'], pausePass: ['Pause pass', 'Karte pausieren', 'إيقاف مؤقت'], resumePass: ['Resume pass', 'Karte fortsetzen', 'استئناف'], paused: ['Paused', 'Pausiert', 'متوقفة'], passGone: ['{x} removed', '{x} entfernt', 'أزيلت {x}'],
    validUntil: ['Valid until {x}', 'Gültig bis {x}', 'صالحة حتى {x}'], showNumber: ['Show number', 'Nummer zeigen', 'إظهار الرقم'], copyNumber: ['Copy number', 'Nummer kopieren', 'نسخ الرقم'], copied: ['Copied: {x}', 'Kopiert: {x}', 'نُسخ: {x}'], autoRenew: ['Auto-renew', 'Automatisch verlängern', 'التجديد التلقائي'], renewOf: ['Auto-renew {x}', '{x} automatisch verlängern', 'تجديد {x} تلقائيًا'],
    remindBefore: ['Reminder before renewal of {x}', 'Erinnerung vor Verlängerung von {x}', 'تذكير قبل تجديد {x}'], remind0: ['No reminder', 'Keine Erinnerung', 'بلا تذكير'], remind1: ['1 day before', '1 Tag vorher', 'قبل يوم'], remind7: ['1 week before', '1 Woche vorher', 'قبل أسبوع'], renewsOn: ['Renews on {x}', 'Verlängert am {x}', 'تتجدد في {x}'], endsOn: ['Ends on {x}', 'Endet am {x}', 'تنتهي في {x}'],
    autoTopUp: ['Automatic top-up', 'Automatisch aufladen', 'الشحن التلقائي'], autoTopUpHint: ['Adds 20 € when you run low', 'Lädt 20 € nach, wenn es knapp wird', 'يضيف 20 € عند انخفاض الرصيد'], whenBelow: ['When below', 'Bei weniger als', 'عندما يقل عن'], payments: ['Recent payments', 'Letzte Zahlungen', 'آخر المدفوعات'],
    passNumber: ['Pass number (8 digits)', 'Kartennummer (8 Ziffern)', 'رقم البطاقة (8 أرقام)'], needDigits: ['Exactly 8 digits, please.', 'Bitte genau 8 Ziffern.', 'يُرجى إدخال 8 أرقام.'], passAdded: ['Guest pass added', 'Gästekarte hinzugefügt', 'أُضيفت بطاقة الضيف'],
    // profile
    editName: ['Edit name', 'Namen ändern', 'تعديل الاسم'], invite: ['Invite a friend', 'Einladen', 'دعوة صديق'], you: ['You', 'Du', 'أنت'], changeColour: ['Change avatar colour', 'Farbe des Bilds ändern', 'تغيير لون الصورة'], memberSince: ['Rider since 2021 · Gold', 'Dabei seit 2021 · Gold', 'عضوة منذ 2021 · ذهبي'], levelInfo: ['About your level', 'Über deine Stufe', 'عن مستواك'],
    levelText: ['Gold: 212 car-free trips. 38 more for Platinum.', 'Gold: 212 Fahrten ohne Auto. Noch 38 bis Platin.', 'ذهبي: 212 رحلة بلا سيارة. بقيت 38 للبلاتيني.'], doubleToRename: ['Double click to rename', 'Doppelklick zum Umbenennen', 'انقر مرتين لإعادة التسمية'], colour_blue: ['Electric blue', 'Leuchtblau', 'أزرق'], colour_coral: ['Coral', 'Koralle', 'مرجاني'], colour_green: ['Fir', 'Tanne', 'أخضر'],
    travel: ['Getting around', 'Unterwegs', 'التنقل'], walkPace: ['Walking pace', 'Gehtempo', 'سرعة المشي'], walkReach: ['Longest walk', 'Längster Fußweg', 'أطول مسافة مشي'], stepFree: ['Step-free routes', 'Stufenlose Wege', 'مسارات بلا درج'], homeAddress: ['Home address', 'Adresse', 'عنوان المنزل'],
    notifications: ['Notifications', 'Mitteilungen', 'الإشعارات'], allowNotify: ['Allow notifications', 'Mitteilungen erlauben', 'السماح بالإشعارات'], delays: ['Delays on my lines', 'Verspätungen', 'تأخيرات خطوطي'], errands: ['Errand reminders', 'Erledigungen', 'تذكير المهام'], quietHours: ['Quiet hours', 'Ruhezeit', 'ساعات الهدوء'], from: ['From', 'Von', 'من'], until: ['Until', 'Bis', 'إلى'],
    appearance: ['Appearance', 'Darstellung', 'المظهر'], language: ['Language', 'Sprache', 'اللغة'], textSize: ['Text size', 'Textgröße', 'حجم النص'], theme: ['Colours', 'Farben', 'الألوان'], themeAuto: ['Auto', 'Auto', 'تلقائي'], themeLight: ['Light', 'Hell', 'فاتح'], themeDark: ['Dark', 'Dunkel', 'داكن'],
    account: ['Account', 'Konto', 'الحساب'], linked: ['Linked calendars', 'Verknüpfte Kalender', 'التقويمات المرتبطة'], unlink: ['Unlink {x}', '{x} trennen', 'فصل {x}'], unlinked: ['{x} unlinked', '{x} getrennt', 'فُصل {x}'], clearHistory: ['Clear search history', 'Suchverlauf leeren', 'مسح سجل البحث'], clearHistoryQ: ['Clear 18 past searches?', '18 Suchen löschen?', 'مسح 18 عملية بحث؟'], historyGone: ['Search history cleared', 'Suchverlauf geleert', 'مُسح سجل البحث'],
    signOut: ['Sign out', 'Abmelden', 'تسجيل الخروج'], signOutQ: ['Sign out of Kipla?', 'Von Kipla abmelden?', 'تسجيل الخروج من كيبلا؟'], signOutText: ['Passes stay in your account; tickets on this phone need a new sign-in.', 'Karten bleiben im Konto; Tickets auf diesem Gerät brauchen eine neue Anmeldung.', 'تبقى البطاقات في حسابك، وتحتاج التذاكر إلى دخول جديد.'], signedOut: ['You are signed out', 'Du bist abgemeldet', 'تم تسجيل الخروج'], signIn: ['Sign in again', 'Wieder anmelden', 'الدخول من جديد'],
    deleteAccount: ['Delete account', 'Konto löschen', 'حذف الحساب'], deleteText: ['This ends all passes. Type KIPLA to go on.', 'Das beendet alle Karten. Tippe KIPLA, um fortzufahren.', 'سيُنهي هذا كل البطاقات. اكتب KIPLA للمتابعة.'], deleteAsked: ['Deletion requested. You have 14 days to change your mind.', 'Löschung beantragt. 14 Tage Bedenkzeit.', 'طُلب الحذف. لديك 14 يومًا للتراجع.'], confirmWord: ['Confirmation', 'Bestätigung', 'التأكيد'],
    inviteText: ['Your code gives both of you 5 €.', 'Dein Code bringt euch beiden 5 €.', 'رمزك يمنح كليكما 5 €.'], copyCode: ['Copy code', 'Code kopieren', 'نسخ الرمز'], addressSaved: ['Home address saved', 'Adresse gesichert', 'حُفظ العنوان'],
  };

  const ICONS = {
    search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>', x: '<path d="m6.5 6.5 11 11m0-11-11 11"/>', plus: '<path d="M12 5v14M5 12h14"/>', minus: '<path d="M5 12h14"/>',
    locate: '<circle cx="12" cy="12" r="6"/><circle cx="12" cy="12" r="1.5"/><path d="M12 2.5V6m0 12v3.5M2.5 12H6m12 0h3.5"/>', bell: '<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1h-15zM10 20.5h4"/>',
    star: '<path d="m12 3.8 2.5 5.3 5.8.7-4.3 4 1.1 5.7-5.1-2.8-5.1 2.8L8 13.8l-4.3-4 5.8-.7z"/>', chev: '<path d="m9.5 6 6 6-6 6"/>', down: '<path d="m6 9.5 6 6 6-6"/>', up: '<path d="M12 19V5.5M6 11l6-6 6 6"/>', arrow: '<path d="M4 12h15m-6-6 6 6-6 6"/>',
    tram: '<rect x="6" y="5.5" width="12" height="12" rx="3"/><path d="M6 12h12M9 2.5h6m-3 0v3M9 15h.1m5.8 0h.1M8.5 17.5 6.5 21m9-3.5 2 3.5"/>', bike: '<circle cx="6" cy="16" r="3.5"/><circle cx="18" cy="16" r="3.5"/><path d="m6 16 3.5-7h6L18 16m-8.5-7 4 7H6m7.5 0 2-7-1-3H17M8 9h3"/>',
    scooter: '<circle cx="6" cy="18" r="2.5"/><circle cx="18" cy="18" r="2.5"/><path d="M8.5 18H13c0-3 2-4.5 3.5-4.5L14.5 4H12"/>', walk: '<circle cx="13" cy="4.5" r="1.8"/><path d="m9 21 2.5-6-1-3 .5-4 3.5 1 1.5 2.5 2.5 1M11 8 8 10l-.5 3M12 14l3 2.5 1 4.5"/>',
    box: '<path d="m12 3 8 4v10l-8 4-8-4V7zM4 7l8 4 8-4m-8 4v10M8 5l8 4"/>', home: '<path d="m3.5 11.5 8.5-8 8.5 8M6 9.5V20h12V9.5M10 20v-5.5h4V20"/>', work: '<rect x="3.5" y="7.5" width="17" height="12" rx="2.5"/><path d="M9 7.5V4.5h6v3M3.5 12.5h17"/>',
    basket: '<path d="M3.5 10h17l-2 10h-13zM8 10l3-6m5 6-3-6M9.5 13.5v3m5-3v3"/>', climb: '<path d="m3 20 6.5-12 4 7 2-3L21 20zM9.5 8V3.5l4 1.5-4 1.5"/>', book: '<path d="M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zm0 0v14"/>',
    map: '<path d="m3.5 6.5 5.5-2 6 2.5 5.5-2v12.5l-5.5 2-6-2.5-5.5 2zM9 4.5V17m6-10v12.5"/>', route: '<circle cx="6" cy="18" r="2.5"/><circle cx="18" cy="6" r="2.5"/><path d="M8.5 18H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.5"/>', wallet: '<path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3.5M4 7.5V17a2.5 2.5 0 0 0 2.5 2.5H20v-11H5a1 1 0 0 1-1-1zM16 14h.1"/>', user: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6"/>',
    bin: '<path d="M4.5 7h15M9.5 7V4h5v3M6.5 7l1 13h9l1-13M10.5 11v5m3-5v5"/>', share: '<path d="M12 15V3.5M8 7l4-4 4 4M7 11H5v9.5h14V11h-2"/>', again: '<path d="M4.5 11a7.5 7.5 0 0 1 13-4l2 2m0-4.5V9H15M19.5 13a7.5 7.5 0 0 1-13 4l-2-2m0 4.5V15H9"/>', dots: '<path d="M5.5 12h.1m6.4 0h.1m6.4 0h.1" stroke-width="3.2"/>', pencil: '<path d="m4 20 1-4.5L16 4.5l3.5 3.5-11 11zM13.5 7l3.5 3.5"/>', check: '<path d="m5.5 12.5 4.5 4.5L19 7.5"/>',
    sort: '<path d="M8 4.5v15m-4-4 4 4 4-4M14 6h6.5M14 11h4.5M14 16h2.5"/>', filter: '<path d="M4 5h16l-6 7.5V19l-4-2v-4.5z"/>', eye: '<path d="M2.5 12C5 7.5 8.5 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12z"/><circle cx="12" cy="12" r="3"/>', globe: '<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17z"/>', clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>',
    out: '<path d="M13.5 4H5v16h8.5M10 12h11m-4-4 4 4-4 4"/>', moon: '<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z"/>', lift: '<circle cx="11" cy="4.5" r="1.8"/><path d="M11 8v6h5l2.5 5.5M11 10.5h4.5M8 11.5a5 5 0 1 0 6.5 6.5"/>', receipt: '<path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5m-5 4h5"/>', pin: '<path d="M12 21c4-4.5 6-8 6-11a6 6 0 0 0-12 0c0 3 2 6.5 6 11z"/><circle cx="12" cy="10" r="2"/>', copy: '<rect x="8.5" y="8.5" width="11" height="11" rx="2.5"/><path d="M15.5 8.5V5h-11v11h4"/>',
  };

  // ---------- Shared helpers ----------
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const phone = $('.phone');
  const icon = (name, extra = '') => `<svg class="i ${extra}" aria-hidden="true"><use href="#i-${name}"></use></svg>`;
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const safe = text => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  const rerender = [];
  let lang = 'en';

  const t = (key, vars = {}) => WORDS[key][LANGS.indexOf(lang)].replace(/\{(\w)\}/g, (_, name) => vars[name]);
  const rtl = () => document.dir === 'rtl';
  const locale = () => `${lang}-u-nu-latn`;
  const money = value => new Intl.NumberFormat(locale(), { style: 'currency', currency: 'EUR', minimumFractionDigits: value % 1 ? 2 : 0 }).format(value);
  const day = (iso, style = { weekday: 'short', day: 'numeric', month: 'short' }) => new Intl.DateTimeFormat(locale(), { ...style, timeZone: 'UTC' }).format(new Date(`${iso}T00:00:00Z`));

  function setLanguage(next) {
    lang = next;
    document.documentElement.lang = lang;
    document.dir = lang === 'ar' ? 'rtl' : 'ltr';
    for (const el of $$('[data-t]')) el.textContent = t(el.dataset.t);
    for (const el of $$('[data-l]')) el.setAttribute('aria-label', t(el.dataset.l));
    for (const el of $$('[data-p]')) el.placeholder = t(el.dataset.p);
    rerender.forEach(fn => fn());
  }

  function installIcons() {
    const symbols = Object.entries(ICONS).map(([name, art]) => `<symbol id="i-${name}" viewBox="0 0 24 24">${art}</symbol>`).join('');
    document.body.insertAdjacentHTML('afterbegin', `<svg width="0" height="0" style="position:absolute" aria-hidden="true">${symbols}</svg>`);
  }

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  let themePick = '';
  function applyTheme() { document.documentElement.dataset.theme = themePick || (prefersDark.matches ? 'dark' : 'light'); }
  prefersDark.addEventListener('change', applyTheme);

  // Toasts sit in the page flow above the tab bar, so they never cover a control; they stay until dismissed.
  const toasts = document.createElement('div');
  toasts.className = 'toasts';
  toasts.setAttribute('role', 'status');
  ($('.actionbar') || $('.tabbar')).before(toasts);
  function toast(text, undo) {
    toasts.innerHTML = `<div class="toast"><p></p>${undo ? `<button class="btn text">${t('undo')}</button>` : ''}<button class="icon-btn" aria-label="${t('dismiss')}">${icon('x')}</button></div>`;
    $('p', toasts).textContent = text;
    $('.icon-btn', toasts).onclick = () => toasts.replaceChildren();
    if (undo) $('.btn', toasts).onclick = () => { undo(); toast(t('undone')); };
  }

  // Modal dialog; `ready(dialog, okButton)` wires fields, `run(dialog)` acts on confirmation.
  function ask({ title, html = '', ok, no = t('cancel'), danger = false, ready, run }) {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('aria-modal', 'true');
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    dialog.innerHTML = `<form method="dialog" novalidate>
      <div class="dlg-head"><h2 id="dialog-title">${safe(title)}</h2><button type="button" class="icon-btn" data-close aria-label="${t('close')}">${icon('x')}</button></div>
      ${html}
      <div class="dlg-foot"><button type="button" class="btn" data-close>${no}</button><button class="btn ${danger ? 'danger' : 'primary'}" value="ok">${ok}</button></div></form>`;
    for (const button of $$('[data-close]', dialog)) button.onclick = () => dialog.close('');
    dialog.addEventListener('close', () => { dialog.remove(); if (dialog.returnValue === 'ok') run?.(dialog); });
    phone.append(dialog);
    dialog.showModal();
    ready?.(dialog, $('[value="ok"]', dialog));
  }

  const field = (name, label, value = '') => `<label class="field"><span>${label}</span><input name="${name}" value="${safe(value)}" autocomplete="off" aria-describedby="${name}-error"></label><p class="error" id="${name}-error"></p>`;
  // Enables the OK button only while every field passes its test; says why once something was typed.
  function validate(rules) {
    return (dialog, ok) => {
      const check = () => {
        for (const [name, [test, message]] of Object.entries(rules)) {
          const input = $(`[name="${name}"]`, dialog);
          const bad = !test(input.value.trim());
          input.setAttribute('aria-invalid', bad && input.value !== '');
          $(`#${name}-error`, dialog).textContent = bad && input.value ? message : '';
        }
        ok.disabled = Object.entries(rules).some(([name, [test]]) => !test($(`[name="${name}"]`, dialog).value.trim()));
      };
      dialog.addEventListener('input', check);
      check();
      $('input', dialog).focus();
    };
  }
  const choices = (name, options, current) => `<div role="radiogroup" aria-labelledby="dialog-title">${options.map(([value, text, note = '']) =>
    `<label class="choice"><input type="radio" name="${name}" value="${value}" ${value === current ? 'checked' : ''}><span>${text}</span><small>${note}</small></label>`).join('')}</div>`;

  let menu = null;
  function closeMenu(refocus) {
    if (!menu) return;
    menu.el.remove();
    menu.opener?.setAttribute('aria-expanded', 'false');
    if (refocus) menu.opener?.focus();
    menu = null;
  }
  // Menu at a point or under its opener; items are { icon | swatch, text, danger, checked, run }.
  function openMenu({ opener, x, y, label, items }) {
    const again = menu && opener && menu.opener === opener;
    closeMenu();
    if (again) return;
    const el = document.createElement('div');
    el.className = 'menu';
    el.setAttribute('role', 'menu');
    el.setAttribute('aria-label', label);
    for (const item of items) {
      const button = document.createElement('button');
      button.setAttribute('role', item.checked === undefined ? 'menuitem' : 'menuitemradio');
      if (item.checked !== undefined) button.setAttribute('aria-checked', item.checked);
      if (item.danger) button.className = 'danger';
      button.innerHTML = (item.swatch ? `<span class="swatch" style="background:${item.swatch}"></span>` : icon(item.icon)) + `<span>${item.text}</span>`;
      button.onclick = () => { closeMenu(true); item.run(); };
      el.append(button);
    }
    phone.append(el);
    const frame = phone.getBoundingClientRect();
    const from = opener?.getBoundingClientRect();
    const left = from ? (rtl() ? from.left : from.right - el.offsetWidth) : x;
    el.style.left = `${clamp(left, frame.left + 8, frame.right - el.offsetWidth - 8)}px`;
    el.style.top = `${clamp(from ? from.bottom + 4 : y, frame.top + 8, frame.bottom - el.offsetHeight - 8)}px`;
    opener?.setAttribute('aria-expanded', 'true');
    menu = { el, opener };
    el.firstChild.focus({ focusVisible: false });
  }
  document.addEventListener('pointerdown', e => { if (menu && !menu.el.contains(e.target) && !menu.opener?.contains(e.target)) closeMenu(); });
  document.addEventListener('keydown', e => {
    if (!menu) return;
    const items = [...menu.el.children];
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) { e.preventDefault(); items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus(); }
    if (e.key === 'Escape' || e.key === 'Tab') { e.preventDefault(); e.stopImmediatePropagation(); closeMenu(true); }
  });

  // Tooltip on mouse hover and keyboard focus: data-tip is a word key, data-tip-text a ready text.
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.id = 'tip';
  tip.hidden = true;
  phone.append(tip);
  function showTip(e) {
    const owner = e.pointerType === 'touch' ? null : e.target.closest('[data-tip], [data-tip-text]');
    tip.hidden = !owner;
    if (!owner) return;
    tip.textContent = owner.dataset.tipText || t(owner.dataset.tip);
    const box = owner.getBoundingClientRect(), frame = phone.getBoundingClientRect();
    tip.style.left = `${clamp(box.left + box.width / 2 - tip.offsetWidth / 2, frame.left + 8, frame.right - tip.offsetWidth - 8)}px`;
    const above = box.top - tip.offsetHeight - 8;
    tip.style.top = `${above > frame.top ? above : box.bottom + 8}px`;
  }
  document.addEventListener('pointerover', showTip);
  document.addEventListener('pointerdown', () => { tip.hidden = true; });

  // ---------- Gestures ----------
  function swallowClick() {
    const stop = e => { e.stopPropagation(); e.preventDefault(); };
    addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', stop, { capture: true }), 60);
  }
  // Calls start(event) once the pointer has moved; start may refuse by returning false. axis 'x' leaves vertical moves to scrolling.
  function onDrag(el, { axis, start, move, end }) {
    el.addEventListener('pointerdown', down => {
      if (down.button || down.target.closest('input, select')) return;
      let active = false;
      const step = e => {
        const dx = e.clientX - down.clientX, dy = e.clientY - down.clientY;
        if (!active) {
          if (Math.hypot(dx, dy) < 6) return;
          if ((axis === 'x' && Math.abs(dy) > Math.abs(dx)) || start(down) === false) { stop(); return; }
          active = true;
        }
        move(dx, dy);
      };
      const stop = () => { removeEventListener('pointermove', step); removeEventListener('pointerup', finish); removeEventListener('pointercancel', finish); };
      const finish = e => { stop(); if (active) { swallowClick(); end(e.clientX - down.clientX, e.clientY - down.clientY); } };
      addEventListener('pointermove', step);
      addEventListener('pointerup', finish);
      addEventListener('pointercancel', finish);
    });
    el.addEventListener('dragstart', e => e.preventDefault());
  }
  function onLongPress(el, selector, run) {
    el.addEventListener('pointerdown', down => {
      const target = down.target.closest(selector);
      if (!target || down.button) return;
      const timer = setTimeout(() => { addEventListener('pointerup', swallowClick, { once: true }); run(target, down); }, 480);
      const cancel = () => { clearTimeout(timer); removeEventListener('pointermove', moved); };
      const moved = e => { if (Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) > 8) cancel(); };
      addEventListener('pointermove', moved);
      addEventListener('pointerup', cancel, { once: true });
      addEventListener('pointercancel', cancel, { once: true });
    });
  }
  // Right click; a touch long press also raises contextmenu, which onLongPress already handles.
  function onContext(el, selector, run) {
    el.addEventListener('contextmenu', e => {
      const target = e.target.closest(selector);
      if (!target) return;
      e.preventDefault();
      if (e.pointerType !== 'touch') run(target, e);
    });
  }
  // Delegated clicks: data-act names the action, data-id its object.
  function onActs(root, acts) {
    root.addEventListener('click', e => {
      const el = e.target.closest('[data-act]');
      if (el && !el.disabled) acts[el.dataset.act](el.dataset.id, el, e);
    });
  }
  // Redraws a container and puts the focus back on the same control.
  function redraw(root, html) {
    const { act, id } = root.contains(document.activeElement) ? document.activeElement.dataset : {};
    const top = root.scrollTop;
    root.innerHTML = html;
    root.scrollTop = top;
    if (act) $(`[data-act="${act}"]${id ? `[data-id="${id}"]` : ''}`, root)?.focus({ preventScroll: true });
  }
  // Swaps `el` for a text field until Enter or leaving saves, or Escape drops the change.
  function editInPlace(el, value, save) {
    const input = document.createElement('input');
    input.className = 'edit';
    input.value = value;
    input.setAttribute('aria-label', t('newName'));
    el.hidden = true;
    el.after(input);
    input.focus();
    input.select();
    let open = true;
    const finish = keep => {
      if (!open) return;
      open = false;
      const next = input.value.trim();
      input.remove();
      el.hidden = false;
      if (keep && next && next !== value) { save(next); toast(t('renamed', { x: next }), () => save(value)); }
    };
    input.onblur = () => finish(true);
    input.onkeydown = e => { if (e.key === 'Enter') finish(true); if (e.key === 'Escape') finish(false); };
  }
  const stepper = (act, value, [low, high], [less, more], id = '') => `<div class="stepper" role="group" aria-label="${t('riders')}">
    <button class="icon-btn" data-act="${act}" data-id="${id}-" aria-label="${t(less)}" ${value <= low ? 'disabled' : ''}>${icon('minus')}</button><output>${value}</output>
    <button class="icon-btn" data-act="${act}" data-id="${id}+" aria-label="${t(more)}" ${value >= high ? 'disabled' : ''}>${icon('plus')}</button></div>`;
  const flip = el => { const on = el.getAttribute('aria-checked') !== 'true'; el.setAttribute('aria-checked', on); return on; };
  function paintRange(input) { input.style.setProperty('--part', `${(input.value - input.min) / (input.max - input.min) * 100}%`); }

  // ---------- Home: map, search, notices, sheet ----------
  function home() {
    const ME = { x: 372, y: 470 };
    const STEPS = { place: ['start', 'end'], tram: ['start', 'end'], pin: ['start', 'end'], bike: ['reserve', 'unlock', 'endRide'], scooter: ['reserve', 'unlock', 'endRide'], locker: ['openLocker', 'closeLocker'] };
    const KIND_ICON = { tram: 'tram', bike: 'bike', scooter: 'scooter', locker: 'box', pin: 'pin' };
    const place = (id, kind, name, note, x, y, min, extra = {}) => ({ id, kind, name, note, x, y, min, ...extra });
    const places = [
      place('home', 'place', '', 'Linden Row 12', 180, 380, 14, { word: 'home', icon: 'home' }), place('work', 'place', '', 'Foundry Yard 3', 470, 850, 19, { word: 'work', icon: 'work' }),
      place('market', 'place', 'Harbour Market', 'Quay Row 7', 540, 660, 11, { icon: 'basket' }), place('climb', 'place', 'Ledge Climbing Hall', 'Mint Alley 20', 160, 220, 16, { icon: 'climb' }),
      place('library', 'place', 'Old Mint Library', 'Mint Square 1', 330, 250, 12, { icon: 'book' }), place('clinic', 'place', 'Dr. Sarah Okoye', 'Bell Street 41', 600, 330, 17, { icon: 'plus' }),
      place('t1', 'tram', 'Glasbridge Stop', '4 · Foundry Yard in 3 min', 287, 470, 4), place('t2', 'tram', 'Mint Square Stop', '4 · Harbour in 6 min', 258, 180, 9), place('t3', 'tram', 'Harbour Gate Stop', '7 · Lantern Hill in 2 min', 480, 697, 10),
      place('b1', 'bike', 'Bike 2217', 'Lantern Park, 84 % charged', 430, 372, 3), place('b2', 'bike', 'Bike 0931', 'Quay Row, 61 % charged', 440, 600, 6), place('b3', 'bike', 'Bike 1804', 'Linden Row, 92 % charged', 258, 368, 7),
      place('s1', 'scooter', 'Scooter 58', 'Bell Street, 77 % charged', 330, 340, 8), place('s2', 'scooter', 'Scooter 12', 'West Quay, 40 % charged', 340, 602, 6),
      place('l1', 'locker', 'Locker North 4', '1 parcel waiting', 362, 400, 4), place('l2', 'locker', 'Locker Quay 2', 'Drop-off only', 476, 458, 9),
    ];
    const favourites = ['home', 'work', 'market', 'climb'];
    const errands = [{ id: 'e1', text: 'Collect parcel at Locker North 4', done: false }, { id: 'e2', text: 'Return two library books', done: true }, { id: 'e3', text: 'Oranges and basil for Sunday', done: false }];
    let notices = [{ id: 'n1', text: 'Line 7 turns at Harbour Gate until 18:00' }, { id: 'n2', text: 'Your parcel waits at Locker North 4' }, { id: 'n3', text: 'Free bike hour on Saturday' }];
    const layers = new Set(['tram', 'bike']);
    const view = { x: 0, y: 0, scale: 1 };
    const plan = { id: null, mode: 'tram', riders: 1, step: 0 };
    const find = id => places.find(p => p.id === id);
    const nameOf = p => p.word ? t(p.word) : p.name || t('pin');
    const map = $('#map'), world = $('#world'), sheet = $('#sheet'), body = $('#sheet-body'), search = $('#search');

    // Map view
    function placeView() {
      const { clientWidth: w, clientHeight: h } = map;
      view.x = clamp(view.x, w - 800 * view.scale, 0);
      view.y = clamp(view.y, h - 1200 * view.scale, 0);
      world.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      world.style.setProperty('--inv', 1 / view.scale);
      $('#zoom-in').disabled = view.scale >= 2;
      $('#zoom-out').disabled = view.scale <= 0.8;
    }
    const focus = () => ({ x: map.clientWidth / 2, y: (128 + Math.max(240, map.clientHeight - sheet.offsetHeight)) / 2 });
    function centre(on) { const at = focus(); view.x = at.x - on.x * view.scale; view.y = at.y - on.y * view.scale; placeView(); }
    function zoom(factor, at = focus()) {
      const next = clamp(view.scale * factor, 0.8, 2);
      view.x = at.x - (at.x - view.x) * next / view.scale;
      view.y = at.y - (at.y - view.y) * next / view.scale;
      view.scale = next;
      placeView();
    }
    const pointIn = e => { const box = map.getBoundingClientRect(); return { x: e.clientX - box.left, y: e.clientY - box.top }; };
    const toWorld = at => ({ x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale });
    const follow = on => { $('#locate').setAttribute('aria-pressed', on); if (on) centre(ME); };
    function drawMarkers() {
      const shown = places.filter(p => layers.has(p.kind) || p.kind === 'pin');
      redraw($('#markers'), shown.map(p => `<button class="marker ${p.kind}" data-act="open" data-id="${p.id}" aria-label="${nameOf(p)}" aria-pressed="${plan.id === p.id}" data-tip-text="${nameOf(p)}\n${p.note}" style="left:${p.x}px;top:${p.y}px">${icon(KIND_ICON[p.kind])}</button>`).join(''));
    }
    function drawRoute() {
      const p = find(plan.id);
      $('#goal').setAttribute('transform', p ? `translate(${p.x} ${p.y})` : 'translate(-99 -99)');
      $('#route').setAttribute('d', p ? `M${ME.x} ${ME.y} Q${ME.x} ${(ME.y + p.y) / 2} ${(ME.x + p.x) / 2} ${(ME.y + p.y) / 2} T${p.x} ${p.y}` : '');
    }
    function dropPin(at) {
      const old = find('pin');
      const pin = place('pin', 'pin', '', `${Math.round(at.x)} / ${Math.round(at.y)}`, at.x, at.y, 8, { icon: 'pin' });
      const swap = next => { const i = places.findIndex(p => p.id === 'pin'); if (i >= 0) places.splice(i, 1); if (next) places.push(next); drawMarkers(); };
      swap(pin);
      toast(t('pinDropped'), () => { if (plan.id === 'pin') openPlan(null); swap(old); });
    }

    // Sheet: three heights, by drag or by the grip button
    const heights = () => [92, 338, $('.map-main').clientHeight - 124];
    let level = 1;
    function setLevel(next) {
      level = next;
      sheet.style.setProperty('--sheet', `${heights()[level]}px`);
      $('#grip').setAttribute('aria-expanded', level === 2);
      body.inert = level === 0;
    }
    onDrag($('#grip'), {
      start() { sheet.classList.add('dragging'); body.inert = false; },
      move(dx, dy) { const h = heights(); sheet.style.setProperty('--sheet', `${clamp(h[level] - dy, h[0], h[2])}px`); },
      end(dx, dy) {
        sheet.classList.remove('dragging');
        const h = heights(), now = h[level] - dy;
        const lean = level - Math.sign(dy) * (Math.abs(dy) > 40);
        setLevel(Math.abs(dy) > 200 ? h.reduce((best, v, i) => Math.abs(v - now) < Math.abs(h[best] - now) ? i : best, 0) : clamp(lean, 0, 2));
      },
    });
    $('#grip').onclick = () => setLevel(level === 2 ? 1 : level + 1);

    function favouriteRow(id) {
      const p = find(id);
      return `<li class="line"><button class="row-main" data-act="open" data-id="${id}"><span class="tile">${icon(p.icon || KIND_ICON[p.kind])}</span><span class="grow"><b>${safe(nameOf(p))}</b><small><bdi>${safe(p.note)}</bdi> · ${t('minutes', { x: p.min })}</small></span></button>
        <button class="icon-btn star" data-act="fav" data-id="${id}" aria-pressed="true" aria-label="${safe(t('unfav', { x: nameOf(p) }))}">${icon('star')}</button></li>`;
    }
    function errandRow(e) {
      return `<li class="line"><label class="check"><input type="checkbox" data-act="tick" data-id="${e.id}" ${e.done ? 'checked' : ''}><span>${safe(e.text)}</span></label>
        <button class="icon-btn" data-act="dropErrand" data-id="${e.id}" aria-label="${safe(t('removeErrand', { x: e.text }))}">${icon('x')}</button></li>`;
    }
    function listHtml() {
      const done = errands.filter(e => e.done).length;
      return `<section aria-labelledby="fav-h"><div class="sec-head"><h2 id="fav-h">${t('favourites')}</h2><button class="icon-btn" data-act="addFav" aria-label="${t('addFav')}" data-tip="addFav">${icon('plus')}</button></div><ul class="card rows" id="favs">${favourites.map(favouriteRow).join('')}</ul></section>
        <section aria-labelledby="errand-h"><div class="sec-head"><h2 id="errand-h">${t('errandsToday')}</h2>${done ? `<button class="btn text" data-act="clearDone">${t('clearDone')}</button>` : ''}</div>
        <ul class="card rows">${errands.map(errandRow).join('')}<li><form class="add-line" id="errand-form"><input aria-label="${t('addErrand')}" placeholder="${t('addErrand')}"><button class="icon-btn" aria-label="${t('addErrand')}" disabled>${icon('plus')}</button></form></li></ul>
        <p class="foot-note">${t('doneOf', { x: done, y: errands.length })}</p></section>`;
    }
    const fare = mode => ({ tram: 2.4, bike: 1.8, walk: 0 })[mode] * plan.riders;
    function modeButton(mode, min) {
      return `<button class="mode" role="radio" data-act="mode" data-id="${mode}" aria-checked="${plan.mode === mode}">${icon(mode)}<span>${t('mode_' + mode)}</span><small>${t('minutes', { x: min })}</small><small>${fare(mode) ? money(fare(mode)) : t('free')}</small></button>`;
    }
    function planHtml(p) {
      const name = safe(nameOf(p)), steps = STEPS[p.kind], step = steps[plan.step], saved = favourites.includes(p.id);
      const facts = `<dl class="card facts"><dt>${t('distance')}</dt><dd dir="auto">${p.min * 80} m</dd><dt>${t('mode_walk')}</dt><dd>${t('minutes', { x: p.min })}</dd><dt>${t('fare')}</dt><dd>${steps[0] === 'openLocker' || !fare(plan.mode) ? t('free') : money(fare(plan.mode))}</dd></dl>`;
      const options = plan.step || steps[0] !== 'start' ? facts : `<div class="modes" role="radiogroup" aria-label="${t('modes')}">${modeButton('tram', p.min)}${modeButton('bike', Math.ceil(p.min * 0.7))}${modeButton('walk', p.min * 2 + 3)}</div>
        <div class="rider-line"><span>${t('riders')}</span>${stepper('riders', plan.riders, [1, 5], ['fewerRiders', 'moreRiders'])}</div>`;
      return `<div class="plan-head"><div class="grow"><h2>${name}</h2><p class="hint"><bdi>${safe(p.note)}</bdi></p></div>
        <button class="icon-btn star" data-act="fav" data-id="${p.id}" aria-pressed="${saved}" aria-label="${t(saved ? 'unfav' : 'fav', { x: name })}">${icon('star')}</button>
        <button class="icon-btn" data-act="open" aria-label="${t('closePlan', { x: name })}">${icon('x')}</button></div>
        ${plan.step ? `<p class="live">${icon('check')}${t('live_' + step, { x: name })}</p>` : ''}${options}
        <button class="btn wide ${step === steps.at(-1) ? 'danger' : 'primary'}" data-act="advance">${t('step_' + step, { p: money(fare(plan.mode)) })}</button>`;
    }
    function drawSheet() {
      const p = find(plan.id);
      redraw(body, p ? planHtml(p) : listHtml());
      const form = $('#errand-form');
      if (!form) return;
      form.oninput = () => { form[1].disabled = !form[0].value.trim(); };
      form.onsubmit = e => {
        e.preventDefault();
        if (!form[0].value.trim()) return;
        errands.push({ id: `e${errands.length + 4}`, text: form[0].value.trim(), done: false });
        drawSheet();
        $('#errand-form input').focus();
      };
    }
    function openPlan(id) {
      Object.assign(plan, { id, mode: ['bike', 'scooter'].includes(find(id)?.kind) ? 'bike' : 'tram', riders: 1, step: 0 });
      body.scrollTop = 0;
      drawSheet(); drawMarkers(); drawRoute();
      if (id) { setLevel(1); follow(false); centre(find(id)); }
    }
    function toggleFavourite(id) {
      const p = find(id), at = favourites.indexOf(id);
      if (at < 0) { favourites.push(id); toast(t('favSaved', { x: nameOf(p) })); } else {
        favourites.splice(at, 1);
        toast(t('favGone', { x: nameOf(p) }), () => { favourites.splice(at, 0, id); drawSheet(); });
      }
      drawSheet();
    }
    function addFavourite() {
      ask({
        title: t('addFav'), ok: t('add'), html: field('name', t('placeName')) + field('street', t('placeStreet')),
        ready: validate({ name: [v => v, ''], street: [v => /\p{L}.*\d/u.test(v), t('needStreet')] }),
        run(dialog) {
          const id = `own${places.length}`;
          places.push(place(id, 'place', $('[name="name"]', dialog).value.trim(), $('[name="street"]', dialog).value.trim(), 300, 780, 13, { icon: 'pin' }));
          toggleFavourite(id);
        },
      });
    }
    function favouriteMenu(row, e) {
      const button = $('[data-act="open"]', row), p = find(button.dataset.id), at = favourites.indexOf(p.id);
      openMenu({ x: e.clientX, y: e.clientY, label: nameOf(p), items: [
        { icon: 'pencil', text: t('rename'), run: () => editInPlace(button, nameOf(p), name => { p.name = name; p.word = ''; drawSheet(); }) },
        { icon: 'up', text: t('toTopOfList'), run: () => { favourites.unshift(...favourites.splice(at, 1)); drawSheet(); } },
        { icon: 'bin', text: t('remove'), danger: true, run: () => toggleFavourite(p.id) }] });
    }
    onActs(body, {
      open: id => openPlan(id || null), fav: toggleFavourite, addFav: addFavourite,
      tick(id) { const e = errands.find(x => x.id === id); e.done = !e.done; drawSheet(); },
      dropErrand(id) { const at = errands.findIndex(x => x.id === id); const [gone] = errands.splice(at, 1); drawSheet(); toast(t('errandGone', { x: gone.text }), () => { errands.splice(at, 0, gone); drawSheet(); }); },
      clearDone() { const old = [...errands]; errands.splice(0, errands.length, ...old.filter(e => !e.done)); drawSheet(); toast(t('errandGone', { x: old.length - errands.length }), () => { errands.splice(0, errands.length, ...old); drawSheet(); }); },
      mode(id) { plan.mode = id; drawSheet(); },
      riders(id) { plan.riders += id === '+' ? 1 : -1; drawSheet(); },
      advance() {
        const p = find(plan.id);
        if (plan.step < STEPS[p.kind].length - 1) { plan.step += 1; drawSheet(); return; }
        openPlan(null);
        toast(t('finished', { x: nameOf(p) }));
      },
    });
    onLongPress(body, '#favs .line', favouriteMenu);
    onContext(body, '#favs .line', favouriteMenu);
    onActs($('#markers'), { open: id => openPlan(plan.id === id ? null : id) });

    $('#zoom-in').onclick = () => zoom(1.25);
    $('#zoom-out').onclick = () => zoom(0.8);
    $('#locate').onclick = e => follow(e.currentTarget.getAttribute('aria-pressed') !== 'true');
    let grabbed;
    onDrag(map, { start() { grabbed = { ...view }; follow(false); }, move(dx, dy) { view.x = grabbed.x + dx; view.y = grabbed.y + dy; placeView(); }, end() {} });
    map.addEventListener('dblclick', e => zoom(1.25, pointIn(e)));
    map.addEventListener('wheel', e => { e.preventDefault(); follow(false); zoom(e.deltaY < 0 ? 1.1 : 0.9, pointIn(e)); }, { passive: false });
    map.addEventListener('keydown', e => {
      const move = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[e.key];
      if (!move) return;
      follow(false); view.x += move[0]; view.y += move[1]; placeView();
    });
    onLongPress(map, '.map', (el, e) => { if (!e.target.closest('.marker')) dropPin(toWorld(pointIn(e))); });
    onContext(map, '.map', (el, e) => {
      const at = pointIn(e);
      openMenu({ x: e.clientX, y: e.clientY, label: t('mapMenu'), items: [
        { icon: 'route', text: t('routeHere'), run: () => { dropPin(toWorld(at)); openPlan('pin'); } }, { icon: 'pin', text: t('pinHere'), run: () => dropPin(toWorld(at)) }, { icon: 'plus', text: t('zoomHere'), run: () => zoom(1.25, at) }] });
    });
    for (const chip of $$('.chip')) chip.onclick = () => {
      const on = !layers.has(chip.dataset.layer);
      layers[on ? 'add' : 'delete'](chip.dataset.layer);
      chip.setAttribute('aria-pressed', on);
      drawMarkers();
    };

    // Search and notices drop down from the header; only one of them is open
    function drawResults() {
      const query = search.value.trim().toLowerCase();
      const hits = places.filter(p => query && `${nameOf(p)} ${p.note}`.toLowerCase().includes(query)).slice(0, 5);
      $('#clear-search').hidden = !search.value;
      $('#results').hidden = !query;
      search.setAttribute('aria-expanded', !!query);
      if (query) showNotices(false);
      $('#results').innerHTML = hits.map(p => `<li role="none"><button role="option" aria-selected="false" data-act="pick" data-id="${p.id}"><span class="tile">${icon(p.icon || KIND_ICON[p.kind])}</span><span><b>${safe(nameOf(p))}</b><small>${safe(p.note)}</small></span></button></li>`).join('') || `<li class="empty">${safe(t('noMatch', { x: search.value.trim() }))}</li>`;
    }
    const clearSearch = () => { search.value = ''; drawResults(); };
    search.oninput = drawResults;
    $('.search').onsubmit = e => { e.preventDefault(); $('#results button')?.click(); };
    $('#clear-search').onclick = () => { clearSearch(); search.focus(); };
    onActs($('#results'), { pick: id => { clearSearch(); openPlan(id); } });
    function showNotices(on) { $('#notices').hidden = !on; $('#bell').setAttribute('aria-expanded', on); }
    function drawNotices() {
      $('#bell-count').textContent = notices.length;
      $('#bell-count').hidden = !notices.length;
      redraw($('#notices'), `<div class="sec-head"><h2>${t('notices')}</h2><button class="icon-btn" data-act="close" aria-label="${t('closeNotices')}">${icon('x')}</button></div>` + (notices.map(n =>
        `<div class="notice"><span class="grow">${n.text}</span><button class="icon-btn" data-act="dismiss" data-id="${n.id}" aria-label="${t('dismissNotice', { x: n.text })}">${icon('x')}</button></div>`).join('') || `<p class="empty">${t('noNotices')}</p>`));
    }
    onActs($('#notices'), {
      close: () => { showNotices(false); $('#bell').focus(); },
      dismiss: id => { const old = notices; notices = notices.filter(n => n.id !== id); drawNotices(); toast(t('noticeGone'), () => { notices = old; drawNotices(); }); },
    });
    $('#bell').onclick = () => { clearSearch(); showNotices($('#notices').hidden); };
    document.addEventListener('keydown', e => { if (e.key === 'Escape') { showNotices(false); if (search.value) clearSearch(); } });
    addEventListener('resize', () => { setLevel(level); placeView(); });
    rerender.push(() => { drawMarkers(); drawSheet(); drawNotices(); setLevel(level); centre(ME); });
  }

  // ---------- Trips: swipe, selection, tabs ----------
  function trips() {
    const row = (id, tab, title, from, to, mode, date, time, price, km) => ({ id, tab, title, from, to, mode, date, time, price, km, riders: 1, starred: id === 'u2' || id === 'p3', remind: false });
    let all = [
      row('u1', 'up', 'Market run', 'Linden Row', 'Harbour Market', 'tram', '2026-05-19', '08:40', 2.4, 3.1), row('u2', 'up', 'Climbing with Ines', 'Foundry Yard', 'Ledge Hall', 'bike', '2026-05-20', '18:15', 1.8, 4.6), row('u3', 'up', 'Parcel to Locker North', 'Linden Row', 'Locker North 4', 'scooter', '2026-05-21', '12:05', 3.1, 1.9), row('u4', 'up', 'Check-up', 'Foundry Yard', 'Bell Street', 'tram', '2026-05-22', '09:20', 2.4, 5.2),
      row('u5', 'up', 'Library books', 'Linden Row', 'Mint Square', 'walk', '2026-05-27', '16:30', 0, 1.2), row('u6', 'up', 'Concert on the quay', 'Mint Square', 'West Quay', 'tram', '2026-05-30', '19:45', 4.8, 2.8), row('u7', 'up', 'Plant fair', 'Linden Row', 'Lantern Park', 'bike', '2026-06-06', '10:00', 1.8, 2.2),
      row('p1', 'past', 'Oranges and basil', 'Harbour Market', 'Linden Row', 'tram', '2026-05-15', '17:10', 2.4, 3.1), row('p2', 'past', 'To the office', 'Linden Row', 'Foundry Yard', 'bike', '2026-05-13', '08:05', 1.8, 4.4), row('p3', 'past', 'Ferry breakfast', 'Linden Row', 'West Quay', 'walk', '2026-05-10', '09:30', 0, 1.6), row('p4', 'past', 'Key copy', 'Foundry Yard', 'Bell Street', 'scooter', '2026-05-06', '13:20', 3.1, 2.7),
      row('p5', 'past', 'Rainy way home', 'Foundry Yard', 'Linden Row', 'tram', '2026-04-28', '18:40', 2.4, 4.4), row('p6', 'past', 'Bike to the lido', 'Linden Row', 'Lido', 'bike', '2026-04-25', '11:15', 1.8, 6.0), row('p7', 'past', 'Parents to station', 'Linden Row', 'Harbour Gate', 'tram', '2026-04-19', '14:50', 7.2, 3.8),
    ];
    const older = [row('p8', 'past', 'Spring clean supplies', 'Mint Square', 'Linden Row', 'tram', '2026-03-30', '10:25', 2.4, 1.3), row('p9', 'past', 'Dentist', 'Foundry Yard', 'Bell Street', 'bike', '2026-03-24', '09:00', 1.8, 5.0), row('p10', 'past', 'Night tram', 'West Quay', 'Linden Row', 'tram', '2026-03-14', '23:35', 2.4, 1.7), row('p11', 'past', 'First scooter try', 'Lantern Park', 'Mint Square', 'scooter', '2026-03-08', '15:10', 3.1, 2.0)];
    const state = { tab: 'up', query: '', mode: 'all', latest: false, selecting: false, picked: new Set(), open: new Set() };
    const list = $('#list');
    const find = id => all.find(x => x.id === id);
    const upcoming = () => state.tab === 'up';

    function shown() {
      const query = state.query.toLowerCase();
      const hits = all.filter(x => x.tab === state.tab && (state.mode === 'all' || x.mode === state.mode) && `${x.title} ${x.from} ${x.to}`.toLowerCase().includes(query));
      const newestFirst = upcoming() === state.latest; // upcoming runs forward and past runs backward unless reversed
      return hits.sort((a, b) => (newestFirst ? -1 : 1) * `${a.date}${a.time}`.localeCompare(`${b.date}${b.time}`));
    }
    const groupOf = x => x.tab === 'past' ? day(x.date, { month: 'long', year: 'numeric' }) : t(x.date < '2026-05-25' ? 'thisWeek' : 'later');
    function detailHtml(x) {
      const extra = upcoming() ? `<div class="rider-line"><span>${t('riders')}</span>${stepper('riders', x.riders, [1, 5], ['fewerRiders', 'moreRiders'], x.id)}</div>` : `<button class="btn wide" data-act="receipt" data-id="${x.id}">${icon('receipt')}${t('receipt')}</button>`;
      return `<div class="detail" id="d-${x.id}" ${state.open.has(x.id) && !state.selecting ? '' : 'hidden'}><dl><dt>${t('distance')}</dt><dd dir="auto">${x.km} km</dd><dt>${t('saved')}</dt><dd dir="auto">${Math.round(x.km * 140)} g</dd><dt>${t('fare')}</dt><dd>${money(x.price * x.riders)}</dd></dl>${extra}</div>`;
    }
    function tripHtml(x) {
      const title = safe(x.title), first = upcoming() ? ['remind', 'bell'] : ['again', 'again'];
      const mainState = state.selecting ? `role="checkbox" aria-checked="${state.picked.has(x.id)}"` : `aria-expanded="${state.open.has(x.id)}" aria-controls="d-${x.id}"`;
      return `<li class="trip" data-trip="${x.id}">
        <div class="under start"><button data-act="first" data-id="${x.id}">${icon(first[1])}${t(first[0])}</button></div>
        <div class="under end"><button data-act="share" data-id="${x.id}">${icon('share')}${t('share')}</button><button data-act="remove" data-id="${x.id}">${icon('bin')}${t(upcoming() ? 'cancelTrip' : 'deleteTrip')}</button></div>
        <div class="face"><div class="line">
          <button class="row-main" data-act="main" data-id="${x.id}" ${mainState}><span class="tile">${icon(x.mode)}</span><span class="box">${icon('check')}</span><span class="grow"><b>${title}</b><small class="route-names"><bdi>${x.from}</bdi>${icon('arrow', 'mirror')}<bdi>${x.to}</bdi></small><small class="route-names">${day(x.date)} · ${x.time}${x.remind ? `${icon('bell')}<span class="sr">${t('remind')}</span>` : ''}</small></span></button>
          <button class="icon-btn star" data-act="star" data-id="${x.id}" aria-pressed="${x.starred}" aria-label="${t('starTrip', { x: title })}">${icon('star')}</button>
          <button class="icon-btn" data-act="more" data-id="${x.id}" aria-haspopup="menu" aria-expanded="false" aria-label="${t('more', { x: title })}">${icon('dots')}</button></div>
        ${detailHtml(x)}</div></li>`;
    }
    function draw() {
      const rows = shown();
      let group = '';
      const html = rows.map(x => { const head = groupOf(x) === group ? '' : `<li><h2 class="group">${group = groupOf(x)}</h2></li>`; return head + tripHtml(x); }).join('');
      const foot = !upcoming() && older.length ? '' : `<p class="foot-note">${t('allShown')}</p>`;
      redraw(list, html ? `<ul>${html}</ul>${foot}` : `<p class="empty">${state.query ? safe(t('noMatch', { x: state.query })) : t('noTrips')}</p>`);
      drawBars(rows);
    }
    function drawBars(rows = shown()) {
      const n = state.picked.size, { selecting } = state;
      list.classList.toggle('selecting', selecting);
      $('#bar-normal').hidden = $('.tabbar').hidden = $('.segment').hidden = selecting;
      $('#bar-select').hidden = $('#actionbar').hidden = !selecting;
      $('#select-count').textContent = t('selected', { x: n });
      $('#select-all').textContent = t(n && n === rows.length ? 'selectNone' : 'selectAll');
      $('#bulk-remove-text').textContent = t(upcoming() ? 'cancelTrip' : 'deleteTrip');
      for (const button of $$('#actionbar button')) button.disabled = !n;
      for (const [id, on] of [['#tab-up', upcoming()], ['#tab-past', !upcoming()]]) { $(id).setAttribute('aria-selected', on); $(id).tabIndex = on ? 0 : -1; }
      $('#filter-line').hidden = state.mode === 'all' || selecting;
      if (state.mode !== 'all') $('#filter-line').innerHTML = `<span class="tag">${t('mode_' + state.mode)}<button class="icon-btn" data-act="unfilter" aria-label="${t('clearFilter')}">${icon('x')}</button></span>`;
    }
    function setSelecting(on, ids = []) { state.selecting = on; state.picked = new Set(ids); closeSwipe(); draw(); }
    const titles = ids => ids.length === 1 ? find(ids[0]).title : String(ids.length);

    // The same bin cancels upcoming trips after a question, but deletes past ones at once with undo.
    function removeTrips(ids) {
      const before = all, x = titles(ids);
      const drop = () => { all = all.filter(trip => !ids.includes(trip.id)); setSelecting(false); };
      if (!upcoming()) { drop(); toast(t('deleted', { x }), () => { all = before; draw(); }); return; }
      ask({ title: t(ids.length === 1 ? 'cancelOneQ' : 'cancelQ', { x }), html: `<p>${t('cancelText')}</p>`, ok: t('cancelTrip'), no: t('keepTrip'), danger: true, run() { drop(); toast(t('cancelled', { x })); } });
    }
    const shareTrips = ids => { toast(t('shared', { x: `kipla.example/${ids.join('+')}` })); };
    function firstAction(id) {
      const x = find(id);
      if (upcoming()) { x.remind = true; toast(t('reminded', { x: x.title }), () => { x.remind = false; draw(); }); } else {
        const copy = { ...x, id: `${id}b`, tab: 'up', date: '2026-05-26', starred: false };
        all = [...all.filter(y => y.id !== copy.id), copy];
        toast(t('booked', { x: x.title }), () => { all = all.filter(y => y !== copy); draw(); });
      }
      draw();
    }
    function rename(id) { const x = find(id); closeSwipe(); editInPlace($(`[data-act="main"][data-id="${id}"]`), x.title, next => { x.title = next; draw(); }); }
    function tripMenu(id, at) {
      const x = find(id);
      openMenu({ ...at, label: t('more', { x: x.title }), items: [
        { icon: 'pencil', text: t('rename'), run: () => rename(id) }, { icon: upcoming() ? 'bell' : 'again', text: t(upcoming() ? 'remind' : 'again'), run: () => firstAction(id) },
        { icon: 'share', text: t('share'), run: () => shareTrips([id]) }, { icon: 'check', text: t('select'), run: () => setSelecting(true, [id]) }, { icon: 'bin', text: t(upcoming() ? 'cancelTrip' : 'deleteTrip'), danger: true, run: () => removeTrips([id]) }] });
    }
    function pressMain(id, el) {
      if (state.selecting) {
        state.picked[state.picked.has(id) ? 'delete' : 'add'](id);
        el.setAttribute('aria-checked', state.picked.has(id));
        drawBars();
        return;
      }
      if (closeSwipe()) return;
      const on = !state.open.has(id);
      state.open[on ? 'add' : 'delete'](id);
      el.setAttribute('aria-expanded', on);
      $(`#d-${id}`).hidden = !on;
    }
    function showReceipt(id) {
      const x = find(id);
      ask({ title: t('receipt'), html: `<p><b>${safe(x.title)}</b></p><p class="hint">${day(x.date)} · ${x.time}</p><ul class="ledger"><li>${t('mode_' + x.mode)}<b>${money(x.price)}</b></li></ul>`, ok: t('share'), no: t('close'), run: () => shareTrips([id]) });
    }
    onActs(list, {
      main: pressMain, first: firstAction, share: id => { closeSwipe(); shareTrips([id]); }, remove: id => removeTrips([id]), receipt: showReceipt,
      star(id, el) { const x = find(id); x.starred = !x.starred; el.setAttribute('aria-pressed', x.starred); },
      more: (id, el) => tripMenu(id, { opener: el }),
      riders(id) { const x = find(id.slice(0, -1)); x.riders += id.endsWith('+') ? 1 : -1; draw(); },
    });
    list.addEventListener('dblclick', e => { const main = e.target.closest('[data-act="main"]'); if (main && !state.selecting) rename(main.dataset.id); });
    onLongPress(list, '.face', (face, e) => { if (!state.selecting && !e.target.closest('.icon-btn, .detail, input')) setSelecting(true, [face.parentElement.dataset.trip]); });
    onContext(list, '.trip', (el, e) => tripMenu(el.dataset.trip, { x: e.clientX, y: e.clientY }));

    // Swipe: positive offsets (towards the end of the line) uncover the first action, negative ones the last two
    function closeSwipe() {
      const open = $('.trip[data-open]', list);
      if (!open) return false;
      delete open.dataset.open;
      $('.face', open).style.transform = '';
      return true;
    }
    const offset = (trip, dx) => clamp(({ start: 84, end: -168 }[trip.dataset.open] || 0) + dx * (rtl() ? -1 : 1), -168, 84);
    const shift = (trip, by) => { $('.face', trip).style.transform = by ? `translateX(${by * (rtl() ? -1 : 1)}px)` : ''; };
    let swiped = null;
    onDrag(list, {
      axis: 'x',
      start(e) {
        const trip = e.target.closest('.face')?.parentElement;
        if (!trip || state.selecting) return false;
        if (!trip.dataset.open) closeSwipe();
        swiped = trip;
        trip.classList.add('swiping');
        return true;
      },
      move(dx) { shift(swiped, offset(swiped, dx)); },
      end(dx) {
        const by = offset(swiped, dx), side = by > 42 ? 'start' : by < -60 ? 'end' : '';
        swiped.classList.remove('swiping');
        if (side) swiped.dataset.open = side; else delete swiped.dataset.open;
        shift(swiped, { start: 84, end: -168 }[side] || 0);
      },
    });

    const pickTab = tab => { state.tab = tab; state.open.clear(); closeSwipe(); draw(); list.scrollTop = 0; };
    $('#tab-up').onclick = () => pickTab('up');
    $('#tab-past').onclick = () => pickTab('past');
    $('.segment').onkeydown = e => { if (e.key.startsWith('Arrow')) { pickTab(upcoming() ? 'past' : 'up'); $('[aria-selected="true"]').focus(); } };
    $('#toggle-search').onclick = e => { const on = $('#trip-search-line').hidden; e.currentTarget.setAttribute('aria-expanded', on); $('#trip-search-line').hidden = !on; if (on) $('#trip-search').focus(); else setQuery(''); };
    function setQuery(query) { state.query = query.trim(); if (!query) $('#trip-search').value = ''; $('#trip-clear').disabled = !query; draw(); }
    $('#trip-search').oninput = e => setQuery(e.target.value);
    $('#trip-clear').onclick = () => { setQuery(''); $('#trip-search').focus(); };
    $('#trip-clear').disabled = true;
    $('#sort').onclick = e => { state.latest = !state.latest; e.currentTarget.setAttribute('aria-pressed', state.latest); draw(); };
    $('#filter').onclick = e => openMenu({ opener: e.currentTarget, label: t('filterMode'), items: ['all', 'tram', 'bike', 'scooter', 'walk'].map(mode => ({ icon: mode === 'all' ? 'route' : mode, text: t(mode === 'all' ? 'allModes' : 'mode_' + mode), checked: state.mode === mode, run() { state.mode = mode; draw(); } })) });
    onActs($('#filter-line'), { unfilter() { state.mode = 'all'; draw(); $('#filter').focus(); } });
    $('#leave-select').onclick = () => setSelecting(false);
    $('#select-all').onclick = () => { const ids = shown().map(x => x.id); setSelecting(true, state.picked.size === ids.length ? [] : ids); };
    $('#bulk-star').onclick = () => { const ids = [...state.picked]; all.filter(x => ids.includes(x.id)).forEach(x => { x.starred = true; }); toast(t('starred', { x: titles(ids) })); setSelecting(false); };
    $('#bulk-share').onclick = () => shareTrips([...state.picked]);
    $('#bulk-remove').onclick = () => removeTrips([...state.picked]);
    document.addEventListener('keydown', e => { if (e.key === 'Escape' && !$('dialog')) { closeSwipe(); if (state.selecting) setSelecting(false); } });
    list.addEventListener('scroll', () => {
      $('#trips-top').classList.toggle('lifted', list.scrollTop > 4);
      $('#to-top').hidden = list.scrollTop < 80;
      if (upcoming() || !older.length || state.query || list.scrollTop + list.clientHeight < list.scrollHeight - 40) return;
      all = all.concat(older.splice(0));
      draw();
      toast(t('loaded'));
    });
    $('#to-top').onclick = () => { list.scrollTop = 0; list.focus(); };
    rerender.push(draw);
  }

  // ---------- Wallet: balance, stack of passes, renewals ----------
  function wallet() {
    const pass = (id, name, tone, art, number, until, renew) => ({ id, name, tone, art, number, until, renew, remind: 1, paused: false });
    let passes = [pass('lib', 'Library card', 'night', 'book', '5521 8840', '2027-01-31', false), pass('parcel', 'Parcel pass', 'coral', 'box', '3307 1296', '2026-07-12', false), pass('bike', 'Bike pass', 'teal', 'bike', '7718 0452', '2026-06-02', true), pass('month', 'Month pass', 'violet', 'tram', '2094 6613', '2026-05-31', true)];
    const state = { balance: 24.6, amount: 20, hidden: false, flipped: null, shownNumbers: new Set() };
    const ledger = [['Tram 4', -2.4], ['Top-up', 20], ['Bike 2217', -1.8]];
    const stack = $('#stack');
    const find = id => passes.find(p => p.id === id);
    const shortDay = iso => day(iso, { day: 'numeric', month: 'short' });

    function drawBalance() {
      $('#balance').textContent = state.hidden ? '•••• €' : money(state.balance);
      $('#top-up-amount').textContent = money(state.amount);
      $('#less').disabled = state.amount <= 5;
      $('#more').disabled = state.amount >= 100;
      $('#top-up').textContent = t('topUp', { x: money(state.amount) });
      redraw($('#presets'), [10, 20, 50].map(v => `<button class="chip" role="radio" data-act="preset" data-id="${v}" aria-checked="${state.amount === v}">${money(v)}</button>`).join(''));
      $('#payments').innerHTML = ledger.map(([what, sum]) => `<li><span>${what}</span><b>${state.hidden ? '••••' : money(sum)}</b></li>`).join('');
    }
    // A fixed dot pattern from the pass number stands for its code.
    function codeArt(number) {
      const digits = number.replace(/\D/g, '');
      const dots = [...Array(81).keys()].filter(i => (digits.charCodeAt(i % 8) * (i + 3) + i * i) % 7 < 4).map(i => `<rect x="${i % 9 * 11}" y="${Math.floor(i / 9) * 11}" width="9" height="9" rx="2"/>`).join('');
      return `<svg class="code" viewBox="-1 -1 99 99" aria-hidden="true" fill="currentColor">${dots}</svg>`;
    }
    const numberOf = p => state.shownNumbers.has(p.id) ? p.number : `•••• ${p.number.slice(-4)}`;
    function passHtml(p, i) {
      const front = i === passes.length - 1, flipped = state.flipped === p.id, name = safe(p.name);
      const label = t(!front ? 'bringFront' : flipped ? 'showFront' : 'showCode', { x: name });
      return `<article class="pass ${p.tone} ${flipped ? 'flipped' : ''} ${p.paused ? 'paused' : ''}" data-pass="${p.id}" aria-label="${name}" style="top:${i * 50}px">
        <button class="cover" data-act="tap" data-id="${p.id}" aria-label="${label}" ${front ? `aria-pressed="${flipped}"` : ''}>
          <svg class="pass-deco" viewBox="0 0 360 172" preserveAspectRatio="xMaxYMid slice" fill="none" stroke="#fff" stroke-width="14" aria-hidden="true"><path d="M200 190C230 90 300 150 380 40M250 200c20-60 70-40 140-110"/><circle cx="316" cy="150" r="60" stroke-width="2"/></svg>
          <span class="side front"><span class="pass-top">${icon(p.art)}${name}<small>${p.paused ? t('paused') : shortDay(p.until)}</small></span><span><b><bdi dir="ltr">${numberOf(p)}</bdi></b><br><small>Nuria Brandt · ${t('validUntil', { x: shortDay(p.until) })}</small></span></span>
          <span class="side back">${codeArt(p.number)}<span><b>${name}</b><br><small><bdi dir="ltr">${numberOf(p)}</bdi></small></span></span></button>
        <div class="back-tools" ${flipped ? '' : 'hidden'}><button class="icon-btn" data-act="reveal" data-id="${p.id}" aria-pressed="${state.shownNumbers.has(p.id)}" aria-label="${t('showNumber')}">${icon('eye')}</button><button class="icon-btn" data-act="copy" data-id="${p.id}" aria-label="${t('copyNumber')}">${icon('copy')}</button></div></article>`;
    }
    function drawStack() {
      stack.style.height = `${(passes.length - 1) * 50 + 172}px`;
      redraw(stack, passes.map(passHtml).join(''));
    }
    function drawRenewals() {
      redraw($('#renewals'), [...passes].sort((a, b) => a.until.localeCompare(b.until)).map(p => {
        const on = p.renew && !p.paused, name = safe(p.name);
        const options = [0, 1, 7].map(d => `<option value="${d}" ${p.remind === d ? 'selected' : ''}>${t('remind' + d)}</option>`).join('');
        return `<div class="renew"><button class="row" role="switch" data-act="renew" data-id="${p.id}" aria-checked="${on}" aria-label="${t('renewOf', { x: name })}" ${p.paused ? 'disabled' : ''}><span class="tile">${icon(p.art)}</span><span class="grow"><b>${name}</b><small>${p.paused ? t('paused') : t(on ? 'renewsOn' : 'endsOn', { x: shortDay(p.until) })}</small></span><span class="knob"></span></button>
          <select data-remind="${p.id}" aria-label="${t('remindBefore', { x: name })}" ${on ? '' : 'disabled'}>${options}</select></div>`;
      }).join(''));
    }
    const draw = () => { drawBalance(); drawStack(); drawRenewals(); };
    const setAmount = value => { state.amount = clamp(value, 5, 100); drawBalance(); };
    function moveTo(id, front) {
      const before = passes, p = find(id), rest = passes.filter(x => x !== p);
      passes = front ? [...rest, p] : [p, ...rest];
      state.flipped = null;
      drawStack();
      if (!front) toast(t('movedBack', { x: p.name }), () => { passes = before; drawStack(); });
    }
    // A tap lifts a covered pass to the front; on the front pass it flips it.
    function tap(id) {
      if (passes.at(-1).id !== id) { moveTo(id, true); return; }
      state.flipped = state.flipped === id ? null : id;
      const card = $(`[data-pass="${id}"]`), on = state.flipped === id;
      card.classList.toggle('flipped', on);
      $('.back-tools', card).hidden = !on;
      $('.cover', card).setAttribute('aria-pressed', on);
      $('.cover', card).setAttribute('aria-label', t(on ? 'showFront' : 'showCode', { x: find(id).name }));
    }
    function passMenu(card, e) {
      const p = find(card.dataset.pass), before = passes, front = passes.at(-1) === p;
      openMenu({ x: e.clientX, y: e.clientY, label: p.name, items: [
        front ? { icon: 'down', text: t('toBack'), run: () => moveTo(p.id, false) } : { icon: 'up', text: t('bringFront', { x: p.name }), run: () => moveTo(p.id, true) },
        { icon: 'moon', text: t(p.paused ? 'resumePass' : 'pausePass'), run() { p.paused = !p.paused; draw(); } },
        { icon: 'bin', text: t('remove'), danger: true, run() { passes = passes.filter(x => x !== p); draw(); toast(t('passGone', { x: p.name }), () => { passes = before; draw(); }); } }] });
    }
    onActs(stack, {
      tap, copy: id => toast(t('copied', { x: find(id).number })),
      reveal(id) { state.shownNumbers[state.shownNumbers.has(id) ? 'delete' : 'add'](id); drawStack(); },
    });
    onLongPress(stack, '.pass', passMenu);
    onContext(stack, '.pass', passMenu);
    let dragged = null;
    onDrag(stack, {
      axis: 'x',
      start(e) { dragged = e.target.closest('.pass'); dragged?.classList.add('dragging'); return !!dragged; },
      move(dx) { dragged.style.transform = `translateX(${dx}px) rotate(${clamp(dx / 40, -6, 6)}deg)`; },
      end(dx) { dragged.classList.remove('dragging'); dragged.style.transform = ''; if (Math.abs(dx) > 80) moveTo(dragged.dataset.pass, false); },
    });
    onActs($('#presets'), { preset: id => setAmount(Number(id)) });
    onActs($('#renewals'), { renew(id) { const p = find(id); p.renew = !p.renew; drawRenewals(); } });
    $('#renewals').addEventListener('change', e => { find(e.target.dataset.remind).remind = Number(e.target.value); toast(`${find(e.target.dataset.remind).name}: ${e.target.selectedOptions[0].text}`); });
    $('#less').onclick = () => setAmount(state.amount - 5);
    $('#more').onclick = () => setAmount(state.amount + 5);
    $('#hide-amounts').onclick = e => { state.hidden = !state.hidden; e.currentTarget.setAttribute('aria-pressed', state.hidden); drawBalance(); };
    $('#top-up').onclick = () => {
      const sum = state.amount, x = money(sum);
      const book = (by, row) => { state.balance += by; if (row) ledger.unshift(row); else ledger.shift(); drawBalance(); };
      ask({ title: t('payWith'), ok: t('pay', { x }), html: choices('method', [['card', 'Meridel Card', '•• 4417'], ['bank', 'Ostra Bank', '•• 9020'], ['credit', 'Kipla credit', money(60)]], 'card'), run() { book(sum, ['Top-up', sum]); toast(t('toppedUp', { x }), () => book(-sum)); } });
    };
    $('#add-pass').onclick = () => ask({
      title: t('addPass'), ok: t('add'), html: field('number', t('passNumber')), ready: validate({ number: [v => /^\d{4} ?\d{4}$/.test(v), t('needDigits')] }),
      run(dialog) { const number = $('[name="number"]', dialog).value.replace(/\D/g, ''); passes = [...passes, pass(`g${number}`, 'Guest pass', 'night', 'star', `${number.slice(0, 4)} ${number.slice(4)}`, '2026-06-15', false)]; draw(); toast(t('passAdded')); },
    });
    const threshold = $('#threshold');
    const drawThreshold = () => { paintRange(threshold); $('#threshold-out').textContent = money(Number(threshold.value)); };
    threshold.oninput = drawThreshold;
    $('#auto-switch').onclick = e => { threshold.disabled = !flip(e.currentTarget); };
    $('#payments-toggle').onclick = e => { const on = $('#payments').hidden; $('#payments').hidden = !on; e.currentTarget.setAttribute('aria-expanded', on); };
    rerender.push(draw, drawThreshold);
  }

  // ---------- Profile: settings ----------
  function profile() {
    const LANGUAGE_NAMES = [['en', 'English'], ['de', 'Deutsch'], ['ar', 'العربية']];
    const COLOURS = { blue: '#3347ff', coral: '#c23a2a', green: '#0c7a55' };
    const state = { colour: 'blue', address: 'Linden Row 12', linked: ['Family calendar', 'Work calendar'], searches: 18 };
    const main = $('#profile-main');

    const RANGES = { pace: v => `\u2066${v} km/h\u2069`, reach: v => `\u2066${v} m\u2069`, 'text-size': v => `\u2066${v} %\u2069` };
    function drawRange(id) { const input = $(`#${id}`); paintRange(input); $(`#${id}-out`).textContent = RANGES[id](input.value); }
    for (const id of Object.keys(RANGES)) $(`#${id}`).oninput = () => drawRange(id);
    $('#text-size').addEventListener('change', e => document.documentElement.style.setProperty('--scale', e.target.value / 100));

    function draw() {
      Object.keys(RANGES).forEach(drawRange);
      $('#address-value').textContent = state.address;
      $('#language-value').textContent = LANGUAGE_NAMES.find(([code]) => code === lang)[1];
      $('#history-value').textContent = state.searches;
      $('#history').disabled = !state.searches;
      $('#quiet-value').textContent = `${$('#quiet-from').value} – ${$('#quiet-until').value}`;
      $('#linked').hidden = !state.linked.length;
      redraw($('#linked'), state.linked.map(x => `<span class="tag">${x}<button class="icon-btn" data-act="unlink" data-id="${x}" aria-label="${t('unlink', { x })}">${icon('x')}</button></span>`).join(''));
    }
    for (const el of $$('[role="switch"]')) el.onclick = () => {
      const on = flip(el);
      for (const child of $$(`[data-needs="${el.id}"]`)) child.disabled = !on;
    };
    const rename = () => { if ($('.edit', main)) return; const title = $('#person-name'); main.scrollTop = 0; editInPlace(title, title.textContent, name => { title.textContent = name; $('#avatar').textContent = name.split(/\s+/).map(w => w[0]).slice(0, 2).join('').toUpperCase(); }); };
    $('#edit-name').onclick = rename;
    $('#person-name').ondblclick = rename;
    $('#star-me').onclick = e => { const on = $('#level').hidden; $('#level').hidden = !on; e.currentTarget.setAttribute('aria-expanded', on); };
    const paint = colour => { state.colour = colour; $('#avatar').style.background = COLOURS[colour]; };
    $('#avatar').onclick = e => openMenu({ opener: e.currentTarget, label: t('changeColour'), items: Object.entries(COLOURS).map(([name, swatch]) => ({ swatch, text: t('colour_' + name), checked: state.colour === name, run: () => paint(name) })) });
    $('#invite').onclick = () => ask({ title: t('invite'), html: `<p>${t('inviteText')}</p><p class="amount">NURIA-58</p>`, ok: t('copyCode'), no: t('close'), run: () => toast(t('copied', { x: 'NURIA-58' })) });
    $('#address').onclick = () => ask({
      title: t('homeAddress'), ok: t('save'), html: field('street', t('placeStreet'), state.address), ready: validate({ street: [v => /\p{L}.*\d/u.test(v), t('needStreet')] }),
      run(dialog) { const old = state.address; state.address = $('[name="street"]', dialog).value.trim(); draw(); toast(t('addressSaved'), () => { state.address = old; draw(); }); },
    });
    $('#quiet-toggle').onclick = e => { const on = $('#quiet').hidden; $('#quiet').hidden = !on; e.currentTarget.setAttribute('aria-expanded', on); };
    $('#quiet').onchange = draw;
    $('#language').onclick = () => ask({
      title: t('language'), ok: t('save'), html: choices('language', LANGUAGE_NAMES, lang),
      run(dialog) {
        setLanguage($('input:checked', dialog).value);
        for (const link of $$('.tabbar a')) link.href = `${link.getAttribute('href').split('?')[0]}?lang=${lang}`;
      },
    });
    $('#theme').onclick = e => {
      const button = e.target.closest('button');
      if (!button) return;
      for (const other of $$('#theme button')) other.setAttribute('aria-checked', other === button);
      themePick = button.dataset.themePick;
      applyTheme();
    };
    onActs($('#linked'), { unlink(x) { const old = state.linked; state.linked = old.filter(y => y !== x); draw(); toast(t('unlinked', { x }), () => { state.linked = old; draw(); }); } });
    $('#history').onclick = () => { if (confirm(t('clearHistoryQ'))) { state.searches = 0; draw(); toast(t('historyGone')); } };
    function signOut() {
      const kept = [...main.children];
      main.innerHTML = `<section class="farewell"><span class="tile">${icon('out')}</span><h2>${t('signedOut')}</h2><button class="btn primary">${t('signIn')}</button></section>`;
      $$('.bar .icon-btn').forEach(b => { b.disabled = true; });
      $('.farewell .btn').onclick = () => { main.replaceChildren(...kept); $$('.bar .icon-btn').forEach(b => { b.disabled = false; }); };
      $('.farewell .btn').focus();
    }
    $('#sign-out').onclick = () => ask({ title: t('signOutQ'), html: `<p>${t('signOutText')}</p>`, ok: t('signOut'), run: signOut });
    $('#delete').onclick = () => ask({ title: t('deleteAccount'), html: `<p>${t('deleteText')}</p>${field('word', t('confirmWord'))}`, ok: t('deleteTrip'), danger: true, ready: validate({ word: [v => v === 'KIPLA', ''] }), run: () => toast(t('deleteAsked')) });
    rerender.push(draw);
  }

  // ---------- Start ----------
  installIcons();
  applyTheme();
  ({ index: home, trips, wallet, profile })[document.body.dataset.page]();
  const wanted = new URLSearchParams(location.search).get('lang') || navigator.language.slice(0, 2);
  setLanguage(LANGS.includes(wanted) ? wanted : 'en');
  if (LANGS.includes(wanted) && location.search) for (const link of $$('.tabbar a')) link.href += `?lang=${wanted}`;
  for (const scroller of $$('.padded')) scroller.addEventListener('scroll', () => $('.topbar').classList.toggle('lifted', scroller.scrollTop > 4));
})();
