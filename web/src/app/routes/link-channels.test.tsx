import type { Link } from "@tapthru/proto/links";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { domain } from "../../testing/domains.ts";
import { linkReply, serveReplies } from "../../testing/generate-server.ts";
import { importOf } from "../../testing/imports.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const DP = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const MAIN = mainChannel({ tags: [{ marketplace: "de", tag: "main-21" }] });
const BLOG = mainChannel({ id: 2, name: "Blog", isDefault: false, tags: [{ marketplace: "de", tag: "blog-21" }] });

let user: ReturnType<typeof userEvent.setup>;
let link: Link;
/** The changes that the api received. */
let bodies: unknown[];

const tagged = (tag: string): Partial<Link> => ({
  originalUrl: `${DP}?tag=${tag}`,
  webUrl: `${DP}?tag=${tag}`,
});
const button = (name: string | RegExp) => screen.getByRole("button", { name });

beforeEach(() => {
  user = userEvent.setup();
  bodies = [];
  link = shortLink({ shortCode: "abcdefg", ...tagged("mine-21") });
  server.use(serveChannels(MAIN, BLOG));
});

describe("the page of a link", () => {
  /** @param after what a change makes of the link */
  async function open(changes: Partial<Link>, after: Partial<Link> = {}) {
    link = { ...link, ...changes };
    serve("GET /api/links/abcdefg", () => link);
    bodies = serve("PATCH /api/links/abcdefg", () => {
      link = { ...link, ...after };
      return link;
    });
    await renderPages("/link/abcdefg");
    return screen.findByRole<HTMLSelectElement>("combobox", { name: "Channel" });
  }

  test("names the channel, whose tag can replace an own one", async () => {
    const select = await open({}, { tagSource: "channel", channelId: 1, ...tagged("main-21") });
    expect(select.selectedOptions[0]?.textContent).toBe("Main (default)");
    screen.getByText("The link's own tag. It stays when the tag of Main changes.");
    await user.click(button("Use the channel's tag: main-21"));
    const text = await screen.findByText("The tag of Main. It changes with the channel's tag.");
    expect(bodies).toEqual([{ tagSource: "channel" }]);
    await waitFor(() => expect(document.activeElement).toBe(text));
    expect(await screen.findByText("The tag of this link is main-21.")).toBeTruthy();
  });

  test.each([
    ["Use main-21", "channel", "main-21"],
    ["It is mine", "own", "other-21"],
  ] as const)("names a tag that is none of the user's, and '%s' settles it", async (name, tagSource, tag) => {
    await open({ hasUnknownTag: true, ...tagged("other-21") }, { hasUnknownTag: false, tagSource, ...tagged(tag) });
    screen.getByText(/is not one of your tags/);
    expect(screen.queryByText(/own tag/)).toBeNull();
    await user.click(button(name));
    await screen.findByText(`The tag of this link is ${tag}.`);
    expect([bodies, screen.queryByText(/is not one of your tags/)]).toEqual([[{ tagSource }], null]);
  });

  test("offers an own tag for a new destination without one", async () => {
    await open({});
    await user.click(button("Change destination"));
    const field = screen.getByRole("textbox", { name: "New Amazon link" });
    await user.clear(field);
    await user.type(field, "https://www.amazon.de/dp/B0OTHER111");
    await user.click(button("Keep mine-21"));
    expect(field).toHaveProperty("value", "https://www.amazon.de/dp/B0OTHER111?tag=mine-21");
    await user.type(field, "{Enter}");
    expect(bodies).toEqual([{ url: "https://www.amazon.de/dp/B0OTHER111?tag=mine-21" }]);
  });

  test("moves the link to another channel, whose tag it gets if it follows", async () => {
    const following: Partial<Link> = { tagSource: "channel", channelId: 1, ...tagged("main-21") };
    const select = await open(following, { channelId: 2, ...tagged("blog-21") });
    await user.selectOptions(select, "Blog");
    expect(bodies).toEqual([]);
    await user.click(button("Save"));
    await screen.findByText("The tag of Blog. It changes with the channel's tag.");
    expect(bodies).toEqual([{ channelId: 2 }]);
    await user.click(button("Keep this tag"));
    await waitFor(() => expect(bodies.at(-1)).toEqual({ tagSource: "own" }));
  });

  test("gives a link without a tag that of the channel, or says why not", async () => {
    await open({ originalUrl: DP, webUrl: DP }, { tagSource: "channel", ...tagged("main-21") });
    server.use(http.patch("/api/links/abcdefg", () => problem("channel-has-no-tag"), { once: true }));
    await user.click(button("Use the channel's tag: main-21"));
    expect((await screen.findByRole("alert")).textContent).toBe("The channel has no tag for this store.");
    await user.click(button("Use the channel's tag: main-21"));
    await screen.findByText("The tag of Main. It changes with the channel's tag.");
    expect(bodies).toEqual([{ tagSource: "channel" }]);
  });
});

