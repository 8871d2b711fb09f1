/** Asking the server. */

import { meta } from "./dom.js";

const PATIENCE = 30_000; // ms

/** The server has answered, and not with what was asked for. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {any} body
   */
  constructor(status, detail, body) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
    this.body = body;
  }
}

/** There is no answer. Whether the server has got the request is not known. */
export class NetworkError extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(`the server cannot be reached (${reason}); work goes on, and is sent when it can be reached again`);
    this.name = "NetworkError";
  }
}

/**
 * @param {string} url
 * @returns {Promise<any>}
 */
export function getJson(url) {
  return request(url, { headers: { Accept: "application/json" } });
}

/**
 * @param {string} url
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export function postJson(url, body) {
  return request(url, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRF-Token": meta("csrf") },
    body: JSON.stringify(body),
  });
}

/**
 * Who the server takes us for now: somebody may have signed in anew, or as somebody else, in another tab.
 * @returns {Promise<{author: string, project: string, csrf: string}>}
 */
export async function whoAmI() {
  // Only a page brings a cookie that has run out anew.
  await answer("/account", { headers: { Accept: "text/html" } });
  return getJson("/api/visitor");
}

/**
 * What an answer says, however it was asked for. Raises `ApiError`, or `NetworkError` where it was cut off.
 * @param {{status: number, text: string}} answer
 * @returns {any}
 */
export function understood({ status, text }) {
  const body = parsed(text);
  if (status < 200 || status > 299) throw new ApiError(status, line(body, status), body);
  if (body === undefined) throw new NetworkError("the answer was cut off");
  return body;
}

/**
 * @param {string} url
 * @param {RequestInit} options
 */
async function request(url, options) {
  return understood(await answer(url, options));
}

/**
 * @param {string} url
 * @param {RequestInit} options
 */
async function answer(url, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const response = await fetch(url, { ...options, credentials: "same-origin", signal: stop.signal });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    throw new NetworkError(stop.signal.aborted ? `no answer in ${PATIENCE / 1000} s` : reason);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {any} body
 * @param {number} status
 * @returns {string}
 */
function line(body, status) {
  if (typeof body?.detail === "string") return body.detail;
  if (Array.isArray(body?.detail))
    return body.detail.map((/** @type {{msg?: string}} */ one) => one.msg ?? "not valid").join("; ");
  return `the server answered ${status}`;
}
