import { expect, PRODUCT, test } from "./home.ts";

const SHORT_LINK_FAILURE = "Failed to process the shortened Amazon link. Please try using the full Amazon URL.";

// Specification 8.6
test("Enter on an empty field shows a validation message", async ({ home }) => {
  await home.submitNothing();
  await expect(home.toast).toContainText("ErrorPlease enter an Amazon URL");
});

for (const [pasted, message] of [
  ["   ", "Please enter an Amazon URL"],
  ["my shopping list", "Please enter a valid Amazon URL"],
  ["https://media.co/x", "Please enter a valid Amazon URL"],
  ["https://amazon.com.evil.example/dp/B0CX23V2ZK", "Please enter a valid Amazon URL"],
  ["https://aws.amazon.com/s3", "aws.amazon.com is not an Amazon shopping page"],
] as const) {
  // Specification 8.7
  test(`pasting "${pasted}" shows a validation message in a toast and at the field`, async ({ home }) => {
    await home.paste(pasted);
    await expect(home.toast).toContainText(`Error${message}`);
    await expect(home.field).toHaveAccessibleDescription(message);
    await expect(home.field).toBeFocused();
    await expect(home.result).toHaveCount(0);
  });
}

for (const [target, url] of [
  ["does not exist", "https://amzn.to/missing"],
  ["redirects to another site", "https://amzn.to/evilHst"],
  ["redirects to an internal address", "https://amzn.to/metaIps"],
] as const) {
  // Specification 8.2
  test(`a short link that ${target} cannot be processed`, async ({ home }) => {
    await home.paste(url);
    await expect(home.toast).toHaveText(`Error${SHORT_LINK_FAILURE}`);
    await expect(home.field).toBeFocused();
    await expect(home.field).toHaveValue(url);
  });
}

// Specification 2.69
test("the server's error message is displayed", async ({ home, page }) => {
  await page.route("/api/generate", (route) => route.fulfill({ status: 503, body: "Too busy." }));
  await home.paste(PRODUCT);
  await expect(home.toast).toHaveText("ErrorServer error: Too busy.");
});

test("an unreachable server is requested three times with the same idempotency key", async ({ home, page }) => {
  const keys: (string | undefined)[] = [];
  await page.route("/api/generate", (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    return route.abort();
  });
  await home.paste(PRODUCT);
  await expect(home.toast).toHaveText("ErrorFailed to generate link", { timeout: 10_000 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("a lost response is retried and returns the same link", async ({ home, page }) => {
  const created: string[] = [];
  await page.route("/api/generate", async (route) => {
    const response = await route.fetch();
    created.push((await response.json()).shortUrl);
    return created.length === 1 ? route.abort() : route.fulfill({ response });
  });
  const displayed = await home.createLink("https://www.amazon.com/dp/B0LOSTREPL?tag=me-20");
  expect(created).toEqual([displayed, displayed]);
});

test("a failed copy shows an error", async ({ home, page }) => {
  await home.createLink();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  await home.copyButton.click();
  await expect(home.toast).toHaveText("ErrorFailed to copy link");
});

// Specification 2.5
test("an unknown path has the status 404 and shows the not-found page", async ({ page }) => {
  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("404 Page Not Found");
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});
