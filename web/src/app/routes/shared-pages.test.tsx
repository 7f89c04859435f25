import { ERRORS } from "@tapthru/proto/errors";
import { SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { listSharedPages, readSharedPage } from "@tapthru/proto/shared-pages";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { clickReport } from "../../testing/clicks-server.ts";
import { choose, click, fill, heading, section, textsOf } from "../../testing/controls.ts";
import { exampleOf, like } from "../../testing/examples.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, problem, serve } from "../../testing/serve.ts";

const CLICKS = {
  ...exampleOf(readSharedPage),
  ...clickReport([{ person: 12 }], { ios: 12 }),
  name: "Camping Co., autumn",
};
const PAGE = like(exampleOf(listSharedPages)[0], { name: "Camping Co.", linkId: 7 })();

test("a sponsor sees the page of clicks by the token, also of another period, and no files or links", async () => {
  const sent = serve("POST /api/shared-pages/read", () => CLICKS);
  await renderApp("/shared#secret");
  expect(await heading(CLICKS.name)).toBeTruthy();
  await choose("By", "Device");
  await screen.findByRole("row", { name: /^iPhone/ });
  const before = sent.length;
  await choose("Period", "7 days");
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(before));
  for (const body of sent) expect(body).toMatchObject({ token: "secret" });
  expect(sent).toContainEqual(expect.objectContaining({ by: "device" }));
  for (const text of ["Download CSV", "Top links", "All your links"]) expect(screen.queryByText(text)).toBeNull();
});

test("a sponsor can choose another period after one whose clicks could not be loaded", async () => {
  serve<{ period?: string; from?: string }>("POST /api/shared-pages/read", ({ body }) =>
    Object.keys(body).length > 1 && isFailing ? failure(400) : CLICKS,
  );
  let isFailing = false;
  await renderApp("/shared#secret");
  await heading(CLICKS.name);
  isFailing = true;
  await choose("Period", "7 days");
  await screen.findAllByRole("alert");
  isFailing = false;
  await choose("Period", "30 days");
  await screen.findAllByText("12", { selector: "dd" });
});

test("a sponsor tries again if the clicks could not be loaded, and reads that a link does not work", async () => {
  serve("POST /api/shared-pages/read", () => problem("not-found"));
  serve("POST /api/shared-pages/read", () => failure(400), { once: true });
  await renderApp("/shared#secret");
  await screen.findByText("The clicks could not be loaded.");
  await click("Try again");
  expect(await heading("This link does not work")).toBeTruthy();
});

test("clicks of a label are not shared without one", async () => {
  const sent = serve("POST /api/shared-pages", () => failure());
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages("/clicks");
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  await click("Create secret link");
  await screen.findByText("Please choose a label");
  expect(sent).toEqual([]);
});

test("a user without labels reads that there are none", async () => {
  await renderPages("/clicks");
  await click("Share clicks");
  await screen.findByText(/^You have no labels\./);
  expect(screen.queryByRole("button", { name: "Create secret link" })).toBeNull();
});

test("the maximum counts all that is shared, also of other links", async () => {
  const all = Array.from({ length: SHARED_PAGES_MAX_COUNT }, (_, id) => ({ ...PAGE, id, linkId: 8 }));
  serve("GET /api/shared-pages", () => all);
  serve("GET /api/links/abcdefg", () => shortLink({ id: 7 }));
  await renderPages("/link/abcdefg/clicks");
  await screen.findByText(ERRORS["too-many-shared-pages"].message);
});

test.each([
  ["/link/abcdefg/clicks", { linkId: 7 }, ["Camping Co."]],
  ["/clicks", { labelId: 3 }, ["Camping Co.", "Another link"]],
])("a user shares clicks on %s by a secret link that is shown once", async (path, of, listed) => {
  const url = "https://tapthru.example/shared#secret";
  const sent = serve("POST /api/shared-pages", () => ({ ...PAGE, url }));
  serve("GET /api/shared-pages", () => [PAGE, { ...PAGE, id: 2, name: "Another link", linkId: 8 }]);
  serve("GET /api/links/abcdefg", () => shortLink({ id: 7 }));
  serve("GET /api/labels", () => [{ id: 3, name: "Gifts", colour: "red", linkCount: 0 }]);
  await renderPages(path);
  await heading("Camping Co.");
  expect(textsOf((await section("Share clicks")).getAllByRole("heading", { level: 3 }))).toEqual(listed);
  await click("Share clicks");
  await fill("Name of the page", "Camping Co.");
  if ("labelId" in of) await choose("Label", "Gifts");
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await fill("Last day on which the link works", endsOn);
  await click("Create secret link");
  expect(await screen.findByText(url)).toBeTruthy();
  expect(sent).toEqual([{ of, name: "Camping Co.", endsOn }]);
});
