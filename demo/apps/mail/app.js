'use strict';
/* Wrenpost, a demo mail program. Everything lives in memory; dates are fixed. Order of this file:
   words, data, drawing, helpers, gestures, shell, mail actions, then one part per page. */

const LANG = ['de', 'ar'].find(code => navigator.language.startsWith(code)) || 'en';
const LOCALE = { de: 'de-DE', ar: 'ar-u-nu-latn', en: 'en-GB' }[LANG];
const TODAY = '2026-05-14';

/* ---------- Words: English key -> [German, Arabic] ---------- */

const WORDS = {
  'Inbox': ['Posteingang', 'الوارد'], 'Starred': ['Markiert', 'المميزة'], 'Snoozed': ['Zurückgestellt', 'المؤجلة'], 'Drafts': ['Entwürfe', 'المسودات'],
  'Sent': ['Gesendet', 'المرسلة'], 'Archive': ['Archiv', 'الأرشيف'], 'Trash': ['Papierkorb', 'المهملات'], 'Rules': ['Regeln', 'القواعد'], 'Labels': ['Etiketten', 'التصنيفات'],
  'Label': ['Etikett', 'تصنيف'], 'Write': ['Schreiben', 'كتابة'], 'Storage': ['Speicher', 'التخزين'], '{used} of {all} GB used': ['{used} von {all} GB belegt', 'تم استخدام {used} من {all} غيغابايت'],
  'Mail folders': ['E-Mail-Ordner', 'مجلدات البريد'], 'Skip to content': ['Zum Inhalt springen', 'الانتقال إلى المحتوى'], 'Show or hide folders': ['Ordner ein- oder ausblenden', 'إظهار المجلدات أو إخفاؤها'],
  'Close folders': ['Ordner schließen', 'إغلاق المجلدات'], 'Search mail': ['E-Mails durchsuchen', 'البحث في البريد'], 'Clear search': ['Suche leeren', 'مسح البحث'], 'Search results': ['Suchergebnisse', 'نتائج البحث'],
  'Nothing found': ['Nichts gefunden', 'لا توجد نتائج'], 'Keyboard shortcuts': ['Tastenkürzel', 'اختصارات لوحة المفاتيح'], 'Account of Nora Reiss': ['Konto von Nora Reiss', 'حساب Nora Reiss'],
  'Pin folder {name}': ['Ordner {name} anheften', 'تثبيت المجلد {name}'], 'Unpin folder {name}': ['Ordner {name} lösen', 'إلغاء تثبيت المجلد {name}'], '{name} pinned to the top': ['{name} oben angeheftet', 'تم تثبيت {name} في الأعلى'],
  '{name} no longer pinned': ['{name} nicht mehr angeheftet', 'لم يعد {name} مثبتًا'], 'New label': ['Neues Etikett', 'تصنيف جديد'], 'Label name': ['Name des Etiketts', 'اسم التصنيف'], 'Create label': ['Etikett anlegen', 'إنشاء التصنيف'],
  'A label needs a name.': ['Ein Etikett braucht einen Namen.', 'التصنيف يحتاج إلى اسم.'], 'Label {name} created': ['Etikett {name} angelegt', 'تم إنشاء التصنيف {name}'], 'Label renamed to {name}': ['Etikett heißt jetzt {name}', 'تغيّر اسم التصنيف إلى {name}'],
  'Label {name} deleted everywhere': ['Etikett {name} überall gelöscht', 'تم حذف التصنيف {name} من كل مكان'], 'Delete label {name}': ['Etikett {name} löschen', 'حذف التصنيف {name}'], 'Delete label': ['Etikett löschen', 'حذف التصنيف'],
  'Label {name} added': ['Etikett {name} hinzugefügt', 'تمت إضافة التصنيف {name}'], 'Label {name} removed': ['Etikett {name} entfernt', 'تمت إزالة التصنيف {name}'], 'Remove label {name}': ['Etikett {name} entfernen', 'إزالة التصنيف {name}'],
  'Set labels': ['Etiketten setzen', 'تعيين التصنيفات'], 'Add label': ['Etikett hinzufügen', 'إضافة تصنيف'], 'Rename': ['Umbenennen', 'إعادة التسمية'], 'Cancel': ['Abbrechen', 'إلغاء'], 'Undo': ['Rückgängig', 'تراجع'],
  'Dismiss': ['Hinweis schließen', 'إغلاق الإشعار'], 'Close dialog': ['Dialog schließen', 'إغلاق مربع الحوار'], 'Got it': ['Verstanden', 'حسنًا'], 'Status: {name}': ['Status: {name}', 'الحالة: {name}'],
  'Available': ['Erreichbar', 'متاحة'], 'Away': ['Abwesend', 'بعيدة'], 'Do not disturb': ['Nicht stören', 'عدم الإزعاج'], 'Travel': ['Reisen', 'السفر'], 'Invoices': ['Rechnungen', 'الفواتير'],
  // List
  'List tools': ['Listenwerkzeuge', 'أدوات القائمة'], 'Select all': ['Alle auswählen', 'تحديد الكل'], 'Sorted newest first': ['Neueste zuerst', 'الأحدث أولًا'], 'Sorted oldest first': ['Älteste zuerst', 'الأقدم أولًا'],
  'Check for new mail': ['Neue E-Mails abrufen', 'التحقق من البريد الجديد'], 'No new mail': ['Keine neuen E-Mails', 'لا يوجد بريد جديد'], 'One new message': ['Eine neue Nachricht', 'رسالة جديدة واحدة'], 'List options': ['Listenoptionen', 'خيارات القائمة'],
  'Selected conversations': ['Ausgewählte Unterhaltungen', 'المحادثات المحددة'], 'Mark read or unread': ['Als gelesen oder ungelesen markieren', 'تعليم كمقروء أو غير مقروء'], 'Clear selection': ['Auswahl aufheben', 'إلغاء التحديد'],
  'Filter list': ['Liste filtern', 'تصفية القائمة'], 'All': ['Alle', 'الكل'], 'Unread': ['Ungelesen', 'غير مقروء'], 'With files': ['Mit Anhang', 'مع ملفات'], 'Conversations': ['Unterhaltungen', 'المحادثات'], 'Back to top': ['Nach oben', 'إلى الأعلى'],
  'Resize the list': ['Breite der Liste ändern', 'تغيير عرض القائمة'], 'Reading pane': ['Lesebereich', 'لوحة القراءة'], 'Write a message': ['Nachricht schreiben', 'كتابة رسالة'], '{n} selected': ['{n} ausgewählt', 'المحدد: {n}'],
  'Select: {subject}': ['Auswählen: {subject}', 'تحديد: {subject}'], 'Select': ['Auswählen', 'تحديد'], 'Deselect': ['Auswahl aufheben', 'إلغاء التحديد'], 'Star': ['Markieren', 'تمييز بنجمة'], 'Star removed': ['Markierung entfernt', 'أزيلت النجمة'],
  'Quick actions': ['Schnellaktionen', 'إجراءات سريعة'], 'Move to Archive': ['Archivieren', 'نقل إلى الأرشيف'], 'Star added': ['Markierung gesetzt', 'أضيفت النجمة'], 'Move to Inbox': ['In den Posteingang', 'نقل إلى الوارد'], 'Move to Trash': ['In den Papierkorb', 'نقل إلى المهملات'], 'Delete for good': ['Endgültig löschen', 'حذف نهائي'],
  'Delete for good? This cannot be undone.': ['Endgültig löschen? Das lässt sich nicht rückgängig machen.', 'حذف نهائي؟ لا يمكن التراجع عن ذلك.'], 'Deleted for good': ['Endgültig gelöscht', 'تم الحذف نهائيًا'],
  'Snooze': ['Zurückstellen', 'تأجيل'], 'Snooze until': ['Zurückstellen bis', 'تأجيل حتى'], 'Later today': ['Heute später', 'لاحقًا اليوم'], 'Tomorrow': ['Morgen', 'غدًا'], 'Next week': ['Nächste Woche', 'الأسبوع القادم'],
  'Mark as read': ['Als gelesen markieren', 'تعليم كمقروء'], 'Mark as unread': ['Als ungelesen markieren', 'تعليم كغير مقروء'], 'Marked as read': ['Als gelesen markiert', 'تم التعليم كمقروء'], 'Marked as unread': ['Als ungelesen markiert', 'تم التعليم كغير مقروء'],
  'Mark all as read': ['Alle als gelesen markieren', 'تعليم الكل كمقروء'], 'Everything marked as read': ['Alles als gelesen markiert', 'تم تعليم الكل كمقروء'], 'Compact rows': ['Kompakte Zeilen', 'صفوف مدمجة'], 'Empty Trash': ['Papierkorb leeren', 'إفراغ المهملات'],
  '{n} conversations moved to {name}': ['{n} Unterhaltungen verschoben: {name}', 'نُقلت {n} محادثات إلى {name}'], '“{subject}” moved to {name}': ['„{subject}“ verschoben: {name}', 'نُقلت «{subject}» إلى {name}'],
  '{n} of {all} – scroll for more': ['{n} von {all} – weiter scrollen', '{n} من {all} – مرّر للمزيد'], 'That is all': ['Das ist alles', 'هذا كل شيء'], 'Nothing here': ['Nichts vorhanden', 'لا شيء هنا'], 'Try another folder or filter.': ['Anderen Ordner oder Filter wählen.', 'جرّب مجلدًا أو مرشحًا آخر.'],
  // Reading and answering
  'No conversation open': ['Keine Unterhaltung geöffnet', 'لا توجد محادثة مفتوحة'], 'Choose one from the list to read it here.': ['Aus der Liste eine zum Lesen wählen.', 'اختر واحدة من القائمة لقراءتها هنا.'], 'Close reading pane': ['Lesebereich schließen', 'إغلاق لوحة القراءة'],
  'Conversation tools': ['Werkzeuge der Unterhaltung', 'أدوات المحادثة'], 'Previous message': ['Vorige Nachricht', 'الرسالة السابقة'], 'Next message': ['Nächste Nachricht', 'الرسالة التالية'], 'Open full conversation': ['Ganze Unterhaltung öffnen', 'فتح المحادثة كاملة'],
  'Message text': ['Nachrichtentext', 'نص الرسالة'], 'From': ['Von', 'من'], 'To': ['An', 'إلى'], 'Date': ['Datum', 'التاريخ'], 'to {name}': ['an {name}', 'إلى {name}'], 'To {name}': ['An {name}', 'إلى {name}'],
  'Earlier messages in this conversation: {n}': ['Frühere Nachrichten in dieser Unterhaltung: {n}', 'رسائل سابقة في هذه المحادثة: {n}'], 'Attachments': ['Anhänge', 'المرفقات'], 'Save {name}': ['{name} speichern', 'حفظ {name}'], 'Remove {name}': ['{name} entfernen', 'إزالة {name}'],
  '{name} saved to Downloads': ['{name} in Downloads gespeichert', 'حُفظ {name} في التنزيلات'], 'Preview': ['Vorschau', 'معاينة'], 'Preview tools': ['Vorschauwerkzeuge', 'أدوات المعاينة'], 'Zoom in': ['Vergrößern', 'تكبير'], 'Zoom out': ['Verkleinern', 'تصغير'],
  'Previous file': ['Vorige Datei', 'الملف السابق'], 'Next file': ['Nächste Datei', 'الملف التالي'], 'Reply': ['Antworten', 'رد'], 'Reply all': ['Allen antworten', 'رد على الكل'], 'Forward': ['Weiterleiten', 'إعادة توجيه'], 'Forward to': ['Weiterleiten an', 'إعادة توجيه إلى'],
  'Forwarded to {name}': ['Weitergeleitet an {name}', 'أعيد التوجيه إلى {name}'], 'Reply to {names}': ['Antwort an {names}', 'رد على {names}'], 'Reply to all: {names}': ['Antwort an alle: {names}', 'رد على الكل: {names}'], 'Your reply': ['Deine Antwort', 'ردك'],
  'Discard reply': ['Antwort verwerfen', 'تجاهل الرد'], 'Reply text': ['Antworttext', 'نص الرد'], 'Write your reply': ['Antwort schreiben', 'اكتب ردك'], 'Send reply': ['Antwort senden', 'إرسال الرد'], 'Reply sent': ['Antwort gesendet', 'تم إرسال الرد'],
  'Conversation': ['Unterhaltung', 'محادثة'], 'Messages': ['Nachrichten', 'الرسائل'], 'Back to the inbox': ['Zurück zum Posteingang', 'العودة إلى الوارد'], 'Mute conversation': ['Unterhaltung stummschalten', 'كتم المحادثة'], 'Unmute conversation': ['Stummschaltung aufheben', 'إلغاء كتم المحادثة'],
  'Muted: new replies stay quiet': ['Stumm: neue Antworten melden sich nicht', 'مكتومة: لن تنبهك الردود الجديدة'], 'No longer muted': ['Nicht mehr stumm', 'لم تعد مكتومة'], 'Expand all': ['Alle öffnen', 'توسيع الكل'], 'Collapse all': ['Alle schließen', 'طي الكل'],
  'Previous conversation': ['Vorige Unterhaltung', 'المحادثة السابقة'], 'Next conversation': ['Nächste Unterhaltung', 'المحادثة التالية'], 'About this conversation': ['Über diese Unterhaltung', 'حول هذه المحادثة'], 'People': ['Personen', 'الأشخاص'], 'Files': ['Dateien', 'الملفات'], 'Notes': ['Notizen', 'الملاحظات'],
  'New note': ['Neue Notiz', 'ملاحظة جديدة'], 'Only you see notes': ['Notizen siehst nur du', 'لا يرى الملاحظات سواك'], 'Add note': ['Notiz hinzufügen', 'إضافة ملاحظة'], 'Delete note': ['Notiz löschen', 'حذف الملاحظة'], 'Note deleted': ['Notiz gelöscht', 'حُذفت الملاحظة'],
  'Show quoted text': ['Zitat zeigen', 'إظهار النص المقتبس'], 'Hide quoted text': ['Zitat ausblenden', 'إخفاء النص المقتبس'], 'Message from {name}': ['Nachricht von {name}', 'رسالة من {name}'], 'Star this message': ['Diese Nachricht markieren', 'تمييز هذه الرسالة'], 'Remove star': ['Markierung entfernen', 'إزالة النجمة'],
  'Reply to this message': ['Auf diese Nachricht antworten', 'الرد على هذه الرسالة'], 'Message options': ['Nachrichtenoptionen', 'خيارات الرسالة'], 'Double click to rename': ['Doppelklick zum Umbenennen', 'انقر مرتين لإعادة التسمية'], 'Double click to edit': ['Doppelklick zum Bearbeiten', 'انقر مرتين للتحرير'],
  'Star conversation': ['Unterhaltung markieren', 'تمييز المحادثة'], 'Conversation starred': ['Unterhaltung markiert', 'تم تمييز المحادثة'], 'Write to {name}': ['{name} schreiben', 'الكتابة إلى {name}'], 'No files in this conversation.': ['Keine Dateien in dieser Unterhaltung.', 'لا ملفات في هذه المحادثة.'],
  'Begun': ['Begonnen', 'بدأت'], 'At a glance': ['Auf einen Blick', 'لمحة سريعة'], 'Remind me if nobody answers': ['Erinnern, wenn niemand antwortet', 'ذكّرني إن لم يُجب أحد'], 'Reminder': ['Erinnerung', 'تذكير'], 'Remind me': ['Erinnern', 'التذكير'],
  'After two days': ['Nach zwei Tagen', 'بعد يومين'], 'After one week': ['Nach einer Woche', 'بعد أسبوع'], 'Reminder set: {name}': ['Erinnerung gesetzt: {name}', 'تم ضبط التذكير: {name}'], 'Reminder removed': ['Erinnerung entfernt', 'أزيل التذكير'],
  'Delete this message': ['Diese Nachricht löschen', 'حذف هذه الرسالة'], 'Message deleted': ['Nachricht gelöscht', 'حُذفت الرسالة'], 'Renamed for you only': ['Nur für dich umbenannt', 'تغيّر الاسم لديك فقط'],
  // Writing
  'New message': ['Neue Nachricht', 'رسالة جديدة'], 'Close and keep the draft': ['Schließen und Entwurf behalten', 'إغلاق مع إبقاء المسودة'], 'You left this draft this morning. It is just as you left it.': ['Dieser Entwurf ist von heute Morgen und unverändert.', 'تركتِ هذه المسودة صباح اليوم، وهي كما تركتِها.'],
  'Start blank': ['Leer beginnen', 'بدء رسالة فارغة'], 'Started a blank message': ['Leere Nachricht begonnen', 'بدأت رسالة فارغة'], 'Hide this hint': ['Hinweis ausblenden', 'إخفاء هذه الملاحظة'], 'Subject': ['Betreff', 'الموضوع'], 'What is it about?': ['Worum geht es?', 'ما الموضوع؟'],
  'Formatting': ['Formatierung', 'التنسيق'], 'Bold': ['Fett', 'غامق'], 'Italic': ['Kursiv', 'مائل'], 'Underline': ['Unterstrichen', 'مسطر'], 'Bulleted list': ['Aufzählung', 'قائمة نقطية'], 'Numbered list': ['Nummerierte Liste', 'قائمة مرقمة'], 'Quote': ['Zitat', 'اقتباس'],
  'Insert link': ['Link einfügen', 'إدراج رابط'], 'Clear formatting': ['Formatierung entfernen', 'مسح التنسيق'], 'Undo typing': ['Eingabe rückgängig', 'التراجع عن الكتابة'], 'Redo typing': ['Eingabe wiederholen', 'إعادة الكتابة'], 'Attach file': ['Datei anhängen', 'إرفاق ملف'],
  'Send': ['Senden', 'إرسال'], 'Save draft': ['Entwurf speichern', 'حفظ المسودة'], 'Draft saved': ['Entwurf gespeichert', 'حُفظت المسودة'], 'Not saved yet': ['Noch nicht gespeichert', 'لم تُحفظ بعد'], 'Discard draft': ['Entwurf verwerfen', 'تجاهل المسودة'], 'Schedule': ['Planen', 'جدولة'],
  'Send options': ['Sendeoptionen', 'خيارات الإرسال'], 'Send later': ['Später senden', 'إرسال لاحقًا'], 'Time of sending': ['Sendezeit', 'وقت الإرسال'], 'Time': ['Uhrzeit', 'الوقت'], 'Ask for a read receipt': ['Lesebestätigung anfordern', 'طلب إشعار بالقراءة'],
  'Time to undo': ['Zeit zum Widerrufen', 'مهلة التراجع'], '{n} seconds': ['{n} Sekunden', '{n} ثانية'], 'Signature': ['Signatur', 'التوقيع'], 'Signature: {name}': ['Signatur: {name}', 'التوقيع: {name}'], 'Short': ['Kurz', 'قصير'], 'With address': ['Mit Anschrift', 'مع العنوان'], 'None': ['Keine', 'بدون'],
  'Ready phrases': ['Textbausteine', 'عبارات جاهزة'], 'Thank you for the quick answer.': ['Danke für die schnelle Antwort.', 'شكرًا على الرد السريع.'], 'Could we talk about it on Friday?': ['Können wir am Freitag darüber sprechen?', 'هل يمكننا الحديث عن ذلك يوم الجمعة؟'],
  'Please find the files attached.': ['Die Dateien sind angehängt.', 'تجدون الملفات مرفقة.'], 'Phrase added at the end': ['Baustein am Ende eingefügt', 'أضيفت العبارة في النهاية'], 'Name or address': ['Name oder Adresse', 'اسم أو عنوان'], 'Cc': ['Kopie', 'نسخة'], 'Bcc': ['Blindkopie', 'نسخة مخفية'],
  'Add Cc line': ['Kopie-Zeile hinzufügen', 'إضافة سطر النسخة'], 'Add Bcc line': ['Blindkopie-Zeile hinzufügen', 'إضافة سطر النسخة المخفية'], 'Remove Cc line': ['Kopie-Zeile entfernen', 'إزالة سطر النسخة'], 'Remove Bcc line': ['Blindkopie-Zeile entfernen', 'إزالة سطر النسخة المخفية'],
  'This address looks incomplete': ['Diese Adresse wirkt unvollständig', 'يبدو هذا العنوان ناقصًا'], 'Suggestions': ['Vorschläge', 'اقتراحات'], 'Add at least one recipient.': ['Mindestens einen Empfänger angeben.', 'أضيفي مستلمًا واحدًا على الأقل.'], 'Check the addresses marked in red.': ['Rot markierte Adressen prüfen.', 'تحققي من العناوين المعلّمة بالأحمر.'],
  'Send without a subject?': ['Ohne Betreff senden?', 'إرسال بلا موضوع؟'], 'Mail without a subject is easily overlooked.': ['E-Mails ohne Betreff werden leicht übersehen.', 'الرسالة بلا موضوع قد لا يُنتبه إليها.'], 'Add a subject': ['Betreff ergänzen', 'إضافة موضوع'], 'Send anyway': ['Trotzdem senden', 'إرسال على أي حال'],
  'Message sent': ['Nachricht gesendet', 'تم إرسال الرسالة'], 'Message scheduled': ['Nachricht geplant', 'تمت جدولة الرسالة'], 'Recipients: {n}': ['Empfänger: {n}', 'المستلمون: {n}'], 'Web address': ['Webadresse', 'عنوان الويب'], 'Insert': ['Einfügen', 'إدراج'],
  'This is not a full web address.': ['Das ist keine vollständige Webadresse.', 'هذا ليس عنوان ويب كاملًا.'], 'Attachment removed': ['Anhang entfernt', 'أزيل المرفق'], '{name} attached': ['{name} angehängt', 'أُرفق {name}'], 'Recent files': ['Zuletzt benutzte Dateien', 'الملفات الأخيرة'],
  'Discard this draft?': ['Diesen Entwurf verwerfen?', 'تجاهل هذه المسودة؟'], 'Text, recipients and attachments are removed.': ['Text, Empfänger und Anhänge werden entfernt.', 'سيُزال النص والمستلمون والمرفقات.'], 'Keep editing': ['Weiter bearbeiten', 'متابعة التحرير'], 'Draft discarded': ['Entwurf verworfen', 'تم تجاهل المسودة'],
  'Edit address': ['Adresse bearbeiten', 'تحرير العنوان'], 'Move to {name}': ['Verschieben: {name}', 'نقل إلى {name}'], 'Remove': ['Entfernen', 'إزالة'], 'Recipient': ['Empfänger', 'مستلم'], 'You will be told when it is read': ['Du erfährst, wenn sie gelesen wurde', 'سيصلك إشعار عند القراءة'], 'No read receipt': ['Keine Lesebestätigung', 'بلا إشعار قراءة'],
  // Rules
  'New rule': ['Neue Regel', 'قاعدة جديدة'], 'Edit rule': ['Regel bearbeiten', 'تحرير القاعدة'], 'Kind of rule': ['Art der Regel', 'نوع القاعدة'], 'Filters': ['Filter', 'المرشحات'], 'Blocked senders': ['Blockierte Absender', 'المرسلون المحظورون'], 'Away reply': ['Abwesenheitsantwort', 'رد الغياب'],
  'Rules in order': ['Regeln in ihrer Reihenfolge', 'القواعد بالترتيب'], 'Rule details': ['Einzelheiten zur Regel', 'تفاصيل القاعدة'], '{n} of {all} on': ['{n} von {all} aktiv', '{n} من {all} مفعّلة'], 'contains': ['enthält', 'يحتوي على'], 'does not contain': ['enthält nicht', 'لا يحتوي على'],
  'begins with': ['beginnt mit', 'يبدأ بـ'], 'Text': ['Text', 'النص'], 'Set label': ['Etikett setzen', 'تعيين تصنيف'], 'Move to': ['Verschieben', 'نقل إلى'], 'Star it': ['Markieren', 'تمييز بنجمة'], 'and': ['und', 'و'], 'or': ['oder', 'أو'],
  'Move {name}: drag, or use the arrow keys': ['{name} verschieben: ziehen oder Pfeiltasten', 'نقل {name}: بالسحب أو بأسهم لوحة المفاتيح'], 'Rule on: {name}': ['Regel aktiv: {name}', 'القاعدة مفعّلة: {name}'], 'Edit {name}': ['{name} bearbeiten', 'تحرير {name}'], 'Delete {name}': ['{name} löschen', 'حذف {name}'],
  'Matching mail today: {n}': ['Passende E-Mails heute: {n}', 'الرسائل المطابقة اليوم: {n}'], 'Run now': ['Jetzt ausführen', 'تشغيل الآن'], '{name} ran on {n} conversations': ['{name} auf {n} Unterhaltungen angewendet', 'طُبقت {name} على {n} محادثات'], 'This week': ['Diese Woche', 'هذا الأسبوع'],
  'How often each rule has acted on your mail.': ['Wie oft jede Regel gewirkt hat.', 'عدد مرات عمل كل قاعدة على بريدك.'], 'Good to know': ['Gut zu wissen', 'من المفيد معرفته'],
  'Rules run from top to bottom. Drag a rule to change the order, double click its name to rename it.': ['Regeln laufen von oben nach unten. Ziehen ändert die Reihenfolge, ein Doppelklick auf den Namen benennt um.', 'تعمل القواعد من الأعلى إلى الأسفل. اسحب قاعدة لتغيير الترتيب، وانقر اسمها مرتين لتغييره.'],
  'Field': ['Feld', 'الحقل'], 'Comparison': ['Vergleich', 'المقارنة'], 'Value': ['Wert', 'القيمة'], 'Word or address': ['Wort oder Adresse', 'كلمة أو عنوان'], 'Action': ['Aktion', 'إجراء'], 'Target': ['Ziel', 'الهدف'], 'Remove condition': ['Bedingung entfernen', 'إزالة الشرط'], 'Remove action': ['Aktion entfernen', 'إزالة الإجراء'],
  'Close editor': ['Bearbeitung schließen', 'إغلاق المحرر'], 'Name': ['Name', 'الاسم'], 'Applies when': ['Gilt, wenn', 'تُطبق عندما'], 'All conditions are met': ['alle Bedingungen zutreffen', 'تتحقق كل الشروط'], 'Any condition is met': ['eine Bedingung zutrifft', 'يتحقق أي شرط'],
  'Conditions': ['Bedingungen', 'الشروط'], 'Actions': ['Aktionen', 'الإجراءات'], 'Add condition': ['Bedingung hinzufügen', 'إضافة شرط'], 'Add action': ['Aktion hinzufügen', 'إضافة إجراء'], 'Try on my mail': ['An meinen E-Mails testen', 'تجربة على بريدي'], 'Save rule': ['Regel speichern', 'حفظ القاعدة'],
  'Give the rule a name.': ['Die Regel braucht einen Namen.', 'القاعدة تحتاج إلى اسم.'], 'Fill in every condition.': ['Alle Bedingungen ausfüllen.', 'يجب ملء كل الشروط.'], 'Rule {name} saved': ['Regel {name} gespeichert', 'حُفظت القاعدة {name}'], 'Rule {name} deleted': ['Regel {name} gelöscht', 'حُذفت القاعدة {name}'],
  'Rule renamed to {name}': ['Regel heißt jetzt {name}', 'تغيّر اسم القاعدة إلى {name}'], '{name} now runs as number {n}': ['{name} läuft jetzt an Stelle {n}', 'تعمل {name} الآن بالترتيب {n}'], 'Move to the top': ['Ganz nach oben', 'نقل إلى الأعلى'], 'Move to the end': ['Ans Ende', 'نقل إلى النهاية'],
  'Duplicate': ['Duplizieren', 'تكرار'], '{name} duplicated': ['{name} dupliziert', 'تم تكرار {name}'], '{name} (copy)': ['{name} (Kopie)', '{name} (نسخة)'], 'Delete rule': ['Regel löschen', 'حذف القاعدة'], 'Mail from these addresses goes straight to Trash.': ['E-Mails dieser Adressen landen direkt im Papierkorb.', 'بريد هذه العناوين يذهب مباشرة إلى المهملات.'],
  'Address to block': ['Zu blockierende Adresse', 'العنوان المراد حظره'], 'Block address': ['Adresse blockieren', 'حظر العنوان'], 'Unblock {name}': ['{name} freigeben', 'إلغاء حظر {name}'], '{name} may write to you again': ['{name} darf wieder schreiben', 'يمكن لـ {name} مراسلتك من جديد'], '{name} blocked': ['{name} blockiert', 'تم حظر {name}'],
  'Enter a full address, such as name@company.example.': ['Vollständige Adresse angeben, etwa name@company.example.', 'أدخل عنوانًا كاملًا مثل name@company.example.'], 'This address is blocked already.': ['Diese Adresse ist bereits blockiert.', 'هذا العنوان محظور بالفعل.'],
  'Reply for me while I am away': ['Während meiner Abwesenheit antworten', 'الرد عني أثناء غيابي'], 'First day': ['Erster Tag', 'أول يوم'], 'Last day': ['Letzter Tag', 'آخر يوم'], 'Only reply to my contacts': ['Nur meinen Kontakten antworten', 'الرد على جهات اتصالي فقط'],
  'Save away reply': ['Abwesenheitsantwort speichern', 'حفظ رد الغياب'], 'Away reply saved': ['Abwesenheitsantwort gespeichert', 'حُفظ رد الغياب'], 'The last day is before the first day.': ['Der letzte Tag liegt vor dem ersten.', 'آخر يوم يسبق أول يوم.'],
};

