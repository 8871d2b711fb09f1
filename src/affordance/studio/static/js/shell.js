/** What every page does: say where the person's strokes are, send those that wait, and show where one is. */

import { mountStatus } from "./work/status.js";

mountStatus(document.getElementById("status"));

// On a small screen the ways to pages are in one line that scrolls.
const ways = document.querySelector(".bar > nav");
const here = ways?.querySelector("[aria-current]");
if (here) ways.scrollLeft = here.offsetLeft + here.offsetWidth / 2 - ways.clientWidth / 2;
