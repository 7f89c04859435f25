import { EXAMPLE_EXPERIMENT, EXAMPLE_FIGURES, type Experiment } from "@tapthru/proto/experiments";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer, choose, click, fill, heading, rowsOf } from "../../testing/controls.ts";
import { mainChannel } from "../../testing/examples.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { failure, serve, serveChannels } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const BLOG = mainChannel({ id: 3, name: "Blog", isDefault: false, tags: [{ marketplace: "de", tag: "blog-21" }] });

/** @returns the bodies of its changes */
async function open(...list: Experiment[]) {
  serve("GET /api/experiments", () => list);
  const sent = serve<Partial<Experiment>>("PATCH /api/experiments/:id", ({ body }) =>
    Object.assign(list[0] ?? {}, body),
  );
  await openAsUser("/account/experiments");
  return sent;
}

test("an experiment is started for a channel and a store with a tag, and a refusal is shown", async () => {
  await open();
  serveChannels(mainChannel({ tags: [{ marketplace: "com", tag: "main-20" }] }), {
    ...BLOG,
    tags: [...BLOG.tags, { marketplace: "fr", tag: "blog-22" }],
  });
  const sent = serve("POST /api/experiments", () => EXAMPLE_EXPERIMENT);
  await click("New experiment");
  const field = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Channel and store" });
  const offered = ["Main, amazon.com", "Blog, amazon.de", "Blog, amazon.fr"];
  expect([...field.options].map(({ text }) => text)).toEqual(offered);
  await choose("Channel and store", "Blog, amazon.fr");
  await choose("Phones", "Android");
  await choose("Time", "8 weeks");
  await fill("A: tag", "same-21");
  await fill("B: tag", "SAME-21");
  await click("Start");
  expect(await screen.findByText("Use another tag than for the first half.")).toBeTruthy();
  await fill("B: tag", "SAME-21x");
  await click("Start");
  expect(await findToast("The experiment was started.")).toBeTruthy();
  const [a, b] = [
    { tag: "same-21", way: "app" },
    { tag: "SAME-21x", way: "browser" },
  ];
  expect(sent).toEqual([{ channelId: 3, marketplace: "fr", os: "android", days: 56, a, b }]);
});

test("while the channels cannot be loaded, the form says so and not that there is no tag", async () => {
  await open();
  serve("GET /api/channels", () => failure(400));
  await click("New experiment");
  expect(await screen.findByText("Your channels could not be loaded.")).toBeTruthy();
  expect(screen.queryByText(/^First save a tag/)).toBeNull();
});

test("the figures of both halves say which one is better, and a button adopts it", async () => {
  serveChannels(mainChannel(), BLOG);
  const sent = await open({ ...EXAMPLE_EXPERIMENT, endsAt: "2026-11-20T12:00:00.000Z" });
  expect(await heading(/^Blog, amazon\.de, iPhone/)).toBeTruthy();
  expect(screen.getByText("Ended")).toBeTruthy();
  serve("GET /api/experiments/:id", () => EXAMPLE_FIGURES);
  await click("Show figures");
  expect(await screen.findByText("A has more orders for each visit.")).toBeTruthy();
  const [table] = screen.getAllByRole("table");
  const [, first] = await rowsOf(table?.querySelector("caption")?.textContent ?? "", "");
  expect(first).toBe("A: the app, as usual6.05.0 to 7.22,0001,2401,310120€84.12€70.38 to €100.52");
  await click("Adopt A");
  await answer("Adopt A");
  expect(await findToast("It was adopted.")).toBeTruthy();
  expect(sent).toEqual([{ adopted: "a" }]);
  expect(await screen.findByText(/^Since then all open as A/)).toBeTruthy();
});

test("before the end it says that it cannot be known, and the experiment can be ended", async () => {
  const endsAt = "2999-01-01T00:00:00.000Z";
  const sent = await open({ ...EXAMPLE_EXPERIMENT, endsAt });
  serve("GET /api/experiments/:id", () => ({ ...EXAMPLE_FIGURES, endsAt, verdict: "unknown" }));
  await click("Show figures");
  expect(await screen.findByText(/^It cannot be known yet: the halves are compared once/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Adopt/ })).toBeNull();
  await click(/^End now/);
  expect(sent).toEqual([]);
  await answer("End now");
  expect(await findToast("Links open as usual again.")).toBeTruthy();
  expect(sent).toEqual([{ adopted: null }]);
});
