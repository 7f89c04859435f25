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

test.each([
  [
    "the built-in table",
    TABLE,
    `${OPENS}; in some apps one tap is needed, for example in Instagram, TikTok, and Facebook.`,
  ],
  ["no taps", withTaps(), `${OPENS}.`],
  ["taps in other apps", withTaps("ios x", "android reddit"), `${OPENS}.`],
  [
    "a tap on one system",
    withTaps("android tiktok"),
    `${OPENS}; in some apps one tap is needed, for example in TikTok.`,
  ],
  ["a tap in a browser", withTaps("ios browser", "ios tiktok"), `${OPENS}; on some phones one tap is needed.`],
])("with %s", (_case, table, sentence) => {
  expect(openingSummary(table)).toBe(sentence);
});
