import { ERRORS } from "@tapthru/proto/errors";
import type { Link } from "@tapthru/proto/links";
import { getLinkRouting } from "@tapthru/proto/routing";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { serveBulk } from "../../testing/bulk-server.ts";
import {
  button,
  check,
  choose,
  click,
  field,
  fill,
  link as findLink,
  heading,
  pasteOnPage,
} from "../../testing/controls.ts";
import { domain, exampleOf, HOST, mainChannel } from "../../testing/examples.ts";
import { useFakeWorker } from "../../testing/fake-worker.ts";
import { linkReply, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, problem, serve, serveChannels } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const NEW_URL = "https://www.amazon.com/dp/B0NEWNEW11?tag=me-20";
const MAIN = mainChannel({ tags: [{ marketplace: "de", tag: "main-21" }] });
const BLOG = mainChannel({ id: 2, name: "Blog", isDefault: false, tags: [{ marketplace: "de", tag: "blog-21" }] });
const PARTS = { name: "Parts of this link's page" };

let link: Link;
/** The changes that the api received. */
let sent: unknown[];

const tagged = (tag: string): Partial<Link> => ({ originalUrl: `${DP}?tag=${tag}`, webUrl: `${DP}?tag=${tag}` });

beforeEach(() => {
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  serveLinks([link]);
  serve("GET /api/links/abcdefg", () => link);
  serve("GET /api/links/abcdefg/routing", () => exampleOf(getLinkRouting));
  serve("GET /api/status/app-opening", () => ({ since: "2026-10-24", rows: [] }));
  sent = serve<Partial<Link>>("PATCH /api/links/abcdefg", ({ body }) => {
    link = { ...link, ...body };
    return link;
  });
});

const openSettings = () => renderPages("/link/abcdefg/settings");
const serveChange = (reply: (body: Partial<Link>) => unknown) =>
  serve<Partial<Link>>("PATCH /api/links/abcdefg", ({ body }) => {
    const changed = reply(body);
    if (!(changed instanceof HttpResponse)) link = changed as Link;
    return changed;
  });

test("the short link name shows at its field that it is malformed or taken", async () => {
  await openSettings();
  sent = serveChange(() => problem("slug-taken"));
  await click("Edit short link name");
  for (const [text, message] of [
    ["my lamps", /^A short link name has 3 to 50 letters/],
    ["lamps", ERRORS["slug-taken"].message],
  ] as const) {
    await fill("Short link name", `${text}{Enter}`);
    await screen.findByText(message);
  }
  expect(sent).toEqual([{ slug: "lamps" }]);
});

test("all links to the product get another one of the store after a preview, which can be undone", async () => {
  const product = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" };
  link = { ...link, ...tagged("own-21") };
  const counted = serve("GET /api/link-count", () => ({ count: 41, areMore: false }));
  const changedAt = "2026-11-29T10:00:00.000Z";
  const changes = serve("PATCH /api/links/bulk", () => HttpResponse.json({ results: [], changedAt }, { status: 202 }));
  await renderPages("/link/abcdefg");
  await click("Change the product in all links");
  await screen.findByText("Your 41 links to B0ZZ1Y2X3W at amazon.de will open it. Their tags stay.");
  await fill("Amazon link to the other product, at amazon.de", "https://www.amazon.fr/dp/B0ZZ1Y2X3V{Enter}");
  await screen.findByText("This is not another product at amazon.de.");
  await fill("Amazon link to the other product, at amazon.de", "https://www.amazon.de/dp/B0ZZ1Y2X3V?tag=x-21");
  await click("Change 41 links");
  await findToast("The links open the other product within seconds.");
  await click("Undo");
  const undo = { ...product, from: product.to, to: product.from, undoOf: changedAt };
  await waitFor(() => expect(changes).toEqual([{ product }, { product: undo }]));
  expect(counted[0]).toBe("?store=de&product=B0ZZ1Y2X3W");
});

