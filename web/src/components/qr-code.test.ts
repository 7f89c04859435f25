import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { linkQrCode, type QrCode, qrCode, qrSvg } from "./qr-picture.tsx";

/** Renders the code with four pixels per module, and decodes it with another library. */
function read({ size, path }: QrCode): string {
  const width = size * 4;
  const pixels = new Uint8Array(width * width).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let line = Number(y) * 4; line < Number(y) * 4 + 4; line++) {
      const start = line * width + Number(x) * 4;
      pixels.fill(0, start, start + Number(length) * 4);
    }
  }
  const data = Uint8Array.from({ length: pixels.length * 3 }, (_, at) => pixels[(at / 3) | 0] ?? 0);
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

test("the quiet zone is four modules wide", () => {
  const { size, path } = qrCode("https://tapthru.example/l/abcdefg");
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    expect(Math.min(Number(x), Number(y))).toBeGreaterThanOrEqual(4);
    expect(Math.max(Number(x) + Number(length), Number(y) + 1)).toBeLessThanOrEqual(size - 4);
  }
});

test("the SVG file is black on white and has the size of the code", async () => {
  const code = qrCode("https://tapthru.example/l/abcdefg");
  const file = qrSvg(code);
  expect(file.type).toBe("image/svg+xml");
  const svg = new DOMParser().parseFromString(await file.text(), "image/svg+xml").documentElement;
  expect(svg.getAttribute("viewBox")).toBe(`0 0 ${code.size} ${code.size}`);
  const paths = [...svg.querySelectorAll("path")];
  expect(paths.map((path) => path.getAttribute("fill"))).toEqual(["#fff", null]);
  expect(paths[1]?.getAttribute("d")).toBe(code.path);
});
