import { paths } from "@tapthru/proto/rules/paths";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serveBulk } from "../../testing/bulk-server.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { button, click, isReloadHeld, link, pasteOnPage } from "../../testing/controls.ts";
import { domain } from "../../testing/examples.ts";
import { useFakeWorker } from "../../testing/fake-worker.ts";
import { serveLinks } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { heldReplies, respondOnceWith, serve } from "../../testing/serve.ts";

const PAGE = "https://www.amazon.com/dp/";
const ASINS = Array.from({ length: 250 }, (_, at) => `B0ZZ1Y2${String(at).padStart(3, "0")}`);

beforeEach(() => {
  sessionStorage.clear();
  useFakeWorker();
  serve("GET /api/domains", () => [domain({ host: "go.example", state: "works" })]);
});

async function choose(text: string, name = "links.csv") {
  await userEvent.upload(await screen.findByLabelText("Choose a CSV file"), new File([text], name));
}
async function open(text: string) {
  await renderPages(paths.import);
  await choose(text);
}
const lines = () => screen.getByRole("list", { name: "Lines of the file" });
const textOf = (line: number) => within(lines()).getByText(`Line ${line}`).closest("li")?.textContent;
const list = (count: number) => ["url", ...ASINS.slice(0, count).map((asin) => PAGE + asin)].join("\n");

test("a plan shows the result of each line, and the links are created with the values of the file", async () => {
  const saved = catchFiles();
  const created = serveBulk({
    known: ({ slug }) =>
      slug === "mine" ? { isSlugUsed: true, slugLink: "renamed" } : { isSlugUsed: slug === "taken" },
    reply: () => null,
  });
  const [a, b, c, d, e] = ASINS;
  await open(
    [
      "long_url,custom_bitlink,title,tags",
      `${PAGE}${a},bit.ly/lamp,"Desk lamp, red","home,gifts"`,
      `${PAGE}${b},bit.ly/mine,,`,
      `${PAGE}${c},bit.ly/taken,,`,
      "https://shop.example/mug,bit.ly/mug,Mug,",
      `${PAGE}${d}?th=1&amp;psc=1,bit.ly/chair,,`,
      `${PAGE}${e},bit.ly/LAMP,,`,
    ].join("\n"),
  );
  await screen.findByText("4 links will be created. Nothing has happened yet.");
  expect(textOf(2)).toBe(`Line 2Desk lamp, red${PAGE}${a}Keeps lamp`);
  expect(textOf(3)).toBe(`Line 3${PAGE}${b}tapthru.example/l/renamedYou already have this link.`);
  expect(textOf(4)).toContain("New code: taken is taken");
  expect(textOf(5)).toContain("Not an Amazon link.bit.ly/mug stops working here.");
  expect(textOf(6)).toContain(`Probably meant: ${PAGE}${d}?th=1&psc=1`);
  expect(textOf(7)).toContain("differs from the code of an earlier line only in capital letters");
  expect(screen.getByRole("radio", { name: "You have (1)" })).toBeTruthy();
  await click("Use 1 repaired address");
  await waitFor(() => expect(screen.queryByText(/^Probably meant/)).toBeNull());
  expect([...created]).toEqual([]);
  await click("Import 4 links");
  await screen.findByText("Done. 4 links were created.");
  const sent = { domain: null, idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) };
  expect([...created.values()]).toEqual([
    {
      ...sent,
      url: PAGE + a,
      slug: "lamp",
      mayReplaceSlug: true,
      nickname: "Desk lamp, red",
      labels: ["home", "gifts"],
    },
    { ...sent, url: PAGE + c },
    { ...sent, url: `${PAGE}${d}?th=1&psc=1`, slug: "chair", mayReplaceSlug: true },
    { ...sent, url: PAGE + e },
  ]);
  await click("Download result");
  expect((await saved[0]?.file.text())?.replace("\ufeff", "").split("\r\n").slice(0, 6)).toEqual([
    "line,url,slug,result,reason,short_url",
    `2,${PAGE}${a},lamp,created,,https://tapthru.example/l/lamp`,
    `3,${PAGE}${b},mine,already there,You already have this link.,https://tapthru.example/l/renamed`,
    `4,${PAGE}${c},taken,created,New code: taken is taken,https://tapthru.example/l/new2`,
    "5,https://shop.example/mug,mug,refused,Not an Amazon link.,",
    `6,${PAGE}${d}?th=1&psc=1,chair,created,,https://tapthru.example/l/chair`,
  ]);
});