/* ---------- Invented people and mail ---------- */

const person = (name, mail, role, hue) => ({ name, mail, role, hue });
const PEOPLE = {
  nora: person('Nora Reiss', 'nora@northquay.example', 'Architect, Northquay Studio', 245),
  mira: person('Mira Oduya', 'mira@northquay.example', 'Project lead, Northquay Studio', 280),
  jonas: person('Jonas Felder', 'jonas@northquay.example', 'Structural engineer, Northquay Studio', 200),
  salma: person('Salma Haddad', 'salma@citylibrary.example', 'City library board', 340),
  priya: person('Priya Raman', 'priya@lumenworks.example', 'Lighting designer, Lumenworks', 30),
  tomas: person('Tomás Vidal', 'tomas@vidaljoinery.example', 'Master joiner', 150),
  lena: person('Lena Brandt', 'lena@bauamt-hafen.example', 'Bauamt, Referat Hafen', 100),
  ines: person('Inês Carvalho', 'ines@northquay.example', 'Studio manager, Northquay Studio', 320),
  kestrow: person('Kestrow Rail', 'tickets@kestrowrail.example', 'Train tickets', 215),
  fennick: person('Fennick Bank', 'service@fennickbank.example', 'Business account', 180),
  gazette: person('The Slow Gazette', 'hello@slowgazette.example', 'Sunday newsletter', 15),
  yusuf: person('يوسف منصور', 'yusuf@dar-almina.example', 'Publisher, Dar Almina', 60),
  anton: person('Anton Reiss', 'anton@reissfamily.example', 'Dad', 120),
  otto: person('Otto Lindqvist', 'otto@pierhouse.example', 'Neighbour, Pier House', 255),
};

const FOLDERS = [['inbox', 'Inbox', 'inbox'], ['starred', 'Starred', 'star'], ['snoozed', 'Snoozed', 'clock'], ['drafts', 'Drafts', 'draft'],
  ['sent', 'Sent', 'send'], ['archive', 'Archive', 'archive'], ['trash', 'Trash', 'trash']].map(([id, name, icon, pinned = false]) => ({ id, name, icon, pinned }));
const LABELS = [{ id: 'harbour', name: 'Harbour library', hue: 262 }, { id: 'travel', name: t('Travel'), hue: 170 }, { id: 'invoices', name: t('Invoices'), hue: 35 }];

/** One line of text per paragraph; flags: * starred, ! unread. */
const say = (from, time, text, files = []) => ({ from, date: time, text: text.split('\n'), files });
const mail = (id, folder, subject, labels, flags, thread, to) => ({ id, folder, subject, labels, star: flags.includes('*'), unread: flags.includes('!'), thread, to });

