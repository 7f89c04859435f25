import { ERRORS } from "@tapthru/proto/errors";
import type { Link } from "@tapthru/proto/links";
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { answer, click, fill } from "../../testing/controls.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const NEW_URL = "https://www.amazon.com/dp/B0NEWNEW11?tag=me-20";

let link: Link;

beforeEach(() => {
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  serveLinks([link]);
  serve("GET /api/links/abcdefg", () => link);
});

const button = (name: string) => screen.getByRole("button", { name });
const open = () => renderPages("/link/abcdefg/settings");
const serveChange = (reply: (body: Partial<Link>) => unknown) =>
  serve<Partial<Link>>("PATCH /api/links/abcdefg", ({ body }) => reply(body));

describe("the short link name", () => {
  test("is changed, the page continues under the new one, and the focus returns to the pencil", async () => {
    await openAsUser("/link/abcdefg/settings");
    const renamed = { ...link, shortCode: "lamps", shortUrl: link.shortUrl.replace("abcdefg", "lamps") };
    serve("GET /api/links/lamps", () => renamed);
    const sent = serveChange(() => renamed);
    await click("Edit short link name");
    await fill("Short link name", "Lamps{Enter}");
    await screen.findByRole("link", { name: /\/l\/lamps$/ });
    expect(sent).toEqual([{ slug: "lamps" }]);
    // The address changes after the page.
    await act(() => vi.dynamicImportSettled());
    expect(document.activeElement).toBe(button("Edit short link name"));
  });

  test("shows at the field that it is taken, malformed or reserved", async () => {
    await open();
    const sent = serveChange(() => problem("slug-taken"));
    await click("Edit short link name");
    for (const [text, message] of [
      [
        "my lamps",
        "A short link name has 3 to 50 letters a to z, digits and single hyphens or underscores between them; on own domains from 1",
      ],
      ["amazon-login", "This short link name is reserved. Please choose another."],
      ["lamps", ERRORS["slug-taken"].message],
    ] as const) {
      await fill("Short link name", `${text}{Enter}`);
      await screen.findByText(message);
    }
    expect(sent).toEqual([{ slug: "lamps" }]);
    await userEvent.keyboard("{Escape}");
    await answer("Discard");
    expect(document.activeElement).toBe(button("Edit short link name"));
  });
});

describe("the destination", () => {
  const SAVED = "Saved. The short link opens this page now.";
  const change = async (text: string) => {
    await click("Change destination");
    await fill("New Amazon link", text);
  };

  test("is changed to an Amazon link only, and back, with the tag of the channel", async () => {
    link = { ...link, tagSource: "channel" };
    await renderPages("/link/abcdefg");
    const sent = serve<{ url?: string; tagSource?: Link["tagSource"] }>("PATCH /api/links/abcdefg", ({ body }) => {
      const { url = link.originalUrl, tagSource = "own" } = body;
      return { ...link, originalUrl: url, webUrl: url, tagSource };
    });
    await change("https://shop.example{Enter}");
    await screen.findByText(ERRORS["not-an-amazon-link"].message);
    await fill("New Amazon link", `${NEW_URL}{Enter}`);
    const note = await screen.findByText(SAVED);
    expect(note.getAttribute("role")).toBe("status");
    await click("Undo");
    expect(await screen.findByRole("link", { name: link.originalUrl })).toBeTruthy();
    await waitFor(() => expect(note.textContent).toBe("Undone."));
    expect(document.activeElement).toBe(button("Change destination"));
    await waitFor(() => expect(sent).toEqual([{ url: NEW_URL }, { url: link.originalUrl }, { tagSource: "channel" }]));
  });

  test.each([
    [`${NEW_URL}&amp;th=1`, `${NEW_URL}&th=1`],
    [`https://www.google.de/url?url=${encodeURIComponent(NEW_URL)}`, NEW_URL],
  ])("of %s is saved as it should be, once the user takes that", async (pasted, repaired) => {
    await renderPages("/link/abcdefg");
    const sent = serveChange(() => ({ ...link, originalUrl: repaired, webUrl: repaired }));
    await change("");
    await userEvent.click(screen.getByLabelText("New Amazon link"));
    await userEvent.paste(pasted);
    await screen.findByText(repaired);
    expect([screen.getByLabelText("New Amazon link"), sent]).toMatchObject([{ value: pasted }, []]);
    await click("Use the repaired address");
    await click("Save");
    await screen.findByText(SAVED);
    expect(sent).toEqual([{ url: repaired }]);
  });

  test("closes by its pencil without a question about the text of another form", async () => {
    await renderPages("/link/abcdefg");
    await click("Edit nickname");
    await userEvent.keyboard("Typed");
    await click("Change destination");
    await click("Change destination");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.getByRole("textbox")).toHaveProperty("value", "Typed");
  });

  test("says why a change cannot be undone, and keeps what was typed when one fails", async () => {
    await renderPages("/link/abcdefg");
    serveChange(() => failure());
    await change(`${NEW_URL}{Enter}`);
    await findToast("Failed to change the destination. Please try again.");
    expect(screen.getByLabelText("New Amazon link")).toHaveProperty("value", NEW_URL);
    serveChange(() => ({ ...link, originalUrl: NEW_URL, webUrl: NEW_URL }));
    await click("Save");
    await screen.findByText(SAVED);
    serveChange(() => problem("link-expired"));
    await click("Undo");
    await findToast(ERRORS["link-expired"].message);
  });
});

describe("the expiry", () => {
  async function set(day: string) {
    await click("Edit expiry");
    await fill("Last day on which the link works", day);
    await click("Save");
  }

  test.each([
    ["2020-01-01", "The expiry date must be in the future"],
    ["9999-12-31", "The expiry date must be before December 31, 9999"],
  ])("%s is refused with the reason", async (day, message) => {
    await open();
    await set(day);
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test("is set to the end of a day, and removed", async () => {
    await open();
    const sent = serveChange((body) => ({ ...link, ...body }));
    expect(await screen.findByText("Never expires")).toBeTruthy();
    await set("2099-12-31");
    await screen.findByText("Expires at the end of December 31, 2099");
    await set("");
    await screen.findByText("Never expires");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(sent).toEqual([{ expiresAt: new Date("2099-12-31T23:59:59").toISOString() }, { expiresAt: null }]);
  });
});