test("a lost connection pauses the import, which then creates each link once", async () => {
  const sizes: number[] = [];
  const created = serveBulk({
    reply(links) {
      sizes.push(links.length);
      return sizes.length === 2 ? HttpResponse.error() : null;
    },
  });
  await open(list(250));
  await click("Import 250 links");
  await screen.findByText("The connection was lost. You can continue now or later: no link is created twice.");
  expect(screen.getByText("100 of 250 lines")).toBeTruthy();
  await click("Continue");
  await screen.findByText("Done. 250 links were created.");
  expect([sizes, created.size]).toEqual([[100, 100, 100, 50], 250]);
});

test("waits while the service is busy or gets too many requests, and continues by itself", async () => {
  const headers = { "Retry-After": "0" };
  const later = (status: number) => new HttpResponse("Later.", { status, headers });
  const replies = [503, 429].map(later);
  const created = serveBulk({ reply: () => replies.shift() });
  respondOnceWith("POST /api/links/bulk/known", () => later(503));
  await open(list(3));
  await click("Import 3 links");
  await screen.findByText("Done. 3 links were created.");
  expect([replies, created.size]).toEqual([[], 3]);
});

test("the comparison of a long file says how far it is, and that it waits", async () => {
  const { released, release } = heldReplies();
  const asked: number[] = [];
  serve<{ links: { url: string }[] }>("POST /api/links/bulk/known", async ({ body: { links } }) => {
    asked.push(links.length);
    if (asked.length === 1) return new HttpResponse("Later.", { status: 429, headers: { "Retry-After": "1" } });
    if (asked.length === 3) await released;
    return { results: links.map(({ url: webUrl }) => ({ webUrl, isSlugUsed: false, slugLink: null })), links: [] };
  });
  await open(["url", ...ASINS.flatMap((asin) => [PAGE + asin, `${PAGE}${asin}?th=1`])].join("\n"));
  await screen.findByText("0 of 500 addresses are compared with your links. Waiting 1 second for the server.");
  await screen.findByText("250 of 500 addresses are compared with your links.");
  release();
  await screen.findByText("500 links will be created. Nothing has happened yet.");
  expect(asked).toEqual([250, 250, 250]);
});

test("an import that a reload interrupted continues with the same keys when the same file is chosen", async () => {
  const { released, release } = heldReplies();
  let isHeld = false;
  const created = serveBulk({ reply: () => (isHeld ? released.then(() => null) : null) });
  const view = await renderPages(paths.import);
  await choose(list(120));
  await click("Import 120 links");
  await screen.findByText("Done. 120 links were created.");
  const keys = [...created.keys()];
  isHeld = true;
  view.clear();
  await click("Import another file");
  await choose(list(120));
  await click("Import 120 links");
  await click("Pause");
  await screen.findByText("Paused. The links that were created stay.");
  release();
  document.body.replaceChildren();
  isHeld = false;
  await renderPages(paths.import);
  await choose(list(120));
  await click("Import 120 links");
  await screen.findByText("Done. 120 links were created.");
  expect([...created.keys()]).toEqual(keys);
});

test("lines whose short links Amazon did not resolve can be tried again, at most 25 short links in a request", async () => {
  const sizes: number[] = [];
  const created = serveBulk({
    reply(links) {
      sizes.push(links.length);
      const failed = { status: 502, code: "short-link-failed", message: "Failed." };
      return sizes.length > 1 ? null : { results: links.map(() => failed) };
    },
  });
  await open(Array.from({ length: 30 }, (_, at) => `https://amzn.to/${at}lamp`).join("\n"));
  await click("Import 30 links");
  await screen.findByText("Amazon did not respond for 25 lines.");
  await click("Try 25 lines again");
  await screen.findByText("Done. 30 links were created.");
  expect([sizes, new Set([...created.values()].map(({ unlessKnown }) => unlessKnown))]).toEqual([
    [25, 5, 25],
    new Set([true]),
  ]);
});

