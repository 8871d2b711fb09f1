/** What every page does: say where the person's strokes are, and send those that wait. */

import { mountStatus } from "./work/status.js";

mountStatus(document.getElementById("status"));
