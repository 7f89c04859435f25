import { ERRORS } from "@tapthru/proto/errors";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { catchLogs } from "../../testing/catch-logs.ts";
import { click, field as labelled, pasteOnPage } from "../../testing/controls.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, problem, serve } from "../../testing/serve.ts";
import { toast } from "../../testing/toast.ts";

const link = shortLink({ shortCode: "summer-lamp" });
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  serve("GET /api/links/abcdefg", () => link);
  serve("GET /api/links/summer-lamp", () => link);
});

const field = () => screen.getByPlaceholderText<HTMLInputElement>("Paste your Amazon link here...");
const details = () => screen.queryByRole("heading", { name: "A lamp" });
const areShown = () => waitFor(() => expect(details()).toBeTruthy());
const name = () => labelled("Short link name");
const day = () => labelled("Last day on which the link works");
const bodies = (requests: { body: unknown }[]) => requests.map(({ body }) => body);

async function paste(text = PRODUCT) {
  await user.click(field());
  await user.paste(text);
}

// Specification 2.3, 2.36, 2.37
test("shows a title and one field with the focus, which submits on paste", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  await renderPages("/link-creation");
  expect(screen.getByRole("heading", { name: "Create New Link" })).toBeTruthy();
  expect(document.activeElement).toBe(field());
  expect(screen.getAllByRole("textbox")).toEqual([field()]);
  expect(screen.queryByRole("button", { name: /create|generate|submit/i })).toBeNull();
  await paste();
  await areShown();
  expect(bodies(requests)).toEqual([{ url: PRODUCT }]);
});

// Specification 2.39
test("a link with title or image is shown at once, with a toast", async () => {
  user = useFakeClock();
  serveReplies("/api/generate", linkReply({ imageUrl: null }));
  await renderPages("/link-creation");
  await paste();
  await advanceUntil(() => details() !== null);
  expect(toast()).toBe("Link generated!Redirecting to link details...");
});

const METADATA = { title: "A lamp", description: null, imageUrl: null, siteName: null };

// Specification 2.40
test.each([
  ["is found", () => METADATA, 0],
  ["is not found", () => ({ ...METADATA, title: null }), 0],
  ["cannot be requested", () => failure(), 1],
])(
  "a link without both is shown after its metadata, requested 3 seconds later, %s",
  async (_case, reply, warningCount) => {
    user = useFakeClock();
    serveReplies("/api/generate", linkReply({ title: null, imageUrl: null }));
    const warnings = catchLogs("warn");
    const queries = serve("GET /api/metadata", reply);
    await renderPages("/link-creation");
    await paste();
    await advanceUntil(() => screen.queryByText("Link generated!") !== null);
    await advanceBy(2_500);
    expect([queries, field().disabled]).toEqual([[], true]);
    await advanceUntil(() => details() !== null);
    expect(queries).toEqual(["?product_id=B0ZZ1Y2X3W&marketplace=de"]);
    expect(warnings()).toHaveLength(warningCount);
  },
);

async function openWith(text: string, path = "/link-creation") {
  await renderPages(path);
  await click("Options");
  if (text !== "") await user.type(name(), text);
}
const created = () => HttpResponse.json(link, { status: 201 });
const taken = () => problem("slug-taken");

test("a last day is named and can be removed also after the options were closed", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  await openWith("");
  fireEvent.change(day(), { target: { value: "2099-05-04" } });
  await click("Close options");
  expect(screen.getByText(/New links work until May 4, 2099\./)).toBeTruthy();
  await click("Options");
  expect(day().value).toBe("2099-05-04");
  fireEvent.change(day(), { target: { value: "" } });
  expect(screen.queryByText(/New links work until/)).toBeNull();
  await paste();
  await areShown();
  expect(bodies(requests)).toEqual([{ url: PRODUCT }]);
});

describe("a short link name", () => {
  test("the pasted link gets the name that was chosen first as its code, and the last day as its expiry", async () => {
    const requests = serveReplies("/api/links", created);
    await openWith("summer-lamp");
    fireEvent.change(day(), { target: { value: "2099-05-04" } });
    await paste();
    await areShown();
    const expiresAt = new Date("2099-05-04T23:59:59").toISOString();
    expect(bodies(requests)).toEqual([{ url: PRODUCT, slug: "summer-lamp", expiresAt }]);
    expect(requests[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  test("a name is for one link, not for several", async () => {
    const requests = serveReplies("/api/generate", linkReply());
    await openWith("summer-lamp");
    await paste(`${PRODUCT}\n${PRODUCT}&th=1`);
    await screen.findByText("2 links are ready");
    expect(requests).toHaveLength(2);
  });

  test("a name is not sent with the next link, added before the first is created", async () => {
    serveLinks([link]);
    const { released, release } = heldReplies();
    const named = serveReplies("/api/links", () => released.then(created));
    const others = serveReplies("/api/generate", linkReply());
    await openWith("summer-lamp", "/dashboard");
    pasteOnPage(PRODUCT);
    pasteOnPage(`${PRODUCT}&th=1`);
    expect(name().value).toBe("");
    release();
    await screen.findByText("2 links are ready");
    expect([named, others].map((requests) => requests.length)).toEqual([1, 1]);
  });

  test("the dashboard offers a refused name again", async () => {
    serveLinks([link]);
    serveReplies("/api/links", taken);
    await openWith("lamp", "/dashboard");
    pasteOnPage(PRODUCT);
    await screen.findByText(`Server error: ${ERRORS["slug-taken"].message}`);
    expect(name().value).toBe("lamp");
  });

  test("a refused name says so at its field, and keeps both texts", async () => {
    const reserved = () =>
      HttpResponse.json(
        { code: "invalid-body", title: "This short link name is reserved. Please choose another." },
        { status: 400, headers: { "Content-Type": "application/problem+json" } },
      );
    const requests = serveReplies("/api/links", taken, reserved, created);
    await openWith("lamp");
    await paste();
    expect(await screen.findByText(ERRORS["slug-taken"].message)).toBeTruthy();
    expect(name().getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(name());
    await waitFor(() => expect(field().disabled).toBe(false));
    expect([field().value, name().value]).toEqual([PRODUCT, "lamp"]);
    await user.type(name(), "{Backspace>4}admin{Enter}");
    expect(await screen.findByText("This short link name is reserved. Please choose another.")).toBeTruthy();
    await user.type(name(), "-2{Enter}");
    await areShown();
    expect(requests[2]?.body).toEqual({ url: PRODUCT, slug: "admin-2" });
    expect(requests[1]?.idempotencyKey).not.toBe(requests[0]?.idempotencyKey);
  });
});
