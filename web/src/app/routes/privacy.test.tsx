import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../testing/render-app.tsx";

const article = async () => (await screen.findByRole("article")).textContent;

// Specification 2.4, 2.60 to 2.68
test("the policy for the Amazon Ads API has what the specification requires, and promises only what the site does", async () => {
  await renderApp("/privacy/amazon-ads-api");
  const title = await screen.findByRole("heading", { level: 1 });
  expect(title.textContent).toBe("Privacy policy for the Amazon Ads API integration");
  expect(screen.getByText("Effective 01/01/2025, last updated 03/07/2025")).toBeTruthy();
  const headings = screen.getAllByRole("heading", { level: 2 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "1. Introduction",
    "2. Information collected",
    "3. Use",
    "4. Sharing",
    "5. Security",
    "6. User rights",
    "7. Updates",
    "8. Contact",
  ]);
  for (const [section, words] of [
    [1, /Campaign performance.*Attribution tracking.*Engagement analyt/],
    [3, /do not sell your data.*Amazon.*Analytics tools.*Legal authorities/],
    [5, /Access.*Opt-out.*Amazon Ads settings.*Deletion/],
  ] as const) {
    expect(headings[section]?.parentElement?.textContent).toMatch(words);
  }
  expect(await article()).not.toContain("show you how your links and campaigns perform");
  expect(await article()).toContain("At present Tapthru neither reads nor stores it:");
  const mail = screen.getByRole("link", { name: "hello@tapthru.example" });
  expect(mail.getAttribute("href")).toBe("mailto:hello@tapthru.example");
  const site = screen.getByRole("link", { name: "https://tapthru.example" });
  expect(site.getAttribute("href")).toBe("https://tapthru.example");
});

test("the site's policy states how long data is kept, and links to that for the Amazon Ads API", async () => {
  await renderApp("/privacy");
  await screen.findByRole("heading", { level: 1, name: "Privacy policy" });
  for (const text of [
    "expires after 7 days and is then deleted",
    "a random number, kept for 30 days",
    "for 10 minutes, and of the key of each request for 24 hours",
    "after 7 days without a visit, and after 14 days at the latest",
    "until 90 days after the last report",
    "For 1 hour we remember the id of the login",
  ]) {
    expect(await article()).toContain(text);
  }
  const link = within(screen.getByRole("article")).getByRole("link", { name: /Amazon Ads API/ });
  expect(link.getAttribute("href")).toBe("/privacy/amazon-ads-api");
});

test.each([
  [{ firebase: { projectId: "tapthru" } }, "Google", "a hash, from"],
  [{}, "a hash, from which it cannot be read", "Google"],
  [
    { openIdConnect: { name: "Example Corp", iconUrl: null } },
    "If you log in with Example Corp, we keep the id",
    "Google",
  ],
])("the site's policy follows the configuration %j", async (changes, named, notNamed) => {
  await renderApp("/privacy", { changes });
  await screen.findByRole("heading", { level: 1, name: "Privacy policy" });
  expect(await article()).toContain(named);
  expect(await article()).not.toContain(notNamed);
});

test.each(["/", "/login", "/nowhere"])(
  "the footer of %s links to the site's policy and to the form for reports",
  async (path) => {
    await renderApp(path);
    const links = within(await screen.findByRole("contentinfo")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/report", "/privacy"]);
  },
);
