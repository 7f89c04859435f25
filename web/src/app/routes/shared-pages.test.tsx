import type { SharedClicks } from "@tapthru/proto/shared-pages";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { catchFiles } from "../../testing/catch-files.ts";
import { click, fill, section } from "../../testing/controls.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";

const COUNTS = { person: 12, visitors: 9, preview: 3, bot: 1 };
const CLICKS: SharedClicks = {
  name: "Camping Co., autumn",
  shortUrl: "https://tapthru.example/l/abcdefg",
  linkCount: 1,
  month: "2026-11",
  totals: COUNTS,
  days: [{ day: "2026-11-01", ...COUNTS }],
};
const { privateKey, publicKey } = await generateKeyPair("EdDSA");

/** @param iss the site that a statement says it is by */
function signed(iss = location.origin, clicks = CLICKS): Promise<string> {
  const statement = new TextEncoder().encode(JSON.stringify({ ...clicks, iss, iat: 1_790_000_000 }));
  return new CompactSign(statement).setProtectedHeader({ alg: "EdDSA", kid: "k" }).sign(privateKey);
}

/** Opens the page that checks statements, and chooses one. */
async function check(
  statement: string,
  keys: () => unknown = async () => [{ ...(await exportJWK(publicKey)), kid: "k" }],
) {
  serve("GET /api/statement-keys", async () => {
    const served = await keys();
    return served instanceof Response ? served : { keys: served };
  });
  await renderApp("/check-statement");
  await userEvent.upload(await screen.findByLabelText("Choose a statement"), new File([statement], "s.jws"));
}

test("a sponsor chooses a month, and downloads its statement", async () => {
  const sent = serve("POST /api/shared-pages/read", ({ body }) => {
    const { month } = z.parse(z.object({ month: z.string() }), body);
    const isOver = month === "2026-10";
    return { ...CLICKS, month: month || "2026-11", months: ["2026-11", "2026-10"], statement: isOver ? "a.b.c" : null };
  });
  const files = catchFiles();
  await renderApp("/shared#secret");
  expect(await screen.findByRole("heading", { level: 1, name: CLICKS.name })).toBeTruthy();
  expect(screen.getByRole("row", { name: "Sun, Nov 1 12 9 3 1" })).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Month"), "October 2026");
  await click("Download the statement of October 2026");
  expect([files[0]?.name, await files[0]?.file.text()]).toEqual(["statement-2026-10.jws", "a.b.c"]);
  expect(sent).toEqual([
    { token: "secret", month: "" },
    { token: "secret", month: "2026-10" },
  ]);
});

test("a secret link that is unknown does not work", async () => {
  serve("POST /api/shared-pages/read", () => failure(404));
  await renderApp("/shared#secret");
  expect(await screen.findByRole("heading", { name: "This link does not work" })).toBeTruthy();
});

test.each([
  ["/link/abcdefg/clicks", { linkId: 7 }, ["Camping Co."]],
  ["/clicks", { labelId: 3 }, ["Camping Co.", "Another link"]],
])("on %s, clicks are shared by a secret link that is shown once", async (path, of, listed) => {
  const page = { id: 1, name: "Camping Co.", linkId: 7, of: "abcdefg", endsOn: "2030-01-31" };
  const sent = serve("POST /api/shared-pages", () => ({ ...page, url: "https://tapthru.example/shared#secret" }));
  serve("GET /api/shared-pages", () => [page, { ...page, id: 2, name: "Another link", linkId: 8 }]);
  serve("GET /api/links/:shortCode", () => shortLink({ id: 7 }));
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages(path);
  await screen.findByRole("heading", { name: "Camping Co." });
  const card = await section("Share clicks");
  expect(card.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual(listed);
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  if ("labelId" in of) await userEvent.selectOptions(await screen.findByLabelText("Label"), "Gifts");
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await fill("Last day on which the link works", endsOn);
  await click("Create secret link");
  expect(await screen.findByText("https://tapthru.example/shared#secret")).toBeTruthy();
  expect(sent).toEqual([{ of, name: "Camping Co.", endsOn }]);
});

test("a statement of this site is valid, and says what was counted", async () => {
  await check(await signed());
  expect(await screen.findByRole("heading", { name: "The signature is valid." })).toBeTruthy();
  expect(screen.getByText(/^November 2026: Camping Co\., autumn\. Clicks of .*\. Signed by http/)).toBeTruthy();
});

const NOT_OURS = /^This statement was changed or is not by localhost:8080\.$/;
const CHANGED = async () => (await signed()).replace(/\.(..)/, ".$1IC");
const OTHER = () => signed("https://other.example");
test("a statement of an earlier release is valid too, and says nothing about visitors", async () => {
  const { visitors: _, ...counts } = COUNTS;
  await check(await signed(location.origin, { ...CLICKS, totals: counts, days: [{ day: "2026-11-01", ...counts }] }));
  expect(await screen.findByRole("row", { name: "Sun, Nov 1 12 – 3 1" })).toBeTruthy();
});

test.each([
  ["was changed", CHANGED, undefined, NOT_OURS],
  ["is none", () => "text", undefined, NOT_OURS],
  ["is by another site", OTHER, () => [], /is by https:\/\/other\.example\. Please check it there\.$/],
  ["cannot be checked now", signed, () => failure(), /could not be loaded/],
])("a statement that %s is refused", async (_, statement, keys, text) => {
  await check(await statement(), keys);
  expect(await screen.findByRole("alert")).toHaveProperty("textContent", expect.stringMatching(text));
  expect(screen.queryByRole("heading", { name: "The signature is valid." })).toBeNull();
});
