import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { areReadable, BLACK_ON_WHITE, linkQrCode, type QrCode, qrCode, qrSvg } from "./qr-picture.tsx";

const rgb = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/**
 * Renders the code with four pixels per module, and decodes it.
 * @param noise of each channel; with it, one side of the code also gets half the light of the other
 */
function read({ size, path }: QrCode, colours = BLACK_ON_WHITE, noise = 0): string {
  const width = size * 4;
  const isDark = new Uint8Array(width * width);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let line = Number(y) * 4; line < Number(y) * 4 + 4; line++) {
      const start = line * width + Number(x) * 4;
      isDark.fill(1, start, start + Number(length) * 4);
    }
  }
  const [background, code] = [rgb(colours.background), rgb(colours.code)];
  const data = Uint8ClampedArray.from({ length: isDark.length * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    const light = noise === 0 ? 1 : 1 - (pixel % width) / width / 2;
    // Of no period that fits to the code.
    return ((isDark[pixel] ? code : background)[at % 3] ?? 0) * light + noise * Math.sin(at * at);
  });
  return decodeQR({ width, height: width, data });
}

test.each([
  "https://tapthru.example/l/abcdefg",
  "http://localhost:8080/l/2345678",
  `https://${"long-name.".repeat(12)}example/l/zyxwvut`,
])("%s is decoded correctly", (shortUrl) => {
  expect(read(qrCode(shortUrl))).toBe(shortUrl);
});

test("the code of a link names itself as the source of its taps", () => {
  expect(read(linkQrCode("https://tapthru.example/l/abcdefg"))).toBe("https://tapthru.example/l/abcdefg?from=qr");
});

test.each([
  ["#000000", "#ffffff", true],
  ["#999999", "#ffffff", true],
  ["#000000", "#666666", true],
  ["#b00020", "#fff4e0", true],
  ["#003399", "#ffcc00", true],
  ["#1db954", "#ffffff", true],
  ["#9a9a9a", "#ffffff", false],
  ["#cccccc", "#ffffff", false],
  ["#ff0000", "#00ff00", false],
  ["#ffffff", "#000000", false],
])("%s on %s can be read: %s, also in half the light", (code, background, isReadable) => {
  const colours = { code, background };
  expect(areReadable(colours)).toBe(isReadable);
  if (isReadable) expect(read(qrCode("https://tapthru.example/l/abcdefg"), colours, 30)).toMatch(/abcdefg$/);
});

test("the quiet zone is four modules wide", () => {
  const { size, path } = qrCode("https://tapthru.example/l/abcdefg");
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    expect(Math.min(Number(x), Number(y))).toBeGreaterThanOrEqual(4);
    expect(Math.max(Number(x) + Number(length), Number(y) + 1)).toBeLessThanOrEqual(size - 4);
  }
});

test("the SVG file has the colours and the size of the code", async () => {
  const code = qrCode("https://tapthru.example/l/abcdefg");
  const file = qrSvg(code, { code: "#003399", background: "#ffcc00" });
  expect(file.type).toBe("image/svg+xml");
  const svg = new DOMParser().parseFromString(await file.text(), "image/svg+xml").documentElement;
  expect(svg.getAttribute("viewBox")).toBe(`0 0 ${code.size} ${code.size}`);
  const paths = [...svg.querySelectorAll("path")];
  expect(paths.map((path) => path.getAttribute("fill"))).toEqual(["#ffcc00", "#003399"]);
  expect(paths[1]?.getAttribute("d")).toBe(code.path);
});