test("how often the app opens is offered once there are numbers", async () => {
  const offer = () => screen.queryByRole("link", { name: "How often this works" });
  const view = await renderPages("/link/abcdefg/opening");
  await waitFor(() => expect(view.isFetching()).toBe(0));
  expect(offer()).toBeNull();
  const rows = [{ row: "instagram", app: "instagram", os: "ios", tried: 400, opened: 300 }];
  serve("GET /api/status/app-opening", () => ({ since: "2026-10-24", rows }));
  await view.invalidateQueries();
  await waitFor(() => expect(offer()?.getAttribute("href")).toBe("/status/app-opening"));
});

test("the sentence of a link names destination, tag and channel, each of which can be changed", async () => {
  serveChannels(MAIN, BLOG);
  link = { ...link, ...tagged("blog-21"), tagSource: "channel", channelId: 2 };
  await renderPages("/link/abcdefg");
  await userEvent.click(await button("the tag of Blog"));
  expect(screen.getByRole("combobox", { name: "Channel" })).toBeTruthy();
  const sentence = (await button("blog-21")).parentElement;
  expect(sentence?.textContent).toBe("Opens amazon.de/dp/B0ZZ1Y2X3W with blog-21, the tag of Blog.");
  await click("amazon.de/dp/B0ZZ1Y2X3W");
  expect(document.activeElement).toBe(field("New Amazon link"));
});

describe("the destination", () => {
  const SAVED = "Saved. The short link opens this page now.";
  const change = async (text: string) => {
    await click("Change destination");
    await fill("New Amazon link", text);
  };

  test("changes the destination to an Amazon link only, and back, with the tag of the channel", async () => {
    const { originalUrl } = link;
    link = { ...link, tagSource: "channel" };
    await renderPages("/link/abcdefg");
    sent = serve<{ url?: string; tagSource?: Link["tagSource"] }>("PATCH /api/links/abcdefg", ({ body }) => {
      const { url = link.originalUrl, tagSource = "own" } = body;
      link = { ...link, originalUrl: url, webUrl: url, tagSource };
      return link;
    });
    await change("https://shop.example{Enter}");
    await screen.findByText(ERRORS["not-an-amazon-link"].message);
    await fill("New Amazon link", `${NEW_URL}{Enter}`);
    await findToast(SAVED);
    expect(document.activeElement).toBe(await button("Change destination"));
    await click("Undo");
    expect(await findLink(originalUrl)).toBeTruthy();
    await findToast("Undone.");
    expect(sent).toEqual([{ url: NEW_URL }, { url: originalUrl, tagSource: "channel" }]);
  });

  test("saves the repaired destination once the user accepts it", async () => {
    const pasted = `https://www.google.de/url?url=${encodeURIComponent(NEW_URL)}`;
    await renderPages("/link/abcdefg");
    sent = serveChange(() => ({ ...link, originalUrl: NEW_URL, webUrl: NEW_URL }));
    await change("");
    await userEvent.click(field("New Amazon link"));
    await userEvent.paste(pasted);
    await screen.findByText(NEW_URL);
    expect([field("New Amazon link"), sent]).toMatchObject([{ value: pasted }, []]);
    await click("Use the repaired address");
    await click("Save");
    await screen.findByText(SAVED);
    expect(sent).toEqual([{ url: NEW_URL }]);
  });

  test("one click repairs a destination that has its tag where Amazon does not read it", async () => {
    const broken = "https://www.amazon.de/dp/B0ZZ1Y2X3W&tag=me-21";
    link = { ...link, originalUrl: broken, webUrl: broken };
    await renderPages("/link/abcdefg");
    await screen.findByText(/in a place where Amazon does not read it/);
    await click("Use the repaired address");
    await waitFor(() => expect(sent).toEqual([{ url: "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21" }]));
  });

  test("says why a change cannot be undone, and keeps what was typed when one fails", async () => {
    await renderPages("/link/abcdefg");
    serveChange(() => failure());
    await change(`${NEW_URL}{Enter}`);
    await screen.findByText("Failed to change the link. Please try again.");
    expect(field("New Amazon link").value).toBe(NEW_URL);
    serveChange(() => ({ ...link, originalUrl: NEW_URL, webUrl: NEW_URL }));
    await click("Save");
    await screen.findByText(SAVED);
    serveChange(() => problem("link-expired"));
    await click("Undo");
    await findToast(ERRORS["link-expired"].message);
  });
});