const MAIL = [
  mail('m1', 'inbox', 'Harbour library: façade review before Friday', ['harbour'], '*', [
    say('mira', '2026-05-11T09:05', 'Hello all,\nthe board would like to see the façade once more before they decide. Can we agree on the timber fins this week?'),
    say('jonas', '2026-05-11T14:32', 'The fins are fine structurally up to 900 mm spacing. Beyond that we need a second rail.\nSketch attached.', [['Fin-sketch.pdf', 'plan', '640 KB']]),
    say('salma', '2026-05-12T08:47', 'Thank you, both. The board asks mostly about two things: how the terrace deals with wind, and where people return books when it rains.'),
    say('nora', '2026-05-13T17:20', 'I have moved the book return to the quay side, under the overhang. The terrace gets a low screen and grows by 1.2 m.'),
    say('mira', '2026-05-14T09:12', 'Hi Nora,\nthis works well. I have walked the quay with the new plan in hand and the ramp finally makes sense: you arrive, you see the reading room, and the book return is exactly where the rain stops.\nTwo small wishes before the review on Friday. Could the fins start at the door head rather than at the floor, so that pushchairs do not bump into them? And could we show the evening view first? Salma told me that two members of the board only ever visit after work.\nJonas has checked the spacing, see his note on sheet 4. If you send me the set by Thursday evening, I will print it large.\nThank you for the good work,\nMira', [['Facade-sheet-4.pdf', 'plan', '2.1 MB'], ['Evening-view.jpg', 'photo', '1.8 MB']]),
  ]),
  mail('m2', 'inbox', 'Your tickets to Lindhaven, 21 May', ['travel'], '!', [say('kestrow', '2026-05-14T08:40', 'Good morning Nora,\nyour journey is booked: Thursday 21 May, 07:18 from Harbour Central, seat 42 by the window in coach 5. The ticket is attached.\nYou can change the train free of charge until the evening before.', [['Ticket-21-May.pdf', 'doc', '120 KB']])]),
  mail('m3', 'inbox', 'Light for the reading room', ['harbour'], '!', [say('nora', '2026-05-12T10:02', 'Hello Priya, could you look at the reading room after dark? The board meets there in the evening.'), say('priya', '2026-05-14T08:05', 'Hello Nora,\nI have run the evening scene with warm light at table height only. It is calm and uses a third less energy than the first proposal. The numbers are in the chart.\nShall I bring two sample lamps on Friday?', [['Evening-scene.pdf', 'chart', '480 KB']])]),
  mail('m4', 'inbox', 'Invoice 2026-117: oak samples', ['invoices'], '', [say('tomas', '2026-05-13T16:51', 'Dear Nora,\nhere is the invoice for the three oak samples. Take the oiled one outside on a sunny day, it changes a lot.\nBest wishes from the workshop, Tomás', [['Invoice-2026-117.pdf', 'doc', '88 KB']])]),
  mail('m5', 'inbox', 'Rückfrage zum Bauantrag Hafenbibliothek', ['harbour'], '!', [say('lena', '2026-05-13T11:15', 'Guten Tag Frau Reiss,\nzum Brandschutz im Erdgeschoss fehlt uns noch die zweite Fluchtweglänge. Können Sie die Zahl bis Dienstag nachreichen?\nMit freundlichen Grüßen\nLena Brandt')]),
  mail('m6', 'inbox', 'دعوة إلى معرض الكتاب في الميناء', [], '', [say('yusuf', '2026-05-13T09:30', 'عزيزتي نورا،\nيسعدنا أن ندعوك إلى معرض الكتاب الصغير على رصيف الميناء في السادس من يونيو. سنعرض هناك نماذج المكتبة الجديدة أيضًا.\nمع أطيب التحيات، يوسف')]),
  mail('m7', 'inbox', 'Sunday lunch and the old slide projector', [], '*', [say('anton', '2026-05-12T19:44', 'Dear Nora,\nI found the slide projector in the cellar and it still works! Come for lunch on Sunday and we will look at the pictures of the lighthouse summer.\nI make the potato thing you like. Dad')]),
  mail('m8', 'inbox', 'Studio week: who is where', [], '', [say('ines', '2026-05-12T08:00', 'Morning everyone,\nplease enter your travel days until noon. The large table is taken on Friday for the façade review, the model room is free all week.')]),
  mail('m9', 'inbox', 'Statement for April is ready', ['invoices'], '', [say('fennick', '2026-05-11T06:30', 'Your statement for April is ready in your mailbox at the bank. There is nothing you need to do.', [['Statement-April.pdf', 'chart', '210 KB']])]),
  mail('m10', 'inbox', 'Issue 88: the bench that everybody loves', [], '!', [say('gazette', '2026-05-10T07:00', 'This Sunday we sit down. Four towns, four benches, and one question: why do we choose the same seat again and again?\nAlso inside: a recipe for green soup and a walk along a canal that is not there any more.')]),
  mail('m11', 'inbox', 'Parcel for you at Pier House', [], '', [say('otto', '2026-05-09T18:21', 'Hello neighbour,\na flat parcel has come for you and I have put it behind my piano. Ring whenever you like, I am in after six.')]),
  mail('m12', 'inbox', 'Site visit: photo set of the east quay', ['harbour'], '', [say('jonas', '2026-05-09T13:08', 'Photos from this morning. The third photo shows the crack we talked about; it is only in the render.', [['East-quay-3.jpg', 'photo', '3.2 MB']])]),
  mail('m13', 'inbox', 'Model room: new cutting mats', [], '', [say('ines', '2026-05-08T12:00', 'The new cutting mats have arrived. Please throw away the old ones only if there is truly nothing left to cut on.')]),
  mail('m14', 'inbox', 'Thank you for the talk', [], '', [say('salma', '2026-05-08T09:26', 'Dear Nora,\nthe children still speak about your paper towers. We would be glad to have you again in autumn.')]),
  mail('m15', 'inbox', 'Timetable change on the coast line', ['travel'], '', [say('kestrow', '2026-05-07T15:45', 'From 1 June the coast line leaves four minutes earlier at all stops. Your saved journeys are already up to date.')]),
  mail('m16', 'inbox', 'Invoice 2026-109: door handles', ['invoices'], '', [say('tomas', '2026-05-06T10:10', 'Two brass handles as agreed. I kept the drawing in case you want more of them.', [['Invoice-2026-109.pdf', 'doc', '84 KB']])]),
  mail('m17', 'inbox', 'Lamp samples: which two shall I bring?', [], '', [say('priya', '2026-05-05T16:30', 'I have five in the studio and can carry two. My favourites are the paper one and the small one in brass.')]),
  mail('m18', 'inbox', 'Issue 87: in praise of the stairwell', [], '', [say('gazette', '2026-05-03T07:00', 'A stairwell is a street that has been folded. Three architects show us theirs.')]),
  mail('m19', 'inbox', 'Neighbours’ evening on the roof', [], '', [say('otto', '2026-05-02T20:02', 'On the 30th we grill on the roof again. Bring a chair, I bring the rest.')]),
  mail('m20', 'inbox', 'The blue bicycle', [], '', [say('anton', '2026-05-01T11:11', 'I have oiled it and pumped it up. It is yours whenever you come by.')]),
  mail('d1', 'drafts', 'Harbour library: drawings for the Friday review', ['harbour'], '', [say('nora', '2026-05-14T07:55', 'Hello Mira, hello Jonas, here are the drawings for Friday. Three things have changed since the last round.')], 'mira'),
  mail('d2', 'drafts', 'Autumn talk for children', [], '', [say('nora', '2026-05-10T21:15', 'Dear Salma, I would love to come again. What about bridges this time?')], 'salma'),
  mail('s1', 'sent', 'Re: Invoice 2026-109', ['invoices'], '', [say('nora', '2026-05-06T12:00', 'Thank you, Tomás. Paid today. Please keep the drawing.')], 'tomas'),
  mail('s2', 'sent', 'Questions about the evening scene', ['harbour'], '', [say('nora', '2026-05-04T09:40', 'Hello Priya, how bright is the table light when only two people are in the room?')], 'priya'),
  mail('a1', 'archive', 'Minutes of the board meeting in April', ['harbour'], '', [say('salma', '2026-04-22T10:00', 'Here are the minutes. The budget for the terrace has been agreed.', [['Minutes-April.pdf', 'doc', '140 KB']])]),
  mail('a2', 'archive', 'Hotel in Lindhaven', ['travel'], '', [say('ines', '2026-04-18T15:20', 'Booked for one night, breakfast included, five minutes from the station.')]),
  mail('z1', 'snoozed', 'Renew the studio insurance', [], '', [say('fennick', '2026-04-28T08:00', 'Your studio insurance ends on 30 June. You can renew it online in a few minutes.')]),
  mail('t1', 'trash', 'Spring sale: everything must go', [], '', [say('gazette', '2026-05-04T06:00', 'Tote bags at half the price, only this week.')]),
  mail('t2', 'trash', 'Lost umbrella in coach 3', [], '', [say('kestrow', '2026-04-29T17:30', 'We have not found your umbrella. We are sorry.')]),
];
const NEW_MAIL = [mail('n1', 'inbox', 'Printer is free from four o’clock', [], '!', [say('ines', '2026-05-14T10:20', 'The large printer is yours from four. I have put in the heavy paper for the façade sheets.')])];

function t(text, values = {}) {
  const column = ['de', 'ar'].indexOf(LANG);
  const found = (column >= 0 && WORDS[text] && WORDS[text][column]) || text;
  return found.replace(/\{(\w+)\}/g, (_, key) => (LANG === 'ar' ? `\u2068${values[key]}\u2069` : values[key]));
}

/* ---------- Drawing ---------- */

const ICONS = {
  menu: 'M4 7h16M4 12h16M4 17h10', search: 'M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5', x: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  star: 'M12 3.8l2.5 5.3 5.7.7-4.2 4 1.1 5.8L12 16.8l-5.1 2.8L8 13.8l-4.2-4 5.7-.7z', archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 13h4',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10.3 11v5M13.7 11v5', clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.4l3 1.8',
  mail: 'M4 6h16v12H4zM4 7l8 6.5L20 7', opened: 'M4 10l8-5.5 8 5.5v9H4zM4 10.5l8 5 8-5', more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  up: 'M12 19V5M6 11l6-6 6 6', down: 'M12 5v14M6 13l6 6 6-6', chev: 'M6 9.5l6 6 6-6', back: 'M19 12H5M11 6l-6 6 6 6', next: 'M5 12h14M13 6l6 6-6 6',
  reply: 'M10 6l-6 6 6 6M4.5 12H14a6 6 0 0 1 6 6', replyAll: 'M7 7l-5 5 5 5M13 7l-5 5 5 5M8.5 12H15a6 6 0 0 1 6 6', forward: 'M14 6l6 6-6 6M19.5 12H10a6 6 0 0 0-6 6',
  plus: 'M12 5v14M5 12h14', minus: 'M5 12h14', tag: 'M4 4h8l8.5 8.5-8 8L4 12zM8.5 8.5h.01', inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  send: 'M4 11.5L20 4l-6 16-3.2-6.6zM10.8 13.4L20 4', draft: 'M6 3.5h8l4 4v13H6zM13.5 3.5V8H18M9 12h6M9 16h4',
  clip: 'M18.5 11.5l-7 7a4.2 4.2 0 0 1-6-6l8-8a2.9 2.9 0 0 1 4.1 4.1l-7.8 7.8a1.4 1.4 0 0 1-2-2l6.7-6.7', pencil: 'M4.5 19.5l1-4.5L16 4.5 19.5 8 9 18.5zM13.5 7l3.5 3.5',
  copy: 'M8.5 8.5h11v11h-11zM5.5 15.5h-1v-11h11v1', grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01', check: 'M5 12.5l4.5 4.5L19 7.5',
  refresh: 'M19.5 5v5H15M4.5 19v-5H9M6 9.5a6.6 6.6 0 0 1 12.8.5M18 14.5A6.6 6.6 0 0 1 5.2 14', help: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM9.8 10a2.3 2.3 0 1 1 3.5 1.9c-.9.5-1.3 1-1.3 1.9M12 16.4h.01',
  wide: 'M13.5 4.5h6v6M19 5l-6.5 6.5M10.5 19.5h-6v-6M5 19l6.5-6.5', bold: 'M7.5 5h5.2a3.4 3.4 0 0 1 0 6.8H7.5zM7.5 11.8h6a3.6 3.6 0 0 1 0 7.2h-6z', italic: 'M10 5h7M7 19h7M14 5l-4 14',
  underline: 'M7 4.5V11a5 5 0 0 0 10 0V4.5M6 19.5h12', ul: 'M9.5 6.5H20M9.5 12H20M9.5 17.5H20M4.8 6.5h.01M4.8 12h.01M4.8 17.5h.01', ol: 'M10 6.5h10M10 12h10M10 17.5h10M4 5.2L5.5 4v5M4 14.8c2.4-1.6 3.2.4 1.9 1.7L4 18.6h2.7',
  quote: 'M5 6v12M9.5 8H20M9.5 12H20M9.5 16H16', link: 'M10 14a3.8 3.8 0 0 0 5.4 0l3.4-3.4a3.8 3.8 0 0 0-5.4-5.4L12 6.6M14 10a3.8 3.8 0 0 0-5.4 0l-3.4 3.4a3.8 3.8 0 0 0 5.4 5.4l1.4-1.4',
  plain: 'M6 6V4.5h12V6M12 4.5L10.5 13M8 19h4M15 15l5 5M20 15l-5 5', undo: 'M8.5 5L4 9.5 8.5 14M4.5 9.5H14a5 5 0 0 1 0 10h-4', redo: 'M15.5 5L20 9.5 15.5 14M19.5 9.5H10a5 5 0 0 0 0 10h4',
  rules: 'M4 5.5h16l-6 7V19l-4-2v-4.5z', save: 'M12 4v11M7 10.5l5 5 5-5M5 20h14', bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1H5zM10.5 20.2h3',
};
const MIRRORED = new Set(['back', 'next', 'reply', 'replyAll', 'forward', 'send', 'undo', 'redo', 'ul', 'ol', 'quote']);

function icon(name, extra = '') {
  const thick = ['more', 'grip'].includes(name) ? ' style="stroke-width:3"' : '';
  return `<svg class="icon ${MIRRORED.has(name) ? 'flip' : ''} ${extra}" viewBox="0 0 24 24" aria-hidden="true"${thick}><path d="${ICONS[name]}"/></svg>`;
}

