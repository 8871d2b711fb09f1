"""Whether a response declines the task itself.

An apology, or a statement that something cannot be found, is no refusal.
"""

import re

_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|「[^」\n]{1,300}」")
_MARKUP = re.compile(r"[*_`]|</?answer>", re.IGNORECASE)

_INPUT = r"(?:images?|pictures?|screenshots?|photos?|videos?|animations?|frames?|attachments?)"
_CANNOT = (
    r"I\s*(?:can(?:['’]?t|not|\s+not)|won['’]?t|will\s+not|(?:am|['’]m)\s+(?:(?:just|simply|sorry|afraid)\s+)?(?:unable"
    r"|not\s+(?:able|allowed|going|willing|permitted|in\s+a\s+position))\s+to)"
    r"\s+(?:(?:really|currently|directly|actually|in\s+good\s+conscience|be\s+able\s+to|view\s+or)\s+)*"
)
_TASK = (
    r"(?:help|assist|answer|provide|comply|fulfil+|complete|perform|do\s+(?:that|this|so|it)|process|support|share|continue"
    r"|engage|participate|take\s+part|respond|carry\s+out|rate|grade|judge|assess|evaluate|view|watch"
    r"|give\s+(?:you\s+)?(?:that|this|any|bounding|coordinates)|see\s+(?:(?:any|the|your|an?)\s+)?" + _INPUT + ")"
)
_PERCEIVED = rf"(?:people|person|face|individual|captcha|content|pages|these|them|statement|request|task|{_INPUT})"
_PERCEIVE = rf"(?:identify|determine|analy[sz]e|interpret|compare|classify)\s+(?:\w+\s+){{0,2}}{_PERCEIVED}"
_ENGLISH = (
    rf"\b{_CANNOT}(?:{_TASK}|{_PERCEIVE})\b",
    r"\bI(?:['’](?:m|d|ll)|\s+(?:am|would|must|will|respectfully))?\s+(?:going\s+to\s+)?(?:(?:have|need)\s+to\s+)?(?:decline|refuse)\b",
    r"\bI(?:['’]d|\s+would)\s+(?:prefer|rather)\s+not\b(?!\s+guess)",
    r"\bI(?:\s+do\s+not|\s+don['’]?t)\s+(?:feel\s+comfortable|assist|help|answer|provide)\b",
    rf"\bI(?:\s+do\s+not|\s+don['’]?t)\s+see\s+any\s+{_INPUT}\b",
    r"\bI\s+have\s+to\s+(?:stop\s+here|pass)\b",
    r"\b(?:sorry|apologi[sz]e|apologies|unfortunately)\b[\s,]{1,3}(?:but\s+)?"
    r"(?:(?:no|I\s*(?:can['’]?t|cannot|won['’]?t))\b[\s.!]*$|th(?:is|at)\s+is\s+not\s+possible\b)",
)
_OTHER_LANGUAGES = (
    r"\b(?:kann|darf|werde)\s+(?:ich\s+)?(?:\w+\s+){0,4}nicht\s+(?:\w+\s+){0,3}"
    r"(?:helfen|weiterhelfen|unterstützen|beantworten|bearbeiten)",
    r"\bne\s+(?:peux|puis|suis)\s+(?:\w+\s+)?pas\s+(?:\w+\s+){0,3}?"
    r"(?:aider|traiter|répondre|fournir|effectuer|accéder|assister|visionner|évaluer)",
    r"\bno\s+puedo\s+(?:\w+\s+)?(?:ayudar|asistir|responder|proporcionar|realizar|completar)",
    r"\bnão\s+posso\s+(?:\w+\s+)?(?:ajudar|auxiliar|responder|fornecer|realizar)",
    r"\bnon\s+posso\s+(?:\w+\s+)?(?:aiutar|assister|rispondere|fornire|eseguire)",
    r"не\s+могу\s+(?:\w+\s+){0,3}?(?:помочь|выполнить|ответить|предоставить)",
    r"(?:抱歉|对不起|我)[^。！\n]{0,40}?(?:无法|不能|没法|不便|拒绝)[^。，！\n]{0,14}?"
    r"(?:协助|帮|提供|完成|回答|评价|评分|打分|处理|满足|执行|查看|观看|识别)",
    r"(?:手伝い|お答え|回答|対応|提供)(?:\w{0,4})(?:できません|できかねます|いたしかねます|致しかねます)",
    r"(?:도와|도울|답변|제공|수행|응)\w{0,12}\s*수\s*없",
    r"لا\s+(?:يمكنني|أستطيع)\s+(?:\w+\s+)?(?:المساعدة|مساعدتك|تقديم|الإجابة|تنفيذ)",
)
_DECLINES = tuple(re.compile(one, re.IGNORECASE | re.MULTILINE) for one in (*_ENGLISH, *_OTHER_LANGUAGES))
_MAX_LENGTH = 20_000  # characters that are searched, at the end


def declines_task(text: str) -> bool:
    """Whether the final text of a response says, in its own words, that the task will not be done."""
    plain = _QUOTED.sub(" ", _MARKUP.sub("", text[-_MAX_LENGTH:]))
    return any(pattern.search(plain) for pattern in _DECLINES)
