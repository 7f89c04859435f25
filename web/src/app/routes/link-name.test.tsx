import { messages } from "@tapthru/proto/rules/messages";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { linkReply, networkError, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

let user: ReturnType<typeof userEvent.setup>;
const link = shortLink({ shortCode: "summer-lamp" });

beforeEach(() => {
  user = userEvent.setup();
  server.use(http.get("/api/links/:code", () => HttpResponse.json(link)));
});

const field = () => screen.getByPlaceholderText<HTMLInputElement>("Paste your Amazon link here...");
const name = () => screen.getByLabelText<HTMLInputElement>("Short link name");
const details = () => screen.queryByRole("heading", { name: "A lamp" });
const created = () => HttpResponse.json(link, { status: 201 });
const taken = () =>
  HttpResponse.json(
    { code: "slug-taken", title: messages.slugTaken },
    { status: 409, headers: { "Content-Type": "application/problem+json" } },
  );

async function openWith(text: string) {
  await renderPages("/link-creation");
  await user.click(screen.getByRole("button", { name: "Choose a short link name" }));
  if (text !== "") await user.type(name(), text);
}

async function paste() {
  await user.click(field());
  await user.paste(PRODUCT);
}

describe("a short link name", () => {
  test("that is chosen first is the code of the pasted link", async () => {
    const requests = serveReplies("/api/links", created);
    await openWith("Summer-Lamp");
    await paste();
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT, slug: "summer-lamp" }]);
    expect(requests[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  test("can be chosen after the link was pasted, and submitted with Enter", async () => {
    const requests = serveReplies("/api/links", created);
    await openWith("");
    await paste();
    expect(await screen.findByText("Please enter a name for the short link")).toBeTruthy();
    expect(requests).toEqual([]);
    await user.type(name(), "summer-lamp{Enter}");
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests).toHaveLength(1);
  });

  test("is for one link, which the field says when several are pasted", async () => {
    const requests = serveReplies("/api/generate", linkReply());
    await openWith("summer-lamp");
    await user.click(field());
    await user.paste(`${PRODUCT}\n${PRODUCT}&th=1`);
    await screen.findByText("2 links are ready");
    expect(screen.getByText("A name is for one link. The links below have names of their own.")).toBeTruthy();
    expect(requests).toHaveLength(2);
  });

  test.each([
    ["a", messages.slugMalformed],
    ["admin", messages.slugReserved],
  ])("%j is refused without a request", async (text, message) => {
    const requests = serveReplies("/api/links", created);
    await openWith(text);
    await paste();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(requests).toEqual([]);
  });

  test("that is taken says so at its field, and keeps both texts", async () => {
    const requests = serveReplies("/api/links", taken, created);
    server.use(http.get("/api/links/lamp", () => new HttpResponse("Link not found", { status: 404 })));
    await openWith("lamp");
    await paste();
    expect(await screen.findByText(messages.slugTaken)).toBeTruthy();
    expect(name().getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(name());
    await waitFor(() => expect(field().disabled).toBe(false));
    expect([field().value, name().value]).toEqual([PRODUCT, "lamp"]);
    await user.type(name(), "-2{Enter}");
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests[1]?.body).toEqual({ url: PRODUCT, slug: "lamp-2" });
    expect(requests[1]?.idempotencyKey).not.toBe(requests[0]?.idempotencyKey);
  });

  test("that the user's own link to the same page has opens that link: the response was lost", async () => {
    const requests = serveReplies("/api/links", taken);
    const own = { ...link, shortCode: "lamp", webUrl: PRODUCT };
    server.use(http.get("/api/links/lamp", () => HttpResponse.json(own)));
    await openWith("lamp");
    await paste();
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests).toHaveLength(1);
    expect(screen.queryByText(messages.slugTaken)).toBeNull();
  });

  test("that the user's own link to another page has is taken", async () => {
    serveReplies("/api/links", taken);
    const own = { ...link, shortCode: "lamp", webUrl: `${PRODUCT}&th=1` };
    server.use(http.get("/api/links/lamp", () => HttpResponse.json(own)));
    await openWith("lamp");
    await paste();
    expect(await screen.findByText(messages.slugTaken)).toBeTruthy();
    expect(details()).toBeNull();
  });

  test("is not used once its field is closed", async () => {
    const requests = serveReplies("/api/generate", linkReply());
    await openWith("lamp");
    await user.click(screen.getByRole("button", { name: "Use a random short link name" }));
    await paste();
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests).toHaveLength(1);
  });
});

test("after lost replies, the next attempt has the same idempotency key", async () => {
  user = useFakeClock();
  const requests = serveReplies("/api/links", networkError, networkError, networkError, created);
  await openWith("summer-lamp");
  await paste();
  await advanceUntil(() => screen.queryByRole("button", { name: "Try again" }) !== null);
  expect(name().value).toBe("summer-lamp");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await advanceUntil(() => details() !== null);
  expect(requests).toHaveLength(4);
  expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});