const LOGO = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#5753c6"/>
  <path d="M6 12c5 0 7 2 10 6 2-5 5-8 10-9-1 9-5 14-11 14-5 0-8-4-9-11z" fill="#fff"/><path d="M6 12l10 6 10-9" fill="none" stroke="#5753c6" stroke-width="1.6"/></svg>`;

const PICTURES = {
  plan: '<rect width="120" height="90" fill="#eef0fb"/><path d="M14 72V24h56v20h36v28zM70 44v28M14 50h30v22M44 24v14" fill="none" stroke="#5753c6" stroke-width="3"/><path d="M20 82h80" stroke="#b9b7e8" stroke-width="2"/>',
  chart: '<rect width="120" height="90" fill="#f3effa"/><path d="M20 74V52h14v22zM44 74V36h14v38zM68 74V44h14v30zM92 74V22h14v52z" fill="#7a76d6"/><path d="M12 74h98" stroke="#3f3ba3" stroke-width="2"/>',
  photo: '<rect width="120" height="90" fill="#cfe0f5"/><circle cx="92" cy="22" r="10" fill="#fff3cf"/><path d="M0 66l34-28 24 20 22-14 40 26v20H0z" fill="#6d78b8"/><path d="M0 76h120v14H0z" fill="#45508f"/>',
  doc: '<rect width="120" height="90" fill="#e9e9f4"/><rect x="34" y="10" width="52" height="70" rx="3" fill="#fff"/><path d="M42 24h28M42 34h36M42 42h36M42 50h36M42 58h20" stroke="#9a99b8" stroke-width="3"/>',
};
const picture = kind => `<svg class="pic" viewBox="0 0 120 90" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${PICTURES[kind]}</svg>`;

/* ---------- Small helpers ---------- */

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const esc = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const el = html => Object.assign(document.createElement('template'), { innerHTML: html.trim() }).content.firstChild;
const number = n => new Intl.NumberFormat(LOCALE).format(n);
const quoted = text => ({ de: `„${text}“`, ar: `«${text}»`, en: `“${text}”` })[LANG];
const isPhone = () => innerWidth < 860;
const VALID_ADDRESS = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;

function date(iso, long) {
  const today = iso.startsWith(TODAY);
  const shape = long ? { weekday: 'short', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' }
    : today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(LOCALE, { ...shape, timeZone: 'UTC' }).format(new Date(iso + ':00Z'));
}

function iconButton(name, label, action, extra = '', kind = '') {
  return `<button type="button" class="ib ${kind}" data-do="${action}" aria-label="${esc(label)}" ${extra}>${icon(name)}</button>`;
}

function avatar(id, card = true) {
  const person = PEOPLE[id];
  const initials = person.name.split(' ').map(w => w[0]).slice(0, 2).join('');
  return `<span class="avatar" style="--h:${person.hue}" aria-hidden="true" ${card ? `data-card="${id}"` : ''}>${initials}</span>`;
}

/** Translates the static markup and draws its icons. */
function hydrate(root) {
  $$('[data-t]', root).forEach(node => { node.textContent = t(node.textContent.trim()); });
  for (const name of ['aria-label', 'placeholder']) {
    $$(`[${name}]`, root).forEach(node => node.setAttribute(name, t(node.getAttribute(name))));
  }
  $$('i[data-i]', root).forEach(node => { node.innerHTML = icon(node.dataset.i); });
}

/** Every click on [data-do] runs the action of that name; pages add their own. */
const ACTIONS = {};
document.addEventListener('click', event => {
  const button = event.target.closest('[data-do]');
  if (!button || !ACTIONS[button.dataset.do]) return;
  const home = button.closest('[data-id], [data-at]');
  ACTIONS[button.dataset.do](button, event);
  if (home && !button.isConnected && document.activeElement === document.body) refocus(home, button.dataset.do);
});

/** After a redraw the focus goes to the button that took the place of the one pressed. */
function refocus(home, action) {
  const key = home.dataset.id ? `[data-id="${home.dataset.id}"]` : `[data-at="${home.dataset.at}"]`;
  const twin = $(`${key} [data-do="${action}"]`);
  if (twin) twin.focus({ preventScroll: true });
}

function setButton(button, name, label, pressed) {
  button.setAttribute('aria-label', label);
  if (name) button.querySelector('svg').outerHTML = icon(name);
  if (pressed !== undefined) button.setAttribute('aria-pressed', pressed);
}

function flipSwitch(button) {
  const on = button.getAttribute('aria-checked') !== 'true';
  button.setAttribute('aria-checked', on);
  return on;
}

/* ---------- Toast, menu, dialog, floating hints ---------- */

function toast(text, undo) {
  const node = el(`<div class="toast"><span>${esc(text)}</span>${undo ? `<button class="link" data-do="undoToast">${t('Undo')}</button>` : ''}
    ${iconButton('x', t('Dismiss'), 'dismissToast')}</div>`);
  $('#toasts').replaceChildren(node);
  ACTIONS.dismissToast = () => node.remove();
  ACTIONS.undoToast = () => { node.remove(); undo(); };
}

let openMenu = null;
function setOpen(anchor, on) { if (anchor.matches && anchor.matches('[aria-haspopup=menu]')) anchor.setAttribute('aria-expanded', on); }

function closeMenu() {
  if (!openMenu) return;
  const { node, anchor } = openMenu;
  openMenu = null;
  setOpen(anchor, false);
  if (anchor.focus && node.contains(document.activeElement)) anchor.focus();
  node.remove();
}

/** anchor: a button, or {x, y} for a context menu. items: {text, icon, run, checked, disabled, danger} or null for a line. */
function showMenu(anchor, items, label) {
  const again = openMenu && openMenu.anchor === anchor;
  closeMenu();
  hideFloat();
  if (again) return;
  const node = el(`<div class="menu" role="menu" aria-label="${esc(label)}"></div>`);
  for (const item of items) {
    if (!item) { node.append(document.createElement('hr')); continue; }
    const role = item.checked === undefined ? 'menuitem' : 'menuitemcheckbox';
    const button = el(`<button role="${role}" tabindex="-1" class="${item.danger ? 'danger' : ''}">${item.icon ? icon(item.icon) : ''}
      <span>${esc(item.text)}</span>${item.checked ? icon('check') : ''}</button>`);
    if (item.checked !== undefined) button.setAttribute('aria-checked', item.checked);
    button.disabled = !!item.disabled;
    button.addEventListener('click', () => { closeMenu(); item.run(); });
    node.append(button);
  }
  document.body.append(node);
  const box = anchor.getBoundingClientRect ? anchor.getBoundingClientRect() : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y };
  const wantLeft = (box.left > innerWidth / 2) ? box.right - node.offsetWidth : box.left;
  const wantTop = box.bottom + 4 + node.offsetHeight > innerHeight ? box.top - node.offsetHeight - 4 : box.bottom + 4;
  node.style.left = Math.max(8, Math.min(wantLeft, innerWidth - node.offsetWidth - 8)) + 'px';
  node.style.top = Math.max(8, wantTop) + 'px';
  setOpen(anchor, true);
  openMenu = { node, anchor };
  $('button:not(:disabled)', node).focus({ preventScroll: true });
}

function menuKeys(event) {
  if (!openMenu) return;
  const buttons = $$('button:not(:disabled)', openMenu.node);
  const at = buttons.indexOf(document.activeElement);
  if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length].focus();
  else if (event.key === 'ArrowUp') buttons[(at - 1 + buttons.length) % buttons.length].focus();
  else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** actions: [text, run, kind]; a run that returns false keeps the dialog open. */
function showDialog(title, body, actions = [], wide = false) {
  const dialog = el(`<dialog role="dialog" aria-modal="true" aria-labelledby="dialog-title" class="${wide ? 'wide' : ''}">
    <div class="dialog-head"><h2 class="grow" id="dialog-title">${esc(title)}</h2>${iconButton('x', t('Close dialog'), 'closeDialog')}</div>
    <div class="dialog-body">${body}</div><div class="dialog-acts"></div></dialog>`);
  ACTIONS.closeDialog = () => dialog.close();
  for (const [text, run, kind = ''] of actions) {
    const button = el(`<button class="btn ${kind}">${esc(text)}</button>`);
    button.addEventListener('click', () => { if (!run || run(dialog) !== false) dialog.close(); });
    $('.dialog-acts', dialog).append(button);
  }
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function hideFloat() { $$('.float').forEach(node => node.remove()); }

function showFloat(host, node) {
  hideFloat();
  (host.closest('dialog') || document.body).append(node);
  const box = host.getBoundingClientRect();
  const left = box.left + box.width / 2 - node.offsetWidth / 2;
  const top = box.bottom + 8 + node.offsetHeight > innerHeight ? box.top - node.offsetHeight - 8 : box.bottom + 8;
  node.style.left = Math.max(8, Math.min(left, innerWidth - node.offsetWidth - 8)) + 'px';
  node.style.top = top + 'px';
}

function hintFor(target) {
  const card = target.closest('[data-card]');
  if (card) {
    const person = PEOPLE[card.dataset.card];
    return showFloat(card, el(`<div class="float hovercard" role="tooltip">${avatar(card.dataset.card, false)}
      <div><b>${esc(person.name)}</b><span>${esc(person.role)}</span><span class="muted">${esc(person.mail)}</span></div></div>`));
  }
  const host = target.closest('.ib[aria-label], [data-tip]');
  if (host && !openMenu) showFloat(host, el(`<div class="float tip" role="tooltip">${esc(host.dataset.tip || host.getAttribute('aria-label'))}</div>`));
  else hideFloat();
}

/* ---------- Gestures ---------- */

/** The click that ends a drag or a long press must not count as a click. */
function swallowClick() {
  const stop = event => { event.stopPropagation(); event.preventDefault(); };
  addEventListener('click', stop, { capture: true, once: true });
  addEventListener('pointerdown', () => removeEventListener('click', stop, true), { capture: true, once: true });
}

function onDrag(root, selector, { touch = false, start = () => {}, move, end }) {
  root.addEventListener('dragstart', event => event.preventDefault());
  root.addEventListener('pointerdown', event => {
    const item = event.target.closest(selector);
    if (!item || event.button || event.target.closest('input, .chip .ib') || (event.pointerType === 'touch' && !touch)) return;
    let active = false;
    const follow = e => {
      if (!active && Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) < 6) return;
      if (!active) { active = true; hideFloat(); document.body.classList.add('dragging'); start(item, e); }
      move(item, e);
    };
    const stop = e => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', stop);
      removeEventListener('pointercancel', stop);
      if (!active) return;
      document.body.classList.remove('dragging');
      swallowClick();
      end(item, e);
    };
    addEventListener('pointermove', follow);
    addEventListener('pointerup', stop);
    addEventListener('pointercancel', stop);
  });
}

/** Carries a label under the pointer to one of the targets. */
function dragToTarget(root, selector, targets, labelOf, drop) {
  let ghost = null;
  let target = null;
  const mark = node => {
    if (target) target.classList.remove('drop');
    target = node;
    if (target) target.classList.add('drop');
  };
  onDrag(root, selector, {
    start: item => { ghost = el(`<div class="ghost clip">${esc(labelOf(item))}</div>`); document.body.append(ghost); },
    move: (item, e) => {
      ghost.style.cssText = `left:${Math.min(e.clientX + 12, innerWidth - ghost.offsetWidth - 8)}px;top:${e.clientY + 12}px`;
      const under = document.elementFromPoint(e.clientX, e.clientY);
      mark(under && under.closest(targets));
    },
    end: item => { ghost.remove(); const at = target; mark(null); if (at) drop(item, at); },
  });
}

function onHold(root, selector, run) {
  root.addEventListener('pointerdown', event => {
    const item = event.target.closest(selector);
    if (!item || event.button || event.target.closest('input, .acts')) return;
    const names = ['pointermove', 'pointerup', 'pointercancel'];
    const cancel = e => {
      if (e.type === 'pointermove' && Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) < 6) return;
      clearTimeout(timer);
      names.forEach(name => removeEventListener(name, cancel));
    };
    const timer = setTimeout(() => { swallowClick(); run(item); }, 500);
    names.forEach(name => addEventListener(name, cancel));
  });
}

function onContextMenu(root, selector, build) {
  root.addEventListener('contextmenu', event => {
    const item = event.target.closest(selector);
    if (!item || event.target.closest('input')) return;
    event.preventDefault();
    const [items, label] = build(item);
    showMenu({ x: event.clientX, y: event.clientY }, items, label);
  });
}

function editInPlace(node, value, label, save) {
  const input = el(`<input class="field rename" dir="auto" aria-label="${esc(label)}" value="${esc(value)}">`);
  let open = true;
  const finish = keep => {
    if (!open) return;
    open = false;
    const text = input.value.trim();
    input.replaceWith(node);
    if (keep && text && text !== value) save(text);
  };
  input.addEventListener('keydown', event => {
    event.stopPropagation();
    if (event.key === 'Enter' || event.key === 'Escape') { event.preventDefault(); finish(event.key === 'Enter'); }
  });
  input.addEventListener('blur', () => finish(true));
  node.replaceWith(input);
  input.select();
}

function onTabs(run = () => {}) {
  const choose = tab => {
    for (const other of $$('[role=tab]', tab.parentNode)) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', chosen);
      other.tabIndex = chosen ? 0 : -1;
      $('#' + other.getAttribute('aria-controls')).hidden = !chosen && !other.dataset.filter;
    }
    run(tab);
  };
  for (const tab of $$('[role=tab]')) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const tabs = $$('[role=tab]', tab.parentNode);
      const to = tabs[(tabs.indexOf(tab) + (document.dir === 'rtl' ? -step : step) + tabs.length) % tabs.length];
      to.focus();
      choose(to);
    });
  }
}

/* ---------- Shell: top bar and folders ---------- */

const MAIL_BY_ID = id => MAIL.find(m => m.id === id);
const last = m => m.thread[m.thread.length - 1];
const labelOf = id => LABELS.find(l => l.id === id);
const folderName = id => { const found = FOLDERS.find(f => f.id === id); return found ? t(found.name) : ''; };

function renderTop() {
  $('#top').innerHTML = `<a class="skip" href="#main" data-do="skip">${t('Skip to content')}</a>
    <button class="ib" data-do="toggleSide" id="menu" aria-controls="side" aria-expanded="${innerWidth >= 1080}" aria-label="${t('Show or hide folders')}">${icon('menu')}</button>
    <a class="brand" href="index.html" aria-label="Wrenpost">${LOGO}<span class="txt">Wrenpost</span></a>
    <form class="search" role="search" id="search"><i>${icon('search')}</i>
      <input type="search" id="query" autocomplete="off" aria-label="${t('Search mail')}" placeholder="${t('Search mail')}">
      ${iconButton('x', t('Clear search'), 'clearSearch', 'id="clear-search" hidden')}</form>
    <span class="grow"></span>
    ${iconButton('help', t('Keyboard shortcuts'), 'help', 'aria-haspopup="dialog"')}
    <button class="account" data-do="account" data-status="free" aria-haspopup="menu" aria-expanded="false" aria-label="${t('Account of Nora Reiss')}">${avatar('nora', false)}</button>`;
  document.body.append(el('<div class="toasts" id="toasts" role="status" aria-live="polite"></div>'),
    el(`<button class="scrim" data-do="toggleSide" tabindex="-1" aria-label="${t('Close folders')}"></button>`));
}

function folderCount(id) {
  const inside = MAIL.filter(m => m.folder === id);
  return id === 'inbox' ? inside.filter(m => m.unread).length : id === 'drafts' ? inside.length : 0;
}

function renderSide() {
  const folders = [...FOLDERS].sort((a, b) => b.pinned - a.pinned);
  const labelsOpen = !$('#label-list') || !$('#label-list').hidden;
  $('#side').innerHTML = `<a class="btn primary" href="compose.html">${icon('pencil')}<span class="txt">${t('Write')}</span></a>
    <ul>${folders.map(folderItem).join('')}</ul>
    <div class="side-head"><button data-do="toggleLabels" aria-expanded="${labelsOpen}" aria-controls="label-list">${icon('chev', 'chev')}<span class="txt">${t('Labels')}</span></button>
      ${iconButton('plus', t('New label'), 'newLabel', 'aria-haspopup="dialog"')}</div>
    <ul id="label-list" ${labelsOpen ? '' : 'hidden'}>${LABELS.map(labelItem).join('')}</ul>
    <div class="side-item"><a href="rules.html" data-page-link="rules">${icon('rules')}<span class="txt">${t('Rules')}</span></a></div>
    <div class="quota"><progress max="15" value="6.2" aria-label="${t('Storage')}"></progress>${t('{used} of {all} GB used', { used: number(6.2), all: 15 })}</div>`;
  markPlace();
}

function folderItem(folder) {
  const count = folderCount(folder.id);
  const label = folder.pinned ? t('Unpin folder {name}', { name: t(folder.name) }) : t('Pin folder {name}', { name: t(folder.name) });
  return `<li class="side-item" data-folder="${folder.id}"><a href="index.html#${folder.id}">${icon(folder.icon)}<span class="txt grow">${t(folder.name)}</span>
    ${count ? `<span class="count">${number(count)}</span>` : ''}</a>${iconButton('star', label, 'pinFolder', `aria-pressed="${folder.pinned}"`, 'star')}</li>`;
}

function labelItem(label) {
  return `<li class="side-item" data-label="${label.id}"><a href="index.html#label-${label.id}"><span class="swatch" style="--h:${label.hue}"></span>
    <span class="txt grow clip" dir="auto">${esc(label.name)}</span></a>${iconButton('x', t('Delete label {name}', { name: label.name }), 'deleteLabel')}</li>`;
}

/** Marks the current folder or page without redrawing, so that double clicks still arrive. */
function markPlace() {
  const page = document.body.dataset.page;
  const here = page === 'inbox' ? `index.html#${view.folder}` : page === 'rules' ? 'rules.html' : '';
  $$('#side a').forEach(a => a.toggleAttribute('aria-current', false));
  const current = here && $(`#side a[href="${here}"]`);
  if (current) current.setAttribute('aria-current', 'page');
}

let labelsMade = 0;

/** Pages overwrite this to redraw themselves when mail or labels change. */
let redraw = () => {};
const refresh = () => { renderSide(); redraw(); };

function renameLabel(item) {
  const label = labelOf(item.dataset.label);
  editInPlace($('a', item), label.name, t('Label name'), text => { label.name = text; refresh(); toast(t('Label renamed to {name}', { name: text })); });
}

function deleteLabel(id) {
  const at = LABELS.findIndex(l => l.id === id);
  const [label] = LABELS.splice(at, 1);
  const users = MAIL.filter(m => m.labels.includes(id));
  users.forEach(m => { m.labels = m.labels.filter(l => l !== id); });
  refresh();
  toast(t('Label {name} deleted everywhere', { name: label.name }), () => { LABELS.splice(at, 0, label); users.forEach(m => m.labels.push(id)); refresh(); });
}

