import { expect } from "vitest";
import { PRODUCT } from "../e2e/product.ts";
import { field } from "./elements.ts";
import type { Page } from "./page.ts";

export const LINK_FIELD = field("Amazon product or store link");
export const SHORT_LINK_XPATH =
  '//section[@aria-label="Your short link"]//a[contains(@href, "/l/")]';

/** Creates a link to PRODUCT through the api. @returns the short link */
export async function createLink(page: Page): Promise<string> {
  const response = await fetch(page.urlOf("/api/generate"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: PRODUCT }),
  });
  expect(response.ok).toBe(true);
  return (await response.json()).shortUrl;
}
