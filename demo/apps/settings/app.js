// Settings of Tarn OS. One script for all pages; all state lives in memory and nothing is stored.
(() => {
  'use strict';

  const LANG = ['de', 'ar'].find((code) => navigator.language.toLowerCase().startsWith(code)) || 'en';
  // The English text is the key; the values are German and Arabic.
  const DICT = {
    'Overview': ['Übersicht', 'نظرة عامة'],
    'Skip to content': ['Zum Inhalt springen', 'الانتقال إلى المحتوى'],
    'Sidebar': ['Seitenleiste', 'الشريط الجانبي'],
    'Settings': ['Einstellungen', 'الإعدادات'],
    'Collapse sidebar': ['Seitenleiste einklappen', 'طي الشريط الجانبي'],
    'Expand sidebar': ['Seitenleiste ausklappen', 'توسيع الشريط الجانبي'],
    'Settings areas': ['Bereiche', 'أقسام الإعدادات'],
    'Network': ['Netzwerk', 'الشبكة'],
    'Notifications': ['Mitteilungen', 'الإشعارات'],
    'Privacy': ['Datenschutz', 'الخصوصية'],
    'On this page': ['Auf dieser Seite', 'في هذه الصفحة'],
    'Search': ['Suche', 'البحث'],
    'Profile': ['Profil', 'الملف الشخصي'],
    'Quick toggles': ['Schnellschalter', 'مفاتيح سريعة'],
    'All settings': ['Alle Einstellungen', 'كل الإعدادات'],
    'Display, sound, power': ['Anzeige, Ton, Energie', 'الشاشة والصوت والطاقة'],
    'This device': ['Dieses Gerät', 'هذا الجهاز'],
    'Resize sidebar': ['Breite der Seitenleiste', 'تغيير عرض الشريط الجانبي'],
    'Everything about Tarn Book 14 in one place': ['Alles zu Tarn Book 14 an einem Ort', 'كل ما يخص Tarn Book 14 في مكان واحد'],
    'Page actions': ['Seitenaktionen', 'إجراءات الصفحة'],
    'Undo last change': ['Letzte Änderung rückgängig', 'التراجع عن آخر تغيير'],
    'Recent changes': ['Letzte Änderungen', 'آخر التغييرات'],
    'More options': ['Weitere Optionen', 'خيارات أخرى'],
    'Search settings': ['Einstellungen suchen', 'البحث في الإعدادات'],
    'Search all settings, e.g. hotspot or lock screen': ['Alle Einstellungen durchsuchen, z. B. Hotspot', 'ابحث في كل الإعدادات، مثل نقطة الاتصال'],
    'Search all settings': ['Alle Einstellungen durchsuchen', 'البحث في كل الإعدادات'],
    'Clear search': ['Suche leeren', 'مسح البحث'],
    'Search results': ['Suchergebnisse', 'نتائج البحث'],
    'Recent': ['Zuletzt', 'الأخيرة'],
    'Clear all': ['Alle löschen', 'مسح الكل'],
    'Change picture': ['Bild ändern', 'تغيير الصورة'],
    'Double-click to rename': ['Zum Umbenennen doppelklicken', 'انقر مرتين لإعادة التسمية'],
    'Edit profile': ['Profil bearbeiten', 'تعديل الملف الشخصي'],
    'Tarn Cloud storage': ['Speicher in Tarn Cloud', 'مساحة Tarn Cloud'],
    '148 of 200 GB used': ['148 von 200 GB belegt', '148 من 200 GB مستخدمة'],
    'Switch user': ['Benutzer', 'المستخدم'],
    'Storage': ['Speicher', 'التخزين'],
    'Battery saver': ['Stromsparen', 'توفير البطارية'],
    'Battery charge': ['Akkustand', 'شحن البطارية'],
    '78% · about 6 hours left': ['78 % · noch etwa 6 Stunden', '78% · نحو 6 ساعات متبقية'],
    '78% · about 9 hours left': ['78 % · noch etwa 9 Stunden', '78% · نحو 9 ساعات متبقية'],
    'Suggestions': ['Vorschläge', 'اقتراحات'],
    'Available': ['Verfügbar', 'المتاحة'],
    'Available toggles': ['Verfügbare Schalter', 'المفاتيح المتاحة'],
    'Adjust brightness automatically': ['Helligkeit automatisch anpassen', 'ضبط السطوع تلقائيًا'],
    'Automatic brightness': ['Automatische Helligkeit', 'السطوع التلقائي'],
    'Brightness': ['Helligkeit', 'السطوع'],
    'Mute sound': ['Ton stummschalten', 'كتم الصوت'],
    'Muted': ['Stumm', 'مكتوم'],
    'Volume': ['Lautstärke', 'الصوت'],
    'Star a setting to pin it here; right-click for more.': ['Stern heftet eine Einstellung hier an; Rechtsklick zeigt mehr.', 'النجمة تثبّت الإعداد هنا، والنقر الأيمن يعرض المزيد.'],
    'Pinned settings': ['Angeheftete Einstellungen', 'الإعدادات المثبتة'],
    'Display': ['Anzeige', 'الشاشة'],
    'Night light from sunset': ['Nachtlicht ab Sonnenuntergang', 'الضوء الليلي من الغروب'],
    'Warmer colours in the evening': ['Wärmere Farben am Abend', 'ألوان أدفأ في المساء'],
    'Night light options': ['Optionen für Nachtlicht', 'خيارات الضوء الليلي'],
    'Warmth': ['Wärme', 'الدفء'],
    'Only while night light is on': ['Nur bei Nachtlicht', 'عند تشغيل الضوء الليلي فقط'],
    'Text and window size': ['Größe von Text und Fenstern', 'حجم النص والنوافذ'],
    'Larger is easier to read': ['Größer ist leichter zu lesen', 'الأكبر أسهل قراءة'],
    'Sound': ['Ton', 'الصوت'],
    'Play sound on': ['Ton ausgeben über', 'تشغيل الصوت على'],
    'Device used by all apps': ['Gerät für alle Apps', 'الجهاز المستخدم لكل التطبيقات'],
    'Built-in speakers': ['Eingebaute Lautsprecher', 'السماعات المدمجة'],
    'Desk speakers': ['Tischlautsprecher', 'سماعات المكتب'],
    'Earbuds': ['Ohrhörer', 'سماعات الأذن'],
    'Key click sounds': ['Tastentöne', 'أصوات المفاتيح'],
    'A soft tick with every key': ['Ein leises Ticken bei jeder Taste', 'نقرة خفيفة مع كل مفتاح'],
    'Power': ['Energie', 'الطاقة'],
    'Power mode': ['Energiemodus', 'وضع الطاقة'],
    'How much speed to trade for battery': ['Tempo oder Laufzeit', 'الموازنة بين السرعة والبطارية'],
    'Longest battery': ['Längste Laufzeit', 'أطول عمر للبطارية'],
    'Balanced': ['Ausgewogen', 'متوازن'],
    'Best performance': ['Höchste Leistung', 'أفضل أداء'],
    'Battery care': ['Akkupflege', 'العناية بالبطارية'],
    'Stop charging at 80%': ['Laden bei 80 % beenden', 'إيقاف الشحن عند 80%'],
    '{n}%': ['{n} %', '{n}%'],
    '100%': ['100 %', '100%'],
    '125%': ['125 %', '125%'],
    '150%': ['150 %', '150%'],
    'Settings apply to this device at once.': ['Änderungen gelten sofort für dieses Gerät.', 'تُطبَّق الإعدادات على هذا الجهاز فورًا.'],
    'Wi-Fi': ['WLAN', 'واي فاي'],
    'VPN': ['VPN', 'شبكة VPN'],
    'Hotspot': ['Hotspot', 'نقطة الاتصال'],
    'Data saver': ['Datensparen', 'توفير البيانات'],
    'Wi-Fi, VPN, hotspot and data use': ['WLAN, VPN, Hotspot und Datennutzung', 'واي فاي وVPN ونقطة الاتصال واستهلاك البيانات'],
    'Scan for networks': ['Nach Netzen suchen', 'البحث عن شبكات'],
    'Add a hidden network': ['Verstecktes Netz hinzufügen', 'إضافة شبكة مخفية'],
    'Network lists': ['Netzlisten', 'قوائم الشبكات'],
    'Nearby': ['In der Nähe', 'القريبة'],
    'Saved': ['Gespeichert', 'المحفوظة'],
    'Blocked': ['Gesperrt', 'المحظورة'],
    'Wi-Fi networks': ['WLAN-Netze', 'شبكات واي فاي'],
    'Connected to': ['Verbunden mit', 'متصل بـ'],
    'Time span': ['Zeitraum', 'الفترة الزمنية'],
    'Day': ['Tag', 'يوم'],
    'Week': ['Woche', 'أسبوع'],
    'Data use over time': ['Datennutzung im Verlauf', 'استهلاك البيانات عبر الزمن'],
    'Add a VPN': ['VPN hinzufügen', 'إضافة شبكة VPN'],
    'VPN options': ['VPN-Optionen', 'خيارات VPN'],
    'Block traffic without VPN': ['Ohne VPN nichts senden', 'حظر الاتصال من دون VPN'],
    'Available while a VPN is on': ['Wählbar, solange ein VPN an ist', 'متاح أثناء تشغيل VPN'],
    'Hotspot options': ['Hotspot-Optionen', 'خيارات نقطة الاتصال'],
    'Name': ['Name', 'الاسم'],
    'Shown to other devices': ['Für andere Geräte sichtbar', 'يظهر للأجهزة الأخرى'],
    'Password': ['Passwort', 'كلمة المرور'],
    'Show password': ['Passwort anzeigen', 'إظهار كلمة المرور'],
    'Hide password': ['Passwort verbergen', 'إخفاء كلمة المرور'],
    'Devices at once': ['Geräte gleichzeitig', 'عدد الأجهزة معًا'],
    'One device fewer': ['Ein Gerät weniger', 'جهاز أقل'],
    'One device more': ['Ein Gerät mehr', 'جهاز إضافي'],
    'Turn off when idle': ['Bei Leerlauf ausschalten', 'الإيقاف عند الخمول'],
    'Saves battery': ['Schont den Akku', 'يوفر البطارية'],
    'After 5 minutes': ['Nach 5 Minuten', 'بعد 5 دقائق'],
    'After 15 minutes': ['Nach 15 Minuten', 'بعد 15 دقيقة'],
    'Never': ['Nie', 'أبدًا'],
    'Connected devices': ['Verbundene Geräte', 'الأجهزة المتصلة'],
    'Data used this month': ['Datennutzung in diesem Monat', 'البيانات المستخدمة هذا الشهر'],
    'Data saver options': ['Optionen für Datensparen', 'خيارات توفير البيانات'],
    'Monthly limit': ['Monatslimit', 'الحد الشهري'],
    'Lower video quality': ['Geringere Videoqualität', 'خفض جودة الفيديو'],
    'About a third of the data': ['Etwa ein Drittel der Daten', 'نحو ثلث البيانات'],
    'Pause background sync': ['Abgleich im Hintergrund anhalten', 'إيقاف المزامنة في الخلفية'],
    'Apps update when you open them': ['Apps aktualisieren sich beim Öffnen', 'تُحدَّث التطبيقات عند فتحها'],
    'Always allowed': ['Immer erlaubt', 'مسموح دائمًا'],
    'Allow another app': ['Weitere App erlauben', 'السماح لتطبيق آخر'],
    'Apps': ['Apps', 'التطبيقات'],
    'Preview': ['Vorschau', 'معاينة'],
    'Quiet hours': ['Ruhezeit', 'ساعات الهدوء'],
    'Priority order': ['Rangfolge', 'ترتيب الأولوية'],
    'Who may interrupt you, when and how': ['Wer Sie wann und wie stören darf', 'من يمكنه مقاطعتك ومتى وكيف'],
    'Filter apps': ['Apps filtern', 'تصفية التطبيقات'],
    'Clear filter': ['Filter leeren', 'مسح التصفية'],
    'Select': ['Auswählen', 'تحديد'],
    'Selected apps': ['Ausgewählte Apps', 'التطبيقات المحددة'],
    'Apps and their notifications': ['Apps und ihre Mitteilungen', 'التطبيقات وإشعاراتها'],
    'App': ['App', 'التطبيق'],
    'Turn the whole column on or off': ['Ganze Spalte ein- oder ausschalten', 'تشغيل العمود كله أو إيقافه'],
    'Banner': ['Banner', 'لافتة'],
    'Lock screen': ['Sperrbildschirm', 'شاشة القفل'],
    'No app matches the filter.': ['Keine App passt zum Filter.', 'لا يوجد تطبيق مطابق.'],
    'Preview of': ['Vorschau für', 'معاينة لـ'],
    'Desktop': ['Desktop', 'سطح المكتب'],
    'Thursday, 14 May': ['Donnerstag, 14. Mai', 'الخميس 14 مايو'],
    'No notifications': ['Keine Mitteilungen', 'لا إشعارات'],
    'App for the test': ['App für den Test', 'تطبيق التجربة'],
    'Send test': ['Test senden', 'إرسال تجربة'],
    'Clear all notifications in the preview': ['Alle Mitteilungen der Vorschau löschen', 'مسح كل إشعارات المعاينة'],
    'Quiet hours options': ['Optionen der Ruhezeit', 'خيارات ساعات الهدوء'],
    'Start and end': ['Beginn und Ende', 'البداية والنهاية'],
    'Starts at': ['Beginnt um', 'تبدأ في'],
    'Ends at': ['Endet um', 'تنتهي في'],
    'Days': ['Tage', 'الأيام'],
    'Volume during quiet hours': ['Lautstärke in der Ruhezeit', 'الصوت في ساعات الهدوء'],
    'Alarms are never lowered': ['Wecker bleiben laut', 'لا يُخفض صوت المنبهات'],
    'Let through': ['Durchlassen', 'السماح بمرور'],
    'Everything else waits until morning': ['Alles andere wartet bis zum Morgen', 'ينتظر الباقي حتى الصباح'],
    'Nobody': ['Niemand', 'لا أحد'],
    'Priority apps': ['Rangfolge', 'تطبيقات الأولوية'],
    'Calls only': ['Nur Anrufe', 'المكالمات فقط'],
    'Repeated calls': ['Wiederholte Anrufe', 'المكالمات المتكررة'],
    'A second call within 3 minutes rings': ['Ein zweiter Anruf binnen 3 Minuten klingelt', 'ترن المكالمة الثانية خلال 3 دقائق'],
    'Drag to reorder': ['Zum Umordnen ziehen', 'اسحب لإعادة الترتيب'],
    'Add an app to the order': ['App in die Rangfolge aufnehmen', 'إضافة تطبيق إلى الترتيب'],
    'Silent until': ['Still bis', 'صامت حتى'],
    'All apps are silent and nothing is shown': ['Alle Apps sind still, nichts wird gezeigt', 'كل التطبيقات صامتة ولا يظهر شيء'],
    'Off. Each app follows its own switches.': ['Aus. Jede App folgt ihren eigenen Schaltern.', 'متوقف. يتبع كل تطبيق مفاتيحه.'],
    'Group by app': ['Nach App gruppieren', 'التجميع حسب التطبيق'],
    'One stack for each app': ['Ein Stapel je App', 'مجموعة لكل تطبيق'],
    'Permissions': ['Berechtigungen', 'الأذونات'],
    'Recovery key': ['Notfallschlüssel', 'مفتاح الاسترداد'],
    'Sessions': ['Sitzungen', 'الجلسات'],
    'Danger zone': ['Gefahrenbereich', 'منطقة الخطر'],
    'Permissions, sessions and your recovery key': ['Berechtigungen, Sitzungen und Ihr Notfallschlüssel', 'الأذونات والجلسات ومفتاح الاسترداد'],
    'Show apps': ['Apps anzeigen', 'عرض التطبيقات'],
    'All': ['Alle', 'الكل'],
    'Used this week': ['Diese Woche', 'هذا الأسبوع'],
    'Unused': ['Unbenutzt', 'غير مستخدمة'],
    'App permissions': ['App-Berechtigungen', 'أذونات التطبيقات'],
    'Allowed': ['Erlaubt', 'مسموح'],
    'Ask every time': ['Jedes Mal fragen', 'السؤال كل مرة'],
    'Denied': ['Verweigert', 'مرفوض'],
    'Privacy level': ['Schutzniveau', 'مستوى الخصوصية'],
    'Unlocks your data if you lose every device. Keep it on paper.': ['Öffnet Ihre Daten, wenn alle Geräte verloren sind. Auf Papier aufbewahren.', 'يفتح بياناتك إذا فقدت كل أجهزتك. احتفظ به على ورق.'],
    'Copy recovery key': ['Notfallschlüssel kopieren', 'نسخ مفتاح الاسترداد'],
    'Make a new key': ['Neuen Schlüssel erzeugen', 'إنشاء مفتاح جديد'],
    'I have written it down': ['Ich habe ihn aufgeschrieben', 'لقد دوّنته'],
    'Devices signed in to your account. Double-click a name to rename it.': ['Angemeldete Geräte. Doppelklick auf einen Namen benennt um.', 'الأجهزة المسجلة في حسابك. انقر مرتين على الاسم لتغييره.'],
    'Dangerous actions': ['Gefährliche Aktionen', 'إجراءات خطرة'],
    'on': ['ein', 'تشغيل'],
    'off': ['aus', 'إيقاف'],
    'On': ['Ein', 'قيد التشغيل'],
    'Off': ['Aus', 'متوقف'],
    'Undone: {what}': ['Rückgängig gemacht: {what}', 'تم التراجع عن: {what}'],
    'Undo': ['Rückgängig', 'تراجع'],
    'Dismiss message': ['Meldung schließen', 'إغلاق الرسالة'],
    'Close': ['Schließen', 'إغلاق'],
    'Cancel': ['Abbrechen', 'إلغاء'],
    'Context menu': ['Kontextmenü', 'قائمة السياق'],
    'Version 8.2, checked on 13 May': ['Version 8.2, geprüft am 13. Mai', 'الإصدار 8.2، فُحص في 13 مايو'],
    'Check for updates': ['Nach Updates suchen', 'البحث عن تحديثات'],
    'Version 8.3 is available, 412 MB': ['Version 8.3 verfügbar, 412 MB', 'الإصدار 8.3 متاح، 412 MB'],
    'Download 8.3': ['8.3 herunterladen', 'تنزيل 8.3'],
    'Version 8.3 is downloaded': ['Version 8.3 ist geladen', 'تم تنزيل الإصدار 8.3'],
    'Restart to install': ['Neustart zum Installieren', 'إعادة التشغيل للتثبيت'],
    'Version 8.3 installs tonight': ['Version 8.3 folgt heute Nacht', 'يُثبَّت الإصدار 8.3 الليلة'],
    'Cancel installation': ['Installation abbrechen', 'إلغاء التثبيت'],
    'Restart to install 8.3?': ['Zum Installieren von 8.3 neu starten?', 'إعادة التشغيل لتثبيت 8.3؟'],
    'Your open apps come back after the restart. You can also let it happen tonight.': ['Offene Apps kehren nach dem Neustart zurück. Es geht auch heute Nacht.', 'تعود تطبيقاتك المفتوحة بعد إعادة التشغيل، ويمكن تأجيل ذلك إلى الليلة.'],
    'Install tonight': ['Heute Nacht installieren', 'التثبيت الليلة'],
    'Comfortable rows': ['Bequeme Zeilen', 'صفوف مريحة'],
    'Compact rows': ['Kompakte Zeilen', 'صفوف متراصة'],
    'Keyboard shortcuts': ['Tastenkürzel', 'اختصارات لوحة المفاتيح'],
    'Close menu or dialog': ['Menü oder Dialog schließen', 'إغلاق القائمة أو النافذة'],
    'Reset this page': ['Diese Seite zurücksetzen', 'إعادة ضبط هذه الصفحة'],
    'Page reset': ['Seite zurückgesetzt', 'أُعيد ضبط الصفحة'],
    'Rows are compact now': ['Zeilen sind jetzt kompakt', 'الصفوف متراصة الآن'],
    'Rows are comfortable now': ['Zeilen sind jetzt bequem', 'الصفوف مريحة الآن'],
    'Recent changes: {n}': ['Letzte Änderungen: {n}', 'آخر التغييرات: {n}'],
    'Go back to before: {what}': ['Zurück vor: {what}', 'الرجوع إلى ما قبل: {what}'],
    'Close recent changes': ['Letzte Änderungen schließen', 'إغلاق آخر التغييرات'],
    'Nothing changed yet. Each change on this page is listed here and can be undone.': ['Noch nichts geändert. Jede Änderung dieser Seite steht hier und lässt sich zurücknehmen.', 'لا تغييرات بعد. يظهر هنا كل تغيير في هذه الصفحة ويمكن التراجع عنه.'],
    'Back to top': ['Nach oben', 'إلى الأعلى'],
    'Nearby share': ['Teilen nebenan', 'المشاركة القريبة'],
    'Contacts only': ['Nur Kontakte', 'جهات الاتصال فقط'],
    'Everyone': ['Alle', 'الجميع'],
    'Flight mode': ['Flugmodus', 'وضع الطيران'],
    'Do not disturb': ['Nicht stören', 'عدم الإزعاج'],
    'Until I turn it off': ['Bis ich es ausschalte', 'حتى أوقفه'],
    'For 1 hour': ['Für 1 Stunde', 'لمدة ساعة'],
    'Until tomorrow': ['Bis morgen', 'حتى الغد'],
    'Night light': ['Nachtlicht', 'الضوء الليلي'],
    'Until sunrise': ['Bis Sonnenaufgang', 'حتى الشروق'],
    '40 GB a month': ['40 GB im Monat', '40 GB في الشهر'],
    '20 GB a month': ['20 GB im Monat', '20 GB في الشهر'],
    'Location': ['Standort', 'الموقع'],
    'Precise': ['Genau', 'دقيق'],
    'Approximate': ['Ungefähr', 'تقريبي'],
    'Record screen': ['Aufnahme', 'تسجيل الشاشة'],
    'With sound': ['Mit Ton', 'مع الصوت'],
    'Without sound': ['Ohne Ton', 'دون صوت'],
    'Key light': ['Tastenlicht', 'إضاءة المفاتيح'],
    'Automatic': ['Automatisch', 'تلقائي'],
    'Bright': ['Hell', 'ساطع'],
    'Lagoon': ['Lagune', 'بحيرة'],
    'Dusk': ['Dämmerung', 'غسق'],
    'Moss': ['Moos', 'طحلب'],
    'Guest': ['Gast', 'ضيف'],
    'Photos': ['Fotos', 'الصور'],
    'Documents': ['Dokumente', 'المستندات'],
    'Backups': ['Sicherungen', 'النسخ الاحتياطية'],
    'Free': ['Frei', 'متاح'],
    'Mail': ['E-Mail', 'البريد'],
    'Save your recovery key': ['Notfallschlüssel sichern', 'احفظ مفتاح الاسترداد'],
    'You have not written it down yet.': ['Er ist noch nicht aufgeschrieben.', 'لم تدوّنه بعد.'],
    'Show me': ['Anzeigen', 'عرض'],
    'Rest your eyes at night': ['Abends die Augen schonen', 'أرح عينيك ليلًا'],
    'Let night light follow the sunset.': ['Nachtlicht folgt der Sonne.', 'دع الضوء الليلي يتبع الغروب.'],
    'Turn on': ['Einschalten', 'تشغيل'],
    '{what} removed from quick toggles': ['{what} aus den Schnellschaltern entfernt', 'أُزيل {what} من المفاتيح السريعة'],
    '{what} added to quick toggles': ['{what} zu den Schnellschaltern hinzugefügt', 'أُضيف {what} إلى المفاتيح السريعة'],
    'Open settings': ['Einstellungen öffnen', 'فتح الإعدادات'],
    'Edit toggles': ['Schalter bearbeiten', 'تعديل المفاتيح'],
    '{what} moved': ['{what} verschoben', 'نُقل {what}'],
    'Picture: {what}': ['Bild: {what}', 'الصورة: {what}'],
    'Switched to {what}': ['Gewechselt zu {what}', 'تم التبديل إلى {what}'],
    'Save': ['Speichern', 'حفظ'],
    'E-mail address': ['E-Mail-Adresse', 'البريد الإلكتروني'],
    'Used to sign in': ['Dient zur Anmeldung', 'يُستخدم لتسجيل الدخول'],
    'Enter a complete e-mail address': ['Vollständige E-Mail-Adresse eingeben', 'أدخل بريدًا إلكترونيًا كاملًا'],
    'Profile saved': ['Profil gespeichert', 'حُفظ الملف الشخصي'],
    'Renamed to {what}': ['Umbenannt in {what}', 'أُعيدت التسمية إلى {what}'],
    'Suggestion dismissed': ['Vorschlag verworfen', 'أُغلق الاقتراح'],
    'Night light follows the sunset': ['Nachtlicht folgt dem Sonnenuntergang', 'الضوء الليلي يتبع الغروب'],
    'Search removed from the list': ['Suche aus der Liste entfernt', 'أُزيل البحث من القائمة'],
    'Recent searches cleared': ['Letzte Suchen gelöscht', 'مُسحت عمليات البحث الأخيرة'],
    '{what} unpinned': ['{what} abgelöst', 'أُلغي تثبيت {what}'],
    '{what} pinned': ['{what} angeheftet', 'تم تثبيت {what}'],
    'Open': ['Öffnen', 'فتح'],
    'Unpin': ['Ablösen', 'إلغاء التثبيت'],
    'Pin': ['Anheften', 'تثبيت'],
    'Unpin {what}': ['{what} ablösen', 'إلغاء تثبيت {what}'],
    'Pin {what}': ['{what} anheften', 'تثبيت {what}'],
    'Copy link': ['Link kopieren', 'نسخ الرابط'],
    'Link copied': ['Link kopiert', 'نُسخ الرابط'],
    'Settings found: {n}': ['Gefundene Einstellungen: {n}', 'الإعدادات الموجودة: {n}'],
    'No setting matches. Try another word.': ['Keine Einstellung passt. Anderes Wort versuchen.', 'لا يوجد إعداد مطابق. جرّب كلمة أخرى.'],
    'Remove {what}': ['{what} entfernen', 'إزالة {what}'],
    'Options for {what}': ['Optionen für {what}', 'خيارات {what}'],
    'Add {what}': ['{what} hinzufügen', 'إضافة {what}'],
    'Done': ['Fertig', 'تم'],
    'Edit': ['Bearbeiten', 'تعديل'],
    'Arrow keys move the picked toggle': ['Pfeiltasten verschieben den Schalter', 'أسهم لوحة المفاتيح تنقل المفتاح'],
    'Hold a toggle to edit': ['Zum Bearbeiten gedrückt halten', 'اضغط مطولًا للتعديل'],
    'No account': ['Kein Konto', 'لا يوجد حساب'],
    'Remove search: {what}': ['Suche entfernen: {what}', 'إزالة البحث: {what}'],
    'Dismiss suggestion: {what}': ['Vorschlag verwerfen: {what}', 'إغلاق الاقتراح: {what}'],
    'night light': ['Nachtlicht', 'الضوء الليلي'],
    'forget network': ['Netze vergessen', 'نسيان الشبكات'],
    'Choose, join and forget networks': ['Netze wählen, verbinden und vergessen', 'اختيار الشبكات والانضمام إليها ونسيانها'],
    'Send traffic through a safe server': ['Daten über einen sicheren Server senden', 'إرسال البيانات عبر خادم آمن'],
    'Share this connection with others': ['Diese Verbindung mit anderen teilen', 'مشاركة هذا الاتصال مع الآخرين'],
    'Use less data and set a limit': ['Weniger Daten nutzen, Limit setzen', 'استهلاك بيانات أقل ووضع حد'],
    'App notifications': ['App-Mitteilungen', 'إشعارات التطبيقات'],
    'Sound, banner and lock screen for each app': ['Ton, Banner und Sperrbildschirm je App', 'الصوت واللافتة وشاشة القفل لكل تطبيق'],
    'Notification preview': ['Mitteilungsvorschau', 'معاينة الإشعارات'],
    'See what others see on your lock screen': ['Sehen, was andere auf dem Sperrbildschirm sehen', 'شاهد ما يراه الآخرون على شاشة القفل'],
    'Silence at the times you choose': ['Stille zu gewählten Zeiten', 'صمت في الأوقات التي تختارها'],
    'Which app comes first': ['Welche App zuerst kommt', 'أي تطبيق يأتي أولًا'],
    'What each app may use': ['Was jede App nutzen darf', 'ما يمكن لكل تطبيق استخدامه'],
    'Show, copy or renew your key': ['Schlüssel zeigen, kopieren oder erneuern', 'عرض المفتاح أو نسخه أو تجديده'],
    'Devices signed in to your account': ['Geräte, die angemeldet sind', 'الأجهزة المسجلة في حسابك'],
    'Reset and delete': ['Zurücksetzen und löschen', 'إعادة الضبط والحذف'],
    'Erase data, reset or delete the account': ['Daten löschen, zurücksetzen, Konto löschen', 'مسح البيانات أو إعادة الضبط أو حذف الحساب'],
    'Night light, warmth and size': ['Nachtlicht, Wärme und Größe', 'الضوء الليلي والدفء والحجم'],
    'Output device and key clicks': ['Ausgabegerät und Tastentöne', 'جهاز الإخراج وأصوات المفاتيح'],
    'Power mode and battery care': ['Energiemodus und Akkupflege', 'وضع الطاقة والعناية بالبطارية'],
    'Connected to {what}': ['Verbunden mit {what}', 'متصل بـ {what}'],
    'Disconnected from {what}': ['Von {what} getrennt', 'قُطع الاتصال بـ {what}'],
    'Join an open network?': ['Offenem Netz beitreten?', 'الانضمام إلى شبكة مفتوحة؟'],
    'Others can read what you send over {what}. Use a VPN where you can.': ['Andere können mitlesen, was Sie über {what} senden. Nutzen Sie möglichst ein VPN.', 'يمكن للآخرين قراءة ما ترسله عبر {what}. استخدم VPN إن أمكن.'],
    'Join': ['Beitreten', 'انضمام'],
    'Connect to {what}': ['Mit {what} verbinden', 'الاتصال بـ {what}'],
    'Connect': ['Verbinden', 'اتصال'],
    'At least 8 characters': ['Mindestens 8 Zeichen', '8 أحرف على الأقل'],
    'Ready to connect': ['Bereit zum Verbinden', 'جاهز للاتصال'],
    'Characters missing: {n}': ['Noch fehlende Zeichen: {n}', 'الأحرف الناقصة: {n}'],
    'Forget {what}?': ['{what} vergessen?', 'نسيان {what}؟'],
    'This device will no longer join it by itself and the password is removed.': ['Das Gerät verbindet sich nicht mehr von selbst; das Passwort wird entfernt.', 'لن ينضم الجهاز إليها تلقائيًا وستُزال كلمة المرور.'],
    'Forget': ['Vergessen', 'نسيان'],
    '{what} forgotten': ['{what} vergessen', 'نُسيت {what}'],
    '{what} blocked': ['{what} gesperrt', 'حُظرت {what}'],
    '{what} unblocked': ['{what} entsperrt', 'أُلغي حظر {what}'],
    'Disconnect': ['Trennen', 'قطع'],
    'Copy password': ['Passwort kopieren', 'نسخ كلمة المرور'],
    'Password of {what} copied': ['Passwort von {what} kopiert', 'نُسخت كلمة مرور {what}'],
    'Unblock': ['Entsperren', 'إلغاء الحظر'],
    'Block': ['Sperren', 'حظر'],
    'Sorted by name': ['Nach Name sortiert', 'مرتبة حسب الاسم'],
    'Sorted by signal': ['Nach Signal sortiert', 'مرتبة حسب الإشارة'],
    'No further networks found': ['Keine weiteren Netze gefunden', 'لم يُعثر على شبكات أخرى'],
    'Turn on Wi-Fi to scan': ['Zum Suchen WLAN einschalten', 'شغّل واي فاي للبحث'],
    '1 new network found: {what}': ['1 neues Netz gefunden: {what}', 'عُثر على شبكة جديدة: {what}'],
    'Add': ['Hinzufügen', 'إضافة'],
    'Network name': ['Netzname', 'اسم الشبكة'],
    'Leave empty for an open network': ['Bei offenem Netz leer lassen', 'اتركها فارغة للشبكة المفتوحة'],
    '{what} saved': ['{what} gespeichert', 'حُفظت {what}'],
    'More distant networks loaded: {n}': ['Entferntere Netze geladen: {n}', 'حُمّلت شبكات أبعد: {n}'],
    'VPN {what} deleted': ['VPN {what} gelöscht', 'حُذفت شبكة VPN {what}'],
    'Edit VPN': ['VPN bearbeiten', 'تعديل VPN'],
    'Server': ['Server', 'الخادم'],
    'For example gate.company.example': ['Zum Beispiel gate.company.example', 'مثل gate.company.example'],
    'VPN {what} saved': ['VPN {what} gespeichert', 'حُفظت شبكة VPN {what}'],
    'Edit VPN {what}': ['VPN {what} bearbeiten', 'تعديل VPN {what}'],
    'Delete VPN {what}': ['VPN {what} löschen', 'حذف VPN {what}'],
    '{what} disconnected from the hotspot': ['{what} vom Hotspot getrennt', 'فُصل {what} عن نقطة الاتصال'],
    '{what} is limited now': ['{what} ist jetzt begrenzt', 'أصبح {what} محدودًا'],
    '{what} is always allowed': ['{what} ist immer erlaubt', '{what} مسموح دائمًا'],
    'Strong': ['Stark', 'قوية'],
    'Fair': ['Mittel', 'متوسطة'],
    'Connected': ['Verbunden', 'متصلة'],
    'Secured': ['Gesichert', 'مؤمّنة'],
    'Open network': ['Offen', 'مفتوحة'],
    'Metered': ['Begrenzt', 'محدودة البيانات'],
    'Join automatically': ['Automatisch verbinden', 'الانضمام تلقائيًا'],
    'Metered connection': ['Begrenztes Datenvolumen', 'اتصال محدود البيانات'],
    'Details of {what}': ['Details zu {what}', 'تفاصيل {what}'],
    'More for {what}': ['Mehr zu {what}', 'المزيد عن {what}'],
    'Not connected': ['Nicht verbunden', 'غير متصل'],
    'No networks in this list.': ['Keine Netze in dieser Liste.', 'لا شبكات في هذه القائمة.'],
    'Turn on Wi-Fi to see networks.': ['WLAN einschalten, um Netze zu sehen.', 'شغّل واي فاي لعرض الشبكات.'],
    'By signal': ['Nach Signal', 'حسب الإشارة'],
    'By name': ['Nach Name', 'حسب الاسم'],
    'No network': ['Kein Netz', 'لا شبكة'],
    '{down} Mbit/s down · {up} Mbit/s up': ['{down} Mbit/s herunter · {up} Mbit/s hinauf', 'تنزيل {down} Mbit/s · رفع {up} Mbit/s'],
    'Choose a network to go online': ['Netz wählen, um online zu gehen', 'اختر شبكة للاتصال'],
    '{what} is on': ['{what} ist an', '{what} قيد التشغيل'],
    'On · {n} of {max} devices': ['Ein · {n} von {max} Geräten', 'قيد التشغيل · {n} من {max} أجهزة'],
    'Disconnect {what}': ['{what} trennen', 'فصل {what}'],
    'of {n} GB used, resets on 1 June': ['von {n} GB, neu ab 1. Juni', 'من {n} GB، يتجدد في 1 يونيو'],
    'used this month, no limit': ['in diesem Monat, ohne Limit', 'هذا الشهر، دون حد'],
    'Mon': ['Mo', 'اثنين'],
    'Tue': ['Di', 'ثلاثاء'],
    'Wed': ['Mi', 'أربعاء'],
    'Thu': ['Do', 'خميس'],
    'Fri': ['Fr', 'جمعة'],
    'Sat': ['Sa', 'سبت'],
    'Sun': ['So', 'أحد'],
    '{what} on for all apps': ['{what} für alle Apps ein', 'شُغّل {what} لكل التطبيقات'],
    '{what} off for all apps': ['{what} für alle Apps aus', 'أُوقف {what} لكل التطبيقات'],
    'Order of apps turned round': ['Reihenfolge der Apps umgekehrt', 'عُكس ترتيب التطبيقات'],
    'Apps silenced: {n}': ['Stumme Apps: {n}', 'تطبيقات أُسكتت: {n}'],
    'Apps allowed: {n}': ['Erlaubte Apps: {n}', 'تطبيقات سُمح لها: {n}'],
    'Selected apps added to the priority order': ['Ausgewählte Apps in die Rangfolge aufgenommen', 'أُضيفت التطبيقات المحددة إلى ترتيب الأولوية'],
    'Allow everything': ['Alles erlauben', 'السماح بالكل'],
    'Silence': ['Stumm', 'إسكات'],
    'Prioritise': ['Einreihen', 'منح الأولوية'],
    '{what} may notify': ['{what} darf sich melden', 'يمكن لـ {what} الإشعار'],
    '{what} silenced': ['{what} stummgeschaltet', 'أُسكت {what}'],
    'Add to priority order': ['In die Rangfolge aufnehmen', 'إضافة إلى ترتيب الأولوية'],
    '{what} added to the priority order': ['{what} in die Rangfolge aufgenommen', 'أُضيف {what} إلى ترتيب الأولوية'],
    '{what} removed from the priority order': ['{what} aus der Rangfolge entfernt', 'أُزيل {what} من ترتيب الأولوية'],
    'About {n} a day': ['Etwa {n} am Tag', 'نحو {n} يوميًا'],
    'Silenced': ['Stumm', 'صامت'],
    'with sound': ['mit Ton', 'مع صوت'],
    'without sound': ['ohne Ton', 'دون صوت'],
    '{what}: shown in the preview, {sound}': ['{what}: in der Vorschau gezeigt, {sound}', '{what}: يظهر في المعاينة، {sound}'],
    '{what}: not shown here, {sound}': ['{what}: hier nicht gezeigt, {sound}', '{what}: لا يظهر هنا، {sound}'],
    'Notification from {what} dismissed': ['Mitteilung von {what} verworfen', 'أُغلق إشعار {what}'],
    'Dismiss notification from {what}': ['Mitteilung von {what} verwerfen', 'إغلاق إشعار {what}'],
    'Preview cleared': ['Vorschau geleert', 'أُفرغت المعاينة'],
    'Quiet from {from} to {to}': ['Ruhe von {from} bis {to}', 'هدوء من {from} إلى {to}'],
    'Move to the top': ['Ganz nach oben', 'النقل إلى الأعلى'],
    'Move to the end': ['Ganz nach unten', 'النقل إلى النهاية'],
    'Remove from the order': ['Aus der Rangfolge entfernen', 'إزالة من الترتيب'],
    'Remove {what} from the order': ['{what} aus der Rangfolge entfernen', 'إزالة {what} من الترتيب'],
    'Select {what}': ['{what} auswählen', 'تحديد {what}'],
    '{n} of {all} shown': ['{n} von {all}', '{n} من {all}'],
    '{n} selected': ['{n} ausgewählt', 'المحدد: {n}'],
    'End selection': ['Auswahl beenden', 'إنهاء التحديد'],
    'Arrow keys move the picked app': ['Pfeiltasten verschieben die App', 'أسهم لوحة المفاتيح تنقل التطبيق'],
    'Move {what}': ['{what} verschieben', 'نقل {what}'],
    'Move {what} up': ['{what} nach oben', 'نقل {what} إلى أعلى'],
    'Move {what} down': ['{what} nach unten', 'نقل {what} إلى أسفل'],
    'Camera': ['Kamera', 'الكاميرا'],
    'Microphone': ['Mikrofon', 'الميكروفون'],
    'Files': ['Dateien', 'الملفات'],
    'allowed': ['erlaubt', 'مسموح'],
    'ask every time': ['jedes Mal fragen', 'السؤال كل مرة'],
    'denied': ['verweigert', 'مرفوض'],
    'Ask for everything': ['Immer fragen', 'السؤال عن كل شيء'],
    'Deny everything': ['Alles verweigern', 'رفض كل شيء'],
    '{what} has to ask every time': ['{what} muss jedes Mal fragen', 'على {what} أن يسأل كل مرة'],
    'All permissions of {what} denied': ['Alle Berechtigungen von {what} verweigert', 'رُفضت كل أذونات {what}'],
    'Not opened for 3 weeks': ['Seit 3 Wochen nicht geöffnet', 'لم يُفتح منذ 3 أسابيع'],
    'Used a sensor {n} times this week': ['Sensorzugriffe diese Woche: {n}', 'مرات استخدام المستشعرات هذا الأسبوع: {n}'],
    'Confirm that it is you': ['Bestätigen, dass Sie es sind', 'تأكيد هويتك'],
    'Enter the 6 digits you use to unlock this device.': ['Geben Sie die 6 Ziffern ein, mit denen Sie das Gerät entsperren.', 'أدخل الأرقام الستة التي تفتح بها هذا الجهاز.'],
    'Show key': ['Schlüssel zeigen', 'إظهار المفتاح'],
    'Hide key': ['Schlüssel verbergen', 'إخفاء المفتاح'],
    'PIN': ['PIN', 'رمز PIN'],
    '6 digits': ['6 Ziffern', '6 أرقام'],
    'Recovery key is visible': ['Notfallschlüssel ist sichtbar', 'مفتاح الاسترداد ظاهر'],
    'Recovery key copied': ['Notfallschlüssel kopiert', 'نُسخ مفتاح الاسترداد'],
    'Make a new recovery key?': ['Neuen Notfallschlüssel erzeugen?', 'إنشاء مفتاح استرداد جديد؟'],
    'The present key stops working at once.': ['Der jetzige Schlüssel gilt sofort nicht mehr.', 'يتوقف المفتاح الحالي عن العمل فورًا.'],
    'Make new key': ['Neu erzeugen', 'إنشاء مفتاح'],
    'New recovery key made': ['Neuer Notfallschlüssel erzeugt', 'أُنشئ مفتاح استرداد جديد'],
    'Kept safe': ['Gesichert', 'محفوظ'],
    'Not saved': ['Nicht gesichert', 'غير محفوظ'],
    '{what} signed out': ['{what} abgemeldet', 'سُجّل خروج {what}'],
    'Sessions signed out: {n}': ['Abgemeldete Sitzungen: {n}', 'جلسات سُجّل خروجها: {n}'],
    'Sign out everywhere else?': ['Überall sonst abmelden?', 'تسجيل الخروج من كل الأجهزة الأخرى؟'],
    'Only this device stays signed in.': ['Nur dieses Gerät bleibt angemeldet.', 'يبقى هذا الجهاز وحده مسجلًا.'],
    'Sign out': ['Abmelden', 'تسجيل الخروج'],
    'Sign out {what}': ['{what} abmelden', 'تسجيل خروج {what}'],
    'Sign out selected: {n}': ['Auswahl abmelden: {n}', 'تسجيل خروج المحدد: {n}'],
    'Sign out all others': ['Alle anderen abmelden', 'تسجيل خروج الأخرى'],
    'Name of the device': ['Name des Geräts', 'اسم الجهاز'],
    'Rename': ['Umbenennen', 'إعادة التسمية'],
    'Active now': ['Jetzt aktiv', 'نشط الآن'],
    'Active 12 minutes ago': ['Vor 12 Minuten aktiv', 'نشط قبل 12 دقيقة'],
    'Yesterday, 18:42': ['Gestern, 18:42', 'أمس، 18:42'],
    '11 May, 21:05': ['11. Mai, 21:05', '11 مايو، 21:05'],
    '2 May, 09:17': ['2. Mai, 09:17', '2 مايو، 09:17'],
    'Signed in with password and PIN on 3 March': ['Angemeldet mit Passwort und PIN am 3. März', 'سُجّل الدخول بكلمة المرور ورمز PIN في 3 مارس'],
    'Clear activity history': ['Aktivitätsverlauf löschen', 'مسح سجل النشاط'],
    'Searches, places and opened files of this device': ['Suchen, Orte und geöffnete Dateien dieses Geräts', 'عمليات البحث والأماكن والملفات المفتوحة'],
    'Clear': ['Löschen', 'مسح'],
    'Erase diagnostic reports': ['Diagnoseberichte löschen', 'مسح تقارير التشخيص'],
    '14 reports that were not sent': ['14 nicht gesendete Berichte', '14 تقريرًا لم تُرسل'],
    'Erase': ['Entfernen', 'محو'],
    'Reset all settings': ['Alle Einstellungen zurücksetzen', 'إعادة ضبط كل الإعدادات'],
    'Your files stay; every switch goes back to its default': ['Dateien bleiben; jeder Schalter geht auf den Standard zurück', 'تبقى ملفاتك ويعود كل مفتاح إلى وضعه الأصلي'],
    'Reset': ['Zurücksetzen', 'إعادة الضبط'],
    'Delete account': ['Konto löschen', 'حذف الحساب'],
    'Removes Tarn Cloud data for good after 14 days': ['Entfernt die Daten in Tarn Cloud nach 14 Tagen endgültig', 'يزيل بيانات Tarn Cloud نهائيًا بعد 14 يومًا'],
    'Delete': ['Löschen', 'حذف'],
    'Clear activity history?': ['Aktivitätsverlauf löschen?', 'مسح سجل النشاط؟'],
    'Searches, places and recently opened files are removed from this device.': ['Suchen, Orte und zuletzt geöffnete Dateien werden von diesem Gerät entfernt.', 'تُزال عمليات البحث والأماكن والملفات الأخيرة من هذا الجهاز.'],
    'Clear history': ['Verlauf löschen', 'مسح السجل'],
    'Activity history cleared': ['Aktivitätsverlauf gelöscht', 'مُسح سجل النشاط'],
    'Erase 14 diagnostic reports?': ['14 Diagnoseberichte löschen?', 'مسح 14 تقرير تشخيص؟'],
    'Diagnostic reports erased': ['Diagnoseberichte gelöscht', 'مُسحت تقارير التشخيص'],
    'Nothing was erased': ['Nichts wurde gelöscht', 'لم يُمسح شيء'],
    'Reset all settings?': ['Alle Einstellungen zurücksetzen?', 'إعادة ضبط كل الإعدادات؟'],
    'Type RESET to go on.': ['Zum Fortfahren RESET eingeben.', 'اكتب RESET للمتابعة.'],
    'Confirmation': ['Bestätigung', 'التأكيد'],
    'All settings reset': ['Alle Einstellungen zurückgesetzt', 'أُعيد ضبط كل الإعدادات'],
    'Account deletion cancelled': ['Löschung des Kontos abgebrochen', 'أُلغي حذف الحساب'],
    'Delete account, step 1 of 2': ['Konto löschen, Schritt 1 von 2', 'حذف الحساب، الخطوة 1 من 2'],
    'Delete account, step 2 of 2': ['Konto löschen, Schritt 2 von 2', 'حذف الحساب، الخطوة 2 من 2'],
    'Tell us why you leave. Nothing is deleted yet.': ['Sagen Sie uns den Grund. Noch wird nichts gelöscht.', 'أخبرنا بسبب المغادرة. لن يُحذف شيء بعد.'],
    'I use another account': ['Ich nutze ein anderes Konto', 'أستخدم حسابًا آخر'],
    'I have privacy concerns': ['Ich habe Datenschutzbedenken', 'لدي مخاوف تتعلق بالخصوصية'],
    'Other reason': ['Anderer Grund', 'سبب آخر'],
    'Continue': ['Weiter', 'متابعة'],
    'Reason': ['Grund', 'السبب'],
    'Type Mira Osterholt to delete this account and its 148 GB.': ['Mira Osterholt eingeben, um das Konto und seine 148 GB zu löschen.', 'اكتب Mira Osterholt لحذف هذا الحساب وبياناته البالغة 148 GB.'],
    'Name of the account': ['Name des Kontos', 'اسم الحساب'],
    'Account will be deleted on 28 May': ['Konto wird am 28. Mai gelöscht', 'سيُحذف الحساب في 28 مايو'],
    'Will be deleted on 28 May. You can still cancel.': ['Wird am 28. Mai gelöscht. Abbruch ist noch möglich.', 'سيُحذف في 28 مايو. لا يزال بإمكانك الإلغاء.'],
    'Cancel deletion': ['Löschung abbrechen', 'إلغاء الحذف'],
    'Done on 14 May': ['Erledigt am 14. Mai', 'تم في 14 مايو'],
    '{what} for all apps': ['{what} für alle Apps', '{what} لكل التطبيقات'],
    'More': ['Mehr', 'المزيد'],
    'Apps: {n}': ['Apps: {n}', 'التطبيقات: {n}'],
    '{n} of 100': ['{n} von 100', '{n} من 100'],
    'Good. Few apps have free access.': ['Gut. Wenige Apps haben freien Zugriff.', 'جيد. القليل من التطبيقات لها وصول حر.'],
    'Fair. Some apps may use more than they need.': ['Mittel. Manche Apps dürfen mehr als nötig.', 'متوسط. بعض التطبيقات تستخدم أكثر مما تحتاج.'],
    'Low. Many apps have free access.': ['Niedrig. Viele Apps haben freien Zugriff.', 'منخفض. كثير من التطبيقات لها وصول حر.'],
    'Unlocked: these actions work now': ['Entsperrt: Aktionen sind jetzt möglich', 'مفتوح: هذه الإجراءات تعمل الآن'],
    'Locked. Turn on to use these actions.': ['Gesperrt. Zum Benutzen einschalten.', 'مقفل. شغّله لاستخدام هذه الإجراءات.'],
  };
  // Words put into an Arabic sentence are isolated, so that Latin names do not turn it round.
  const t = (text, vars = {}) => {
    const line = LANG === 'en' ? text : DICT[text]?.[LANG === 'de' ? 0 : 1] ?? text;
    return line.replace(/\{(\w+)\}/g, (_, key) => (LANG === 'ar' ? `\u2068${vars[key]}\u2069` : vars[key]));
  };

  const ICONS = {
    home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z', wifi: 'M3 9.5a13 13 0 0 1 18 0M6.3 13a8.3 8.3 0 0 1 11.4 0M9.4 16.3a3.8 3.8 0 0 1 5.2 0M12 19.5h.01',
    bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.8h4', shield: 'M12 3l7.5 2.8V11c0 4.6-3 8.2-7.5 10-4.5-1.8-7.5-5.4-7.5-10V5.8z', search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20',
    x: 'M6 6l12 12M18 6L6 18', plus: 'M12 5v14M5 12h14', minus: 'M5 12h14', check: 'M5 12.5l4.5 4.5L19 7.5', help: 'M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.3M12 18h.01', chevron: 'M6 9.5l6 6 6-6', next: 'M9.5 6l6 6-6 6',
    arrowUp: 'M12 19V5M6 11l6-6 6 6', arrowDown: 'M12 5v14M6 13l6 6 6-6', undo: 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3', clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2', dots: 'M5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M18 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
    pencil: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM14 6.5l3.5 3.5', trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.5 11v5.5M13.5 11v5.5', lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3', eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
    eyeOff: 'M4 4l16 16M9.5 6a9 9 0 0 1 2.5-.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.6M6 7.8A17 17 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 3.5-.7', copy: 'M9 9h11v11H9zM15 9V4H4v11h5', refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.4M20 4.5v5h-5', share: 'M12 15V4M8 8l4-4 4 4M5 13v7h14v-7',
    plane: 'M11 3.5c1.5 0 2 1.5 2 3V10l8 4.5V17l-8-2.3V18l2.5 2v1.5L11.5 20l-4 1.5V20l2.5-2v-3.3L2.5 17v-2.5L10 10V6.5c0-1.5.2-3 1-3z', moon: 'M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10z', sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
    speaker: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11', speakerOff: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5', hotspot: 'M12 11.5v9M8.5 14.5a5 5 0 1 1 7 0M5.8 17.3a9 9 0 1 1 12.4 0', leaf: 'M5 19c0-9 5-13.5 15-14 .5 9-4 14.5-10.5 14.5A5 5 0 0 1 6 18M5 21c1-5 4-8.5 8.5-10.5',
    place: 'M12 21s-7-6.2-7-11.5a7 7 0 0 1 14 0C19 14.8 12 21 12 21zM12 7.5a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6z', star: 'M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-3-5.3 3 1.1-6L3.4 9.8l6-.8z', camera: 'M3.5 8H8l1.5-2.5h5L16 8h4.5v11h-17zM12 10a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6z', mic: 'M12 3.5a3 3 0 0 1 3 3V11a3 3 0 0 1-6 0V6.5a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v3.5',
    folder: 'M3.5 6h6l2 2.5h9V19h-17z', laptop: 'M5.5 5.5h13v9.5h-13zM2.5 18.5h19', phone: 'M7.5 3h9v18h-9zM11 18h2', tv: 'M3.5 5h17v11.5h-17zM8.5 20h7', globe: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM3.5 12h17M12 3.5c5 5.5 5 11.5 0 17M12 3.5c-5 5.5-5 11.5 0 17', signOut: 'M13 4.5H5.5v15H13M10.5 12H20M16.5 8.5L20 12l-3.5 3.5',
    grip: 'M8.6 6a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M8.6 12a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M8.6 18a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M14.6 6a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M14.6 12a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M14.6 18a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0', key: 'M8 11.5a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zM11 12.8L20 4M16.5 7.5l2.5 2.5M14 10l2 2', battery: 'M3 8h15.5v8.5H3zM21 11v2.5M6 11v2.5M9 11v2.5', warn: 'M12 4l9 16H3zM12 10v4.5M12 17.3h.01', panel: 'M3.5 5h17v14h-17zM9 5v14', list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
    users: 'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20c.5-4 3-5.5 6.5-5.5s6 1.5 6.5 5.5M15.5 5.5a3.3 3.3 0 0 1 0 6M18 14.8c2 .7 3.2 2.4 3.5 5.2', banner: 'M3.5 5h17v14h-17zM11 8.5h6.5M11 12h6.5', mail: 'M3.5 6h17v12.5h-17zM4 7l8 6 8-6', chat: 'M4 5h16v11.5h-9L6.5 20v-3.5H4z', calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8', music: 'M9 17.5V6l10-2v11.5M6.5 15a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM16.5 13a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
    image: 'M3.5 5h17v14h-17zM4 16.5l5-5 4.5 4.5 2.5-2.5 4 4M15.5 8.5h.01', coin: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM14.5 9.5c-2-1.5-5-.8-5 1s5 1.2 5 3.2-3 2.5-5 1M12 7.2v9.6', news: 'M4 5h13v14H6a2 2 0 0 1-2-2zM17 9h3v8a2 2 0 0 1-2 2M7.5 9H13M7.5 12.5H13M7.5 16H11', run: 'M3 13h4l2.5-6.5 4.5 11 2.5-4.5H21', block: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM6 6l12 12', record: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z', keyboard: 'M3 7h18v10.5H3zM7 11h.01M10.5 11h.01M14 11h.01M17.5 11h.01M8 14.5h8',
  };
  const MIRRORED = ['next', 'undo', 'signOut', 'list'];
  const APPS = {
    letterly: { name: 'Letterly', icon: 'mail', hue: 196, day: 24, text: 'Nora Lindqvist: The draft is ready for you' },
    parley: { name: 'Parley', icon: 'chat', hue: 168, day: 61, text: 'Jonas: Are we still on for six?' },
    daybook: { name: 'Daybook', icon: 'calendar', hue: 8, day: 6, text: 'Design review starts in 10 minutes' },
    ledgerly: { name: 'Ledgerly', icon: 'coin', hue: 226, day: 2, text: 'Card payment of 18.40 at Harbour Café' },
    tunehall: { name: 'Tunehall', icon: 'music', hue: 282, day: 3, text: 'New album by The Paper Lanterns' },
    wayfind: { name: 'Wayfind', icon: 'place', hue: 134, day: 4, text: 'Leave now to arrive by 11:00' },
    snapcase: { name: 'Snapcase', icon: 'image', hue: 326, day: 1, text: 'Your memories of May are ready' },
    newsloft: { name: 'Newsloft', icon: 'news', hue: 24, day: 17, text: 'Night trains return to the north coast' },
    fitloop: { name: 'Fitloop', icon: 'run', hue: 348, day: 5, text: 'One more walk closes your ring' },
    homestead: { name: 'Homestead', icon: 'home', hue: 210, day: 8, text: 'The front door was locked' },
  };
  // Every setting that can be found: title, page, place on the page, words that also find it, what it does.
  const INDEX = [
    ['Wi-Fi', 'network', 'wifi', 'wlan internet wireless', 'Choose, join and forget networks'], ['VPN', 'network', 'vpn', 'tunnel private', 'Send traffic through a safe server'],
    ['Hotspot', 'network', 'hotspot', 'tethering share', 'Share this connection with others'], ['Data saver', 'network', 'saver', 'limit quota mobile', 'Use less data and set a limit'],
    ['App notifications', 'notifications', 'apps', 'sound banner lock screen mute', 'Sound, banner and lock screen for each app'], ['Notification preview', 'notifications', 'preview', 'test', 'See what others see on your lock screen'],
    ['Quiet hours', 'notifications', 'quiet', 'night sleep do not disturb schedule', 'Silence at the times you choose'], ['Priority order', 'notifications', 'priority', 'sort rank', 'Which app comes first'],
    ['App permissions', 'privacy', 'permissions', 'camera microphone location files', 'What each app may use'], ['Recovery key', 'privacy', 'recovery', 'backup password unlock', 'Show, copy or renew your key'],
    ['Sessions', 'privacy', 'sessions', 'devices sign out', 'Devices signed in to your account'], ['Reset and delete', 'privacy', 'danger', 'erase account factory danger', 'Erase data, reset or delete the account'],
    ['Display', 'index', 'device', 'night light brightness scale', 'Night light, warmth and size'], ['Sound', 'index', 'device', 'volume speakers output', 'Output device and key clicks'], ['Power', 'index', 'device', 'battery saver charge', 'Power mode and battery care'],
  ];
  const AREAS = { network: ['wifi', 'Network'], notifications: ['bell', 'Notifications'], privacy: ['shield', 'Privacy'], index: ['home', 'Overview'] };

  /* ---------- small helpers ---------- */
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const esc = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const isRtl = () => document.dir === 'rtl';
  const byId = (list, id) => list.find((item) => item.id === id);
  const svg = (name) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  const icon = (name, cls = '') => `<i class="i ${cls}${MIRRORED.includes(name) ? ' flip' : ''}">${svg(name)}</i>`;
  const appIcon = (id) => `<span class="app-ic" style="--h:${APPS[id].hue}">${icon(APPS[id].icon)}</span>`;
  const iconButton = (name, label, act, extra = '') => `<button type="button" class="icon-btn" data-act="${act}" aria-label="${esc(label)}" data-tip ${extra}>${icon(name)}</button>`;
  const chip = (id, main, removeLabel, act) => [id, `<li class="chip" data-id="${esc(id)}">${main}${iconButton('x', removeLabel, act)}</li>`];
  const node = (html) => { const box = document.createElement('template'); box.innerHTML = html.trim(); return box.content.firstElementChild; };
  const setText = (selector, text) => { $(selector).textContent = text; };
  const percent = (value) => t('{n}%', { n: value });
  const onOff = (value) => t(value ? 'on' : 'off');

  /* ---------- state, undo and drawing ---------- */
  let state = {}; // the settings of this page; every change can be undone
  const ui = { update: 0, compact: false }; // what is open, selected or filtered; never undone
  const log = [];
  const actions = {}; // name in data-act -> what a click does
  const cards = {}; // name in data-card -> HTML of the hover card
  let initial = '';
  let drawPage = () => {};

  function change(label, mutate, withToast = true) {
    const before = structuredClone(state);
    mutate(state);
    const text = typeof label === 'function' ? label() : label;
    log.push({ label: text, before });
    draw();
    if (withToast) toast(text, log.length - 1);
  }

  function undoTo(index) {
    const { label, before } = log[index];
    state = before;
    log.length = index;
    draw();
    toast(t('Undone: {what}', { what: label }));
  }

  function draw() {
    drawPage();
    $$('[data-bind]').forEach(showBound);
    $$('[data-needs]').forEach((el) => { const key = el.dataset.needs; el.disabled = key[0] === '!' ? state[key.slice(1)] : !state[key]; });
    $$('[data-needs-ui]').forEach((el) => { el.disabled = !ui[el.dataset.needsUi]; });
    $$('[data-tabs] [role="tab"]').forEach((tab) => {
      const chosen = ui[tab.parentNode.dataset.tabs] === tab.dataset.val;
      tab.setAttribute('aria-selected', chosen);
      tab.tabIndex = chosen ? 0 : -1;
    });
    drawShell();
  }

  // Draws keyed rows; unchanged rows keep their element, the focus goes back to the same place in its row.
  function drawList(box, rows) {
    const active = box.contains(document.activeElement) ? document.activeElement : null;
    const item = active?.closest('[data-id]');
    const place = item ? $$('button, input, a', item).indexOf(active) : -1;
    const old = new Map([...box.children].map((child) => [child.dataset.id, child]));
    const next = rows.map(([id, html]) => {
      const kept = old.get(id);
      if (kept?.source === html) { $$('input[type="checkbox"]', kept).forEach((input) => { input.checked = input.defaultChecked; }); return kept; }
      return Object.assign(node(html), { source: html });
    });
    if (next.length !== box.children.length || next.some((child, i) => box.children[i] !== child)) box.replaceChildren(...next);
    if (item && document.activeElement !== active) {
      const row = next.find((child) => child.dataset.id === item.dataset.id);
      if (row) $$('button, input, a', row)[place]?.focus();
    }
  }

  function fillRange(el) { el.style.setProperty('--v', `${((el.value - el.min) / (el.max - el.min)) * 100}%`); }
  function showOut(key, value) { const out = $(`[data-out="${key}"]`); if (out) out.textContent = formats[key]?.(value) ?? value; }
  const formats = { bright: (v) => percent(v), volume: (v) => (state.muted ? t('Muted') : percent(v)), limit: (v) => `${v} GB` };

  function showBound(el) {
    const value = state[el.dataset.bind];
    if (el.type === 'checkbox') el.checked = value; else el.value = value;
    if (el.type === 'range') fillRange(el);
    showOut(el.dataset.bind, value);
  }

  function onBoundChange(el) {
    const key = el.dataset.bind;
    const value = el.type === 'checkbox' ? el.checked : el.type === 'range' ? Number(el.value) : el.value.trim();
    const name = el.getAttribute('aria-label') || el.labels[0].textContent;
    const shown = el.type === 'checkbox' ? onOff(value) : el.type === 'password' ? '••••' : el.selectedOptions?.[0].textContent ?? value;
    if (value === '' || (el.minLength > 0 && value.length < el.minLength)) { draw(); return; }
    change(`${name}: ${shown}`, () => { state[key] = value; hooks[key]?.(value); }, false);
  }
  const hooks = {}; // further effects of a bound setting

  /* ---------- toast, dialog, menu, tooltip ---------- */
  function toast(text, undoIndex = -1) {
    const undo = undoIndex < 0 ? '' : `<button type="button" class="link" data-act="toastUndo" data-index="${undoIndex}">${t('Undo')}</button>`;
    $('.toasts').innerHTML = `<div class="toast"><span>${esc(text)}</span>${undo}${iconButton('x', t('Dismiss message'), 'closeToast')}</div>`;
  }

  // body: HTML of the fields; valid(form) opens the confirm button; onConfirm(form) runs after closing.
  function openDialog({ title, text = '', body = '', confirm, danger, valid = () => true, onConfirm = () => {} }) {
    const dialog = node(`<dialog role="dialog" aria-modal="true" aria-labelledby="dialog-title"><form method="dialog">
      <div class="dialog-head"><h2 id="dialog-title">${esc(title)}</h2>${iconButton('x', t('Close'), 'closeDialog')}</div>
      <div class="dialog-body">${text && `<p>${esc(text)}</p>`}${body}</div>
      <div class="dialog-foot"><button type="button" class="btn" data-act="closeDialog">${t(confirm ? 'Cancel' : 'Close')}</button>
      ${confirm ? `<button type="submit" class="btn primary ${danger ? 'danger' : ''}">${esc(confirm)}</button>` : ''}</div></form></dialog>`);
    const form = $('form', dialog);
    const submit = $('[type="submit"]', dialog);
    const check = () => { if (submit) submit.disabled = !valid(form); };
    form.addEventListener('input', check);
    form.addEventListener('submit', (event) => { event.preventDefault(); dialog.close(); dialog.remove(); onConfirm(form); });
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
    (form.elements.namedItem('first') || $('.dialog-foot .btn', dialog)).focus();
    check();
  }
  const field = (name, label, type = 'text', hint = '', value = '') => {
    const input = `<input type="${type}" name="${name}" value="${esc(value)}" autocomplete="off" id="d-${name}">`;
    const peek = type === 'password' ? `<span class="field-with">${input}${iconButton('eye', t('Show password'), 'peek', `aria-pressed="false" data-for="d-${name}"`)}</span>` : input;
    return `<div class="field"><label for="d-${name}">${esc(label)}</label>${peek}<span class="field-hint">${esc(hint)}</span></div>`;
  };

  let menu = null;
  function closeMenu(refocus = false) {
    if (!menu) return;
    menu.anchor?.setAttribute('aria-expanded', 'false');
    if (refocus) menu.anchor?.focus();
    menu.remove();
    menu = null;
  }
  // at: a button or a point; items: { label, icon, checked, disabled, danger, run } or '-'.
  function openMenu(at, items) {
    if (menu && menu.anchor === at) { closeMenu(); return; }
    closeMenu();
    menu = node(`<div class="menu" role="menu">${items.map((item, i) => (item === '-' ? '<hr>'
      : `<button type="button" class="${item.danger ? 'danger' : ''}" data-i="${i}" ${item.disabled ? 'disabled' : ''} role="${item.checked === undefined ? 'menuitem' : 'menuitemradio'}" ${item.checked === undefined ? '' : `aria-checked="${item.checked}"`}>
        ${item.checked ? icon('check') : item.icon ? icon(item.icon) : '<i class="i"></i>'}<span>${esc(item.label)}</span></button>`)).join('')}</div>`);
    const anchored = at instanceof Element;
    if (anchored) { menu.anchor = at; at.setAttribute('aria-expanded', 'true'); }
    pinTo(menu, anchored ? at : at.target);
    menu.setAttribute('aria-label', anchored ? at.getAttribute('aria-label') || at.textContent.trim() : t('Context menu'));
    document.body.append(menu);
    const box = anchored ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
    const size = menu.getBoundingClientRect();
    const left = isRtl() === anchored ? box.left : box.right - (anchored ? size.width : 0);
    const below = box.bottom + 4 + size.height < innerHeight;
    menu.style.left = `${clamp(anchored ? left : box.left - (isRtl() ? size.width : 0), 8, innerWidth - size.width - 8)}px`;
    menu.style.top = `${clamp(below ? box.bottom + 4 : box.top - size.height - 4, 8, innerHeight - size.height - 8)}px`;
    menu.addEventListener('click', (event) => { const hit = event.target.closest('[data-i]'); if (hit) { closeMenu(true); items[hit.dataset.i].run(); } });
    $('button:enabled', menu)?.focus({ preventScroll: true });
    hideTip();
  }
  function menuKeys(event) {
    const buttons = $$('button:enabled', menu);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
  }
  const contextMenu = (box, selector, items) => box.addEventListener('contextmenu', (event) => {
    const hit = event.target.closest(selector);
    if (!hit) return;
    event.preventDefault();
    openMenu({ x: event.clientX, y: event.clientY, target: hit }, items(hit.closest('[data-id]').dataset.id, hit));
  });

  // A layer closes when the element it belongs to is scrolled away from where it was.
  function pinTo(layer, owner) { layer.owner = owner; layer.ownerTop = owner.getBoundingClientRect().top; }
  const hasMoved = (layer) => layer && Math.abs(layer.owner.getBoundingClientRect().top - layer.ownerTop) > 2;

  let tip = null;
  function hideTip() { tip?.remove(); tip = null; }
  function showTip(el) {
    hideTip();
    const rich = el.dataset.card;
    const id = el.closest('[data-id]')?.dataset.id;
    tip = node(`<div class="hover-tip ${rich ? 'rich' : ''}" role="tooltip">${rich ? cards[rich](id, el) : esc(el.dataset.tip || el.getAttribute('aria-label'))}</div>`);
    document.body.append(tip);
    pinTo(tip, el);
    const box = el.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const below = box.bottom + 8 + size.height < innerHeight;
    tip.style.left = `${clamp(rich ? (isRtl() ? box.right - size.width : box.left) : box.left + (box.width - size.width) / 2, 8, innerWidth - size.width - 8)}px`;
    tip.style.top = `${below ? box.bottom + 8 : box.top - size.height - 8}px`;
  }

  /* ---------- gestures ---------- */
  function swallowClick() {
    const stop = (event) => { event.stopPropagation(); event.preventDefault(); };
    window.addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', stop, { capture: true }), 50);
  }

  function longPress(box, selector, run) {
    box.addEventListener('pointerdown', (event) => {
      const hit = event.target.closest(selector);
      if (!hit || event.button) return;
      const end = () => { clearTimeout(timer); ['pointerup', 'pointercancel', 'pointermove'].forEach((name) => document.removeEventListener(name, stop)); };
      const stop = (ev) => { if (ev.type !== 'pointermove' || Math.hypot(ev.clientX - event.clientX, ev.clientY - event.clientY) > 8) end(); };
      const timer = setTimeout(() => {
        end();
        document.addEventListener('pointerup', swallowClick, { once: true });
        run(hit.closest('[data-id]').dataset.id);
      }, 500);
      ['pointerup', 'pointercancel', 'pointermove'].forEach((name) => document.addEventListener(name, stop));
    });
  }

  function drag(event, onMove, onEnd) {
    const end = (ev) => { document.removeEventListener('pointermove', onMove); document.removeEventListener('pointerup', end); document.removeEventListener('pointercancel', end); onEnd(ev); };
    document.addEventListener('pointermove', onMove);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
    event.preventDefault();
  }

  // Rows are reordered by dragging the handle, or by picking it up with a click and using the arrow keys.
  function sortable(list, handle, commit, enabled = () => true) {
    const order = () => [...list.children].map((child) => child.dataset.id);
    list.addEventListener('pointerdown', (event) => {
      const grip = event.target.closest(handle);
      if (!grip || !enabled() || event.button) return;
      const item = grip.closest('[data-id]');
      const start = order().join();
      const from = item.getBoundingClientRect();
      let moved = false;
      grip.focus();
      drag(event, (ev) => {
        if (!moved && Math.hypot(ev.clientX - event.clientX, ev.clientY - event.clientY) < 5) return;
        moved = true;
        hideTip();
        item.classList.add('dragging');
        const over = document.elementFromPoint(list.matches('ol') ? from.left + from.width / 2 : ev.clientX, ev.clientY)?.closest('[data-id]');
        if (over && over !== item && over.parentNode === list) {
          const forward = order().indexOf(over.dataset.id) > order().indexOf(item.dataset.id);
          list.insertBefore(item, forward ? over.nextSibling : over);
        }
        item.style.transform = '';
        const now = item.getBoundingClientRect();
        item.style.transform = `translate(${list.matches('ol') ? 0 : ev.clientX - event.clientX + from.left - now.left}px, ${ev.clientY - event.clientY + from.top - now.top}px)`;
      }, () => {
        item.classList.remove('dragging');
        item.style.transform = '';
        if (moved) swallowClick();
        if (order().join() !== start) commit(order(), item.dataset.id);
      });
    });
    list.addEventListener('click', (event) => {
      const grip = event.target.closest(handle);
      if (!grip || !enabled()) return;
      const id = grip.closest('[data-id]').dataset.id;
      ui.grabbed = ui.grabbed === id ? null : id;
      draw();
    });
    list.addEventListener('keydown', (event) => {
      const id = event.target.closest('[data-id]')?.dataset.id;
      const forward = isRtl() ? 'ArrowLeft' : 'ArrowRight';
      const backward = isRtl() ? 'ArrowRight' : 'ArrowLeft';
      const step = { ArrowUp: -1, [backward]: -1, ArrowDown: 1, [forward]: 1 }[event.key];
      if (!step || !id || ui.grabbed !== id) return;
      event.preventDefault();
      commit(moved(order(), id, step), id);
    });
  }
  function moved(ids, id, step) {
    const at = ids.indexOf(id);
    const rest = ids.filter((other) => other !== id);
    rest.splice(clamp(at + step, 0, rest.length), 0, id);
    return rest;
  }

  // Turns an element into a text field until Enter or blur; Escape leaves the text as it was.
  function editInPlace(el, label, value, commit) {
    const input = node(`<input type="text" class="inline" maxlength="32" aria-label="${esc(label)}" value="${esc(value)}">`);
    let done = false;
    const finish = (keep) => {
      if (done) return;
      done = true;
      const text = input.value.trim();
      input.replaceWith(el);
      if (keep && text && text !== value) commit(text);
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') finish(true);
      if (event.key === 'Escape') finish(false);
    });
    input.addEventListener('blur', () => finish(true));
    el.replaceWith(input);
    input.select();
    hideTip();
  }

  /* ---------- shell: sidebar, top bar, change log ---------- */
  const UPDATE = [
    ['Version 8.2, checked on 13 May', 'Check for updates'], ['Version 8.3 is available, 412 MB', 'Download 8.3'],
    ['Version 8.3 is downloaded', 'Restart to install'], ['Version 8.3 installs tonight', 'Cancel installation'],
  ];
  actions.update = () => {
    const next = () => { ui.update = ui.update === 3 ? 2 : ui.update + 1; draw(); };
    if (ui.update !== 2) { next(); return; }
    openDialog({ title: t('Restart to install 8.3?'), text: t('Your open apps come back after the restart. You can also let it happen tonight.'), confirm: t('Install tonight'), onConfirm: next });
  };
  actions.rail = () => { document.body.classList.toggle('rail'); drawShell(); };
  actions.undo = () => undoTo(log.length - 1);
  actions.toastUndo = (el) => undoTo(Number(el.dataset.index));
  actions.undoTo = (el, id) => undoTo(Number(id));
  actions.closeToast = () => { $('.toasts').replaceChildren(); };
  actions.closeDialog = (el) => el.closest('dialog').close();
  actions.log = () => { $('#log-panel').hidden = !$('#log-panel').hidden; drawShell(); if (!$('#log-panel').hidden) $('#log-panel button').focus(); };
  actions.toTop = () => window.scrollTo(0, 0);
  actions.tab = (el) => { ui[el.parentNode.dataset.tabs] = el.dataset.val; draw(); };
  actions.expand = (el) => {
    const open = el.getAttribute('aria-expanded') !== 'true';
    el.setAttribute('aria-expanded', open);
    document.getElementById(el.getAttribute('aria-controls')).hidden = !open;
  };
  actions.peek = (el) => {
    const input = document.getElementById(el.dataset.for);
    const shown = input.type === 'password';
    input.type = shown ? 'text' : 'password';
    el.setAttribute('aria-pressed', shown);
    el.setAttribute('aria-label', t(shown ? 'Hide password' : 'Show password'));
    el.innerHTML = icon(shown ? 'eyeOff' : 'eye');
    hideTip();
  };
  actions.pageMenu = (el) => openMenu(el, [
    { label: t('Comfortable rows'), checked: !ui.compact, run: () => setCompact(false) }, { label: t('Compact rows'), checked: ui.compact, run: () => setCompact(true) }, '-',
    { label: t('Keyboard shortcuts'), icon: 'keyboard', run: showKeys },
    { label: t('Reset this page'), icon: 'refresh', danger: true, disabled: !log.length, run: () => change(t('Page reset'), () => { state = JSON.parse(initial); }) },
  ]);
  function setCompact(on) { ui.compact = on; document.body.classList.toggle('compact', on); toast(t(on ? 'Rows are compact now' : 'Rows are comfortable now')); }
  function showKeys() {
    const keys = [['/', 'Search all settings'], ['Ctrl Z', 'Undo last change'], ['?', 'Keyboard shortcuts'], ['Esc', 'Close menu or dialog']];
    openDialog({ title: t('Keyboard shortcuts'), body: `<div class="keys">${keys.map(([key, what]) => `<kbd>${key}</kbd><span>${t(what)}</span>`).join('')}</div>` });
  }

  function drawShell() {
    const rail = document.body.classList.contains('rail');
    const railButton = $('[data-act="rail"]');
    railButton.setAttribute('aria-expanded', !rail);
    railButton.setAttribute('aria-label', t(rail ? 'Expand sidebar' : 'Collapse sidebar'));
    const [status, label] = UPDATE[ui.update];
    setText('#update-state', t(status));
    setText('#update-btn', t(label));
    $('#undo-btn').disabled = !log.length;
    const open = !$('#log-panel').hidden;
    $('#log-btn').setAttribute('aria-expanded', open);
    $('#log-btn').setAttribute('aria-label', log.length ? t('Recent changes: {n}', { n: log.length }) : t('Recent changes'));
    $('#log-btn').innerHTML = icon('clock') + (log.length ? `<span class="count" aria-hidden="true">${log.length}</span>` : '');
    drawList($('#log-list'), log.map(({ label: what }, i) => [String(i), `<li data-id="${i}"><span class="row-text"><b>${esc(what)}</b></span>${iconButton('undo', t('Go back to before: {what}', { what }), 'undoTo')}</li>`]).reverse());
    $('#log-empty').hidden = log.length > 0;
  }

  function buildShell() {
    document.body.append(
      node(`<aside class="drawer" id="log-panel" aria-labelledby="log-title" hidden><div class="card-head"><h2 id="log-title" style="flex:1">${t('Recent changes')}</h2>${iconButton('x', t('Close recent changes'), 'log')}</div>
        <ul class="rows" id="log-list" tabindex="0" aria-labelledby="log-title"></ul><p class="empty" id="log-empty">${t('Nothing changed yet. Each change on this page is listed here and can be undone.')}</p></aside>`),
      node('<div class="toasts" role="status" aria-live="polite"></div>'),
      node(`<button type="button" class="icon-btn round to-top" data-act="toTop" aria-label="${t('Back to top')}" data-tip hidden>${icon('arrowUp')}</button>`),
    );
    const resizer = $('.resizer');
    const setWidth = (width) => { const w = clamp(Math.round(width), 208, 320); document.documentElement.style.setProperty('--side-w', `${w}px`); resizer.setAttribute('aria-valuenow', w); };
    resizer.addEventListener('pointerdown', (event) => {
      resizer.classList.add('active');
      drag(event, (ev) => setWidth(isRtl() ? innerWidth - ev.clientX : ev.clientX), () => resizer.classList.remove('active'));
    });
    resizer.addEventListener('dblclick', () => setWidth(240));
    resizer.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (step) setWidth(Number(resizer.getAttribute('aria-valuenow')) + (isRtl() ? -step : step));
    });
    window.addEventListener('scroll', () => {
      $('.topbar').classList.toggle('stuck', scrollY > 8);
      $('.to-top').hidden = scrollY < 240;
    });
  }

  function listen() {
    document.addEventListener('click', (event) => {
      const hit = event.target.closest('[data-act]');
      if (hit && !hit.disabled) actions[hit.dataset.act](hit, hit.closest('[data-id]')?.dataset.id);
    });
    document.addEventListener('input', (event) => { if (event.target.type === 'range') { fillRange(event.target); showOut(event.target.dataset.bind, event.target.value); } });
    document.addEventListener('change', (event) => {
      const el = event.target;
      if (el.dataset.bind) onBoundChange(el);
      else if (el.dataset.change) actions[el.dataset.change](el, el.closest('[data-id]')?.dataset.id);
    });
    document.addEventListener('pointerover', (event) => { const hit = event.target.closest('[data-tip], [data-card]'); if (hit && !menu) showTip(hit); else hideTip(); });
    document.addEventListener('focusin', (event) => { const hit = event.target.closest('[data-tip], [data-card]'); if (hit?.matches(':focus-visible') && !menu) showTip(hit); else hideTip(); });
    document.addEventListener('pointerdown', (event) => { hideTip(); if (menu && !menu.contains(event.target) && !menu.anchor?.contains(event.target)) closeMenu(); });
    window.addEventListener('scroll', () => { if (hasMoved(menu)) closeMenu(); if (hasMoved(tip)) hideTip(); }, true);
    document.addEventListener('keydown', onKey);
  }

  function onKey(event) {
    const typing = event.target.matches('input:not([type="checkbox"], [type="range"]), select');
    if (event.key === 'Escape') {
      if (menu) closeMenu(true); else if (!$('#log-panel').hidden && !$('dialog')) { actions.log(); $('#log-btn').focus(); }
      hideTip();
    } else if (menu) menuKeys(event);
    else if (event.target.getAttribute('role') === 'tab') tabKeys(event);
    else if (!typing && event.key === '/') { event.preventDefault(); if ($('#q')) $('#q').focus(); else location.href = 'index.html#search'; }
    else if (!typing && event.key === '?' && !$('dialog')) showKeys();
    else if (!typing && (event.ctrlKey || event.metaKey) && event.key === 'z' && log.length) actions.undo();
  }
  function tabKeys(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const tabs = $$('[role="tab"]', event.target.parentNode);
    const next = tabs.at((tabs.indexOf(event.target) + (isRtl() ? -step : step)) % tabs.length);
    next.click();
    next.focus();
  }

  /* ---------- overview ---------- */
  const TILES = {
    wifi: { icon: 'wifi', label: 'Wi-Fi', options: ['Fjordlicht 5G', 'Kontor Nord'], page: 'network.html#wifi' },
    nearby: { icon: 'share', label: 'Nearby share', options: ['Contacts only', 'Everyone'] },
    flight: { icon: 'plane', label: 'Flight mode', options: ['On'] },
    dnd: { icon: 'moon', label: 'Do not disturb', options: ['Until I turn it off', 'For 1 hour', 'Until tomorrow'], page: 'notifications.html#quiet' },
    night: { icon: 'sun', label: 'Night light', options: ['Until sunrise', 'For 1 hour'] },
    saver: { icon: 'leaf', label: 'Data saver', options: ['40 GB a month', '20 GB a month'], page: 'network.html#saver' },
    hotspot: { icon: 'hotspot', label: 'Hotspot', options: ['Mira’s Tarn'], page: 'network.html#hotspot' },
    location: { icon: 'place', label: 'Location', options: ['Precise', 'Approximate'], page: 'privacy.html#permissions' },
    record: { icon: 'record', label: 'Record screen', options: ['With sound', 'Without sound'] },
    keys: { icon: 'keyboard', label: 'Key light', options: ['Automatic', 'Bright'] },
  };
  const AVATARS = { Lagoon: 'var(--glow)', Dusk: 'linear-gradient(135deg, #4a4fc4, #8a3f8f)', Moss: 'linear-gradient(135deg, #2f7d4a, #516b15)' };
  const USERS = [['Mira Osterholt', 'mira@tarn.example'], ['Jonas Osterholt', 'jonas@tarn.example'], ['Guest', '']];
  const STORAGE = [['Photos', 72, '#0a86ad'], ['Documents', 38, '#12a594'], ['Backups', 26, '#5b7fd6'], ['Mail', 12, '#c98a1b']];
  const TIPS = {
    key: { icon: 'key', title: 'Save your recovery key', text: 'You have not written it down yet.', link: 'privacy.html#recovery', action: 'Show me' },
    night: { icon: 'moon', title: 'Rest your eyes at night', text: 'Let night light follow the sunset.', action: 'Turn on' },
  };

  function overview() {
    state = {
      name: USERS[0][0], mail: USERS[0][1], avatar: 'Lagoon', tiles: Object.keys(TILES).slice(0, 9), on: { wifi: true, location: true, nearby: true }, option: {},
      recent: ['night light', 'forget network'], tips: Object.keys(TIPS), pins: ['network#wifi', 'privacy#sessions'],
      bright: 72, autoBright: false, volume: 45, muted: false, nightAuto: false, warmth: 60, scale: '100', output: 'built', clicks: false, powerMode: 'even', care: true, lowPower: false,
    };
    const label = (id) => t(TILES[id].label);
    const option = (id) => state.option[id] || TILES[id].options[0];
    const blocked = (id) => state.on.flight && ['nearby', 'hotspot'].includes(id);
    const place = ([, page, anchor]) => `${page}#${anchor}`;
    const href = ([, page, anchor]) => `${page}.html#${anchor}`;
    const entry = (id) => INDEX.find((item) => place(item) === id);
    const isPinned = (id) => state.pins.includes(id);

    function setTile(id, on) {
      change(`${label(id)}: ${onOff(on)}`, () => {
        state.on[id] = on;
        if (id === 'flight' && on) ['wifi', 'nearby', 'hotspot'].forEach((other) => { state.on[other] = false; });
      }, id === 'flight');
    }
    function setEdit(on) { ui.edit = on; ui.grabbed = null; draw(); }
    actions.tile = (el, id) => { if (!ui.edit) setTile(id, !state.on[id]); };
    actions.editTiles = () => setEdit(!ui.edit);
    actions.removeTile = (el, id) => change(t('{what} removed from quick toggles', { what: label(id) }), () => { state.tiles = state.tiles.filter((other) => other !== id); });
    actions.addTile = (el, id) => change(t('{what} added to quick toggles', { what: label(id) }), () => { state.tiles.push(id); });
    actions.tileMenu = (el, id) => openMenu(el, [
      ...TILES[id].options.map((name) => ({ label: t(name), checked: !!state.on[id] && option(id) === name, disabled: blocked(id), run: () => change(`${label(id)}: ${t(name)}`, () => { state.option[id] = name; state.on[id] = true; }) })), '-',
      TILES[id].page ? { label: t('Open settings'), icon: 'next', run: () => { location.href = TILES[id].page; } } : { label: t('Edit toggles'), icon: 'pencil', run: () => setEdit(true) },
    ]);
    sortable($('#tiles'), '.tile-main', (ids, id) => change(t('{what} moved', { what: label(id) }), () => { state.tiles = ids; }), () => ui.edit);
    longPress($('#tiles'), '.tile-main', () => { if (!ui.edit) setEdit(true); });

    actions.autoBright = () => change(`${t('Automatic brightness')}: ${onOff(!state.autoBright)}`, () => { state.autoBright = !state.autoBright; }, false);
    actions.mute = () => change(`${t('Mute sound')}: ${onOff(!state.muted)}`, () => { state.muted = !state.muted; }, false);
    hooks.volume = () => { state.muted = false; };

    actions.avatarMenu = (el) => openMenu(el, Object.keys(AVATARS).map((name) => ({ label: t(name), checked: state.avatar === name, run: () => change(t('Picture: {what}', { what: t(name) }), () => { state.avatar = name; }) })));
    actions.switchUser = (el) => openMenu(el, USERS.map(([name, mail]) => ({ label: t(name), checked: state.name === name, run: () => change(t('Switched to {what}', { what: t(name) }), () => { state.name = name; state.mail = mail; }) })));
    actions.editProfile = () => openDialog({
      title: t('Edit profile'), confirm: t('Save'), body: field('first', t('Name'), 'text', '', state.name) + field('mail', t('E-mail address'), 'email', t('Used to sign in'), state.mail),
      valid: (form) => {
        const good = form.mail.value.includes('@') && !form.mail.validity.typeMismatch;
        form.mail.setAttribute('aria-invalid', !good);
        $$('.field-hint', form)[1].textContent = t(good ? 'Used to sign in' : 'Enter a complete e-mail address');
        return good && form.first.value.trim() !== '';
      },
      onConfirm: (form) => change(t('Profile saved'), () => { state.name = form.first.value.trim(); state.mail = form.mail.value; }),
    });
    const rename = () => editInPlace($('#profile-name'), t('Name'), state.name, (name) => change(t('Renamed to {what}', { what: name }), () => { state.name = name; }));
    $('#profile-name').addEventListener('dblclick', rename);
    $('#profile-name').addEventListener('keydown', (event) => { if (['Enter', 'F2'].includes(event.key)) { event.preventDefault(); rename(); } });

    actions.dismissTip = (el, id) => change(t('Suggestion dismissed'), () => { state.tips = state.tips.filter((other) => other !== id); });
    actions.doTip = () => change(t('Night light follows the sunset'), () => { state.nightAuto = true; state.tips = state.tips.filter((other) => other !== 'night'); });

    function search(text) { $('#q').value = text; ui.query = text.trim().toLowerCase(); draw(); }
    $('#q').addEventListener('input', (event) => search(event.target.value));
    $('#q').addEventListener('keydown', (event) => {
      if (event.key === 'Escape') search('');
      if (event.key === 'Enter' && ui.query) $('#results-list a')?.click();
      if (event.key === 'ArrowDown') $('#results-list a')?.focus();
    });
    actions.clearSearch = () => { search(''); $('#q').focus(); };
    actions.openResult = () => search('');
    actions.useRecent = (el, id) => { search(t(id)); $('#q').focus(); };
    actions.dropRecent = (el, id) => change(t('Search removed from the list'), () => { state.recent = state.recent.filter((other) => other !== id); });
    actions.clearRecent = () => change(t('Recent searches cleared'), () => { state.recent = []; });

    function togglePin(id) { change(t(isPinned(id) ? '{what} unpinned' : '{what} pinned', { what: t(entry(id)[0]) }), () => { state.pins = isPinned(id) ? state.pins.filter((other) => other !== id) : [...state.pins, id]; }); }
    actions.pin = (el, id) => togglePin(id);
    contextMenu($('#all'), '[data-id]', (id) => [
      { label: t('Open'), icon: 'next', run: () => { location.href = href(entry(id)); } },
      { label: t(isPinned(id) ? 'Unpin' : 'Pin'), icon: 'star', run: () => togglePin(id) },
      { label: t('Copy link'), icon: 'copy', run: () => copy(`settings:${id}`, t('Link copied')) },
    ]);
    cards.setting = (id) => `<b>${t(entry(id)[0])}</b>${t(entry(id)[4])}`;
    $('#areas').innerHTML = Object.entries(AREAS).slice(0, 3).map(([page, [name, title]]) => `<section class="card area" aria-labelledby="area-${page}"><h3 id="area-${page}">${icon(name, 'tile-ic')}${t(title)}</h3><ul data-area="${page}"></ul></section>`).join('');
    $('#storage-bar').innerHTML = STORAGE.map(([name, size, color]) => `<span style="--c:${color};width:${size / 2}%" data-tip="${t(name)}: ${size} GB"></span>`).join('');
    $('#storage-more').innerHTML = [...STORAGE, ['Free', 52, 'var(--line-strong)']].map(([name, size, color]) => `<li><i style="--c:${color}"></i><span>${t(name)}</span><b dir="ltr">${size} GB</b></li>`).join('');

    function drawResults() {
      const words = (item) => `${t(item[0])} ${t(item[4])} ${item[0]} ${item[3]}`.toLowerCase();
      const hits = ui.query ? INDEX.filter((item) => ui.query.split(/\s+/).every((word) => words(item).includes(word))) : [];
      const marked = (title) => { const at = title.toLowerCase().indexOf(ui.query); return at < 0 ? esc(title) : `${esc(title.slice(0, at))}<mark>${esc(title.slice(at, at + ui.query.length))}</mark>${esc(title.slice(at + ui.query.length))}`; };
      $('#results').hidden = !ui.query;
      $('#q-clear').hidden = !ui.query;
      $('.search-box kbd').hidden = !!ui.query;
      setText('#results-count', hits.length ? t('Settings found: {n}', { n: hits.length }) : t('No setting matches. Try another word.'));
      drawList($('#results-list'), hits.map((item) => [`r-${item[0]}`, `<li data-id="r-${item[0]}"><a href="${href(item)}" data-act="openResult">${icon(AREAS[item[1]][0], 'tile-ic')}<span class="row-text"><b>${marked(t(item[0]))}</b><small>${t(AREAS[item[1]][1])} · ${t(item[4])}</small></span></a></li>`]));
    }
    function drawTiles() {
      const tile = (id) => {
        const on = !!state.on[id];
        const side = ui.edit ? iconButton('minus', t('Remove {what}', { what: label(id) }), 'removeTile') : iconButton('chevron', t('Options for {what}', { what: label(id) }), 'tileMenu', 'aria-haspopup="menu" aria-expanded="false"');
        return [id, `<li class="tile ${on ? 'on' : ''}" data-id="${id}"><button type="button" class="tile-main" data-act="tile" aria-pressed="${on}" ${ui.edit ? `data-grabbed="${ui.grabbed === id}"` : ''} ${blocked(id) && !ui.edit ? 'disabled' : ''}>${icon(TILES[id].icon)}<span><b>${label(id)}</b><small>${on ? esc(t(option(id))) : t('Off')}</small></span></button>${side}</li>`];
      };
      const spare = Object.keys(TILES).filter((id) => !state.tiles.includes(id));
      drawList($('#tiles'), state.tiles.map(tile));
      drawList($('#spare-tiles'), spare.map((id) => [id, `<li class="tile" data-id="${id}"><span class="tile-main">${icon(TILES[id].icon)}<span><b>${label(id)}</b></span></span>${iconButton('plus', t('Add {what}', { what: label(id) }), 'addTile')}</li>`]));
      $('#quick').classList.toggle('editing', !!ui.edit);
      $('#spare').hidden = !ui.edit || !spare.length;
      $('#edit-tiles').setAttribute('aria-pressed', !!ui.edit);
      setText('#edit-tiles', t(ui.edit ? 'Done' : 'Edit'));
      setText('#quick-hint', t(ui.grabbed ? 'Arrow keys move the picked toggle' : ui.edit ? 'Drag to reorder' : 'Hold a toggle to edit'));
    }
    drawPage = () => {
      setText('#profile-name', t(state.name));
      setText('#profile-mail', state.mail || t('No account'));
      setText('#avatar', state.name.split(' ').map((part) => part[0]).join('').slice(0, 2).toUpperCase());
      $('#avatar').style.setProperty('--avatar', AVATARS[state.avatar]);
      $('#auto-bright').setAttribute('aria-pressed', state.autoBright);
      $('#mute').setAttribute('aria-pressed', state.muted);
      setText('#h-lowPower', t(state.lowPower ? '78% · about 9 hours left' : '78% · about 6 hours left'));
      $('#mute').innerHTML = icon(state.muted ? 'speakerOff' : 'speaker');
      drawResults();
      drawTiles();
      $('#recent-row').hidden = !state.recent.length;
      drawList($('#recent'), state.recent.map((text) => chip(text, `<button type="button" class="chip-main" data-act="useRecent">${t(text)}</button>`, t('Remove search: {what}', { what: t(text) }), 'dropRecent')));
      drawList($('#tips'), state.tips.map((id) => [id, `<li class="card tip" data-id="${id}">${icon(TIPS[id].icon, 'tile-ic')}<span class="row-text"><b>${t(TIPS[id].title)}</b><small>${t(TIPS[id].text)}</small>
        ${TIPS[id].link ? `<a class="link" href="${TIPS[id].link}">${t(TIPS[id].action)}</a>` : `<button type="button" class="link" data-act="doTip">${t(TIPS[id].action)}</button>`}</span>${iconButton('x', t('Dismiss suggestion: {what}', { what: t(TIPS[id].title) }), 'dismissTip')}</li>`]));
      drawList($('#pins'), state.pins.map((id) => [id, `<li class="chip" data-id="${id}"><a class="chip-main" href="${href(entry(id))}">${t(entry(id)[0])}</a><button type="button" class="icon-btn star" data-act="pin" aria-label="${t('Unpin {what}', { what: t(entry(id)[0]) })}" data-tip>${icon('star')}</button></li>`]));
      $$('[data-area]').forEach((list) => drawList(list, INDEX.filter((item) => item[1] === list.dataset.area).map((item) => {
        const [id, title] = [place(item), t(item[0])];
        return [id, `<li data-id="${id}"><a href="${href(item)}" data-card="setting"><span class="row-text">${title}</span>${icon('next')}</a><button type="button" class="icon-btn star" data-act="pin" aria-pressed="${isPinned(id)}" aria-label="${t('Pin {what}', { what: title })}" data-tip>${icon('star')}</button></li>`];
      })));
    };
  }

  function copy(text, message) {
    navigator.clipboard?.writeText(text).catch(() => {}); // may be refused on file pages; the message is shown either way
    toast(message);
  }

  /* ---------- network ---------- */
  const net = (id, name, signal, secure, more) => ({ id, name, signal, secure, saved: false, live: false, auto: true, metered: false, blocked: false, ...more });
  const MORE_NETS = [net('n9', 'Lantern House', 1, true), net('n10', 'Velo Garage', 1, true), net('n11', 'Bakery Nook', 1, false)];
  const BARS = { day: [2, 1, 1, 1, 3, 9, 14, 22, 18, 31, 27, 19, 24, 36, 29, 21, 33, 40, 28, 12], week: [48, 72, 61, 90, 84, 37, 55] };

  function network() {
    state = {
      wifi: true, wifiSort: 'signal', scanned: false, more: false,
      nets: [net('n1', 'Fjordlicht 5G', 3, true, { saved: true, live: true }), net('n2', 'Kontor Nord', 3, true, { saved: true }), net('n3', 'Harbour Café Guest', 3, false), net('n4', 'Atelier Linde', 2, true), net('n5', 'Osterholt Garden', 2, true, { saved: true, metered: true }), net('n6', 'Nebula-7F', 2, true), net('n7', 'Print Corner 22', 1, false), net('n13', 'Quayside Studio', 1, true), net('n8', 'Stairwell 3', 1, true, { blocked: true })],
      vpns: [{ id: 'v1', name: 'Work', host: 'gate.kontor.example', on: true }, { id: 'v2', name: 'Home', host: 'home.osterholt.example', on: false }, { id: 'v3', name: 'Travel', host: 'north.safeway.example', on: false }],
      vpnOn: true, killSwitch: false, hotspot: false, hotName: 'Mira’s Tarn', hotPass: 'juniper-sky-41', hotMax: 4, hotOff: '15', guests: ['Tarn Phone 6', 'Jonas’ tablet', 'E-reader'],
      saver: true, limit: 40, lowVideo: true, noSync: false, exempt: ['letterly', 'wayfind'],
    };
    Object.assign(ui, { wifiTab: 'near', span: 'day', open: null });
    $('#f-hotPass').minLength = 8;
    const live = () => (state.wifi ? state.nets.find((item) => item.live) : null);
    const find = (id) => byId(state.nets, id);
    const joinNow = (item) => change(t('Connected to {what}', { what: item.name }), () => state.nets.forEach((other) => { other.live = other.id === item.id; if (other.live) other.saved = true; }));
    const leave = (item) => change(t('Disconnected from {what}', { what: item.name }), () => { find(item.id).live = false; });

    function connect(id) {
      const item = find(id);
      if (item.saved) { joinNow(item); return; }
      if (!item.secure) { openDialog({ title: t('Join an open network?'), text: t('Others can read what you send over {what}. Use a VPN where you can.', { what: item.name }), confirm: t('Join'), onConfirm: () => joinNow(item) }); return; }
      openDialog({
        title: t('Connect to {what}', { what: item.name }), confirm: t('Connect'), body: field('first', t('Password'), 'password', t('At least 8 characters')),
        valid: (form) => {
          const rest = 8 - form.first.value.length;
          form.first.setAttribute('aria-invalid', rest > 0 && form.first.value !== '');
          $('.field-hint', form).textContent = rest <= 0 ? t('Ready to connect') : form.first.value ? t('Characters missing: {n}', { n: rest }) : t('At least 8 characters');
          return rest <= 0;
        },
        onConfirm: () => joinNow(item),
      });
    }
    function forget(id) {
      openDialog({ title: t('Forget {what}?', { what: find(id).name }), text: t('This device will no longer join it by itself and the password is removed.'), confirm: t('Forget'), danger: true,
        onConfirm: () => change(t('{what} forgotten', { what: find(id).name }), () => Object.assign(find(id), { saved: false, live: false })) });
    }
    const block = (id, on) => change(t(on ? '{what} blocked' : '{what} unblocked', { what: find(id).name }), () => Object.assign(find(id), { blocked: on, live: false }));
    const netItems = (id) => {
      const item = find(id);
      return [
        item.live ? { label: t('Disconnect'), icon: 'x', run: () => leave(item) } : { label: t('Connect'), icon: 'wifi', disabled: item.blocked, run: () => connect(id) },
        { label: t('Copy password'), icon: 'copy', disabled: !item.saved, run: () => copy('password', t('Password of {what} copied', { what: item.name })) }, '-',
        { label: t(item.blocked ? 'Unblock' : 'Block'), icon: 'block', run: () => block(id, !item.blocked) },
        { label: t('Forget'), icon: 'trash', danger: true, disabled: !item.saved, run: () => forget(id) },
      ];
    };
    actions.connect = (el, id) => connect(id);
    actions.disconnect = (el, id) => leave(find(id));
    actions.forget = (el, id) => forget(id);
    actions.unblock = (el, id) => block(id, false);
    actions.netMenu = (el, id) => openMenu(el, netItems(id));
    actions.netOpen = (el, id) => { ui.open = ui.open === id ? null : id; draw(); };
    actions.netFlag = (el, id) => change(`${find(id).name} · ${el.labels[0].textContent}: ${onOff(el.checked)}`, () => { find(id)[el.dataset.key] = el.checked; }, false);
    actions.sortNets = () => change(t(state.wifiSort === 'signal' ? 'Sorted by name' : 'Sorted by signal'), () => { state.wifiSort = state.wifiSort === 'signal' ? 'name' : 'signal'; }, false);
    actions.scan = () => {
      if (!state.wifi || state.scanned) { toast(t(state.wifi ? 'No further networks found' : 'Turn on Wi-Fi to scan')); return; }
      change(t('1 new network found: {what}', { what: 'Ferry Deck' }), () => { state.scanned = true; state.nets.push(net('n12', 'Ferry Deck', 2, false)); });
    };
    actions.addNet = () => openDialog({ title: t('Add a hidden network'), confirm: t('Add'), body: field('first', t('Network name')) + field('pass', t('Password'), 'password', t('Leave empty for an open network')), valid: (form) => form.first.value.trim() !== '',
      onConfirm: (form) => change(t('{what} saved', { what: form.first.value.trim() }), () => { state.wifi = true; state.nets.push(net(`x${state.nets.length}`, form.first.value.trim(), 2, form.pass.value !== '', { saved: true })); }) });
    contextMenu($('#net-list'), '.net', netItems);
    $('#nets').addEventListener('scroll', (event) => {
      const box = event.target;
      if (state.more || ui.wifiTab !== 'near' || box.scrollTop + box.clientHeight < box.scrollHeight - 4) return;
      state.more = true;
      state.nets.push(...structuredClone(MORE_NETS));
      draw();
      toast(t('More distant networks loaded: {n}', { n: MORE_NETS.length }));
    });

    actions.vpnToggle = (el, id) => change(`VPN ${byId(state.vpns, id).name}: ${onOff(el.checked)}`, () => { state.vpns.forEach((item) => { item.on = item.id === id && el.checked; }); state.vpnOn = el.checked; if (!el.checked) state.killSwitch = false; }, false);
    actions.vpnDelete = (el, id) => change(t('VPN {what} deleted', { what: byId(state.vpns, id).name }), () => { state.vpns = state.vpns.filter((item) => item.id !== id); state.vpnOn = state.vpns.some((item) => item.on); });
    function vpnDialog(item) {
      openDialog({ title: t(item ? 'Edit VPN' : 'Add a VPN'), confirm: t(item ? 'Save' : 'Add'), body: field('first', t('Name'), 'text', '', item?.name) + field('host', t('Server'), 'text', t('For example gate.company.example'), item?.host),
        valid: (form) => form.first.value.trim() !== '' && /^[\w-]+(\.[\w-]+)+$/.test(form.host.value),
        onConfirm: (form) => change(t('VPN {what} saved', { what: form.first.value }), () => {
          const values = { name: form.first.value.trim(), host: form.host.value };
          if (item) Object.assign(byId(state.vpns, item.id), values); else state.vpns.push({ id: `v${state.vpns.length + 10}`, on: false, ...values });
        }) });
    }
    actions.addVpn = () => vpnDialog();
    actions.vpnEdit = (el, id) => vpnDialog(byId(state.vpns, id));

    const setMax = (max) => change(`${t('Devices at once')}: ${max}`, () => { state.hotMax = max; }, false);
    actions.lessDevices = () => setMax(state.hotMax - 1);
    actions.moreDevices = () => setMax(state.hotMax + 1);
    actions.kick = (el, id) => change(t('{what} disconnected from the hotspot', { what: id }), () => { state.guests = state.guests.filter((other) => other !== id); });
    actions.dropExempt = (el, id) => change(t('{what} is limited now', { what: APPS[id].name }), () => { state.exempt = state.exempt.filter((other) => other !== id); });
    actions.addExempt = (el) => openMenu(el, Object.keys(APPS).filter((id) => !state.exempt.includes(id)).slice(0, 6).map((id) => ({ label: APPS[id].name, icon: APPS[id].icon, run: () => change(t('{what} is always allowed', { what: APPS[id].name }), () => { state.exempt.push(id); }) })));
    actions.span = (el) => { ui.span = el.dataset.val; draw(); };
    $('#f-hotPass').addEventListener('input', (event) => passHint(event.target.value));
    function passHint(value) {
      const short = value.length < 8;
      $('#f-hotPass').setAttribute('aria-invalid', short);
      setText('#h-hotPass', t(short ? 'At least 8 characters' : value.length > 11 ? 'Strong' : 'Fair'));
    }

    function netRow(item) {
      const open = ui.open === item.id;
      const [label, act] = ui.wifiTab === 'blocked' ? ['Unblock', 'unblock'] : ui.wifiTab === 'saved' ? ['Forget', 'forget'] : item.live ? ['Disconnect', 'disconnect'] : ['Connect', 'connect'];
      const facts = [item.live && t('Connected'), item.saved && !item.live && t('Saved'), t(item.secure ? 'Secured' : 'Open network'), item.metered && t('Metered')].filter(Boolean).join(' · ');
      const flag = (key, text) => `<div class="setting"><span class="setting-text"><label for="${key}-${item.id}">${t(text)}</label></span><input type="checkbox" role="switch" class="switch" id="${key}-${item.id}" data-change="netFlag" data-key="${key}" ${item[key] ? 'checked' : ''}></div>`;
      const signal = `<span class="signal"><i class="i"><svg viewBox="0 0 24 24" aria-hidden="true"><g>${['M9.4 16.3a3.8 3.8 0 0 1 5.2 0M12 19.5h.01', 'M6.3 13a8.3 8.3 0 0 1 11.4 0', 'M3 9.5a13 13 0 0 1 18 0'].map((d, i) => `<path d="${d}" opacity="${i < item.signal ? 1 : 0.25}"/>`).join('')}</g></svg></i></span>`;
      return [item.id, `<li class="net ${item.live ? 'live' : ''}" data-id="${item.id}"><div class="net-row">${signal}<span class="row-text"><b><bdi>${esc(item.name)}</bdi></b><small>${facts}</small></span>
        <button type="button" class="btn small" data-act="${act}" aria-label="${t(label)}: ${esc(item.name)}">${t(label)}</button>
        ${item.saved ? `<button type="button" class="icon-btn" data-act="netOpen" aria-expanded="${open}" aria-label="${t('Details of {what}', { what: esc(item.name) })}" data-tip>${icon('chevron', 'turn')}</button>` : '<span class="no-btn"></span>'}
        ${iconButton('dots', t('More for {what}', { what: item.name }), 'netMenu', 'aria-haspopup="menu" aria-expanded="false"')}</div>
        ${open ? `<div class="net-more">${flag('auto', 'Join automatically')}${flag('metered', 'Metered connection')}</div>` : ''}</li>`];
    }
    drawPage = () => {
      const now = live();
      const order = state.wifiSort === 'name' ? (a, b) => a.name.localeCompare(b.name) : (a, b) => b.signal - a.signal;
      const shown = state.wifi ? state.nets.filter((item) => (ui.wifiTab === 'blocked' ? item.blocked : !item.blocked && (ui.wifiTab === 'near' || item.saved))).sort((a, b) => b.live - a.live || order(a, b)) : [];
      setText('#h-wifi', state.wifi ? (now ? t('Connected to {what}', { what: now.name }) : t('Not connected')) : t('Off'));
      drawList($('#net-list'), shown.map(netRow));
      $('#net-empty').hidden = shown.length > 0;
      setText('#net-empty', t(state.wifi ? 'No networks in this list.' : 'Turn on Wi-Fi to see networks.'));
      $('#sort-nets').innerHTML = `${icon('arrowDown')}${t(state.wifiSort === 'signal' ? 'By signal' : 'By name')}`;
      setText('#now-title', now ? now.name : t('No network'));
      setText('#now-foot', now ? t('{down} Mbit/s down · {up} Mbit/s up', { down: now.signal * 142, up: now.signal * 31 }) : t('Choose a network to go online'));
      $('#bars').innerHTML = BARS[ui.span].map((value, i) => `<span style="--y:${now ? value : 2}%" data-tip="${ui.span === 'day' ? `${String(i + 4).padStart(2, '0')}:00` : DAYS()[i]} · ${now ? value * (ui.span === 'day' ? 11 : 62) : 0} MB"></span>`).join('');
      $$('#span button').forEach((button) => button.setAttribute('aria-checked', button.dataset.val === ui.span));
      const vpn = state.vpns.find((item) => item.on);
      setText('#vpn-state', vpn ? t('{what} is on', { what: vpn.name }) : t('Off'));
      drawList($('#vpn-list'), state.vpns.map((item) => [item.id, `<li data-id="${item.id}"><span class="row-text"><b><bdi>${esc(item.name)}</bdi></b><small><bdi>${esc(item.host)}</bdi></small></span>${iconButton('pencil', t('Edit VPN {what}', { what: item.name }), 'vpnEdit')}${iconButton('trash', t('Delete VPN {what}', { what: item.name }), 'vpnDelete')}<input type="checkbox" role="switch" class="switch" data-change="vpnToggle" aria-label="VPN ${esc(item.name)}" ${item.on ? 'checked' : ''}></li>`]));
      setText('#h-hotspot', state.hotspot ? t('On · {n} of {max} devices', { n: state.guests.length, max: state.hotMax }) : t('Off'));
      setText('#hot-max', state.hotMax);
      $('#less').disabled = state.hotMax <= 1;
      $('#more').disabled = state.hotMax >= 8;
      passHint(state.hotPass);
      drawList($('#guests'), state.guests.map((name) => chip(name, `<span class="chip-main"><bdi>${esc(name)}</bdi></span>`, t('Disconnect {what}', { what: name }), 'kick')));
      setText('#h-saver', t(state.saver ? 'On' : 'Off'));
      setText('#quota-text', state.saver ? t('of {n} GB used, resets on 1 June', { n: state.limit }) : t('used this month, no limit'));
      const over = state.saver && state.limit < 31.4;
      $('#quota').classList.toggle('over', over);
      $('#quota').setAttribute('aria-valuemax', state.saver ? state.limit : 100);
      $('#quota').style.setProperty('--v', `${Math.min(100, (31.4 / (state.saver ? state.limit : 100)) * 100)}%`);
      drawList($('#exempt'), state.exempt.map((id) => chip(id, `<span class="chip-main">${icon(APPS[id].icon)}${APPS[id].name}</span>`, t('Remove {what}', { what: APPS[id].name }), 'dropExempt')));
    };
  }
  const DAYS = () => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => t(day));

  /* ---------- notifications ---------- */
  function notifications() {
    const start = (id, sound, banner, lock) => [id, { sound, banner, lock }];
    state = {
      apps: Object.fromEntries([start('letterly', true, true, false), start('parley', true, true, true), start('daybook', true, true, true), start('ledgerly', false, true, false), start('tunehall', false, false, false), start('wayfind', true, true, true), start('snapcase', false, true, false), start('newsloft', false, false, false), start('fitloop', true, false, true), start('homestead', true, true, true)]),
      dnd: false, dndUntil: 'hour', descending: false, notes: ['daybook', 'parley', 'wayfind'], quiet: true, from: 600, to: 1140, days: [0, 1, 2, 3, 4], fade: 10, allow: 'priority', repeat: true, group: true,
      prio: ['daybook', 'parley', 'homestead', 'wayfind', 'letterly'],
    };
    Object.assign(ui, { previewTab: 'lock', filter: '', selecting: false, picked: new Set() });
    const COLUMNS = { sound: 'Sound', banner: 'Banner', lock: 'Lock screen' };
    const name = (id) => APPS[id].name;
    const timeText = (value) => { const minutes = (value + 720) % 1440; return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`; };
    const setAll = (ids, on, label) => change(label, () => ids.forEach((id) => { state.apps[id] = { sound: on, banner: on, lock: on }; }));
    const addPrio = (ids, label) => change(label, () => { state.prio.push(...ids.filter((id) => !state.prio.includes(id))); });

    actions.appFlag = (el, id) => change(`${name(id)} · ${t(COLUMNS[el.dataset.col])}: ${onOff(el.checked)}`, () => { state.apps[id][el.dataset.col] = el.checked; }, false);
    actions.column = (el) => {
      const on = !Object.values(state.apps).some((app) => app[el.dataset.col]);
      change(t(on ? '{what} on for all apps' : '{what} off for all apps', { what: t(COLUMNS[el.dataset.col]) }), () => Object.values(state.apps).forEach((app) => { app[el.dataset.col] = on; }));
    };
    actions.sortApps = () => change(t('Order of apps turned round'), () => { state.descending = !state.descending; }, false);
    function setSelecting(on, id) { ui.selecting = on; ui.picked = new Set(id ? [id] : []); draw(); }
    const pick = (id) => { if (!ui.picked.delete(id)) ui.picked.add(id); draw(); };
    actions.select = () => setSelecting(!ui.selecting);
    actions.appName = (el, id) => { if (ui.selecting) pick(id); else { $('#test-app').value = id; sendTest(id); } };
    actions.pickApp = (el, id) => pick(id);
    actions.bulkMute = () => setAll([...ui.picked], false, t('Apps silenced: {n}', { n: ui.picked.size }));
    actions.bulkAllow = () => setAll([...ui.picked], true, t('Apps allowed: {n}', { n: ui.picked.size }));
    actions.bulkPrio = () => addPrio([...ui.picked], t('Selected apps added to the priority order'));
    actions.endSelect = () => setSelecting(false);
    longPress($('#app-rows'), '.app-name', (id) => { if (!ui.selecting) setSelecting(true, id); });
    contextMenu($('#app-rows'), 'tr', (id) => [
      { label: t('Send test'), icon: 'bell', run: () => sendTest(id) }, { label: t('Select'), icon: 'check', run: () => setSelecting(true, id) }, '-',
      { label: t('Allow everything'), icon: 'speaker', run: () => setAll([id], true, t('{what} may notify', { what: name(id) })) }, { label: t('Silence'), icon: 'speakerOff', run: () => setAll([id], false, t('{what} silenced', { what: name(id) })) },
      { label: t('Add to priority order'), icon: 'plus', disabled: state.prio.includes(id), run: () => addPrio([id], t('{what} added to the priority order', { what: name(id) })) },
    ]);
    cards.app = (id) => `<b>${name(id)}</b>${esc(APPS[id].text)}<br><span class="muted">${t('About {n} a day', { n: APPS[id].day })}</span>`;

    function setFilter(text) { $('#app-filter').value = text; ui.filter = text.trim().toLowerCase(); draw(); }
    $('#app-filter').addEventListener('input', (event) => setFilter(event.target.value));
    $('#app-filter').addEventListener('keydown', (event) => { if (event.key === 'Escape') setFilter(''); });
    actions.clearFilter = () => { setFilter(''); $('#app-filter').focus(); };

    function sendTest(id) {
      const app = state.apps[id];
      const place = ui.previewTab === 'lock' ? 'lock' : 'banner';
      const sound = t(app.sound && !state.dnd ? 'with sound' : 'without sound');
      if (app[place] && !state.dnd) change(t('{what}: shown in the preview, {sound}', { what: name(id), sound }), () => { state.notes = [id, ...state.notes.filter((other) => other !== id)]; });
      else toast(t('{what}: not shown here, {sound}', { what: name(id), sound }));
    }
    $('#test-app').innerHTML = Object.keys(APPS).map((id) => `<option value="${id}">${name(id)}</option>`).join('');
    actions.sendTest = () => sendTest($('#test-app').value);
    actions.closeNote = (el, id) => change(t('Notification from {what} dismissed', { what: name(id.slice(5)) }), () => { state.notes = state.notes.filter((other) => `note-${other}` !== id); });
    actions.clearNotes = () => change(t('Preview cleared'), () => { state.notes = []; });

    actions.day = (el) => { const day = Number(el.dataset.day); change(`${DAYS()[day]}: ${onOff(!state.days.includes(day))}`, () => { state.days = state.days.includes(day) ? state.days.filter((other) => other !== day) : [...state.days, day]; }, false); };
    const setEdge = (edge, value) => { const other = state[edge === 'from' ? 'to' : 'from']; state[edge] = edge === 'from' ? clamp(value, 0, other - 30) : clamp(value, other + 30, 1440); };
    const quietLabel = () => t('Quiet from {from} to {to}', { from: timeText(state.from), to: timeText(state.to) });
    $('.tl-track').addEventListener('pointerdown', (event) => {
      if (!state.quiet) return;
      const box = $('.tl-track').getBoundingClientRect();
      const valueAt = (ev) => { const part = (ev.clientX - box.left) / box.width; return Math.round(((isRtl() ? 1 - part : part) * 1440) / 15) * 15; };
      const target = event.target.closest('.tl-thumb');
      const edge = target?.dataset.edge || (Math.abs(valueAt(event) - state.from) < Math.abs(valueAt(event) - state.to) ? 'from' : 'to');
      const before = structuredClone(state);
      const move = (ev) => { setEdge(edge, valueAt(ev)); drawQuiet(); };
      if (!target) move(event);
      $(`[data-edge="${edge}"]`).focus();
      drag(event, move, () => { const value = state[edge]; if (value === before[edge]) return; state = before; change(quietLabel, () => { state[edge] = value; }, false); });
    });
    $('#timeline').addEventListener('keydown', (event) => {
      const edge = event.target.dataset.edge;
      const forward = isRtl() ? 'ArrowLeft' : 'ArrowRight';
      const backward = isRtl() ? 'ArrowRight' : 'ArrowLeft';
      const step = { [forward]: 15, [backward]: -15, ArrowUp: 15, ArrowDown: -15, PageUp: 60, PageDown: -60 }[event.key];
      if (!edge || !step || !state.quiet) return;
      event.preventDefault();
      change(quietLabel, () => setEdge(edge, state[edge] + step), false);
    });

    const setPrio = (ids, id) => change(t('{what} moved', { what: name(id) }), () => { state.prio = ids; });
    actions.prioUp = (el, id) => setPrio(moved(state.prio, id, -1), id);
    actions.prioDown = (el, id) => setPrio(moved(state.prio, id, 1), id);
    actions.prioRemove = (el, id) => change(t('{what} removed from the priority order', { what: name(id) }), () => { state.prio = state.prio.filter((other) => other !== id); });
    actions.addPrio = (el) => openMenu(el, Object.keys(APPS).filter((id) => !state.prio.includes(id)).map((id) => ({ label: name(id), icon: APPS[id].icon, run: () => addPrio([id], t('{what} added to the priority order', { what: name(id) })) })));
    sortable($('#prio'), '.grip', setPrio);
    contextMenu($('#prio'), '[data-id]', (id) => [
      { label: t('Move to the top'), icon: 'arrowUp', disabled: state.prio[0] === id, run: () => setPrio(moved(state.prio, id, -99), id) },
      { label: t('Move to the end'), icon: 'arrowDown', disabled: state.prio.at(-1) === id, run: () => setPrio(moved(state.prio, id, 99), id) }, '-',
      { label: t('Remove from the order'), icon: 'x', danger: true, run: () => actions.prioRemove(null, id) },
    ]);

    function appRow(id) {
      const picked = ui.picked.has(id);
      const flags = Object.entries(COLUMNS).map(([key, title]) => `<td><input type="checkbox" role="switch" class="switch" data-change="appFlag" data-col="${key}" aria-label="${name(id)}: ${t(title)}" ${state.apps[id][key] ? 'checked' : ''}></td>`).join('');
      const box = ui.selecting ? `<input type="checkbox" class="box" data-change="pickApp" aria-label="${t('Select {what}', { what: name(id) })}" ${picked ? 'checked' : ''}>` : '';
      const silent = !Object.values(state.apps[id]).some(Boolean);
      return [id, `<tr data-id="${id}" class="${picked ? 'picked' : ''}"><td><div class="app-cell">${box}<button type="button" class="app-name" data-act="appName" data-card="app">${appIcon(id)}<span><b>${name(id)}</b><small>${silent ? t('Silenced') : t('About {n} a day', { n: APPS[id].day })}</small></span></button></div></td>${flags}</tr>`];
    }
    function drawQuiet() {
      const along = (value) => `${(value / 1440) * 100}%`;
      $('#tl-fill').style.insetInlineStart = along(state.from);
      $('#tl-fill').style.width = along(state.to - state.from);
      $$('.tl-thumb').forEach((thumb) => {
        const value = state[thumb.dataset.edge];
        thumb.style.insetInlineStart = along(value);
        thumb.tabIndex = state.quiet ? 0 : -1;
        thumb.setAttribute('aria-disabled', !state.quiet);
        thumb.setAttribute('aria-valuenow', value);
        thumb.setAttribute('aria-valuetext', timeText(value));
        $('b', thumb).textContent = timeText(value);
      });
      setText('#h-quiet', state.quiet ? `${timeText(state.from)} – ${timeText(state.to)}` : t('Off'));
    }
    drawPage = () => {
      const ids = Object.keys(APPS).filter((id) => name(id).toLowerCase().includes(ui.filter)).sort((a, b) => name(a).localeCompare(name(b)) * (state.descending ? -1 : 1));
      drawList($('#app-rows'), ids.map(appRow));
      $('#apps-empty').hidden = ids.length > 0;
      $('#filter-clear').hidden = !ui.filter;
      $('#th-app').setAttribute('aria-sort', state.descending ? 'descending' : 'ascending');
      setText('#apps-count', t('{n} of {all} shown', { n: ids.length, all: Object.keys(APPS).length }));
      $('#select-btn').setAttribute('aria-pressed', ui.selecting);
      const none = ui.picked.size ? '' : 'disabled';
      $('#bulk').hidden = !ui.selecting;
      $('#bulk').innerHTML = `<b role="status">${t('{n} selected', { n: ui.picked.size })}</b><button type="button" class="btn small" data-act="bulkMute" ${none}>${t('Silence')}</button><button type="button" class="btn small" data-act="bulkAllow" ${none}>${t('Allow everything')}</button><button type="button" class="btn small" data-act="bulkPrio" ${none}>${t('Prioritise')}</button>${iconButton('x', t('End selection'), 'endSelect')}`;
      const place = ui.previewTab === 'lock' ? 'lock' : 'banner';
      const notes = state.dnd ? [] : state.notes.filter((id) => state.apps[id][place]).slice(0, 3);
      setText('#h-dnd', t(state.dnd ? 'All apps are silent and nothing is shown' : 'Off. Each app follows its own switches.'));
      $('#screen').classList.toggle('desk', place === 'banner');
      drawList($('#notes'), notes.map((id) => [`note-${id}`, `<li class="note" data-id="note-${id}">${appIcon(id)}<span class="row-text"><b>${name(id)}</b><small><bdi>${esc(APPS[id].text)}</bdi></small></span>${iconButton('x', t('Dismiss notification from {what}', { what: name(id) }), 'closeNote')}</li>`]));
      $('#notes-empty').hidden = notes.length > 0;
      drawQuiet();
      $('#days').innerHTML = DAYS().map((day, i) => `<button type="button" class="day" data-act="day" data-day="${i}" aria-pressed="${state.days.includes(i)}">${day}</button>`).join('');
      setText('#prio-hint', t(ui.grabbed ? 'Arrow keys move the picked app' : 'Drag to reorder'));
      $('#add-prio').disabled = state.prio.length === Object.keys(APPS).length;
      drawList($('#prio'), state.prio.map((id, i) => [id, `<li data-id="${id}"><button type="button" class="icon-btn grip" aria-label="${t('Move {what}', { what: name(id) })}" aria-pressed="${ui.grabbed === id}">${icon('grip')}</button><span class="rank">${i + 1}</span>${appIcon(id)}<span class="row-text"><b>${name(id)}</b></span>
        ${iconButton('arrowUp', t('Move {what} up', { what: name(id) }), 'prioUp', i ? '' : 'disabled')}${iconButton('arrowDown', t('Move {what} down', { what: name(id) }), 'prioDown', i < state.prio.length - 1 ? '' : 'disabled')}${iconButton('x', t('Remove {what} from the order', { what: name(id) }), 'prioRemove')}</li>`]));
    };
  }

  /* ---------- privacy ---------- */
  const KEYS = ['TRN4-9QKD-72MV-XH3P-L8WE-C6JA', 'TRN4-B2RS-K95F-M7YT-3DNQ-W4HG', 'TRN4-P8XC-6VJL-Q2EA-H5ZK-R7MD'];
  const SENSORS = { camera: ['camera', 'Camera'], mic: ['mic', 'Microphone'], place: ['place', 'Location'], files: ['folder', 'Files'] };
  const LEVELS = { allow: ['check', 'allowed', 'Allowed'], ask: ['help', 'ask every time', 'Ask every time'], deny: ['x', 'denied', 'Denied'] };
  const DANGER = {
    history: ['Clear activity history', 'Searches, places and opened files of this device', 'Clear'], reports: ['Erase diagnostic reports', '14 reports that were not sent', 'Erase'],
    reset: ['Reset all settings', 'Your files stay; every switch goes back to its default', 'Reset'], account: ['Delete account', 'Removes Tarn Cloud data for good after 14 days', 'Delete'],
  };

  function privacy() {
    const row = (camera, mic, place, files) => ({ camera, mic, place, files });
    state = {
      sensors: { camera: true, mic: true, place: true, files: true },
      perms: { letterly: row('deny', 'deny', 'deny', 'allow'), parley: row('allow', 'allow', 'ask', 'ask'), daybook: row('deny', 'deny', 'ask', 'ask'), ledgerly: row('ask', 'deny', 'ask', 'deny'), wayfind: row('deny', 'ask', 'allow', 'deny'), snapcase: row('allow', 'ask', 'allow', 'allow'), newsloft: row('deny', 'deny', 'allow', 'deny'), fitloop: row('deny', 'deny', 'allow', 'ask'), homestead: row('ask', 'allow', 'allow', 'deny') },
      sessions: [
        { id: 's1', name: 'Tarn Book 14', icon: 'laptop', here: true, when: 'Active now', where: 'Bremen' }, { id: 's2', name: 'Tarn Phone 6', icon: 'phone', when: 'Active 12 minutes ago', where: 'Bremen' }, { id: 's3', name: 'Studio desktop', icon: 'tv', when: 'Yesterday, 18:42', where: 'Bremen' },
        { id: 's4', name: 'Living-room screen', icon: 'tv', when: '11 May, 21:05', where: 'Bremen' }, { id: 's5', name: 'Web browser', icon: 'globe', when: '2 May, 09:17', where: 'Malmö' },
      ],
      key: 0, keySaved: false, unlocked: false, done: {}, deletion: false,
    };
    Object.assign(ui, { permTab: 'all', keySeen: false, revealed: false, picked: new Set(), openSession: null });
    const UNUSED = ['newsloft', 'fitloop', 'ledgerly'];
    const name = (id) => APPS[id].name;
    const session = (id) => byId(state.sessions, id);
    const setLevel = (id, sensor, level) => change(`${name(id)} · ${t(SENSORS[sensor][1])}: ${t(LEVELS[level][1])}`, () => { state.perms[id][sensor] = level; }, false);
    actions.level = (el, id) => setLevel(id, el.dataset.sensor, { allow: 'ask', ask: 'deny', deny: 'allow' }[state.perms[id][el.dataset.sensor]]);
    actions.sensor = (el) => change(`${t(SENSORS[el.dataset.sensor][1])}: ${onOff(el.checked)}`, () => { state.sensors[el.dataset.sensor] = el.checked; }, false);
    const setRow = (id, level, label) => change(label, () => Object.keys(SENSORS).forEach((sensor) => { state.perms[id][sensor] = level; }));
    const rowItems = (id) => [
      { label: t('Ask for everything'), icon: 'help', run: () => setRow(id, 'ask', t('{what} has to ask every time', { what: name(id) })) },
      { label: t('Deny everything'), icon: 'x', danger: true, run: () => setRow(id, 'deny', t('All permissions of {what} denied', { what: name(id) })) },
    ];
    actions.permMenu = (el, id) => openMenu(el, rowItems(id));
    contextMenu($('#perm-rows'), 'tr', rowItems);
    contextMenu($('#perm-rows'), '.cell', (id, el) => Object.keys(LEVELS).map((level) => ({ label: t(LEVELS[level][2]), checked: state.perms[id][el.dataset.sensor] === level, disabled: el.disabled, run: () => setLevel(id, el.dataset.sensor, level) })));
    cards.perm = (id) => `<b>${name(id)}</b>${UNUSED.includes(id) ? t('Not opened for 3 weeks') : t('Used a sensor {n} times this week', { n: APPS[id].day })}`;

    actions.reveal = () => {
      if (ui.revealed) { ui.revealed = false; draw(); return; }
      openDialog({ title: t('Confirm that it is you'), text: t('Enter the 6 digits you use to unlock this device.'), confirm: t('Show key'), body: field('first', t('PIN'), 'password', t('6 digits')), valid: (form) => /^\d{6}$/.test(form.first.value),
        onConfirm: () => { ui.revealed = true; ui.keySeen = true; draw(); toast(t('Recovery key is visible')); } });
    };
    actions.copyKey = () => copy(KEYS[state.key], t('Recovery key copied'));
    actions.newKey = () => openDialog({ title: t('Make a new recovery key?'), text: t('The present key stops working at once.'), confirm: t('Make new key'), danger: true,
      onConfirm: () => { ui.keySeen = ui.revealed; change(t('New recovery key made'), () => { state.key = (state.key + 1) % KEYS.length; state.keySaved = false; }); } });

    const others = () => state.sessions.filter((item) => !item.here);
    const signOut = (ids) => change(ids.length === 1 ? t('{what} signed out', { what: session(ids[0]).name }) : t('Sessions signed out: {n}', { n: ids.length }), () => { state.sessions = state.sessions.filter((item) => !ids.includes(item.id)); ids.forEach((id) => ui.picked.delete(id)); });
    actions.signOut = (el, id) => signOut([id]);
    actions.signOutOthers = () => {
      if (ui.picked.size) { signOut([...ui.picked]); return; }
      openDialog({ title: t('Sign out everywhere else?'), text: t('Only this device stays signed in.'), confirm: t('Sign out'), danger: true, onConfirm: () => signOut(others().map((item) => item.id)) });
    };
    actions.pickSession = (el, id) => { if (el.checked) ui.picked.add(id); else ui.picked.delete(id); draw(); };
    actions.openSession = (el, id) => {
      ui.openSession = ui.openSession === id ? null : id;
      $$('#sess-list .sess-name').forEach((button) => { const open = button.closest('li').dataset.id === ui.openSession; button.setAttribute('aria-expanded', open); $('.sess-more', button.closest('li')).hidden = !open; });
    };
    const rename = (id) => editInPlace($(`[data-id="${id}"] .sess-name`), t('Name of the device'), session(id).name, (text) => change(t('Renamed to {what}', { what: text }), () => { session(id).name = text; }));
    $('#sess-list').addEventListener('dblclick', (event) => { if (event.target.closest('.sess-name')) rename(event.target.closest('li').dataset.id); });
    contextMenu($('#sess-list'), 'li', (id) => [{ label: t('Rename'), icon: 'pencil', run: () => rename(id) }, { label: t('Sign out'), icon: 'signOut', danger: true, disabled: !!session(id).here, run: () => signOut([id]) }]);

    const finish = (id, label) => change(label, () => { state.done[id] = true; });
    const run = {
      history: () => openDialog({ title: t('Clear activity history?'), text: t('Searches, places and recently opened files are removed from this device.'), confirm: t('Clear history'), danger: true, onConfirm: () => finish('history', t('Activity history cleared')) }),
      reports: () => { if (window.confirm(t('Erase 14 diagnostic reports?'))) finish('reports', t('Diagnostic reports erased')); else toast(t('Nothing was erased')); },
      reset: () => openDialog({ title: t('Reset all settings?'), text: t('Type RESET to go on.'), confirm: t('Reset'), danger: true, body: field('first', t('Confirmation')), valid: (form) => form.first.value.trim() === 'RESET', onConfirm: () => finish('reset', t('All settings reset')) }),
      account: () => {
        if (state.deletion) { change(t('Account deletion cancelled'), () => { state.deletion = false; }); return; }
        const options = ['I use another account', 'I have privacy concerns', 'Other reason'].map((text) => `<option>${t(text)}</option>`).join('');
        openDialog({ title: t('Delete account, step 1 of 2'), text: t('Tell us why you leave. Nothing is deleted yet.'), confirm: t('Continue'), body: `<div class="field"><label for="d-why">${t('Reason')}</label><select id="d-why" name="first">${options}</select></div>`, onConfirm: confirmAccount });
      },
    };
    function confirmAccount() {
      openDialog({ title: t('Delete account, step 2 of 2'), text: t('Type Mira Osterholt to delete this account and its 148 GB.'), confirm: t('Delete account'), danger: true, body: field('first', t('Name of the account')), valid: (form) => form.first.value.trim() === 'Mira Osterholt',
        onConfirm: () => change(t('Account will be deleted on 28 May'), () => { state.deletion = true; }) });
    }
    actions.danger = (el, id) => run[id]();

    $('#perm-head').innerHTML = `<th scope="col">${t('App')}</th>${Object.entries(SENSORS).map(([id, [picture, title]]) => `<th scope="col"><span>${icon(picture)}<span>${t(title)}</span><input type="checkbox" role="switch" class="switch" data-change="sensor" data-sensor="${id}" aria-label="${t('{what} for all apps', { what: t(title) })}"></span></th>`).join('')}<th scope="col"><span class="sr">${t('More')}</span></th>`;
    function permRow(id) {
      const cells = Object.entries(SENSORS).map(([sensor, [, title]]) => {
        const level = state.perms[id][sensor];
        return `<td><button type="button" class="cell" data-act="level" data-sensor="${sensor}" aria-label="${name(id)}, ${t(title)}: ${t(LEVELS[level][1])}" ${state.sensors[sensor] ? '' : 'disabled'}>${icon(LEVELS[level][0], `dot ${level}`)}</button></td>`;
      }).join('');
      return [id, `<tr data-id="${id}"><td><div class="app-cell" data-card="perm">${appIcon(id)}<span class="row-text"><b>${name(id)}</b></span></div></td>${cells}<td>${iconButton('dots', t('More for {what}', { what: name(id) }), 'permMenu', 'aria-haspopup="menu" aria-expanded="false"')}</td></tr>`];
    }
    function sessionRow(item) {
      const open = ui.openSession === item.id;
      return [item.id, `<li data-id="${item.id}"><input type="checkbox" class="box" data-change="pickSession" aria-label="${t('Select {what}', { what: esc(item.name) })}" ${ui.picked.has(item.id) ? 'checked' : ''} ${item.here ? 'disabled' : ''}>${icon(item.icon, 'tile-ic')}
        <div class="row-text"><button type="button" class="sess-name" data-act="openSession" aria-expanded="${open}"><bdi>${esc(item.name)}</bdi></button>${item.here ? ` <span class="badge ok">${t('This device')}</span>` : ''}<small>${t(item.when)} · ${item.where}</small><p class="sess-more" ${open ? '' : 'hidden'}>${t('Signed in with password and PIN on 3 March')}</p></div>
        ${iconButton('signOut', t('Sign out {what}', { what: item.name }), 'signOut', item.here ? 'disabled' : '')}</li>`];
    }
    function score() {
      const open = Object.values(state.perms).flatMap((perm) => Object.entries(perm)).filter(([sensor, level]) => level === 'allow' && state.sensors[sensor]).length;
      return clamp(100 - open * 2 - others().length * 2 - (state.keySaved ? 0 : 8), 0, 100);
    }
    drawPage = () => {
      const ids = Object.keys(state.perms).filter((id) => ui.permTab === 'all' || UNUSED.includes(id) === (ui.permTab === 'idle'));
      drawList($('#perm-rows'), ids.map(permRow));
      $$('[data-change="sensor"]').forEach((el) => { el.checked = state.sensors[el.dataset.sensor]; });
      setText('#perm-state', t('Apps: {n}', { n: ids.length }));
      const points = score();
      setText('#score', t('{n} of 100', { n: points }));
      setText('#score-hint', t(points > 75 ? 'Good. Few apps have free access.' : points > 60 ? 'Fair. Some apps may use more than they need.' : 'Low. Many apps have free access.'));
      $('#ring').style.strokeDasharray = `${points} 100`;
      setText('#keybox', (ui.revealed ? KEYS[state.key] : KEYS[state.key].replace(/\w/g, '•')).replace(/(.{14})-/, '$1\n'));
      $('#reveal').innerHTML = `${icon(ui.revealed ? 'eyeOff' : 'eye')}${t(ui.revealed ? 'Hide key' : 'Show key')}`;
      $('#copy-key').disabled = !ui.revealed;
      $('#rec-badge').className = `badge ${state.keySaved ? 'ok' : ''}`;
      setText('#rec-badge', t(state.keySaved ? 'Kept safe' : 'Not saved'));
      drawList($('#sess-list'), state.sessions.map(sessionRow));
      $('#sign-others').innerHTML = `${icon('signOut')}${ui.picked.size ? t('Sign out selected: {n}', { n: ui.picked.size }) : t('Sign out all others')}`;
      $('#sign-others').disabled = !others().length;
      setText('#h-unlocked', t(state.unlocked ? 'Unlocked: these actions work now' : 'Locked. Turn on to use these actions.'));
      drawList($('#danger-list'), Object.entries(DANGER).map(([id, [title, text, label]]) => {
        const pending = id === 'account' && state.deletion;
        const note = pending ? 'Will be deleted on 28 May. You can still cancel.' : state.done[id] ? 'Done on 14 May' : text;
        return [id, `<li data-id="${id}"><span class="row-text"><b>${t(title)}</b><small>${t(note)}</small></span><button type="button" class="btn ${pending ? '' : 'danger'}" data-act="danger" aria-label="${pending ? t('Cancel deletion') : t(title)}" ${state.done[id] ? 'disabled' : ''}>${pending ? t('Cancel deletion') : `${t(label)}…`}</button></li>`];
      }));
    };
  }

  /* ---------- start ---------- */
  function translatePage() {
    document.documentElement.lang = LANG;
    document.dir = LANG === 'ar' ? 'rtl' : 'ltr';
    $$('[data-t]').forEach((el) => {
      if (!el.childElementCount && el.textContent.trim()) el.textContent = t(el.textContent.trim());
      ['aria-label', 'placeholder', 'data-tip'].forEach((name) => { const text = el.getAttribute(name); if (text) el.setAttribute(name, t(text)); });
    });
    $$('i[data-i]').forEach((el) => { el.innerHTML = svg(el.dataset.i); if (MIRRORED.includes(el.dataset.i)) el.classList.add('flip'); });
    document.title = `${document.title} · Tarn`;
  }

  translatePage();
  buildShell();
  ({ index: overview, network, notifications, privacy })[document.body.dataset.page]();
  initial = JSON.stringify(state);
  draw();
  listen();
})();