Object.assign(ACTIONS, {
  skip: (_, event) => { event.preventDefault(); $('#main').focus(); },
  toggleSide: () => {
    const narrow = innerWidth < 1080;
    const changed = document.body.classList.toggle(narrow ? 'drawer' : 'rail');
    $('#menu').setAttribute('aria-expanded', narrow ? changed : !changed);
  },
  toggleLabels: button => { const list = $('#label-list'); list.hidden = !list.hidden; button.setAttribute('aria-expanded', !list.hidden); },
  newLabel: () => {
    showDialog(t('New label'), `<label>${t('Label name')}<input class="field" id="label-name" dir="auto" autofocus></label><p class="error" role="alert"></p>`, [
      [t('Cancel')],
      [t('Create label'), dialog => {
        const name = $('input', dialog).value.trim();
        if (!name) { $('.error', dialog).textContent = t('A label needs a name.'); $('input', dialog).setAttribute('aria-invalid', 'true'); return false; }
        labelsMade += 1;
        LABELS.push({ id: 'own' + labelsMade, name, hue: 320 });
        refresh();
        toast(t('Label {name} created', { name }));
      }, 'primary'],
    ]);
  },
  deleteLabel: button => deleteLabel(button.closest('li').dataset.label),
  pinFolder: button => {
    const folder = FOLDERS.find(f => f.id === button.closest('li').dataset.folder);
    folder.pinned = !folder.pinned;
    renderSide();
    toast(t(folder.pinned ? '{name} pinned to the top' : '{name} no longer pinned', { name: t(folder.name) }));
  },
  help: () => showDialog(t('Keyboard shortcuts'), `<div class="keys">${[['/', 'Search mail'], ['c', 'Write a message'], ['?', 'Keyboard shortcuts'],
    ['j', 'Next message'], ['k', 'Previous message'], ['e', 'Move to Archive'], ['s', 'Star']].map(([key, text]) => `<kbd>${key}</kbd><span>${t(text)}</span>`).join('')}</div>`, [[t('Got it'), null, 'primary']]),
  account: button => {
    const set = (status, text) => ({ text: t(text), checked: button.dataset.status === status, run: () => { button.dataset.status = status; toast(t('Status: {name}', { name: t(text) })); } });
    showMenu(button, [set('free', 'Available'), set('away', 'Away'), set('busy', 'Do not disturb'), null,
      { text: t('Rules'), icon: 'rules', run: () => { location.href = 'rules.html'; } }], t('Account of Nora Reiss'));
  },
  clearSearch: () => { $('#query').value = ''; $('#query').dispatchEvent(new Event('input')); $('#query').focus(); },
});

function onSearch() {
  const input = $('#query');
  const found = text => MAIL.filter(m => m.folder !== 'trash' && searchText(m).includes(text));
  input.addEventListener('input', () => {
    const text = input.value.trim().toLowerCase();
    $('#clear-search').hidden = !input.value;
    if (document.body.dataset.page === 'inbox') { view.query = text; view.limit = 12; redraw(); return; }
    const old = $('#search .suggest');
    if (old) old.remove();
    if (!text) return;
    const hits = found(text).slice(0, 5);
    $('#search').append(el(`<div class="suggest" role="group" aria-label="${t('Search results')}">${hits.map(m => `<a href="message.html#${m.id}">${avatar(last(m).from, false)}
      <span class="grow"><span class="clip" style="display:block" dir="auto">${esc(m.subject)}</span><small>${esc(PEOPLE[last(m).from].name)}</small></span></a>`).join('')
      || `<span class="muted">${t('Nothing found')}</span>`}</div>`));
  });
  $('#search').addEventListener('submit', event => { event.preventDefault(); const first = $('#search .suggest a'); if (first) first.click(); });
}
const searchText = m => [m.subject, PEOPLE[last(m).from].name, ...last(m).text].join(' ').toLowerCase();

function startShell() {
  document.documentElement.lang = LANG;
  document.dir = LANG === 'ar' ? 'rtl' : 'ltr';
  hydrate(document);
  document.title += ' – Wrenpost';
  renderTop();
  renderSide();
  onSearch();
  $('#side').addEventListener('dblclick', event => { const item = event.target.closest('[data-label]'); if (item && !event.target.closest('.ib')) renameLabel(item); });
  onContextMenu($('#side'), '[data-label]', item => [[
    { text: t('Rename'), icon: 'pencil', run: () => renameLabel(item) },
    { text: t('Delete label'), icon: 'trash', danger: true, run: () => deleteLabel(item.dataset.label) },
  ], t('Label')]);
  document.addEventListener('pointerover', event => hintFor(event.target));
  document.addEventListener('focusin', event => { if (event.target.matches(':focus-visible')) hintFor(event.target); });
  document.addEventListener('scroll', hideFloat, true);
  document.addEventListener('pointerdown', event => {
    hideFloat();
    if (openMenu && !openMenu.node.contains(event.target) && !(openMenu.anchor.contains && openMenu.anchor.contains(event.target))) closeMenu();
  });
  document.addEventListener('keydown', menuKeys, true);
  document.addEventListener('keydown', shortcuts);
}

function shortcuts(event) {
  if (event.key === 'Escape') {
    hideFloat();
    if (document.body.classList.contains('drawer')) ACTIONS.toggleSide();
    else if ($('#search .suggest')) ACTIONS.clearSearch();
    else if (ACTIONS.escape) ACTIONS.escape();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog') || event.target.closest('input, textarea, select, [contenteditable]')) return;
  const run = { '/': () => $('#query').focus(), c: () => { location.href = 'compose.html'; }, '?': ACTIONS.help, ...ACTIONS.keys }[event.key];
  if (run) { event.preventDefault(); run(); }
}

/* ---------- Mail actions used on several pages ---------- */

/** A row button acts on its row, or on all picked rows if its row is one of them; the bulk bar on all; the reader on the open mail. */
function targetsOf(node) {
  const row = node.closest && node.closest('.row');
  const picked = [...view.picked];
  if (row && view.picked.has(row.dataset.id)) return picked;
  if (row) return [row.dataset.id];
  return node.closest && node.closest('#bulk') ? picked : [view.open];
}

function change(ids, apply, message) {
  const before = ids.map(id => { const m = MAIL_BY_ID(id); return [m, { folder: m.folder, unread: m.unread, labels: m.labels }]; });
  before.forEach(([m]) => apply(m));
  refresh();
  toast(message, () => { before.forEach(([m, old]) => Object.assign(m, old)); refresh(); });
}

function moveTo(ids, folder) {
  const name = folderName(folder);
  const text = ids.length > 1 ? t('{n} conversations moved to {name}', { n: number(ids.length), name }) : t('“{subject}” moved to {name}', { subject: MAIL_BY_ID(ids[0]).subject, name });
  change(ids, m => { m.folder = folder; view.picked.delete(m.id); }, text);
}

function removeForGood(ids) {
  if (!confirm(t('Delete for good? This cannot be undone.'))) return;
  ids.forEach(id => { MAIL.splice(MAIL.indexOf(MAIL_BY_ID(id)), 1); view.picked.delete(id); });
  if (ids.includes(view.open)) view.open = null;
  refresh();
  toast(t('Deleted for good'));
}

function setStar(m, on) { m.star = on; redraw(); toast(on ? t('Star added') : t('Star removed')); }

function labelMenu(button, ids) {
  const mails = ids.map(MAIL_BY_ID);
  showMenu(button, LABELS.map(label => {
    const has = mails.every(m => m.labels.includes(label.id));
    return { text: label.name, icon: 'tag', checked: has, run: () => change(ids, m => { m.labels = m.labels.filter(l => l !== label.id).concat(has ? [] : label.id); },
      t(has ? 'Label {name} removed' : 'Label {name} added', { name: label.name })) };
  }), t('Set labels'));
}

Object.assign(ACTIONS, {
  archive: button => { const ids = targetsOf(button); moveTo(ids, MAIL_BY_ID(ids[0]).folder === 'inbox' ? 'archive' : 'inbox'); },
  trash: button => { const ids = targetsOf(button); if (MAIL_BY_ID(ids[0]).folder === 'trash') removeForGood(ids); else moveTo(ids, 'trash'); },
  snoozeMenu: button => {
    const ids = targetsOf(button);
    showMenu(button, ['Later today', 'Tomorrow', 'Next week'].map(text => ({ text: t(text), icon: 'clock', run: () => moveTo(ids, 'snoozed') })), t('Snooze until'));
  },
  unread: button => {
    const ids = targetsOf(button);
    const unread = !MAIL_BY_ID(ids[0]).unread;
    change(ids, m => { m.unread = unread; }, unread ? t('Marked as unread') : t('Marked as read'));
  },
  labelMenu: button => labelMenu(button, targetsOf(button)),
  dropLabel: button => change([view.open], m => { m.labels = m.labels.filter(l => l !== button.dataset.label); }, t('Label {name} removed', { name: labelOf(button.dataset.label).name })),
  viewFile: button => viewFile($$('.file', button.closest('.files')).map(f => [f.dataset.name, f.dataset.kind]), $$('.file', button.closest('.files')).indexOf(button.closest('.file'))),
  saveFile: button => { button.disabled = true; toast(t('{name} saved to Downloads', { name: button.closest('.file').dataset.name })); },
  reply: button => openReply(button.closest('.post') ? 'reply' : button.dataset.mode),
});

const archiveFace = m => (m.folder === 'inbox' ? ['archive', t('Move to Archive')] : ['inbox', t('Move to Inbox')]);
const trashLabel = m => (m.folder === 'trash' ? t('Delete for good') : t('Move to Trash'));

function labelChips(m) {
  return m.labels.map(labelOf).filter(Boolean).map(label => `<span class="chip label" style="--h:${label.hue}"><span class="clip" dir="auto">${esc(label.name)}</span>
    ${iconButton('x', t('Remove label {name}', { name: label.name }), 'dropLabel', `data-label="${label.id}"`)}</span>`).join('');
}

function fileCard([name, kind, size], action = 'saveFile') {
  const face = action === 'saveFile' ? ['save', t('Save {name}', { name })] : ['x', t('Remove {name}', { name })];
  return `<li class="file" data-name="${esc(name)}" data-kind="${kind}"><button type="button" data-do="viewFile" aria-haspopup="dialog">${picture(kind)}<span><b class="clip" dir="auto">${esc(name)}</b>
    <small><bdi dir="ltr">${size}</bdi></small></span></button>${iconButton(face[0], face[1], action)}</li>`;
}
const fileList = files => (files.length ? `<ul class="files" aria-label="${t('Attachments')}">${files.map(f => fileCard(f)).join('')}</ul>` : '');

/** Preview dialog: plus and minus zoom, arrows go through the files. */
function viewFile(files, at) {
  let zoom = 1;
  const dialog = showDialog(files[at][0], `<div class="viewer-stage" tabindex="0" role="img" aria-label="${t('Preview')}"></div>
    <div class="tools" role="toolbar" aria-label="${t('Preview tools')}">${iconButton('minus', t('Zoom out'), 'zoomOut')}<output class="muted">100%</output>${iconButton('plus', t('Zoom in'), 'zoomIn')}
    <span class="grow"></span>${iconButton('back', t('Previous file'), 'prevFile')}${iconButton('next', t('Next file'), 'nextFile')}</div>`, [], true);
  const draw = () => {
    $('h2', dialog).textContent = files[at][0];
    $('.viewer-stage', dialog).innerHTML = picture(files[at][1]);
    $('.viewer-stage', dialog).style.setProperty('--zoom', zoom);
    $('output', dialog).textContent = Math.round(zoom * 100) + '%';
    $('[data-do=zoomOut]', dialog).disabled = zoom <= 0.5;
    $('[data-do=zoomIn]', dialog).disabled = zoom >= 3;
    $('[data-do=prevFile]', dialog).disabled = at === 0;
    $('[data-do=nextFile]', dialog).disabled = at === files.length - 1;
  };
  const scale = step => { zoom += step; draw(); };
  const turn = step => { at += step; zoom = 1; draw(); };
  Object.assign(ACTIONS, { zoomIn: () => scale(0.5), zoomOut: () => scale(-0.5), prevFile: () => turn(-1), nextFile: () => turn(1) });
  draw();
}

/** Answer buttons below a mail; each turns the area into a reply form. */
function answerButtons(all = document.body.dataset.page === 'message') {
  const button = (mode, text, kind = '') => `<button class="btn ${kind}" data-do="reply" data-mode="${mode}">${icon(mode)}${t(text)}</button>`;
  return `<div class="answer">${button('reply', 'Reply', 'primary')}${all ? button('replyAll', 'Reply all') : ''}${button('forward', 'Forward')}</div>`;
}

function openReply(mode) {
  const m = MAIL_BY_ID(view.open);
  const people = [...new Set(m.thread.map(p => p.from))].filter(id => id !== 'nora');
  const names = (mode === 'replyAll' ? people : people.slice(-1)).map(id => PEOPLE[id].name).join(', ');
  const head = mode === 'forward' ? `<label class="grow" style="display:flex;gap:8px;align-items:center">${t('Forward to')}<input class="field" type="email" placeholder="name@company.example"></label>`
    : `<b class="grow clip">${esc(t(mode === 'replyAll' ? 'Reply to all: {names}' : 'Reply to {names}', { names }))}</b>`;
  const form = el(`<form class="reply" novalidate aria-label="${t('Your reply')}"><header>${head}${iconButton('x', t('Discard reply'), 'closeReply')}</header>
    <textarea rows="4" dir="auto" aria-label="${t('Reply text')}" placeholder="${t('Write your reply')}"></textarea><footer><button class="btn primary" disabled>${icon('send')}${t(mode === 'forward' ? 'Forward' : 'Send reply')}</button></footer></form>`);
  const ready = () => { $('.primary', form).disabled = mode === 'forward' ? !VALID_ADDRESS.test($('.field', form).value) : !$('textarea', form).value.trim(); };
  form.addEventListener('input', ready);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const text = $('textarea', form).value.trim();
    if (mode === 'forward') { toast(t('Forwarded to {name}', { name: $('.field', form).value })); closeReply(); return; }
    closeReply();
    m.thread.push({ from: 'nora', date: TODAY + 'T10:24', text: text.split('\n'), files: [] });
    redraw();
    toast(t('Reply sent'), () => { m.thread.pop(); redraw(); });
  });
  $('#reply-area').replaceChildren(form);
  $('input, textarea', form).focus();
  form.scrollIntoView({ block: 'nearest' });
}
const closeReply = () => { $('#reply-area').innerHTML = answerButtons(); };
ACTIONS.closeReply = closeReply;

/* ---------- Inbox ---------- */

const view = { folder: 'inbox', filter: 'all', newest: true, query: '', limit: 12, open: null, picked: new Set() };

function inView(m) {
  if (view.query) return m.folder !== 'trash' && searchText(m).includes(view.query);
  if (view.folder.startsWith('label-')) return m.folder !== 'trash' && m.labels.includes(view.folder.slice(6));
  return view.folder === 'starred' ? m.star && m.folder !== 'trash' : m.folder === view.folder;
}

function listed() {
  const tests = { all: () => true, unread: m => m.unread, files: m => m.thread.some(p => p.files.length) };
  const order = view.newest ? -1 : 1;
  return MAIL.filter(m => inView(m) && tests[view.filter](m)).sort((a, b) => order * last(a).date.localeCompare(last(b).date));
}

function rowHtml(m) {
  const post = last(m);
  const name = m.to ? t('To {name}', { name: PEOPLE[m.to].name }) : PEOPLE[post.from].name;
  const [face, faceLabel] = archiveFace(m);
  const marks = m.labels.map(labelOf).filter(Boolean).map(l => `<span class="swatch" style="--h:${l.hue}" title="${esc(l.name)}"></span>`).join('');
  return `<li class="row ${m.unread ? 'unread' : ''} ${view.picked.has(m.id) ? 'picked' : ''} ${view.open === m.id ? 'current' : ''}" data-id="${m.id}">
    <div class="pick"><input type="checkbox" ${view.picked.has(m.id) ? 'checked' : ''} aria-label="${esc(t('Select: {subject}', { subject: m.subject }))}">
      ${iconButton('star', t('Star'), 'star', `aria-pressed="${m.star}"`, 'star')}</div>
    <button class="open" data-do="open" ${view.open === m.id ? 'aria-current="true"' : ''}>${avatar(m.to || post.from)}<span class="body">
      <span class="line"><span class="who clip" dir="auto">${esc(name)}</span>${m.thread.length > 1 ? `<span class="num">${number(m.thread.length)}</span>` : ''}
        ${m.unread ? `<span class="hide">${t('Unread')}</span>` : ''}<time>${date(post.date)}</time></span>
      <span class="subject clip" dir="auto">${esc(m.subject)}</span>
      <span class="line"><span class="snippet clip" dir="auto">${esc(post.text.join(' '))}</span>${marks}${m.thread.some(p => p.files.length) ? icon('clip') : ''}</span></span></button>
    <div class="acts" role="group" aria-label="${t('Quick actions')}">${iconButton(face, faceLabel, 'archive')}${iconButton('trash', trashLabel(m), 'trash')}
      ${iconButton('clock', t('Snooze'), 'snoozeMenu', 'aria-haspopup="menu" aria-expanded="false"')}${iconButton(m.unread ? 'opened' : 'mail', m.unread ? t('Mark as read') : t('Mark as unread'), 'unread')}</div></li>`;
}

function renderList() {
  const all = listed();
  const label = view.folder.startsWith('label-') && labelOf(view.folder.slice(6));
  $('#list-title').textContent = view.query ? t('Search results') : label ? label.name : folderName(view.folder) || t('Inbox');
  $('#list-count').textContent = number(all.length);
  const end = all.length > view.limit ? t('{n} of {all} – scroll for more', { n: number(view.limit), all: number(all.length) }) : t('That is all');
  $('#rows').innerHTML = all.length ? all.slice(0, view.limit).map(rowHtml).join('') + `<li class="rows-end">${end}</li>`
    : `<li class="empty">${icon('inbox')}<b>${t('Nothing here')}</b><span>${t('Try another folder or filter.')}</span></li>`;
  renderBulk();
}

