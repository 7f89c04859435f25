import { expect, PRODUCT, test } from "./home.ts";

const SHORT_LINK_FAILURE =
  "Failed to process the shortened Amazon link. Please try using the full Amazon URL.";

// Specification 8.6
test("Enter on an empty field asks for a link", async ({ home }) => {
  await home.field.press("Enter");
  await expect(home.toast).toContainText("ErrorPlease enter an Amazon URL");
});

for (const [pasted, complaint] of [
  ["   ", "Please enter an Amazon URL"],
  ["my shopping list", "Please enter a valid Amazon URL"],
  ["https://media.co/x", "Please enter a valid Amazon URL"],
  ["https://amazon.com.evil.example/dp/B0CX23V2ZK", "Please enter a valid Amazon URL"],
  ["https://aws.amazon.com/s3", "aws.amazon.com is not an Amazon shopping page"],
] as const) {
  // Specification 8.7
  test(`a paste of "${pasted}" is complained of by a toast and at the field`, async ({ home }) => {
    await home.paste(pasted);
    await expect(home.toast).toContainText(`Error${complaint}`);
    await expect(home.field).toHaveAccessibleDescription(complaint);
    await expect(home.field).toBeFocused();
    await expect(home.result).toHaveCount(0);
  });
}

for (const [trouble, url] of [
  ["does not exist", "https://amzn.to/missing"],
  ["leads out of Amazon", "https://amzn.to/evilHst"],
  ["leads to an address inside the network", "https://amzn.to/metaIps"],
] as const) {
  // Specification 8.2
  test(`a short link that ${trouble} cannot be processed`, async ({ home }) => {
    await home.paste(url);
    await expect(home.toast).toHaveText(`Error${SHORT_LINK_FAILURE}`);
    await expect(home.field).toBeFocused();
    await expect(home.field).toHaveValue(url);
  });
}

// Specification 2.69
test("a server that refuses is quoted", async ({ home, page }) => {
  await page.route("/api/generate", (route) => route.fulfill({ status: 503, body: "Too busy." }));
  await home.paste(PRODUCT);
  await expect(home.toast).toHaveText("ErrorServer error: Too busy.");
});

test("a server out of reach is asked three times with one key", async ({ home, page }) => {
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

test("a reply lost after the link was made leads to the same link", async ({ home, page }) => {
  const made: string[] = [];
  await page.route("/api/generate", async (route) => {
    const reply = await route.fetch();
    made.push((await reply.json()).shortUrl);
    return made.length === 1 ? route.abort() : route.fulfill({ response: reply });
  });
  const shown = await home.makeLink("https://www.amazon.com/dp/B0LOSTREPL?tag=me-20");
  expect(made).toEqual([shown, shown]);
});

test("a clipboard that refuses is told", async ({ home, page }) => {
  await home.makeLink();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  await home.copyButton.click();
  await expect(home.toast).toHaveText("ErrorFailed to copy link");
});

// Specification 2.5
test("an unknown path shows the not-found page", async ({ page }) => {
  await page.goto("/nowhere");
  await expect(page.getByRole("heading")).toHaveText("404 Page Not Found");
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});
