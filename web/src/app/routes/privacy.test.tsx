import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { renderApp } from "../../testing/render-app.tsx";

const headings = () => screen.getAllByRole("heading", { level: 2 }).map((h) => h.textContent);
const footer = () => within(screen.getByRole("contentinfo"));

describe("the policy for the Amazon Ads API", () => {
  // Specification 2.4, 2.60
  test("shows its dates and eight sections", async () => {
    await renderApp("/privacy/amazon-ads-api");
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe(
      "Privacy policy for the Amazon Ads API integration",
    );
    expect(screen.getByText("Effective 01/01/2025, last updated 03/07/2025")).toBeTruthy();
    expect(headings()).toEqual([
      "1. Introduction",
      "2. Information collected",
      "3. Use",
      "4. Sharing",
      "5. Security",
      "6. User rights",
      "7. Updates",
      "8. Contact",
    ]);
  });

  // Specification 2.61, 2.62, 2.63, 2.64, 2.65, 2.66, 2.67
  test.each([
    ["2. Information collected", /Campaign performance.*Attribution tracking.*Engagement analyt/],
    ["4. Sharing", /do not sell your data.*Amazon.*Analytics tools.*Legal authorities/],
    ["6. User rights", /Access.*Opt-out.*Amazon Ads settings.*Deletion/],
  ])("%s covers what the specification requires", async (heading, words) => {
    await renderApp("/privacy/amazon-ads-api");
    const section = (await screen.findByRole("heading", { name: heading })).parentElement;
    expect(section?.textContent).toMatch(words);
  });

  test("promises only what the site does with the data", async () => {
    await renderApp("/privacy/amazon-ads-api");
    const text = (await screen.findByRole("article")).textContent;
    expect(text).not.toContain("show you how your links and campaigns perform");
    expect(text).toContain("At present Tapthru neither reads nor stores it:");
  });

  // Specification 2.68
  test("links to the configured email address and the site", async () => {
    await renderApp("/privacy/amazon-ads-api");
    const mail = await screen.findByRole("link", { name: "hello@tapthru.example" });
    expect(mail.getAttribute("href")).toBe("mailto:hello@tapthru.example");
    const site = screen.getByRole("link", { name: "https://tapthru.example" });
    expect(site.getAttribute("href")).toBe("https://tapthru.example");
  });
});

describe("the site's policy", () => {
  test("states how long data is kept", async () => {
    await renderApp("/privacy");
    await screen.findByRole("heading", { level: 1, name: "Privacy policy" });
    const text = screen.getByRole("article").textContent;
    expect(text).toContain("expires after 7 days and is then deleted");
    expect(text).toContain("a random number, kept for 30 days");
    expect(text).toContain("for 10 minutes, and of the key of each request for 24 hours");
    expect(text).toContain("after 7 days without a visit, and after 14 days at the latest");
    expect(text).toContain("until 90 days after the last report");
    expect(text).toContain("For 1 hour we remember the id of the login");
    expect(screen.getByRole("link", { name: "hello@tapthru.example" })).toBeTruthy();
  });

  test.each([
    ["Google only with Firebase", { firebase: { projectId: "tapthru" } }, "Google", "a hash, from"],
    ["a hash of the password without it", {}, "a hash, from which it cannot be read", "Google"],
    [
      "an OpenID provider",
      { openIdConnect: { name: "Example Corp", iconUrl: null } },
      "If you log in with Example Corp, we keep the id",
      "Google",
    ],
  ])("names %s", async (_case, changes, named, notNamed) => {
    await renderApp("/privacy", { changes });
    await screen.findByRole("heading", { level: 1, name: "Privacy policy" });
    const text = screen.getByRole("article").textContent;
    expect(text).toContain(named);
    expect(text).not.toContain(notNamed);
  });

  test("links to the policy for the Amazon Ads API", async () => {
    await renderApp("/privacy");
    const article = within(await screen.findByRole("article"));
    await userEvent.click(article.getByRole("link", { name: /Amazon Ads API/ }));
    expect(await screen.findByRole("heading", { name: "8. Contact" })).toBeTruthy();
  });
});

test.each(["/", "/login", "/signup", "/nowhere"])("the footer of %s links to the site's policy", async (path) => {
  await renderApp(path);
  await screen.findByRole("contentinfo");
  const links = footer().getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/report", "/privacy"]);
});
