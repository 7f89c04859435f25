import type { Link } from "@tapthru/proto/links";
import { messages } from "@tapthru/proto/rules/messages";
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type DefaultBodyType, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const PATH = "/api/links/abcdefg";
const NEW_URL = "https://www.amazon.com/dp/B0NEWNEW11?tag=me-20";

let user: ReturnType<typeof userEvent.setup>;
let link: Link;

beforeEach(() => {
  user = userEvent.setup();
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  serveLinks([link]);
  server.use(http.get(PATH, () => HttpResponse.json(link)));
});

const button = (name: string) => screen.getByRole("button", { name });

const open = () => renderPages("/link/abcdefg/settings");
const press = async (name: string) => user.click(await screen.findByRole("button", { name }));

/** Serves one kind of change. @returns the bodies of the requests */
function serveChange(reply: (body: DefaultBodyType) => Response): DefaultBodyType[] {
  const bodies: DefaultBodyType[] = [];
  server.use(
    http.patch(PATH, async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      return reply(body);
    }),
  );
  return bodies;
}

describe("the short link name", () => {
  test("is changed, and the page continues under the new one", async () => {
    await open();
    const renamed = {
      ...link,
      shortCode: "lamps",
      shortUrl: link.shortUrl.replace("abcdefg", "lamps"),
    };
    server.use(http.get("/api/links/lamps", () => HttpResponse.json(renamed)));
    const bodies = serveChange(() => HttpResponse.json(renamed));
    await press("Edit short link name");
    const field = screen.getByRole("textbox", { name: "Short link name" });
    await user.clear(field);
    await user.type(field, "Lamps{Enter}");
    expect(await screen.findByRole("link", { name: /\/l\/lamps$/ })).toBeTruthy();
    expect(bodies).toEqual([{ slug: "lamps" }]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("is changed, and the focus returns to the pencil", async () => {
    const identity = identityFor("anna@example.com");
    serveAccounts(identity.email);
    await renderApp("/link/abcdefg/settings", { identity: fakeIdentityProvider(identity) });
    await screen.findByRole("button", { name: "Edit short link name" });
    const renamed = {
      ...link,
      shortCode: "lamps",
      shortUrl: link.shortUrl.replace("abcdefg", "lamps"),
    };
    server.use(http.get("/api/links/lamps", () => HttpResponse.json(renamed)));
    serveChange(() => HttpResponse.json(renamed));
    await press("Edit short link name");
    const field = screen.getByRole("textbox", { name: "Short link name" });
    await user.clear(field);
    await user.type(field, "lamps{Enter}");
    await screen.findByRole("link", { name: /\/l\/lamps$/ });
    // The address changes after the page.
    await act(() => vi.dynamicImportSettled());
    expect(document.activeElement).toBe(button("Edit short link name"));
  });

  test("shows at the field that it is taken, malformed or reserved", async () => {
    await open();
    const bodies = serveChange(() => new HttpResponse(messages.slugTaken, { status: 409 }));
    await press("Edit short link name");
    const field = screen.getByRole("textbox", { name: "Short link name" });
    for (const [text, message] of [
      ["my lamps", messages.slugMalformed],
      ["amazon-login", messages.slugReserved],
      ["lamps", messages.slugTaken],
    ] as const) {
      await user.clear(field);
      await user.type(field, `${text}{Enter}`);
      await screen.findByText(message);
    }
    expect(bodies).toEqual([{ slug: "lamps" }]);
    await user.keyboard("{Escape}");
    await press("Discard");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(button("Edit short link name"));
  });
});

describe("the destination", () => {
  test("is changed to an Amazon link only", async () => {
    await renderPages("/link/abcdefg");
    const bodies = serveChange(() => HttpResponse.json({ ...link, originalUrl: NEW_URL, webUrl: NEW_URL }));
    await press("Change destination");
    const field = screen.getByRole("textbox", { name: "New Amazon link" });
    expect(field).toHaveProperty("value", link.originalUrl);
    await user.clear(field);
    await user.type(field, "https://shop.example{Enter}");
    await screen.findByText(messages.enterValidAmazonUrl);
    await user.clear(field);
    await user.type(field, `${NEW_URL}{Enter}`);
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(bodies).toEqual([{ url: NEW_URL }]);
  });

  test("says that it was changed, and a change can be undone, with the tag of the channel", async () => {
    link = { ...link, tagSource: "channel" };
    await renderPages("/link/abcdefg");
    const bodies = serveChange((body) => {
      const { url = link.originalUrl, tagSource = "own" } = body as { url?: string; tagSource?: Link["tagSource"] };
      return HttpResponse.json({ ...link, originalUrl: url, webUrl: url, tagSource });
    });
    await press("Change destination");
    const field = screen.getByRole("textbox", { name: "New Amazon link" });
    await user.clear(field);
    await user.type(field, `${NEW_URL}{Enter}`);
    const note = await screen.findByText("Saved. The short link opens this page now.");
    expect(note.getAttribute("role")).toBe("status");
    await user.click(button("Undo"));
    expect(await screen.findByRole("link", { name: link.originalUrl })).toBeTruthy();
    await waitFor(() => expect(note.textContent).toBe("Undone."));
    expect(document.activeElement).toBe(button("Change destination"));
    await waitFor(() => expect(bodies.at(-1)).toEqual({ tagSource: "channel" }));
    expect(bodies).toEqual([{ url: NEW_URL }, { url: link.originalUrl }, { tagSource: "channel" }]);
  });

  test.each([
    [`${NEW_URL}&amp;th=1`, `${NEW_URL}&th=1`],
    [`https://www.google.de/url?url=${encodeURIComponent(NEW_URL)}`, NEW_URL],
  ])("of %s is saved as it should be, once the user takes that", async (pasted, repaired) => {
    await renderPages("/link/abcdefg");
    const bodies = serveChange(() => HttpResponse.json({ ...link, originalUrl: repaired, webUrl: repaired }));
    await press("Change destination");
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "New Amazon link" });
    await user.clear(field);
    await user.click(field);
    await user.paste(pasted);
    await screen.findByText(repaired);
    expect([field.value, bodies]).toEqual([pasted, []]);
    await user.click(button("Use the repaired address"));
    await user.click(button("Save"));
    await screen.findByText("Saved. The short link opens this page now.");
    expect(bodies).toEqual([{ url: repaired }]);
  });

  test("closes by its pencil without a question about the text of another form", async () => {
    await renderPages("/link/abcdefg");
    await press("Edit nickname");
    await user.keyboard("Typed");
    await press("Change destination");
    await user.click(button("Change destination"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.getByRole("textbox")).toHaveProperty("value", "Typed");
    await user.click(screen.getByRole("link", { name: "Settings" }));
    expect(screen.getByRole("alertdialog")).toBeTruthy();
  });

  test("says why a change cannot be undone", async () => {
    await renderPages("/link/abcdefg");
    serveChange(() => HttpResponse.json({ ...link, originalUrl: NEW_URL, webUrl: NEW_URL }));
    await press("Change destination");
    const field = screen.getByRole("textbox", { name: "New Amazon link" });
    await user.clear(field);
    await user.type(field, `${NEW_URL}{Enter}`);
    await screen.findByText("Saved. The short link opens this page now.");
    serveChange(() => new HttpResponse("No longer accepted.", { status: 422 }));
    await press("Undo");
    await findToast("No longer accepted.");
  });

  test("keeps what was typed when the server fails", async () => {
    await renderPages("/link/abcdefg");
    serveChange(() => new HttpResponse("Unavailable.", { status: 503 }));
    await press("Change destination");
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "New Amazon link" });
    await user.clear(field);
    await user.type(field, `${NEW_URL}{Enter}`);
    await findToast("Failed to change the destination. Please try again.");
    expect(field.value).toBe(NEW_URL);
  });
});

test.each([
  ["2020-01-01", messages.expiryInPast],
  ["9999-12-31", messages.expiryTooFar],
])("the expiry %s is refused with the reason", async (day, message) => {
  await open();
  await press("Edit expiry");
  await user.type(screen.getByLabelText("Last day on which the link works"), day);
  await user.click(button("Save"));
  expect(await screen.findByText(message)).toBeTruthy();
});

test("the expiry is set to the end of a day, and removed", async () => {
  await open();
  const bodies = serveChange((body) => HttpResponse.json({ ...link, ...(body as { expiresAt: string | null }) }));
  expect(await screen.findByText("Never expires")).toBeTruthy();
  await press("Edit expiry");
  await user.type(screen.getByLabelText("Last day on which the link works"), "2099-12-31");
  await user.click(button("Save"));
  await screen.findByText("Expires at the end of December 31, 2099");
  await press("Edit expiry");
  await user.clear(screen.getByLabelText("Last day on which the link works"));
  await user.click(button("Save"));
  await screen.findByText("Never expires");
  expect(await screen.findByText("Saved.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(bodies).toEqual([{ expiresAt: new Date("2099-12-31T23:59:59").toISOString() }, { expiresAt: null }]);
});
