import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { check, click, fill, heading } from "../../testing/controls.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { failure, serve } from "../../testing/serve.ts";

const REASON = /^Misleading/;
let sent: unknown[];

beforeEach(() => {
  sent = serve("POST /api/reports", () => ({}));
});

const field = () => screen.findByLabelText("Short link");
const isFilled = async (url: string) => expect(await field()).toHaveProperty("value", url);

async function openWithCode() {
  await renderApp("/report?code=abc2345");
  await isFilled("https://tapthru.example/l/abc2345");
}

test("accepts a typed link", async () => {
  await renderApp("/report");
  await fill("Short link", "tapthru.example/l/ABC2345");
  await check(/^Spam/, "radio");
  await click("Send report");
  await heading("Thank you for your report");
  expect(sent).toEqual([{ code: "abc2345", reason: "spam" }]);
});

test("sends nothing without a short link of this site, and focuses the field", async () => {
  await renderApp("/report");
  await fill("Short link", "https://www.amazon.com/dp/B000000001");
  await check(REASON, "radio");
  await click("Send report");
  expect(screen.getByText("Please enter a short link of this site")).toBeTruthy();
  expect([document.activeElement, sent]).toEqual([await field(), []]);
});

test("sends nothing without a reason, and focuses the reasons", async () => {
  await openWithCode();
  await click("Send report");
  expect(screen.getByText("Please choose a reason")).toBeTruthy();
  expect([document.activeElement, sent]).toEqual([screen.getByRole("radio", { name: REASON }), []]);
});

test("shows an error and keeps the input while reports cannot be sent", async () => {
  serve("POST /api/reports", () => failure());
  await openWithCode();
  await check(REASON, "radio");
  await click("Send report");
  await screen.findByText("Your report could not be sent. Please try again.");
  await isFilled("https://tapthru.example/l/abc2345");
  expect(screen.getByRole("radio", { name: REASON })).toHaveProperty("checked", true);
});