describe("several links", () => {
  test("are put on a channel, and get its tag if the user says so", async () => {
    const results = [
      { id: 2, error: null },
      { id: 1, error: "link-not-found" },
    ];
    serveLinks([shortLink({ id: 2, channelId: 2, tagSource: "channel" }), shortLink({ id: 1, channelId: 2 })]);
    bodies = serve("PUT /api/links/bulk/channel", () => ({ results }));
    await renderPages("/dashboard");
    const [first, second] = await screen.findAllByRole("listitem");
    // A tag that is not the channel's is not shown as if it were.
    await waitFor(() => expect(first?.textContent).toMatch(/Tag me-21 · {2}Channel Blog/));
    expect(second?.textContent).toMatch(/Tag me-21 Channel Blog/);
    await user.click(button("Select"));
    await user.click(button("Select all"));
    await user.click(button("Channel"));
    const dialog = within(await screen.findByRole("dialog", { name: "Channel of 2 links" }));
    await user.selectOptions(dialog.getByRole("combobox", { name: "Channel" }), "Blog");
    await user.click(dialog.getByRole("checkbox", { name: /^Use the channel's tag/ }));
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await dialog.findByText("1 link was not changed.")).toBeTruthy();
    expect(bodies).toEqual([{ ids: [2, 1], channelId: 2, usesChannelTag: true }]);
  });
});

describe("new links", () => {
  const paste = async (address: string) => {
    await user.click(screen.getByRole("textbox", { name: "Amazon product or store link" }));
    await user.paste(address);
  };
  const onDashboard = (address: string) =>
    fireEvent.paste(document.body, { clipboardData: { getData: () => address } });
  const choices = "Channel of new links";
  const rememberBlog = (channelId = 2) =>
    localStorage.setItem("channels_of_new_links", JSON.stringify([{ channelId, usesChannelTag: true }]));
  let requests: ReturnType<typeof serveReplies>;
  const sent = () => requests.map(({ body }) => body);

  beforeEach(() => {
    requests = serveReplies("/api/generate", linkReply({ shortCode: "abcdefg", originalUrl: DP }));
    server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(link)));
  });

  test("get the channel that was chosen last, with its tag, and the page says so before the paste", async () => {
    await renderPages("/link-creation");
    await screen.findByText(/^New links are for Main. Those without a tag get its tag./);
    await user.click(button("Options"));
    await user.selectOptions(screen.getByRole("combobox", { name: choices }), "Blog");
    cleanup();
    await renderPages("/link-creation");
    // At once, before the channels have loaded.
    await paste(DP);
    await screen.findByRole("navigation", { name: "Parts of this link's page" });
    expect(sent()).toEqual([{ url: DP, channelId: 2, usesChannelTag: true }]);
  });

  test("get it on the dashboard too, and say that the channel has no tag for the store", async () => {
    rememberBlog();
    serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await screen.findByText(/^New links are for Blog. Those without a tag get its tag./);
    onDashboard(DP);
    await screen.findByText("It has no tag: the channel has none for this store.");
    expect(sent()).toEqual([{ url: DP, channelId: 2, usesChannelTag: true }]);
  });

  test("of a running batch keep the domain and the channel that were chosen when they were pasted", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    requests = serveReplies("/api/generate", async () => {
      await released;
      return linkReply({ originalUrl: DP })();
    });
    serve("GET /api/domains", () => [domain({ host: "go.example.com" })]);
    await openAsUser("/link-creation", { changes: { hasDomains: true } });
    await user.click(await screen.findByRole("button", { name: "Options" }));
    const domains = await screen.findByRole("combobox", { name: "Domain of new links" });
    await user.selectOptions(domains, "go.example.com");
    const channels = screen.getByRole("combobox", { name: choices });
    await user.selectOptions(channels, "Blog");
    await paste(`${DP}\n${DP}?th=1\n${DP}?th=2`);
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.selectOptions(channels, "Main (default)");
    await user.selectOptions(domains, "tapthru.example");
    await user.click(screen.getByRole("link", { name: "Tapthru" }));
    await screen.findByRole("heading", { name: "Amazon links that open in the app" });
    release();
    await screen.findByText("3 links are ready");
    const chosen = { domain: "go.example.com", channelId: 2, usesChannelTag: true };
    expect(sent()).toEqual([DP, `${DP}?th=1`, `${DP}?th=2`].map((url) => ({ url, ...chosen })));
  });

  test.each(["/", `/share?text=${DP}`])("get it on %s too", async (path) => {
    rememberBlog();
    await openAsUser(path);
    if (path === "/") await paste(DP);
    else await user.click(await screen.findByRole("button", { name: "Create link" }));
    await screen.findByRole("navigation", { name: "Parts of this link's page" });
    expect(sent()).toEqual([{ url: DP, channelId: 2, usesChannelTag: true }]);
  });

  test("are not created without it if the channels cannot be loaded", async () => {
    rememberBlog();
    server.use(http.get("/api/channels", () => problem("invalid-body")));
    await renderPages("/link-creation");
    await paste(DP);
    expect(await findToast("ErrorServer error")).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test("of another account in the same browser do not get it", async () => {
    rememberBlog(99);
    await renderPages("/link-creation");
    await screen.findByText(/^New links are for Main./);
    await paste(DP);
    await waitFor(() => expect(sent()).toEqual([{ url: DP, channelId: null, usesChannelTag: true }]));
  });

  test("of a user who chose nothing get the tag of the default channel, if it has one", async () => {
    serveLinks([]);
    await renderPages("/dashboard");
    // At once, before the channels have loaded.
    onDashboard(DP);
    await screen.findByText("1 link is ready");
    expect(sent()).toEqual([{ url: DP, channelId: null, usesChannelTag: true }]);
  });
});

test("an import puts its links on the chosen channel, and says so", async () => {
  const created = importOf({ channelId: 2, usesChannelTag: true, format: "addresses", state: "ready" });
  const imports: object[] = [];
  const lines = { ...created, lines: [], nextAfter: null };
  serve("GET /api/imports", () => imports);
  serve("GET /api/imports/:id", () => lines);
  serve("POST /api/imports", ({ search }) => {
    bodies.push(search);
    imports.push(created);
    return lines;
  });
  await renderPages("/import");
  const select = await screen.findByRole("combobox", { name: "Channel of the imported links" });
  await user.selectOptions(select, "Blog");
  await user.click(screen.getByRole("checkbox", { name: /^Use the channel's tag/ }));
  await user.click(screen.getByRole("textbox"));
  await user.paste(DP);
  await user.click(button("Preview"));
  expect(await screen.findByText("Channel: Blog. Links without a tag get the channel's tag.")).toBeTruthy();
  expect(bodies).toEqual(["?channel=2&usesChannelTag=true"]);
});
