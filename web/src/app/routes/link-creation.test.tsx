import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { catchLogs } from "../../testing/catch-logs.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";
import { toast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
});

const field = () => screen.getByPlaceholderText<HTMLInputElement>("Paste your Amazon link here...");
const details = () => screen.queryByRole("heading", { name: "A lamp" });

async function paste(text: string) {
  await user.click(field());
  await user.paste(text);
}

// Specification 2.3, 2.36, 2.37
test("has a title and one field with the focus, which submits on paste", async () => {
  const requests = serveReplies("/api/generate", linkReply());
  await renderPages("/link-creation");
  expect(screen.getByRole("heading", { name: "Create New Link" })).toBeTruthy();
  expect(document.activeElement).toBe(field());
  expect(screen.getAllByRole("textbox")).toEqual([field()]);
  expect(screen.queryByRole("button", { name: /create|generate|submit/i })).toBeNull();
  await paste(PRODUCT);
  await waitFor(() => expect(details()).toBeTruthy());
  expect(requests.map(({ body }) => body)).toEqual([{ url: PRODUCT }]);
});

// Specification 2.39
test("a link with title or image is shown at once, with a toast that is gone a second later", async () => {
  user = useFakeClock();
  serveReplies("/api/generate", linkReply({ imageUrl: null }));
  await renderPages("/link-creation");
  await paste(PRODUCT);
  await advanceUntil(() => details() !== null);
  expect(toast()).toBe("Link generated!Redirecting to link details...");
  await advanceBy(1_000);
  expect(toast()).toBeFalsy();
});

test("the list is refetched after a link was created", async () => {
  const { queries } = serveLinks([]);
  serveReplies("/api/generate", linkReply());
  await renderPages("/dashboard");
  await user.click(screen.getByRole("button", { name: "Create link" }));
  await paste(PRODUCT);
  await waitFor(() => expect(details()).toBeTruthy());
  serveLinks([shortLink({ shortCode: "abcdefg" })]);
  await user.click(screen.getByRole("button", { name: "< Back to List" }));
  expect(await screen.findByRole("link", { name: "A lamp" })).toBeTruthy();
  expect(queries).toHaveLength(1);
});

describe("a link without title and image", () => {
  const METADATA = { title: "A lamp", description: null, imageUrl: null, siteName: null };

  beforeEach(() => {
    user = useFakeClock();
    serveReplies("/api/generate", linkReply({ title: null, imageUrl: null }));
  });

  // Specification 2.40
  test.each([
    ["is found", () => METADATA, 0],
    ["is not found", () => ({ ...METADATA, title: null }), 0],
    ["cannot be requested", () => failure(), 1],
  ])("is shown after its metadata, requested 3 seconds later, %s", async (_case, reply, warningCount) => {
    const warnings = catchLogs("warn");
    const queries = serve("GET /api/metadata", reply);
    await renderPages("/link-creation");
    await paste(PRODUCT);
    await advanceUntil(() => screen.queryByText("Link generated!") !== null);
    await advanceBy(2_500);
    expect([queries, field().disabled]).toEqual([[], true]);
    await advanceUntil(() => details() !== null);
    expect(queries).toEqual(["?product_id=B0ZZ1Y2X3W&marketplace=de"]);
    expect(warnings()).toHaveLength(warningCount);
  });
});
