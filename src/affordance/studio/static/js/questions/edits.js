/** What is changed of a question, as fields of its document, or why it cannot be. */

/** @returns {{set?: object, refused?: string}} without a text, that kind of wording is not asked any more */
export function expressionSet(document, value, kind) {
  const { [kind]: _, ...others } = document.expressions ?? {};
  const expressions = value ? { ...(document.expressions ?? {}), [kind]: value } : others;
  if (!Object.values(expressions).some(Boolean)) {
    return { refused: "A question needs a wording. To leave it out, abandon it." };
  }
  return { set: { expressions } };
}

export function questionSet(_, value) {
  return value ? { set: { question: value } } : { refused: "A question needs words. To leave it out, abandon it." };
}

export function optionsSet(document, value, index) {
  if (!value) return { refused: "An option needs words." };
  return { set: { options: document.options.map((one, at) => (at === index ? { ...one, text: value } : one)) } };
}

export function abandoned(yes) {
  return { abandoned: yes };
}

export function keptAfterAll() {
  return { dropped: "" };
}
