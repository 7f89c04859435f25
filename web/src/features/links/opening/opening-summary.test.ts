import type { AppOpeningStrategy, AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { expect, test } from "vitest";
import { openingSummary } from "../detail/link-cards.tsx";

/** The table, with these apps waiting for a tap and all others opening automatically. */
function withTaps(...taps: `${"ios" | "android"} ${string}`[]): AppOpeningTable {
  const mode = ({ os, app }: AppOpeningStrategy) =>
    taps.includes(`${os} ${app}`) ? ("tap" as const) : ("auto" as const);
  return { ...TABLE, rows: TABLE.rows.map((row) => ({ ...row, mode: mode(row) })) };
}

const OPENS = "Opens the Amazon app on iPhone and Android";
const SOME_APPS = `${OPENS}; in some apps one tap is needed, for example`;

test("names apps that need a tap everywhere, and those that need one on an iPhone", () => {
  expect(openingSummary(TABLE)).toBe(`${SOME_APPS} in TikTok, and on iPhone in Instagram and Facebook.`);
});

test.each([
  [[], `${OPENS}.`],
  [["ios x", "android reddit"], `${OPENS}.`],
  [["ios instagram"], `${SOME_APPS} on iPhone in Instagram.`],
  [["ios instagram", "android instagram"], `${SOME_APPS} in Instagram.`],
  [["ios instagram", "android tiktok"], `${SOME_APPS} on iPhone in Instagram, and on Android in TikTok.`],
  [["ios browser", "ios tiktok"], `${OPENS}; on iPhone one tap is needed.`],
  [["ios browser", "android browser"], `${OPENS}; on iPhone and Android one tap is needed.`],
] as const)("with a tap in %j", (taps, sentence) => {
  expect(openingSummary(withTaps(...taps))).toBe(sentence);
});