test("says which columns are not imported, and that letters of a file that is not in UTF-8 may be wrong", async () => {
  serveBulk();
  const file = [...new TextEncoder().encode(`Ziel;Kurz;name\n${PAGE}${ASINS[0]};mug;Kube`), 0xb3];
  await renderPages(paths.import);
  await userEvent.upload(await screen.findByLabelText("Choose a CSV file"), new File([new Uint8Array(file)], "a.csv"));
  await screen.findByText(/^Columns that are not imported: Kurz\. .* If letters look wrong, save the file in UTF-8/);
  expect(screen.getByText(/Kube³$/)).toBeTruthy();
});

test("shows which short addresses stop working, and which domains belong to the user", async () => {
  serveBulk();
  const [a, b] = ASINS;
  await openAsUser(paths.import, { changes: { hasDomains: true } });
  await choose(`shortCode,domain,longUrl\nmug,go.example,${PAGE}${a}\n커피,old.example,${PAGE}${b}\n`);
  await screen.findByText(/^1 short address of this file will open no link here/);
  const about = (await screen.findByText(/Codes stay on/)).textContent;
  expect(about).toContain("This file has short addresses on 2 domains. Codes stay on go.example.");
  expect(about).toContain("Not your domains here: old.example.");
  expect(textOf(3)).toContain("old.example/커피 stops working here.");
});

test("a refused file shows the reason, and another can be chosen", async () => {
  serveBulk();
  await open("name,age\nAda,36\n");
  expect((await screen.findByRole("alert")).textContent).toMatch(/^This file has no column of addresses\./);
  await choose(list(1));
  expect(await button("Import 1 link")).toBeTruthy();
  expect((await link("Amazon's reports")).getAttribute("href")).toBe(paths.earningsImport);
});

test("reading a file can be cancelled, and another one is read instead", async () => {
  serveBulk();
  await renderPages(paths.import);
  const { released, release } = heldReplies();
  const slow = new File([list(3)], "slow.csv");
  slow.arrayBuffer = () => released.then(() => new ArrayBuffer(0));
  await userEvent.upload(await screen.findByLabelText("Choose a CSV file"), slow);
  await click("Cancel");
  release();
  await choose(list(2));
  expect(await button("Import 2 links")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("many pasted links need one click, and are copied together with those that the user had", async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
  onTestFinished(() => void vi.restoreAllMocks());
  const own = { webUrl: PAGE + ASINS[7], shortCode: "mine", nickname: null };
  const created = serveBulk({ links: [own] });
  serveLinks([]);
  await renderPages(paths.dashboard);
  await screen.findByRole("textbox", { name: "Amazon product or store link" });
  pasteOnPage(
    ASINS.slice(0, 120)
      .map((asin) => PAGE + asin)
      .join("\n"),
  );
  await click("Import 119 links");
  await screen.findByText("Done. 119 links were created.");
  expect(created.size).toBe(119);
  await click("Copy all");
  await waitFor(() => expect(copied).toHaveLength(1));
  expect(copied[0]?.split("\n")).toHaveLength(120);
  expect(copied[0]?.split("\n")[7]).toBe("https://tapthru.example/l/mine");
});

test("leaving asks as long as pasted addresses are not imported, also while their plan is shown", async () => {
  serveBulk();
  await renderPages(paths.import);
  await userEvent.type(await screen.findByLabelText("One address in each line"), `${PAGE}${ASINS[0]}`);
  expect(isReloadHeld()).toBe(true);
  await click("Preview");
  await button("Import 1 link");
  expect(isReloadHeld()).toBe(true);
  await click("Discard");
  expect(await screen.findByLabelText("One address in each line")).toHaveProperty("value", `${PAGE}${ASINS[0]}`);
  await click("Preview");
  await click("Import 1 link");
  await screen.findByText("Done. 1 link was created.");
  expect(isReloadHeld()).toBe(false);
});

test("keeps the focus of the button that starts it", async () => {
  serveBulk({ reply: () => new Promise<never>(() => {}) });
  await open(list(1));
  await userEvent.click(await button("Import 1 link"));
  const pause = await button("Pause");
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.contains(pause)).toBe(true);
});
