/** A film as the server sends it: a header of JSON, and the pictures of all frames one after the other. */

const PREFIX = 4; // bytes that say how long the header is
const KEPT = 160e6; // bytes of decoded frames that are held at once
const LEAST = 6; // frames that are held whatever they take

/** The film did not come, or is not one. */
export class ReelError extends Error {}

/**
 * Fetch a film.
 * @param {string} src
 * @param {{signal?: AbortSignal, onProgress?: (share: number) => void}} [options] share: 0 to 1
 * @returns {Promise<Reel>}
 */
export async function fetchReel(src, { signal, onProgress } = {}) {
  const response = await fetch(src, { signal, credentials: "same-origin" });
  if (!response.ok) throw new ReelError(`the server answered ${response.status}`);
  const length = Number(response.headers.get("content-length")) || 0;
  const parts = [];
  let got = 0;
  for (const reader = /** @type {ReadableStream} */ (response.body).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    got += value.length;
    if (length) onProgress?.(Math.min(1, got / length));
  }
  return new Reel(await new Blob(parts).arrayBuffer());
}

export class Reel {
  /** @type {number} frames a second */
  rate;
  /** @type {Blob[]} */
  #pictures;
  /** @type {Map<number, ImageBitmap>} */
  #bitmaps = new Map(); // decoded, by frame, the one that was asked for last at the end
  /** @type {Map<number, Promise<ImageBitmap>>} */
  #decoding = new Map();
  #most = LEAST;
  #closed = false;

  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    const { rate, type, sizes } = headerOf(buffer);
    this.rate = rate;
    let place = PREFIX + new DataView(buffer).getUint32(0);
    this.#pictures = sizes.map((size) => {
      place += size;
      return new Blob([new Uint8Array(buffer, place - size, size)], { type });
    });
  }

  get count() {
    return this.#pictures.length;
  }

  /** The picture of a frame, if it is decoded. @param {number} frame @returns {ImageBitmap | null} */
  at(frame) {
    return this.#bitmaps.get(frame) ?? null;
  }

  /** Decode a frame. @param {number} frame @returns {Promise<ImageBitmap>} */
  decoded(frame) {
    const found = this.#bitmaps.get(frame);
    if (found) {
      this.#bitmaps.delete(frame);
      this.#bitmaps.set(frame, found);
      return Promise.resolve(found);
    }
    const decoding = this.#decoding.get(frame) ?? this.#decode(frame);
    this.#decoding.set(frame, decoding);
    return decoding;
  }

  close() {
    this.#closed = true;
    for (const bitmap of this.#bitmaps.values()) bitmap.close();
    this.#bitmaps.clear();
  }

  /** @param {number} frame */
  async #decode(frame) {
    try {
      const bitmap = await createImageBitmap(this.#pictures[frame]);
      if (this.#closed) {
        bitmap.close();
        throw new ReelError("the film was closed");
      }
      this.#most = Math.max(LEAST, Math.floor(KEPT / (4 * bitmap.width * bitmap.height)));
      this.#bitmaps.set(frame, bitmap);
      for (const [old, other] of this.#bitmaps) {
        if (this.#bitmaps.size <= this.#most) break;
        this.#bitmaps.delete(old);
        other.close();
      }
      return bitmap;
    } catch (error) {
      throw error instanceof ReelError ? error : new ReelError(`frame ${frame + 1} cannot be shown`);
    } finally {
      this.#decoding.delete(frame);
    }
  }
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {{rate: number, type: string, sizes: number[]}}
 */
function headerOf(buffer) {
  try {
    const long = new DataView(buffer).getUint32(0);
    const { rate, type, sizes } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, PREFIX, long)));
    const whole =
      PREFIX + long + sizes.reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0);
    if (sizes.length && whole === buffer.byteLength) return { rate: rateOf(rate), type, sizes };
  } catch {
    // As below: it broke off, or it is something else.
  }
  throw new ReelError("what came is not a whole film");
}

/** A rate as a number: "10", "30000/1001" or 10. @param {string | number} rate */
export function rateOf(rate) {
  const [above, below = "1"] = String(rate).split("/");
  const found = Number(above) / Number(below);
  if (!(found > 0)) throw new ReelError(`expected a rate of frames, found ${rate}`);
  return found;
}
