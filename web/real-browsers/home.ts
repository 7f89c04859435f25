import { expect } from "vitest";
import { PRODUCT } from "../e2e/product.ts";
import { field } from "./elements.ts";
import type { Page } from "./page.ts";

export const LINK_FIELD = field("Amazon product or store link");
export const SHORT_LINK = '//section[@aria-label="Your short link"]//a[contains(@href, "/l/")]';

/** Makes a link of PRODUCT without a browser. @returns the short link */
export async function makeLink(page: Page): Promise<string> {
  const reply = await fetch(page.urlOf("/api/generate"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: PRODUCT }),
  });
  expect(reply.ok).toBe(true);
  return (await reply.json()).shortUrl;
}