function renderBulk() {
  const n = view.picked.size;
  const shown = listed();
  $('#bulk').hidden = !n;
  $('#list-tools').hidden = !!n;
  $('#bulk-count').textContent = t('{n} selected', { n: number(n) });
  $('#pick-all').checked = n > 0 && n === shown.length;
  $('#pick-all').indeterminate = n > 0 && n < shown.length;
  if (!n) return;
  const first = MAIL_BY_ID([...view.picked][0]);
  setButton($('#bulk [data-do=archive]'), ...archiveFace(first));
  setButton($('#bulk [data-do=trash]'), null, trashLabel(first));
}

function renderReader() {
  const m = MAIL_BY_ID(view.open);
  if (!m) {
    $('#reader').innerHTML = `<div class="empty">${icon('opened')}<b>${t('No conversation open')}</b><span>${t('Choose one from the list to read it here.')}</span></div>`;
    return;
  }
  const post = last(m);
  const order = listed().map(x => x.id);
  const at = order.indexOf(m.id);
  const [face, faceLabel] = archiveFace(m);
  const others = [...new Set([m.to || 'nora', ...m.thread.map(p => p.from)])].filter(id => id !== post.from);
  $('#reader').innerHTML = `<div class="bar" role="toolbar" aria-label="${t('Conversation tools')}">${iconButton('x', t('Close reading pane'), 'closeReader')}<span class="rule" aria-hidden="true"></span>
      ${iconButton(face, faceLabel, 'archive')}${iconButton('trash', trashLabel(m), 'trash')}${iconButton('tag', t('Set labels'), 'labelMenu', 'aria-haspopup="menu" aria-expanded="false"')}
      <span class="grow"></span>${iconButton('up', t('Previous message'), 'prevMail', at <= 0 ? 'disabled' : '')}${iconButton('down', t('Next message'), 'nextMail', at === order.length - 1 ? 'disabled' : '')}
      <a class="ib" href="message.html#${m.id}" aria-label="${t('Open full conversation')}">${icon('wide')}</a></div>
    <div class="scroll" tabindex="0" role="region" aria-label="${t('Message text')}"><div class="subject-line"><h2 dir="auto">${esc(m.subject)}</h2>${iconButton('star', t('Star'), 'star', `aria-pressed="${m.star}"`, 'star')}</div>
      <div class="chips">${labelChips(m)}</div>
      <div class="sender">${avatar(post.from)}<div class="grow"><b dir="auto">${esc(PEOPLE[post.from].name)}</b>
        <button class="more-details" data-do="details" aria-expanded="false" aria-controls="details">${t('to {name}', { name: PEOPLE[others[0] || 'nora'].name.split(' ')[0] })}${icon('chev', 'chev')}</button></div>
        <time class="muted">${date(post.date, true)}</time></div>
      <dl class="details" id="details" hidden><dt>${t('From')}</dt><dd>${esc(PEOPLE[post.from].mail)}</dd><dt>${t('To')}</dt><dd>${others.map(id => esc(PEOPLE[id].mail)).join(', ')}</dd>
        <dt>${t('Date')}</dt><dd>${date(post.date, true)}</dd></dl>
      <div class="prose" dir="auto">${post.text.map(p => `<p>${esc(p)}</p>`).join('')}</div>${fileList(post.files)}
      ${m.thread.length > 1 ? `<p class="prose" style="margin-block:16px 0"><a class="earlier" href="message.html#${m.id}">${t('Earlier messages in this conversation: {n}', { n: number(m.thread.length - 1) })}</a></p>` : ''}
    </div><div class="thread-foot" id="reply-area">${answerButtons()}</div>`;
}

function openMail(id) {
  const m = MAIL_BY_ID(id);
  const wasUnread = m.unread;
  Object.assign(m, { unread: false });
  view.open = id;
  document.body.classList.add('reading');
  document.body.classList.remove('no-reader');
  for (const row of $$('.row')) {
    const current = row.dataset.id === id;
    row.classList.toggle('current', current);
    $('.open', row).toggleAttribute('aria-current', false);
    if (!current) continue;
    $('.open', row).setAttribute('aria-current', 'true');
    row.classList.remove('unread');
    setButton($('[data-do=unread]', row), 'mail', t('Mark as unread'));
    row.scrollIntoView({ block: 'nearest' });
  }
  if (wasUnread) renderSide();
  renderReader();
}

function stepMail(step) {
  const order = listed();
  const to = order[order.findIndex(m => m.id === view.open) + step];
  if (!to) return;
  view.limit = Math.max(view.limit, order.indexOf(to) + 1);
  if (!$(`.row[data-id=${to.id}]`)) renderList();
  openMail(to.id);
}

function pick(row, on) {
  view.picked[on ? 'add' : 'delete'](row.dataset.id);
  row.classList.toggle('picked', on);
  $('input', row).checked = on;
  renderBulk();
}

function goFolder() {
  const place = location.hash.slice(1) || 'inbox';
  const known = FOLDERS.some(f => f.id === place) || (place.startsWith('label-') && labelOf(place.slice(6)));
  Object.assign(view, { folder: known ? place : 'inbox', limit: 12, picked: new Set() });
  document.body.classList.remove('drawer');
  if (view.query) ACTIONS.clearSearch();
  markPlace();
  redraw();
  $('#rows').scrollTop = 0;
}

function onSplit() {
  const split = $('#split');
  const set = width => {
    const value = Math.max(320, Math.min(560, Math.round(width)));
    $('#main').style.setProperty('--list', value + 'px');
    split.setAttribute('aria-valuenow', value);
  };
  const fromPointer = e => { const box = $('.list').getBoundingClientRect(); return document.dir === 'rtl' ? box.right - e.clientX : e.clientX - box.left; };
  onDrag(document, '#split', { touch: true, move: (_, e) => set(fromPointer(e)), end: () => {} });
  split.addEventListener('keydown', event => {
    const step = { ArrowRight: 16, ArrowLeft: -16 }[event.key];
    if (step) set(+split.getAttribute('aria-valuenow') + (document.dir === 'rtl' ? -step : step));
  });
  split.addEventListener('dblclick', () => set(408));
}

function rowMenu(row) {
  const m = MAIL_BY_ID(row.dataset.id);
  const [face, faceLabel] = archiveFace(m);
  return [[
    { text: t('Open full conversation'), icon: 'wide', run: () => { location.href = 'message.html#' + m.id; } },
    { text: m.unread ? t('Mark as read') : t('Mark as unread'), icon: m.unread ? 'opened' : 'mail', run: () => ACTIONS.unread(row) },
    { text: view.picked.has(m.id) ? t('Deselect') : t('Select'), icon: 'check', run: () => pick(row, !view.picked.has(m.id)) }, null,
    { text: faceLabel, icon: face, run: () => ACTIONS.archive(row) },
    { text: trashLabel(m), icon: 'trash', danger: true, run: () => ACTIONS.trash(row) },
  ], m.subject];
}

function startInbox() {
  const rows = $('#rows');
  redraw = () => {
    const reply = $('#reader .reply');
    renderList();
    renderReader();
    if (reply && $('#reply-area')) $('#reply-area').replaceChildren(reply);
  };
  Object.assign(ACTIONS, {
    open: button => openMail(button.closest('.row').dataset.id),
    star: button => { const m = MAIL_BY_ID(button.closest('.row') ? button.closest('.row').dataset.id : view.open); setStar(m, !m.star); },
    sort: button => { view.newest = !view.newest; setButton(button, view.newest ? 'down' : 'up', view.newest ? t('Sorted newest first') : t('Sorted oldest first')); redraw(); },
    checkMail: () => {
      if (!NEW_MAIL.length) { toast(t('No new mail')); return; }
      MAIL.push(NEW_MAIL.pop());
      refresh();
      toast(t('One new message'));
    },
    listMenu: button => showMenu(button, [
      { text: t('Check for new mail'), icon: 'refresh', run: ACTIONS.checkMail },
      { text: t('Mark all as read'), icon: 'opened', run: () => change(listed().map(m => m.id), m => { m.unread = false; }, t('Everything marked as read')) },
      { text: t('Compact rows'), icon: 'menu', checked: document.body.classList.contains('compact'), run: () => document.body.classList.toggle('compact') }, null,
      { text: t('Empty Trash'), icon: 'trash', danger: true, disabled: view.folder !== 'trash' || !listed().length, run: () => removeForGood(listed().map(m => m.id)) },
    ], t('List options')),
    unpick: () => { view.picked.clear(); renderList(); },
    toTop: () => { rows.scrollTop = 0; },
    closeReader: () => { view.open = null; document.body.classList.remove('reading'); document.body.classList.toggle('no-reader', !isPhone()); renderList(); renderReader(); },
    prevMail: () => stepMail(-1),
    nextMail: () => stepMail(1),
    details: button => { const box = $('#details'); box.hidden = !box.hidden; button.setAttribute('aria-expanded', !box.hidden); },
    escape: () => { if (view.picked.size) ACTIONS.unpick(); else if (view.query) ACTIONS.clearSearch(); },
    keys: { j: () => stepMail(1), k: () => stepMail(-1), e: () => view.open && ACTIONS.archive(document.body), s: () => view.open && ACTIONS.star(document.body) },
  });
  onTabs(tab => { view.filter = tab.dataset.filter; $('#list-panel').setAttribute('aria-labelledby', tab.id); view.picked.clear(); redraw(); });
  rows.addEventListener('change', event => pick(event.target.closest('.row'), event.target.checked));
  rows.addEventListener('dblclick', event => { const row = event.target.closest('.open'); if (row) location.href = 'message.html#' + row.parentNode.dataset.id; });
  rows.addEventListener('scroll', () => {
    $('#to-top').hidden = rows.scrollTop < 160;
    $('.list').classList.toggle('scrolled', rows.scrollTop > 0);
    if (rows.scrollTop + rows.clientHeight < rows.scrollHeight - 40 || view.limit >= listed().length) return;
    view.limit += 8;
    renderList();
  });
  $('#pick-all').addEventListener('change', event => { view.picked = new Set(event.target.checked ? listed().map(m => m.id) : []); renderList(); });
  onContextMenu(rows, '.row', rowMenu);
  onHold(rows, '.row', row => { pick(row, !view.picked.has(row.dataset.id)); });
  dragToTarget(rows, '.row', '[data-folder]', row => { const n = targetsOf(row).length; return n > 1 ? t('{n} selected', { n }) : MAIL_BY_ID(row.dataset.id).subject; },
    (row, target) => { if (target.dataset.folder === 'starred') setStar(MAIL_BY_ID(row.dataset.id), true); else moveTo(targetsOf(row), target.dataset.folder); });
  onSplit();
  addEventListener('hashchange', goFolder);
  goFolder();
  if (isPhone()) renderReader(); else openMail(listed()[0].id);
}

/* ---------- Compose ---------- */

const draft = { to: ['mira@northquay.example', 'jonas@northquay.example', 'salma@citylibrary.example'], cc: [], bcc: [],
  files: [['Fins-sheet-4.pdf', 'plan', '2.1 MB'], ['Quay-view.jpg', 'photo', '840 KB']] };
const personBy = mail => Object.keys(PEOPLE).find(id => PEOPLE[id].mail === mail);

function recipientLine(kind, text) {
  return `<div class="line-field" data-line="${kind}" ${kind === 'to' ? '' : 'hidden'}><label for="${kind}">${t(text)}</label><div class="chips">
    <input id="${kind}" role="combobox" aria-expanded="false" aria-autocomplete="list" autocomplete="off" placeholder="${t('Name or address')}"></div>
    ${kind === 'to' ? ['cc', 'bcc'].map(k => `<button type="button" class="link" data-do="addLine" data-kind="${k}" aria-label="${t(k === 'cc' ? 'Add Cc line' : 'Add Bcc line')}">${k === 'cc' ? t('Cc') : t('Bcc')}</button>`).join('')
      : iconButton('x', t(kind === 'cc' ? 'Remove Cc line' : 'Remove Bcc line'), 'removeLine', `data-kind="${kind}"`)}</div>`;
}

function renderChips() {
  $$('.chip').forEach(chip => chip.remove());
  for (const kind of ['to', 'cc', 'bcc']) {
    for (const mail of draft[kind]) {
      const id = personBy(mail);
      const name = id ? PEOPLE[id].name : mail;
      const bad = !VALID_ADDRESS.test(mail);
      $('#' + kind).before(el(`<span class="chip ${bad ? 'bad' : ''}" data-mail="${esc(mail)}" data-kind="${kind}"><span class="name clip" dir="auto" ${id ? `data-card="${id}"` : `data-tip="${bad ? t('This address looks incomplete') : esc(mail)}"`}>${esc(name)}</span>
        ${iconButton('x', t('Remove {name}', { name }), 'removeChip')}</span>`));
    }
    if (kind !== 'to' && draft[kind].length) showLine(kind, true);
  }
}

function showLine(kind, on) {
  $(`[data-line=${kind}]`).hidden = !on;
  $(`.link[data-kind=${kind}]`).hidden = on;
}

function touched() { $('#save-state').textContent = t('Not saved yet'); $('#save-draft').disabled = false; }
function saved(text) { $('#save-state').textContent = text; $('#save-draft').disabled = true; }

function moveChip(chip, kind) {
  const { mail, kind: from } = chip.dataset;
  draft[from] = draft[from].filter(m => m !== mail);
  if (kind && !draft[kind].includes(mail)) draft[kind].push(mail);
  renderChips();
  touched();
}

function addRecipient(kind, text) {
  const value = text.trim().replace(/[,;]$/, '');
  if (value && !draft[kind].includes(value)) { draft[kind].push(value); renderChips(); touched(); }
  $('#' + kind).value = '';
  closeSuggest($('#' + kind));
}

function closeSuggest(input) {
  const list = $('.suggest', input.closest('.line-field'));
  if (list) list.remove();
  input.setAttribute('aria-expanded', 'false');
}

function suggest(input) {
  closeSuggest(input);
  const text = input.value.trim().toLowerCase();
  const hits = text ? Object.values(PEOPLE).filter(p => (p.name + p.mail).toLowerCase().includes(text) && !draft[input.id].includes(p.mail)).slice(0, 4) : [];
  if (!hits.length) return;
  const list = el(`<div class="suggest" role="listbox" aria-label="${t('Suggestions')}">${hits.map((p, i) => `<div role="option" aria-selected="${!i}" data-mail="${p.mail}">
    <span class="avatar" style="--h:${p.hue}" aria-hidden="true">${p.name[0]}</span><span>${esc(p.name)}<small>${p.mail}</small></span></div>`).join('')}</div>`);
  list.addEventListener('pointerdown', event => { event.preventDefault(); const option = event.target.closest('[data-mail]'); if (option) addRecipient(input.id, option.dataset.mail); });
  input.closest('.line-field').append(list);
  input.setAttribute('aria-expanded', 'true');
}

function recipientKeys(event) {
  const input = event.target;
  const options = $$('[role=option]', input.closest('.line-field'));
  const at = options.findIndex(o => o.getAttribute('aria-selected') === 'true');
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && options.length) options.forEach((o, i) => o.setAttribute('aria-selected', i === (at + step + options.length) % options.length));
  else if (['Enter', ',', ';'].includes(event.key) && input.value.trim()) addRecipient(input.id, event.key === 'Enter' && options[at] ? options[at].dataset.mail : input.value);
  else if (event.key === 'Escape' && options.length) closeSuggest(input);
  else if (event.key === 'Backspace' && !input.value && draft[input.id].length) { draft[input.id].pop(); renderChips(); touched(); }
  else if (event.key !== 'Enter') return;
  event.preventDefault();
}

function renderFiles() {
  $('#files').innerHTML = draft.files.map(f => fileCard(f, 'removeFile')).join('');
  $('#files').hidden = !draft.files.length;
}

function sendLabel() {
  const later = $('#later').getAttribute('aria-checked') === 'true';
  $('#send span').textContent = later ? t('Schedule') : t('Send');
  $('#send svg').outerHTML = icon(later ? 'clock' : 'send');
  $('#send-hint').textContent = later ? date(`${$('#later-date').value || '2026-05-15'}T${$('#later-time').value || '08:00'}`, true) : '';
  return later;
}

