/** What people who take part are told, apart from what the study says itself. */

/** How it goes, by the form of a study. @returns {string[]} */
export function steps({ form, slots }) {
  const count = slots.length;
  const many = count === 1 ? "There is one question." : `There are ${count} questions, one after the other.`;
  return [
    ...(count ? [many] : []),
    FORMS[form],
    "Each answer is kept as soon as you give it. You can go back and change any until you press “I am done”.",
    "You may leave in the middle and come back later by your own link, on this device or another one.",
  ];
}

const FORMS = {
  task: "Look at what is shown, then answer. If you are not sure, say what seems most likely to you.",
  survey:
    "Watch each animation as often as you like: slower, in a loop, or frame by frame. Then say in your own words " +
    "what you see, and what it tells you. There are no wrong answers.",
  purpose: "Watch each animation, then choose what it is mainly for. Each option tells what it means.",
  preference: "Each time you see two designs of one page. Choose the one that serves the goal better, in your opinion.",
  judging: "Compare what is shown, and say how well it fits. Judge only what you see.",
  errors: "Look at what was asked and what was answered, and say in tags of your own what went wrong.",
  boxes: "Draw a box around what is asked for, as tight as you can without cutting it off.",
};

/** What is kept of people. */
export function kept({ asks_about: about }) {
  return [
    "Your answers, and how many seconds you looked at each question; when you came and when you were done.",
    ...(about ? ["Your age group and gender are asked for, and kept only if you give them."] : []),
    "If a recruiting service sent you here, the number by which it knows you. No name or address is asked for.",
  ];
}

export const WITHDRAWING = [
  "You can withdraw at any time, during the study and after it, without saying why: by the button at the foot of " +
    "every page.",
  "Everything you have said is then erased: your answers and all earlier versions of them, your age group and " +
    "gender, and the number by which a recruiting service knows you. What stays is that somebody took part and withdrew.",
];

export const AGES = ["18 to 24", "25 to 34", "35 to 44", "45 to 54", "55 to 64", "65 or older"];
export const GENDERS = ["Woman", "Man", "Non-binary", "Another"];
