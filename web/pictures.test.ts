import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SOCIAL_IMAGE_HEIGHT_PX, SOCIAL_IMAGE_WIDTH_PX } from "@tapthru/proto/rules/limits";
import { SOCIAL_IMAGE_PATH } from "@tapthru/proto/rules/social-card";
import { expect, test } from "vitest";
import { faviconSvg } from "./pictures/icon-svg.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "public", path));

/** Reads width and height from the PNG header. */
function sizeOf(png: Buffer): [width: number, height: number] {
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test.each([
  [SOCIAL_IMAGE_PATH, SOCIAL_IMAGE_WIDTH_PX, SOCIAL_IMAGE_HEIGHT_PX],
  ["apple-touch-icon.png", 180, 180],
  ["icon-192.png", 192, 192],
  ["icon-512.png", 512, 512],
  ["icon-maskable-512.png", 512, 512],
])("%s is %d by %d pixels", (path, width, height) => {
  expect(sizeOf(read(path))).toEqual([width, height]);
});

test("the social card is small enough for every messenger", () => {
  expect(read(SOCIAL_IMAGE_PATH).length).toBeLessThan(300_000);
});

test("favicon.ico contains PNGs of 16 and 32 pixels", () => {
  const ico = read("favicon.ico");
  expect(ico.readUInt16LE(4)).toBe(2);
  const sizes = [0, 1].map((index) => {
    const at = 6 + 16 * index;
    const offset = ico.readUInt32LE(at + 12);
    const png = ico.subarray(offset, offset + ico.readUInt32LE(at + 8));
    expect([ico[at], ico[at + 1]]).toEqual(sizeOf(png));
    return ico[at];
  });
  expect(sizes).toEqual([16, 32]);
});

test("favicon.svg has the logo's colors of both themes", () => {
  const svg = read("favicon.svg").toString();
  expect(svg).toBe(faviconSvg());
  const tokens = readFileSync(join(import.meta.dirname, "src/styles.css")).toString();
  const [, light, dark] = /--accent: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
  expect(svg).toContain(`fill="${light}"`);
  expect(svg).toContain(`(prefers-color-scheme:dark){rect{fill:${dark}}`);
});