function trySend() {
  const all = [...draft.to, ...draft.cc, ...draft.bcc];
  if (!all.length) { toast(t('Add at least one recipient.')); $('#to').focus(); return; }
  if (all.some(m => !VALID_ADDRESS.test(m))) { toast(t('Check the addresses marked in red.')); return; }
  if ($('#subject').value.trim()) { finishSend(); return; }
  showDialog(t('Send without a subject?'), `<p class="muted">${t('Mail without a subject is easily overlooked.')}</p>`, [[t('Add a subject'), () => $('#subject').focus()], [t('Send anyway'), finishSend, 'primary']]);
}

function finishSend() {
  const later = sendLabel();
  const done = el(`<section class="card wide" aria-label="${t('Message sent')}"><div class="empty">${icon(later ? 'clock' : 'send')}<b>${later ? t('Message scheduled') : t('Message sent')}</b>
    <span>${esc($('#send-hint').textContent || t('Recipients: {n}', { n: number(draft.to.length + draft.cc.length + draft.bcc.length) }))}</span>
    <a class="btn" href="index.html">${t('Back to the inbox')}</a></div></section>`);
  const form = $('#composer');
  form.replaceWith(done);
  $('aside').hidden = true;
  toast(later ? t('Message scheduled') : t('Message sent'), () => { done.replaceWith(form); $('aside').hidden = false; });
}

function clearComposer() {
  Object.assign(draft, { to: [], cc: [], bcc: [], files: [] });
  $('#subject').value = '';
  $('#editor').innerHTML = '';
  ['cc', 'bcc'].forEach(kind => showLine(kind, false));
  $('#notice').hidden = true;
  renderChips();
  renderFiles();
}

/** Empties the form and offers to bring everything back. */
function clearWithUndo(message) {
  const old = { ...draft, subject: $('#subject').value, html: $('#editor').innerHTML };
  clearComposer();
  saved('');
  toast(message, () => {
    Object.assign(draft, { to: old.to, cc: old.cc, bcc: old.bcc, files: old.files });
    $('#subject').value = old.subject;
    $('#editor').innerHTML = old.html;
    renderChips();
    renderFiles();
  });
}

function format(command, value) {
  $('#editor').focus();
  document.execCommand(command, false, value);
  showFormat();
  touched();
}
function showFormat() { $$('#format [aria-pressed]').forEach(b => b.setAttribute('aria-pressed', document.queryCommandState(b.dataset.format))); }

function askLink() {
  const selection = getSelection();
  const range = selection.rangeCount && $('#editor').contains(selection.anchorNode) ? selection.getRangeAt(0) : null;
  showDialog(t('Insert link'), `<label>${t('Web address')}<input class="field" type="url" value="https://" autofocus></label><p class="error" role="alert"></p>`, [[t('Cancel')], [t('Insert'), dialog => {
    const url = $('input', dialog).value.trim();
    if (!/^https?:\/\/\S+\.\S+/.test(url)) { $('.error', dialog).textContent = t('This is not a full web address.'); $('input', dialog).setAttribute('aria-invalid', 'true'); return false; }
    dialog.close();
    $('#editor').focus();
    if (range) { selection.removeAllRanges(); selection.addRange(range); }
    format('insertHTML', `<a href="${esc(url)}">${esc((range && range.toString()) || url)}</a>`);
  }, 'primary']]);
}

function prefill() {
  const [kind, id] = location.hash.slice(1).split('=');
  if (kind !== 'to' || !PEOPLE[id]) return;
  clearComposer();
  draft.to.push(PEOPLE[id].mail);
  renderChips();
}

function startCompose() {
  $('#recipients').innerHTML = recipientLine('to', 'To') + recipientLine('cc', 'Cc') + recipientLine('bcc', 'Bcc');
  $('#phrases').innerHTML = ['Thank you for the quick answer.', 'Could we talk about it on Friday?', 'Please find the files attached.'].map(p => `<button data-do="phrase">${t(p)}</button>`).join('');
  renderChips();
  renderFiles();
  const seconds = () => { $('#delay-out').textContent = t('{n} seconds', { n: $('#delay').value }); };
  Object.assign(ACTIONS, {
    removeChip: button => moveChip(button.closest('.chip'), null),
    addLine: button => { showLine(button.dataset.kind, true); $('#' + button.dataset.kind).focus(); },
    removeLine: button => { draft[button.dataset.kind] = []; renderChips(); showLine(button.dataset.kind, false); touched(); },
    removeFile: button => {
      const old = draft.files;
      draft.files = old.filter(f => f[0] !== button.closest('.file').dataset.name);
      renderFiles();
      toast(t('Attachment removed'), () => { draft.files = old; renderFiles(); });
    },
    attachMenu: button => showMenu(button, [['Terrace-section.pdf', 'plan', '1.4 MB'], ['Budget-May.pdf', 'chart', '310 KB'], ['Minutes-12-May.pdf', 'doc', '96 KB']].map(file => ({
      text: file[0], icon: 'clip', disabled: draft.files.some(f => f[0] === file[0]), run: () => { draft.files.push(file); renderFiles(); touched(); toast(t('{name} attached', { name: file[0] })); } })), t('Recent files')),
    startBlank: () => clearWithUndo(t('Started a blank message')),
    hideNotice: () => { $('#notice').hidden = true; },
    saveDraft: () => { saved(t('Draft saved')); toast(t('Draft saved')); },
    closeComposer: () => { location.href = 'index.html#drafts'; },
    discard: () => showDialog(t('Discard this draft?'), `<p class="muted">${t('Text, recipients and attachments are removed.')}</p>`, [[t('Keep editing')], [t('Discard draft'), () => clearWithUndo(t('Draft discarded')), 'danger']]),
    quote: () => format('formatBlock', document.queryCommandValue('formatBlock') === 'blockquote' ? 'p' : 'blockquote'),
    insertLink: askLink,
    phrase: button => { const p = el(`<p>${esc(button.textContent)}</p>`); $('#editor').append(p); p.scrollIntoView({ block: 'nearest' }); touched(); toast(t('Phrase added at the end')); },
  });
  for (const button of $$('[data-format]')) {
    button.addEventListener('pointerdown', event => event.preventDefault());
    button.addEventListener('click', () => format(button.dataset.format));
  }
  document.addEventListener('selectionchange', showFormat);
  for (const input of $$('[role=combobox]')) {
    input.addEventListener('input', () => suggest(input));
    input.addEventListener('keydown', recipientKeys);
    input.addEventListener('blur', () => { if (input.value.trim()) addRecipient(input.id, input.value); });
  }
  $('#recipients').addEventListener('dblclick', event => {
    const chip = event.target.closest('.chip');
    if (!chip || event.target.closest('.ib')) return;
    const { mail, kind } = chip.dataset;
    editInPlace(chip, mail, t('Edit address'), text => { draft[kind] = draft[kind].map(m => (m === mail ? text : m)); renderChips(); touched(); });
  });
  onContextMenu($('#recipients'), '.chip', chip => [['to', 'cc', 'bcc'].map(kind => ({ text: t('Move to {name}', { name: t({ to: 'To', cc: 'Cc', bcc: 'Bcc' }[kind]) }), icon: 'next', disabled: chip.dataset.kind === kind, run: () => moveChip(chip, kind) }))
    .concat(null, { text: t('Remove'), icon: 'x', danger: true, run: () => moveChip(chip, null) }), t('Recipient')]);
  dragToTarget($('#recipients'), '.chip', '[data-line]', chip => $('.name', chip).textContent, (chip, line) => { if (line.dataset.line !== chip.dataset.kind) moveChip(chip, line.dataset.line); });
  $('#editor').addEventListener('input', touched);
  $('#subject').addEventListener('input', touched);
  $('#later').addEventListener('click', () => { $('#later-fields').disabled = !flipSwitch($('#later')); sendLabel(); });
  ['#later-date', '#later-time'].forEach(id => $(id).addEventListener('input', sendLabel));
  $('#receipt').addEventListener('click', () => toast(flipSwitch($('#receipt')) ? t('You will be told when it is read') : t('No read receipt')));
  $('#delay').addEventListener('input', seconds);
  $('#signature').addEventListener('change', event => toast(t('Signature: {name}', { name: event.target.selectedOptions[0].textContent })));
  $('#composer').addEventListener('submit', event => { event.preventDefault(); trySend(); });
  seconds();
  saved(t('Draft saved'));
  prefill();
}

/* ---------- Conversation ---------- */

const starredPosts = new Set();
const openPosts = new Set();
const noteTexts = ['Ask Jonas about the fin spacing before Friday'];

function postHtml(m, post, at) {
  const open = openPosts.has(at);
  const name = PEOPLE[post.from].name;
  const before = m.thread[at - 1];
  const quote = before ? `<button class="btn small quote-btn" data-do="quoted" aria-expanded="false" aria-label="${t('Show quoted text')}">${icon('more')}</button>
    <div class="quoted" dir="auto" hidden>${esc(PEOPLE[before.from].name)}: ${esc(before.text[0])}</div>` : '';
  return `<article class="post" data-at="${at}" aria-label="${esc(t('Message from {name}', { name }))}"><div class="post-head">
    <button class="toggle" data-do="togglePost" aria-expanded="${open}">${avatar(post.from)}<span class="grow"><b dir="auto" class="clip">${esc(name)}</b>
      <small class="clip" dir="auto">${esc(open ? PEOPLE[post.from].mail : post.text.join(' '))}</small></span>${post.files.length && !open ? icon('clip') : ''}<time>${date(post.date)}</time></button>
    ${iconButton('star', t('Star this message'), 'starPost', `aria-pressed="${starredPosts.has(at)}"`, 'star')}
    ${open ? iconButton('reply', t('Reply to this message'), 'reply') + iconButton('more', t('Message options'), 'postMenu', 'aria-haspopup="menu" aria-expanded="false"') : ''}</div>
    ${open ? `<div class="post-body"><div class="prose" dir="auto">${post.text.map(p => `<p>${esc(p)}</p>`).join('')}</div>${quote}${fileList(post.files)}</div>` : ''}</article>`;
}

function renderThread() {
  const m = MAIL_BY_ID(view.open);
  const top = $('#thread').scrollTop;
  $('#thread').innerHTML = `<div class="subject-line"><h1 id="thread-title" dir="auto" data-tip="${t('Double click to rename')}">${esc(m.subject)}</h1>
      ${m.folder === 'inbox' ? '' : `<span class="badge">${folderName(m.folder)}</span>`}${iconButton('star', t('Star conversation'), 'star', `aria-pressed="${m.star}"`, 'star')}</div>
    <div class="chips">${labelChips(m)}${iconButton('plus', t('Add label'), 'labelMenu', 'aria-haspopup="menu" aria-expanded="false"', 'small')}</div>
    ${m.thread.map((post, at) => postHtml(m, post, at)).join('')}`;
  $('#thread').scrollTop = top;
  setButton($('#thread-archive'), ...archiveFace(m));
  setButton($('#thread-trash'), null, trashLabel(m));
  const all = openPosts.size === m.thread.length;
  $('#expand-all').textContent = all ? t('Collapse all') : t('Expand all');
  $('#expand-all').setAttribute('aria-expanded', all);
  const order = MAIL.filter(x => x.folder === m.folder);
  $('#prev').disabled = order[0] === m;
  $('#next').disabled = order[order.length - 1] === m;
  renderAbout(m);
}

function renderAbout(m) {
  const people = [...new Set(m.thread.map(p => p.from))];
  $('#panel-people').innerHTML = `<ul class="people">${people.map(id => `<li>${avatar(id)}<span class="grow"><b class="clip" dir="auto">${esc(PEOPLE[id].name)}</b><small class="clip" dir="auto">${esc(PEOPLE[id].role)}</small></span>
    <a class="ib" href="compose.html#to=${id}" aria-label="${esc(t('Write to {name}', { name: PEOPLE[id].name }))}">${icon('pencil')}</a></li>`).join('')}</ul>`;
  const files = m.thread.flatMap(p => p.files);
  $('#glance').innerHTML = [[t('Begun'), date(m.thread[0].date)], [t('Messages'), number(m.thread.length)], [t('Files'), number(files.length)]].map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('');
  $('#panel-files').innerHTML = fileList(files) || `<p class="muted">${t('No files in this conversation.')}</p>`;
}

function renderNotes() {
  $('#notes').innerHTML = noteTexts.map((text, at) => `<li data-at="${at}"><span dir="auto" data-tip="${t('Double click to edit')}">${esc(text)}</span>${iconButton('x', t('Delete note'), 'deleteNote')}</li>`).join('');
}

function showThread(id) {
  const m = MAIL_BY_ID(id) || MAIL[0];
  view.open = m.id;
  m.unread = false;
  openPosts.clear();
  starredPosts.clear();
  openPosts.add(m.thread.length - 1);
  closeReply();
  renderSide();
  renderThread();
  $('#thread').scrollTop = 0;
}

function stepThread(step) {
  const order = MAIL.filter(m => m.folder === MAIL_BY_ID(view.open).folder);
  const to = order[order.indexOf(MAIL_BY_ID(view.open)) + step];
  if (to) location.hash = to.id;
}

function postMenu(article) {
  const m = MAIL_BY_ID(view.open);
  const at = +article.dataset.at;
  return [[
    { text: t('Reply all'), icon: 'replyAll', run: () => openReply('replyAll') },
    { text: t('Forward'), icon: 'forward', run: () => openReply('forward') },
    { text: starredPosts.has(at) ? t('Remove star') : t('Star this message'), icon: 'star', run: () => ACTIONS.starPost(article) }, null,
    { text: t('Delete this message'), icon: 'trash', danger: true, disabled: m.thread.length < 2, run: () => {
      const [post] = m.thread.splice(at, 1);
      const restore = () => { openPosts.clear(); openPosts.add(m.thread.length - 1); renderThread(); };
      restore();
      toast(t('Message deleted'), () => { m.thread.splice(at, 0, post); restore(); });
    } },
  ], t('Message options')];
}

function startMessage() {
  const thread = $('#thread');
  redraw = renderThread;
  const toggleSet = (set, value) => { if (!set.delete(value)) set.add(value); };
  Object.assign(ACTIONS, {
    star: () => { const m = MAIL_BY_ID(view.open); m.star = !m.star; renderThread(); toast(m.star ? t('Conversation starred') : t('Star removed')); },
    starPost: node => { toggleSet(starredPosts, +node.closest('.post').dataset.at); renderThread(); },
    togglePost: button => { toggleSet(openPosts, +button.closest('.post').dataset.at); renderThread(); },
    expandAll: () => {
      const n = MAIL_BY_ID(view.open).thread.length;
      const all = openPosts.size === n;
      openPosts.clear();
      for (let at = 0; !all && at < n; at += 1) openPosts.add(at);
      renderThread();
    },
    quoted: button => { const box = button.nextElementSibling; box.hidden = !box.hidden; button.setAttribute('aria-expanded', !box.hidden); setButton(button, null, box.hidden ? t('Show quoted text') : t('Hide quoted text')); },
    postMenu: button => showMenu(button, ...postMenu(button.closest('.post'))),
    mute: button => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      setButton(button, null, on ? t('Unmute conversation') : t('Mute conversation'), on);
      toast(on ? t('Muted: new replies stay quiet') : t('No longer muted'));
    },
    prevThread: () => stepThread(-1),
    nextThread: () => stepThread(1),
    deleteNote: button => {
      const at = +button.closest('li').dataset.at;
      const [text] = noteTexts.splice(at, 1);
      renderNotes();
      toast(t('Note deleted'), () => { noteTexts.splice(at, 0, text); renderNotes(); });
    },
  });
  thread.addEventListener('dblclick', event => {
    if (event.target.id !== 'thread-title') return;
    const m = MAIL_BY_ID(view.open);
    editInPlace(event.target, m.subject, t('Subject'), text => { const old = m.subject; m.subject = text; renderThread(); toast(t('Renamed for you only'), () => { m.subject = old; renderThread(); }); });
  });
  onContextMenu(thread, '.post', postMenu);
  onHold(thread, '.post .toggle', button => { showMenu(button, ...postMenu(button.closest('.post'))); });
  onTabs();
  const remind = () => toast(t('Reminder set: {name}', { name: $('#remind-when').selectedOptions[0].textContent }));
  $('#remind').addEventListener('click', () => {
    const on = flipSwitch($('#remind'));
    $('#remind-fields').disabled = !on;
    if (on) remind(); else toast(t('Reminder removed'));
  });
  $('#remind-when').addEventListener('change', remind);
  $('#note').addEventListener('input', () => { $('#note-add').disabled = !$('#note').value.trim(); });
  $('#note-form').addEventListener('submit', event => {
    event.preventDefault();
    if (!$('#note').value.trim()) return;
    noteTexts.unshift($('#note').value.trim());
    $('#note').value = '';
    $('#note-add').disabled = true;
    renderNotes();
  });
  $('#notes').addEventListener('dblclick', event => {
    if (!event.target.matches('span')) return;
    const at = +event.target.closest('li').dataset.at;
    editInPlace(event.target, noteTexts[at], t('New note'), text => { noteTexts[at] = text; renderNotes(); });
  });
  addEventListener('hashchange', () => showThread(location.hash.slice(1)));
  renderNotes();
  showThread(location.hash.slice(1));
}

