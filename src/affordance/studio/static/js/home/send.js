/** Sending a file, with how much of it is there. */

import { NetworkError, understood } from "../lib/api.js";
import { meta } from "../lib/dom.js";

/**
 * What the server made of it. `fetch` cannot tell how much was sent.
 * @param {File} file
 * @param {(share: number) => void} progress
 * @returns {Promise<{added: string[], known: number, copies: Record<string, string>}>}
 */
export function sendFile(file, progress) {
  const request = new XMLHttpRequest();
  request.open("POST", `/api/uploads?${new URLSearchParams({ name: file.name })}`);
  request.setRequestHeader("Content-Type", file.type);
  request.setRequestHeader("X-CSRF-Token", meta("csrf"));
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress(event.loaded / event.total);
  });
  return new Promise((resolve, reject) => {
    request.addEventListener("error", () => reject(new NetworkError("the connection broke off")));
    request.addEventListener("load", () => {
      try {
        resolve(understood({ status: request.status, text: request.responseText }));
      } catch (error) {
        reject(error);
      }
    });
    request.send(file);
  });
}
