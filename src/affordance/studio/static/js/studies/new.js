/** The page of a new study: what is usual for each form, and only fields that it has. */

const choices = [...document.querySelectorAll("input[name='form']")];

function follow() {
  const chosen = choices.find((one) => one.checked);
  if (!chosen) return;
  const { item, person, drawn, run } = chosen.dataset;
  document.getElementById("per_item").placeholder = item;
  document.getElementById("per_person").placeholder = person;
  for (const [what, needed] of Object.entries({ drawn, run, task: chosen.value === "judging" ? "yes" : "no" })) {
    const field = document.querySelector(`[data-for="${what}"]`);
    field.hidden = needed !== "yes";
    field.querySelector("input").disabled = field.hidden;
  }
  document.getElementById("run").required = run === "yes";
}

choices.forEach((one) => one.addEventListener("change", follow));
follow();
