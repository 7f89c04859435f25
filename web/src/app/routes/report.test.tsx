import { ERRORS } from "@tapthru/proto/errors";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const REASON = /^Misleading/;

let user: ReturnType<typeof userEvent.setup>;
let sent: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  sent = [];
  serveReport(() => HttpResponse.json({}, { status: 202 }));
});

function serveReport(reply: () => Response) {
  server.use(
    http.post("/api/reports", async ({ request }) => {
      sent.push(await request.json());
      return reply();
    }),
  );
}

const field = () => screen.findByLabelText("Short link");
const submit = () => user.click(screen.getByRole("button", { name: "Send report" }));

test("fills in the link named by the code parameter", async () => {
  await renderApp("/report?code=abc2345");
  expect(await field()).toHaveProperty("value", "https://tapthru.example/l/abc2345");
  expect(document.title).toBe("Report a link - Tapthru");
});

test("sends code and reason, then shows and focuses a confirmation", async () => {
  await renderApp("/report?code=abc2345");
  await field();
  await user.click(screen.getByRole("radio", { name: REASON }));
  await submit();
  const thanks = await screen.findByRole("heading", { name: "Thank you for your report" });
  expect(document.activeElement).toBe(thanks);
  expect(sent).toEqual([{ code: "abc2345", reason: "misleading" }]);
});

test("accepts a typed link, and another report afterwards", async () => {
  await renderApp("/report");
  await user.type(await field(), "tapthru.example/l/ABC2345");
  await user.click(screen.getByRole("radio", { name: /^Spam/ }));
  await submit();
  await user.click(await screen.findByRole("button", { name: "Report another link" }));
  expect(await field()).toHaveProperty("value", "");
  expect(sent).toEqual([{ code: "abc2345", reason: "spam" }]);
});

describe("sends nothing", () => {
  test("without a short link of this site, and focuses the field", async () => {
    await renderApp("/report");
    await user.type(await field(), "https://www.amazon.com/dp/B000000001");
    await user.click(screen.getByRole("radio", { name: REASON }));
    await submit();
    expect(screen.getByText("Please enter a short link of this site")).toBeTruthy();
    expect(document.activeElement).toBe(await field());
    expect(sent).toEqual([]);
  });

  test("without a reason, and focuses the reasons", async () => {
    await renderApp("/report?code=abc2345");
    await field();
    await submit();
    expect(screen.getByText("Please choose a reason")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("radio", { name: REASON }));
    expect(sent).toEqual([]);
  });
});

test.each([
  ["unavailable", () => new HttpResponse(null, { status: 503 }), "Your report could not be sent. Please try again."],
  ["limited", () => problem("too-many-requests"), ERRORS["too-many-requests"].message],
])("shows an error and keeps the input while reports are %s", async (_case, reply, text) => {
  serveReport(reply);
  await renderApp("/report?code=abc2345");
  await field();
  await user.click(screen.getByRole("radio", { name: REASON }));
  await submit();
  await findToast(`Error${text}`);
  expect(await field()).toHaveProperty("value", "https://tapthru.example/l/abc2345");
  expect(screen.getByRole("radio", { name: REASON })).toHaveProperty("checked", true);
});
