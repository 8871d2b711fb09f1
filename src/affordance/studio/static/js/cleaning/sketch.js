/** What is masked in a picture, as the page shows it while somebody paints: the same geometry as on the server. */

export class Sketch {
  #found = null; // the markers that are found by themselves, as a picture whose brightness is the mask
  #mask = { found: true, brushes: [] };
  #colour = "#888";

  constructor() {
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
  }

  /** Another picture: nothing is masked in it until the rest is known. */
  begin({ width, height }) {
    this.canvas.width = width;
    this.canvas.height = height;
    this.#found = null;
    this.#mask = { found: true, brushes: [] };
  }

  /** @param {CanvasImageSource} picture white where a marker was found */
  setFound(picture) {
    const { width, height } = this.canvas;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(picture, 0, 0);
    const pixels = pen.getImageData(0, 0, width, height);
    for (let at = 0; at < pixels.data.length; at += 4) pixels.data[at + 3] = pixels.data[at];
    pen.putImageData(pixels, 0, 0);
    this.#found = canvas;
    this.draw();
  }

  setMask(mask) {
    this.#mask = mask;
    this.draw();
  }

  setColour(colour) {
    if (colour === this.#colour) return;
    this.#colour = colour;
    this.draw();
  }

  /** All of it anew. */
  draw() {
    const { pen, canvas } = this;
    pen.globalCompositeOperation = "source-over";
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (this.#mask.found && this.#found) {
      pen.drawImage(this.#found, 0, 0);
      pen.globalCompositeOperation = "source-in";
      pen.fillStyle = this.#colour;
      pen.fillRect(0, 0, canvas.width, canvas.height);
    }
    for (const brush of this.#mask.brushes) this.add(brush);
  }

  /** One stroke on top. @param {{points: number[][], radius: number, erase?: boolean}} brush */
  add({ points, radius, erase = false }) {
    const { pen } = this;
    pen.globalCompositeOperation = erase ? "destination-out" : "source-over";
    pen.strokeStyle = pen.fillStyle = this.#colour;
    pen.lineCap = pen.lineJoin = "round";
    pen.lineWidth = 2 * radius;
    pen.beginPath();
    if (points.length === 1) {
      pen.arc(...points[0], radius, 0, 2 * Math.PI);
      pen.fill();
      return;
    }
    points.forEach(([x, y], index) => (index ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
  }
}
