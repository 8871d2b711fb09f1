/** The overview: adding screens, and how far the stages are. */

import "../studies/list.js";
import { mountStages } from "./stages.js";
import { mountUploads } from "./uploads.js";

const drop = document.getElementById("drop");
if (drop) mountUploads(drop);
const stages = document.getElementById("stages");
if (stages) mountStages(stages);