test("the expiry is the end of a day, is removed, and is not in the past or too far", async () => {
  await openSettings();
  expect(await screen.findByText("Never expires")).toBeTruthy();
  await click("Edit expiry");
  for (const [day, message] of [
    ["2020-01-01", "The expiry date must be in the future"],
    ["9999-12-31", "The expiry date must be before December 31, 9999"],
    ["2099-12-31", "Expires at the end of December 31, 2099"],
  ] as const) {
    await fill("Last day on which the link works", day);
    await click("Save");
    await screen.findByText(message);
  }
  await click("Edit expiry");
  await fill("Last day on which the link works", "");
  await click("Save");
  await screen.findByText("Never expires");
  expect(await screen.findByText("Saved.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(sent).toEqual([{ expiresAt: new Date("2099-12-31T23:59:59").toISOString() }, { expiresAt: null }]);
});

test("the start is a minute of the browser's time, with what opens until then, and is removed", async () => {
  await openSettings();
  expect(await screen.findByText("Open at once")).toBeTruthy();
  await click("Edit start");
  await fill("When the link starts", "2099-12-31T18:30");
  await click("Save");
  await screen.findByText(/^Starts Dec 31, 2099, 6:30/);
  await screen.findByText(/^This link starts Dec 31, 2099, .* Until then visitors see that it was not found\.$/);
  await click("Edit start");
  await fill("When the link starts", "");
  await click("Save");
  await screen.findByText("Open at once");
  expect(sent).toEqual([{ startsAt: new Date("2099-12-31T18:30").toISOString() }, { startsAt: null }]);
});

test("the channel's page replaces an ended link until the link has its own page of an Amazon store", async () => {
  const FALLBACK = "https://www.amazon.de/s?k=lamp";
  serveChannels(mainChannel({ fallbackUrl: "https://www.amazon.de/" }));
  await openSettings();
  await findLink("https://www.amazon.de/");
  await click("Edit what opens when the link ends");
  await fill("Amazon page in place of the link", "https://amzn.to/abc1234{Enter}");
  await screen.findByText(/^Please paste the long address of the page/);
  await fill("Amazon page in place of the link", `${FALLBACK}{Enter}`);
  await findLink(FALLBACK);
  expect(sent).toEqual([{ fallbackUrl: FALLBACK }]);
  cleanup();
  link = { ...link, expiresAt: "2026-01-01T00:00:00.000Z", health: { ...link.health, fallbackUrl: FALLBACK } };
  await renderPages("/link/abcdefg");
  await screen.findByText(`This link has expired. Visitors get this page instead: ${FALLBACK}`);
});

test("a link opens in the browser on phones if its owner chooses it, and as usual again", async () => {
  await renderPages("/link/abcdefg/opening");
  for (const [way, summary] of [
    ["the store in the browser", /^On iPhone and Android it opens the store in the browser\.$/],
    ["the app, as usual", /^Opens the Amazon app on iPhone and Android/],
  ] as const) {
    await choose("On phones it opens", way);
    await click("Save");
    await screen.findByText(summary);
  }
  expect(sent).toEqual([{ opening: "browser" }, { opening: null }]);
});

describe("the channel of a link", () => {
  /** @param after what a change makes of the link */
  async function open(changes: Partial<Link>, after: Partial<Link> = {}) {
    serveChannels(MAIN, BLOG);
    link = { ...link, ...tagged("mine-21"), ...changes };
    sent = serveChange(() => {
      link = { ...link, ...after };
      return link;
    });
    await renderPages("/link/abcdefg");
    await click(changes.webUrl === DP ? "without a tag" : (changes.webUrl ?? "tag=mine-21").replace(/.*tag=/, ""));
    return screen.findByRole<HTMLSelectElement>("combobox", { name: "Channel" });
  }

  test("names the channel, whose tag replaces an own one, also that of another channel, until the user keeps it", async () => {
    const select = await open({}, { tagSource: "channel", channelId: 1, ...tagged("main-21") });
    expect(select.selectedOptions[0]?.textContent).toBe("Main (default)");
    screen.getByText("its own tag, in the channel Main");
    await click("Use the channel's tag: main-21");
    await screen.findByText("the tag of Main");
    expect(document.activeElement?.textContent).toBe("Keep this tag");
    await screen.findByText("The tag of this link is main-21.");
    const others = serveChange(() => ({ ...link, channelId: 2, ...tagged("blog-21") }));
    await choose("Channel", "Blog");
    expect(others).toEqual([]);
    await click("Save");
    await screen.findByText("the tag of Blog");
    await click("Keep this tag");
    await waitFor(() => expect(others).toEqual([{ channelId: 2 }, { tagSource: "own" }]));
    expect(sent).toEqual([{ tagSource: "channel" }]);
  });

  test.each([
    ["Use main-21", "channel", "main-21"],
    ["It is mine", "own", "other-21"],
  ] as const)("warns of a tag that does not belong to the user: '%s' settles it", async (name, tagSource, tag) => {
    await open({ hasUnknownTag: true, ...tagged("other-21") }, { hasUnknownTag: false, tagSource, ...tagged(tag) });
    screen.getByText(/is not one of your tags. If it is someone else’s/);
    expect(screen.queryByText(/own tag/)).toBeNull();
    await click(name);
    await screen.findByText(`The tag of this link is ${tag}.`);
    expect([sent, screen.queryByText(/is not one of your tags/)]).toEqual([[{ tagSource }], null]);
    // A later change says what is true then.
    await click("Change destination");
    serveChange(() => ({ ...link, ...tagged("later-21") }));
    await fill("New Amazon link", `${DP}?tag=later-21{Enter}`);
    await screen.findByRole("button", { name: "later-21" });
    expect(screen.queryByText(`The tag of this link is ${tag}.`)).toBeNull();
  });

  test("a new destination without a tag keeps the link's own tag", async () => {
    await open({});
    await click("Change destination");
    await fill("New Amazon link", "https://www.amazon.de/dp/B0OTHER111");
    await click("Keep mine-21");
    const url = "https://www.amazon.de/dp/B0OTHER111?tag=mine-21";
    expect(field("New Amazon link").value).toBe(url);
    await userEvent.type(field("New Amazon link"), "{Enter}");
    expect(sent).toEqual([{ url }]);
  });

  test("gives a link without a tag its own, or says why not", async () => {
    await open({ originalUrl: DP, webUrl: DP }, { tagSource: "channel", ...tagged("main-21") });
    serve("PATCH /api/links/abcdefg", () => problem("channel-has-no-tag"), { once: true });
    await click("Use the channel's tag: main-21");
    await findToast("The channel has no tag for this link.");
    await click("Use the channel's tag: main-21");
    await screen.findByText("the tag of Main");
    expect(document.activeElement).not.toBe(document.body);
    expect(sent).toEqual([{ tagSource: "channel" }]);
  });
});

describe("new links", () => {
  const paste = async (address: string) => {
    await userEvent.click(screen.getByRole("textbox", { name: "Amazon product or store link" }));
    await userEvent.paste(address);
  };
  const choices = "Channel of new links";
  const rememberBlog = (channelId = 2) =>
    localStorage.setItem("channels_of_new_links", JSON.stringify([{ channelId, usesChannelTag: true }]));
  let requests: ReturnType<typeof serveReplies>;
  const bodies = () => requests.map(({ body }) => body);
  const WITH_BLOG = { url: DP, channelId: 2, usesChannelTag: true };
  const WITH_DEFAULT = { url: DP, channelId: null, usesChannelTag: true };

  beforeEach(() => {
    serveChannels(MAIN, BLOG);
    requests = serveReplies("/api/generate", linkReply({ shortCode: "abcdefg", originalUrl: DP }));
  });

  test("new links get the channel that was chosen last, with its tag, and the page says so before the paste", async () => {
    await renderPages("/link-creation");
    await screen.findByText(/^New links are for Main. Those without a tag get its tag./);
    await click("Options");
    await choose(choices, "Blog");
    cleanup();
    await renderPages("/link-creation");
    // At once, before the channels have loaded.
    await paste(DP);
    await screen.findByRole("navigation", PARTS);
    expect(bodies()).toEqual([WITH_BLOG]);
  });

  test("says that the channel has no tag for the store", async () => {
    rememberBlog();
    await renderPages("/dashboard");
    await screen.findByText(/^New links are for Blog. Those without a tag get its tag./);
    pasteOnPage(DP);
    await screen.findByText(/^No tag for amazon/);
    expect(bodies()).toEqual([WITH_BLOG]);
  });

  test("links of a running batch keep the domain and the channel that were chosen when they were pasted", async () => {
    const { released, release } = heldReplies();
    requests = serveReplies("/api/generate", () => released.then(linkReply({ originalUrl: DP })));
    serve("GET /api/domains", () => [domain()]);
    await openAsUser("/link-creation", { changes: { hasDomains: true } });
    await click("Options");
    await choose("Domain of new links", HOST);
    await choose(choices, "Blog");
    const addresses = [DP, `${DP}?th=1`, `${DP}?th=2`];
    await paste(addresses.join("\n"));
    await waitFor(() => expect(requests).toHaveLength(1));
    await choose(choices, "Main (default)");
    await choose("Domain of new links", "tapthru.example");
    await userEvent.click(await findLink("Tapthru"));
    await heading("Amazon links that open in the app");
    release();
    await screen.findByText("3 links are ready");
    expect(bodies()).toEqual(addresses.map((url) => ({ ...WITH_BLOG, url, domain: HOST })));
  });

  test.each(["/", `/share?text=${DP}`])("new links get the channel on %s too", async (path) => {
    rememberBlog();
    await openAsUser(path);
    await (path === "/" ? paste(DP) : click("Create link"));
    await screen.findByRole("navigation", PARTS);
    expect(bodies()).toEqual([WITH_BLOG]);
  });

  test("creates no link without the channel if the channels cannot be loaded", async () => {
    rememberBlog();
    serve("GET /api/channels", () => problem("invalid-body"));
    await renderPages("/link-creation");
    await paste(DP);
    expect(await findToast("ErrorServer error")).toBeTruthy();
    expect(bodies()).toEqual([]);
  });

  test("links of another account in the same browser do not get the channel", async () => {
    rememberBlog(99);
    await renderPages("/link-creation");
    await screen.findByText(/^New links are for Main./);
    await paste(DP);
    await waitFor(() => expect(bodies()).toEqual([WITH_DEFAULT]));
  });

  test("links of a user who chose nothing get the tag of the default channel, if it has one", async () => {
    serveLinks([]);
    await renderPages("/dashboard");
    // At once, before the channels have loaded.
    pasteOnPage(DP);
    await screen.findByText("1 link is ready");
    expect(bodies()).toEqual([WITH_DEFAULT]);
  });
});

test("another channel of the imported links does not undo the repairs that were chosen", async () => {
  serveChannels(MAIN, BLOG);
  useFakeWorker();
  serveBulk();
  await renderPages("/import");
  await userEvent.click(await screen.findByRole("textbox"));
  await userEvent.paste(`${DP}?th=1&amp;psc=1`);
  await click("Preview");
  await click("Use 1 repaired address");
  await choose("Channel of the imported links", "Blog");
  await button("Import 1 link");
  expect(screen.queryByRole("button", { name: "Use 1 repaired address" })).toBeNull();
});

test("an import puts its links on the chosen channel", async () => {
  serveChannels(MAIN, BLOG);
  useFakeWorker();
  const created = serveBulk();
  await renderPages("/import");
  await userEvent.click(await screen.findByRole("textbox"));
  await userEvent.paste(DP);
  await click("Preview");
  await choose("Channel of the imported links", "Blog");
  await check(/^Use the channel's tag/);
  await click("Import 1 link");
  await screen.findByText("Done. 1 link was created.");
  expect([...created.values()]).toMatchObject([{ url: DP, channelId: 2, usesChannelTag: true }]);
});
