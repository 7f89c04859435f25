import { ERRORS } from "@tapthru/proto/errors";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
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
const refused = (status: number, code: string, title: string) => () =>
  HttpResponse.json({ code, title }, { status, headers: { "Content-Type": "application/problem+json" } });
const taken = refused(409, "slug-taken", ERRORS["slug-taken"].message);

async function openWith(text: string) {
  await renderPages("/link-creation");
  await user.click(await screen.findByRole("button", { name: "Options" }));
  if (text !== "") await user.type(name(), text);
}

async function paste() {
  await user.click(field());
  await user.paste(PRODUCT);
}

test("a last day is named and can be removed also after the options were closed", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  const day = () => screen.getByLabelText<HTMLInputElement>("Last day on which the link works");
  await openWith("");
  fireEvent.change(day(), { target: { value: "2099-05-04" } });
  await user.click(screen.getByRole("button", { name: "Close options" }));
  expect(screen.getByText(/New links work until May 4, 2099\./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Options" }));
  expect(day().value).toBe("2099-05-04");
  fireEvent.change(day(), { target: { value: "" } });
  expect(screen.queryByText(/New links work until/)).toBeNull();
  await paste();
  await waitFor(() => expect(details()).toBeTruthy());
  expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT }]);
});

describe("a short link name", () => {
  test("that is chosen first is the code of the pasted link", async () => {
    const requests = serveReplies("/api/links", created);
    await openWith("summer-lamp");
    await paste();
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT, slug: "summer-lamp" }]);
    expect(requests[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  test("is for one link, not for several", async () => {
    const requests = serveReplies("/api/generate", linkReply());
    await openWith("summer-lamp");
    await user.click(field());
    await user.paste(`${PRODUCT}\n${PRODUCT}&th=1`);
    await screen.findByText("2 links are ready");
    expect(requests).toHaveLength(2);
  });

  test("is not sent with the next link of the dashboard, added before the first is created", async () => {
    serveLinks([link]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const named = serveReplies("/api/links", () => released.then(created));
    const others = serveReplies("/api/generate", linkReply());
    await renderPages("/dashboard");
    await user.click(await screen.findByRole("button", { name: "Options" }));
    await user.type(name(), "summer-lamp");
    const pasteOnPage = (address: string) =>
      fireEvent.paste(document.body, { clipboardData: { getData: () => address } });
    pasteOnPage(PRODUCT);
    pasteOnPage(`${PRODUCT}&th=1`);
    expect(name().value).toBe("");
    release();
    await screen.findByText("2 links are ready");
    expect([named, others].map((requests) => requests.length)).toEqual([1, 1]);
  });

  test("that is refused is offered again on the dashboard", async () => {
    serveLinks([link]);
    serveReplies("/api/links", taken);
    await renderPages("/dashboard");
    await user.click(await screen.findByRole("button", { name: "Options" }));
    await user.type(name(), "lamp");
    fireEvent.paste(document.body, { clipboardData: { getData: () => PRODUCT } });
    await screen.findByText(`Server error: ${ERRORS["slug-taken"].message}`);
    expect(name().value).toBe("lamp");
  });

  test("that is refused says so at its field, and keeps both texts", async () => {
    const requests = serveReplies(
      "/api/links",
      taken,
      refused(400, "invalid-body", "This short link name is reserved. Please choose another."),
      created,
    );
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
    await waitFor(() => expect(details()).toBeTruthy());
    expect(requests[2]?.body).toEqual({ url: PRODUCT, slug: "admin-2" });
    expect(requests[1]?.idempotencyKey).not.toBe(requests[0]?.idempotencyKey);
  });

  test("and a last day are those of the link", async () => {
    const requests = serveReplies("/api/links", created);
    await openWith("summer-lamp");
    fireEvent.change(screen.getByLabelText("Last day on which the link works"), { target: { value: "2099-05-04" } });
    await paste();
    await waitFor(() => expect(details()).toBeTruthy());
    const expiresAt = new Date("2099-05-04T23:59:59").toISOString();
    expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT, slug: "summer-lamp", expiresAt }]);
  });
});