/* ---------- Rules ---------- */

const FIELDS = { from: 'From', subject: 'Subject', text: 'Text' };
const OPS = { has: 'contains', not: 'does not contain', starts: 'begins with' };
const DEEDS = { label: 'Set label', move: 'Move to', star: 'Star it', read: 'Mark as read' };
const RULES = [
  { id: 'r1', name: 'Harbour library', on: true, any: true, conds: [['subject', 'has', 'library'], ['from', 'has', 'citylibrary']], acts: [['label', 'harbour']], hits: 14 },
  { id: 'r2', name: 'Train tickets', on: true, any: false, conds: [['from', 'has', 'Kestrow']], acts: [['label', 'travel'], ['star', '']], hits: 3 },
  { id: 'r3', name: 'Invoices to file', on: true, any: false, conds: [['subject', 'has', 'invoice']], acts: [['label', 'invoices'], ['read', '']], hits: 6 },
  { id: 'r4', name: 'Newsletters out of the way', on: false, any: false, conds: [['from', 'has', 'Gazette']], acts: [['move', 'archive']], hits: 0 },
  { id: 'r5', name: 'Mail from Dad', on: true, any: false, conds: [['from', 'has', 'Anton']], acts: [['star', '']], hits: 2 },
  { id: 'r6', name: 'Building-site photos', on: false, any: false, conds: [['subject', 'starts', 'Site'], ['text', 'has', 'photo']], acts: [['label', 'harbour']], hits: 0 },
];
const blocked = ['offers@bargainbarn.example', 'win@luckyspin.example', 'crew@loudads.example'];
let editing = null;

const fieldText = (m, field) => ({ from: PEOPLE[last(m).from].name + ' ' + PEOPLE[last(m).from].mail, subject: m.subject, text: last(m).text.join(' ') })[field].toLowerCase();

function ruleMatches(rule) {
  const test = m => ([field, op, value]) => {
    const text = fieldText(m, field);
    const wanted = value.toLowerCase();
    return op === 'starts' ? text.startsWith(wanted) : text.includes(wanted) !== (op === 'not');
  };
  return MAIL.filter(m => (rule.any ? rule.conds.some(test(m)) : rule.conds.every(test(m))));
}

function deedText([deed, value]) {
  if (deed === 'label') return `${t('Set label')}: ${(labelOf(value) || { name: '–' }).name}`;
  return deed === 'move' ? `${t('Move to')}: ${folderName(value)}` : t(DEEDS[deed]);
}

function ruleHtml(rule, at) {
  const conds = rule.conds.map(([f, op, value]) => `<span>${t(FIELDS[f])} ${t(OPS[op])} <bdi>${quoted(esc(value))}</bdi></span>`).join(` <span>${rule.any ? t('or') : t('and')}</span> `);
  return `<li class="rule-item ${rule.on ? '' : 'off'} ${editing && editing.id === rule.id ? 'editing' : ''}" data-id="${rule.id}"><div class="rule-head">
    ${iconButton('grip', t('Move {name}: drag, or use the arrow keys', { name: rule.name }), 'none', '', 'grip')}
    <button class="toggle" data-do="toggleRule" aria-expanded="${!!rule.open}"><span class="order">${number(at + 1)}</span><span class="grow"><b dir="auto" class="clip">${esc(rule.name)}</b>
      <span class="sum">${conds} <em>${icon('next')} ${rule.acts.map(deedText).map(esc).join(' · ')}</em></span></span></button>
    <button class="switch" role="switch" data-do="switchRule" aria-checked="${rule.on}" aria-label="${esc(t('Rule on: {name}', { name: rule.name }))}"></button>
    ${iconButton('pencil', t('Edit {name}', { name: rule.name }), 'editRule')}${iconButton('trash', t('Delete {name}', { name: rule.name }), 'deleteRule')}</div>
    ${rule.open ? ruleDetails(rule) : ''}</li>`;
}

function ruleDetails(rule) {
  const found = ruleMatches(rule);
  return `<div class="rule-more"><span class="muted">${t('Matching mail today: {n}', { n: number(found.length) })}</span>
    <ul>${found.slice(0, 3).map(m => `<li><a class="clip" dir="auto" href="message.html#${m.id}">${esc(m.subject)}</a></li>`).join('')}</ul>
    <button class="btn small" data-do="runRule" ${rule.on && found.length ? '' : 'disabled'}>${t('Run now')}</button></div>`;
}

function renderRules() {
  $('#rule-list').innerHTML = RULES.map(ruleHtml).join('');
  $('#rules-count').textContent = t('{n} of {all} on', { n: number(RULES.filter(r => r.on).length), all: number(RULES.length) });
}

function renderRuleSide() {
  document.body.classList.toggle('editing', !!editing);
  if (editing) { renderEditor(); return; }
  const most = Math.max(...RULES.map(r => r.hits), 1);
  $('#rule-side').innerHTML = `<div class="pad scroll" tabindex="0" role="region" aria-label="${t('This week')}"><h2>${t('This week')}</h2><p class="muted">${t('How often each rule has acted on your mail.')}</p>
    <div class="hits">${RULES.map(r => `<div><span><span class="clip" dir="auto">${esc(r.name)}</span><b>${number(r.hits)}</b></span><progress max="${most}" value="${r.hits}" aria-label="${esc(r.name)}"></progress></div>`).join('')}</div>
    <h2 style="margin-block-start:24px">${t('Good to know')}</h2><p class="muted">${t('Rules run from top to bottom. Drag a rule to change the order, double click its name to rename it.')}</p></div>`;
}

const options = (map, chosen) => Object.entries(map).map(([value, text]) => `<option value="${value}" ${value === chosen ? 'selected' : ''}>${esc(t(text))}</option>`).join('');

function clauseHtml(kind, clause, at, many) {
  const name = part => `data-part="${kind}" data-at="${at}" data-slot="${part}"`;
  const drop = iconButton('x', kind === 'conds' ? t('Remove condition') : t('Remove action'), 'dropClause', `data-kind="${kind}" data-at="${at}" ${many ? '' : 'disabled'}`);
  if (kind === 'conds') return `<div class="clause"><select class="field" ${name(0)} aria-label="${t('Field')}">${options(FIELDS, clause[0])}</select><select class="field" ${name(1)} aria-label="${t('Comparison')}">${options(OPS, clause[1])}</select>
    ${drop}<input class="field wide" ${name(2)} dir="auto" aria-label="${t('Value')}" placeholder="${t('Word or address')}" value="${esc(clause[2])}"></div>`;
  const choices = { label: Object.fromEntries(LABELS.map(l => [l.id, l.name])), move: { archive: 'Archive', trash: 'Trash', inbox: 'Inbox' } }[clause[0]];
  return `<div class="clause"><select class="field wide" ${name(0)} aria-label="${t('Action')}">${options(DEEDS, clause[0])}</select>
    <select class="field wide" ${name(1)} aria-label="${t('Target')}" ${choices ? '' : 'disabled'}>${choices ? options(choices, clause[1]) : '<option>–</option>'}</select>${drop}</div>`;
}

function renderEditor() {
  $('#rule-side').innerHTML = `<form class="rule-form" id="rule-form" novalidate><div class="bar"><h2 class="grow">${editing.fresh ? t('New rule') : t('Edit rule')}</h2>${iconButton('x', t('Close editor'), 'closeEditor')}</div>
    <div class="scroll"><label><span>${t('Name')}</span><input class="field" id="rule-name" dir="auto" value="${esc(editing.name)}" aria-describedby="rule-error"></label>
      <label><span>${t('Applies when')}</span><select class="field" id="rule-any">${options({ all: 'All conditions are met', any: 'Any condition is met' }, editing.any ? 'any' : 'all')}</select></label>
      <section aria-label="${t('Conditions')}"><div class="sub-head"><h2>${t('Conditions')}</h2>${iconButton('plus', t('Add condition'), 'addClause', 'data-kind="conds"')}</div>
        ${editing.conds.map((c, at) => clauseHtml('conds', c, at, editing.conds.length > 1)).join('')}</section>
      <section aria-label="${t('Actions')}"><div class="sub-head"><h2>${t('Actions')}</h2>${iconButton('plus', t('Add action'), 'addClause', 'data-kind="acts"')}</div>
        ${editing.acts.map((a, at) => clauseHtml('acts', a, at, editing.acts.length > 1)).join('')}</section>
      <button type="button" class="btn small" data-do="testRule" style="justify-self:start">${t('Try on my mail')}</button><div class="test" id="test" role="status" hidden></div><p class="error" id="rule-error" role="alert"></p></div>
    <div class="bar foot"><button class="btn primary">${t('Save rule')}</button><button type="button" class="btn" data-do="closeEditor">${t('Cancel')}</button></div></form>`;
}

function editorInput(event) {
  const { part, at, slot } = event.target.dataset;
  if (event.target.id === 'rule-name') editing.name = event.target.value;
  if (event.target.id === 'rule-any') editing.any = event.target.value === 'any';
  if (!part) return;
  editing[part][at][slot] = event.target.value;
  if (part === 'acts' && slot === '0') { editing.acts[at][1] = { label: LABELS[0] && LABELS[0].id, move: 'archive' }[event.target.value] || ''; renderEditor(); }
}

function saveRule(event) {
  event.preventDefault();
  const problem = !editing.name.trim() ? t('Give the rule a name.') : editing.conds.some(c => !c[2].trim()) ? t('Fill in every condition.') : '';
  $('#rule-error').textContent = problem;
  $$('#rule-form input').forEach(input => input.setAttribute('aria-invalid', !input.value.trim()));
  if (problem) return;
  const at = RULES.findIndex(r => r.id === editing.id);
  const { fresh, ...rule } = editing;
  if (fresh) RULES.push(rule); else RULES[at] = rule;
  closeEditor();
  toast(t('Rule {name} saved', { name: rule.name }));
}

function closeEditor() { editing = null; renderRules(); renderRuleSide(); }

function edit(rule) { editing = structuredClone(rule); renderRules(); renderRuleSide(); $('#rule-name').focus(); }

function deleteRule(rule) {
  const at = RULES.indexOf(rule);
  RULES.splice(at, 1);
  closeEditor();
  toast(t('Rule {name} deleted', { name: rule.name }), () => { RULES.splice(at, 0, rule); closeEditor(); });
}

function placeRule(rule, to) {
  RULES.splice(RULES.indexOf(rule), 1);
  RULES.splice(Math.max(0, Math.min(to, RULES.length)), 0, rule);
  renderRules();
  toast(t('{name} now runs as number {n}', { name: rule.name, n: number(RULES.indexOf(rule) + 1) }));
}

function onReorder(list) {
  onDrag(list, '.grip', {
    touch: true,
    start: grip => grip.closest('li').classList.add('lifted'),
    move: (grip, e) => {
      const item = grip.closest('li');
      const after = $$('.rule-item', list).find(other => other !== item && e.clientY < other.getBoundingClientRect().top + other.offsetHeight / 2);
      if (item.nextElementSibling !== (after || null)) list.insertBefore(item, after || null);
    },
    end: grip => { const item = grip.closest('li'); item.classList.remove('lifted'); placeRule(ruleOf(item), $$('.rule-item', list).indexOf(item)); },
  });
  list.addEventListener('keydown', event => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !event.target.matches('.grip')) return;
    event.preventDefault();
    const rule = ruleOf(event.target);
    placeRule(rule, RULES.indexOf(rule) + step);
    $(`[data-id=${rule.id}] .grip`).focus();
  });
}
const ruleOf = node => RULES.find(r => r.id === node.closest('[data-id]').dataset.id);

function renderBlocked() {
  $('#blocked').innerHTML = blocked.map(mail => `<li class="chip"><span class="clip" dir="ltr">${esc(mail)}</span>${iconButton('x', t('Unblock {name}', { name: mail }), 'unblock', `data-mail="${esc(mail)}"`)}</li>`).join('');
}

function startRules() {
  const list = $('#rule-list');
  redraw = () => { renderRules(); renderRuleSide(); };
  Object.assign(ACTIONS, {
    none: button => toast(button.getAttribute('aria-label')),
    toggleRule: button => { const rule = ruleOf(button); rule.open = !rule.open; const item = button.closest('li'); const more = $('.rule-more', item);
      if (more) more.remove(); else item.append(el(ruleDetails(rule))); button.setAttribute('aria-expanded', rule.open); },
    switchRule: button => { const rule = ruleOf(button); rule.on = !rule.on; renderRules(); },
    editRule: button => edit(ruleOf(button)),
    deleteRule: button => deleteRule(ruleOf(button)),
    newRule: () => { $('#tab-filters').click(); edit({ id: 'n' + RULES.length, name: '', on: true, any: false, conds: [['from', 'has', '']], acts: [['star', '']], hits: 0, fresh: true }); },
    runRule: button => { const rule = ruleOf(button); const n = ruleMatches(rule).length; rule.hits += n; renderRuleSide(); button.disabled = true; toast(t('{name} ran on {n} conversations', { name: rule.name, n: number(n) })); },
    closeEditor,
    addClause: button => { editing[button.dataset.kind].push(button.dataset.kind === 'conds' ? ['from', 'has', ''] : ['star', '']); renderEditor(); },
    dropClause: button => { editing[button.dataset.kind].splice(+button.dataset.at, 1); renderEditor(); },
    testRule: () => {
      const found = ruleMatches(editing);
      $('#test').hidden = false;
      $('#test').innerHTML = `<b>${t('Matching mail today: {n}', { n: number(found.length) })}</b><ul>${found.slice(0, 4).map(m => `<li class="clip" dir="auto">${esc(m.subject)}</li>`).join('')}</ul>`;
    },
    unblock: button => { const at = blocked.indexOf(button.dataset.mail); const [mail] = blocked.splice(at, 1); renderBlocked(); toast(t('{name} may write to you again', { name: mail }), () => { blocked.splice(at, 0, mail); renderBlocked(); }); },
    escape: () => { if (editing) closeEditor(); },
  });
  onTabs();
  onReorder(list);
  list.addEventListener('dblclick', event => {
    const toggle = event.target.closest('.toggle');
    if (!toggle) return;
    const rule = ruleOf(toggle);
    editInPlace(toggle, rule.name, t('Name'), text => { rule.name = text; redraw(); toast(t('Rule renamed to {name}', { name: text })); });
  });
  onContextMenu(list, '.rule-item', item => { const rule = ruleOf(item); return [[
    { text: t('Move to the top'), icon: 'up', disabled: RULES[0] === rule, run: () => placeRule(rule, 0) },
    { text: t('Move to the end'), icon: 'down', disabled: RULES[RULES.length - 1] === rule, run: () => placeRule(rule, RULES.length) },
    { text: t('Duplicate'), icon: 'copy', run: () => { RULES.splice(RULES.indexOf(rule) + 1, 0, { ...structuredClone(rule), id: rule.id + 'c' + RULES.length, name: t('{name} (copy)', { name: rule.name }), on: false }); redraw(); toast(t('{name} duplicated', { name: rule.name })); } }, null,
    { text: t('Delete rule'), icon: 'trash', danger: true, run: () => deleteRule(rule) },
  ], rule.name]; });
  $('#rule-side').addEventListener('input', editorInput);
  $('#rule-side').addEventListener('submit', saveRule);
  $('#block-form').addEventListener('submit', event => {
    event.preventDefault();
    const mail = $('#block').value.trim();
    const problem = !VALID_ADDRESS.test(mail) ? t('Enter a full address, such as name@company.example.') : blocked.includes(mail) ? t('This address is blocked already.') : '';
    $('#block-error').textContent = problem;
    $('#block').setAttribute('aria-invalid', !!problem);
    if (problem) return;
    blocked.push(mail);
    $('#block').value = '';
    renderBlocked();
    toast(t('{name} blocked', { name: mail }));
  });
  $('#away').addEventListener('click', () => { $('#away-fields').disabled = !flipSwitch($('#away')); });
  $('#away-form').addEventListener('submit', event => {
    event.preventDefault();
    const wrong = $('#away-to').value < $('#away-from').value;
    $('#away-error').textContent = wrong ? t('The last day is before the first day.') : '';
    if (!wrong) toast(t('Away reply saved'));
  });
  renderRules();
  renderRuleSide();
  renderBlocked();
}

startShell();
({ inbox: startInbox, compose: startCompose, message: startMessage, rules: startRules })[document.body.dataset.page]();
