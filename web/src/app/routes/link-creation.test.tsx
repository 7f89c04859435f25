import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply, generatedLink, linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast, toast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;
const incomplete = { title: null, imageUrl: null };

beforeEach(() => {
  user = userEvent.setup();
  server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(shortLink({ shortCode: "abcdefg" }))));
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

// Specification 2.38
test("disables the field and shows a spinner while the link is created", async () => {
  server.use(http.post("/api/generate", () => new Promise(() => {})));
  await renderPages("/link-creation");
  await paste(PRODUCT);
  await waitFor(() => expect(field().disabled).toBe(true));
  expect(screen.getByRole("status").textContent).toBe("Generating your link...");
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

test("an earlier link is named as such, without the text of the new one", async () => {
  serveReplies("/api/generate", () => HttpResponse.json(generatedLink(), { status: 200 }));
  await renderPages("/link-creation");
  await paste(PRODUCT);
  expect(await findToast("You already have this link")).toBe("You already have this link");
});

// Specification 5.1
test.each([
  ["  ", "Please enter an Amazon URL"],
  ["https://example.com/dp/B0ZZ1Y2X3W", "Please enter a valid Amazon URL"],
])("a paste of %j shows an error", async (text, message) => {
  await renderPages("/link-creation");
  await paste(text);
  expect(await findToast(message)).toBe(`Error${message}`);
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
  let queries: string[];

  beforeEach(() => {
    user = useFakeClock();
    queries = [];
    serveReplies("/api/generate", linkReply(incomplete));
  });

  function serveMetadata(reply: () => Response) {
    server.use(
      http.get("/api/metadata", ({ request }) => {
        queries.push(new URL(request.url).search);
        return reply();
      }),
    );
  }

  async function createIncompleteLink(...visited: string[]) {
    await renderPages(...visited, "/link-creation");
    await paste(PRODUCT);
    await advanceUntil(() => screen.queryByText("Link generated!") !== null);
  }

  const metadata = (title: string | null) => () =>
    HttpResponse.json({ title, description: null, imageUrl: null, siteName: null });

  // Specification 2.40
  test.each([
    ["is found", metadata("A lamp")],
    ["is not found", metadata(null)],
  ])("is shown after its metadata, requested 3 seconds later, %s", async (_case, reply) => {
    serveMetadata(reply);
    await createIncompleteLink();
    await advanceBy(2_500);
    expect(queries).toEqual([]);
    expect(field().disabled).toBe(true);
    await advanceUntil(() => details() !== null);
    expect(queries).toEqual(["?product_id=B0ZZ1Y2X3W&marketplace=de"]);
  });

  // Specification 2.40
  test("is shown even if the metadata request fails, which is only logged", async () => {
    vi.mocked(console.warn).mockImplementationOnce(() => {});
    serveMetadata(errorReply(503, "Unavailable"));
    await createIncompleteLink();
    await advanceUntil(() => details() !== null);
    expect(vi.mocked(console.warn)).toHaveBeenCalledOnce();
    vi.mocked(console.warn).mockClear();
  });

  test("is not requested again after leaving the page", async () => {
    serveMetadata(metadata("A lamp"));
    serveLinks([]);
    await createIncompleteLink("/dashboard");
    await user.click(screen.getByRole("button", { name: "Browser's back" }));
    await advanceBy(10_000);
    expect(queries).toEqual([]);
    expect(screen.getByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  test("stays pending until it is shown", async () => {
    server.use(http.get("/api/metadata", () => new Promise(() => {})));
    await createIncompleteLink();
    await advanceBy(5_000);
    expect(field().disabled).toBe(true);
    expect(screen.getByText("Generating your link...")).toBeTruthy();
  });
});
