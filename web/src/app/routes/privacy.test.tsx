import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { link, textsOf } from "../../testing/controls.ts";
import { renderApp } from "../../testing/render-app.tsx";

const article = async () => (await screen.findByRole("article")).textContent;

// Specification 2.4, 2.60 to 2.68
test("the policy for the Amazon Ads API has what the specification requires, and promises only what the site does", async () => {
  await renderApp("/privacy/amazon-ads-api");
  const title = await screen.findByRole("heading", { level: 1 });
  expect(title.textContent).toBe("Privacy policy for the Amazon Ads API integration");
  expect(screen.getByText("Effective 01/01/2025, last updated 03/07/2025")).toBeTruthy();
  const headings = screen.getAllByRole("heading", { level: 2 });
  const parts = "Introduction,Information collected,Use,Sharing,Security,User rights,Updates,Contact".split(",");
  expect(textsOf(headings)).toEqual(parts.map((part, at) => `${at + 1}. ${part}`));
  for (const [section, words] of [
    [1, /Campaign performance.*Attribution tracking.*Engagement analyt/],
    [3, /do not sell your data.*Amazon.*Analytics tools.*Legal authorities/],
    [5, /Access.*Opt-out.*Amazon Ads settings.*Deletion/],
  ] as const) {
    expect(headings[section]?.parentElement?.textContent).toMatch(words);
  }
  for (const text of ["At present Tapthru neither reads nor stores it", "Disconnecting deletes all of it"]) {
    expect(await article()).toContain(text);
  }
  expect((await link("hello@tapthru.example")).getAttribute("href")).toBe("mailto:hello@tapthru.example");
  expect((await link("https://tapthru.example")).getAttribute("href")).toBe("https://tapthru.example");
});

const KEPT = [
  "expires after 7 days and is then deleted",
  "a random number, kept for 30 days",
  "for 10 minutes, and of the key of each request for 24 hours",
  "after 7 days without a visit, and after 14 days at the latest",
  "until 90 days after the last report",
  "For 1 hour we remember the id of the login",
];
const HASH = "a hash, from which it cannot be read";

test.each([
  [{}, [HASH, ...KEPT], "Google's Firebase"],
  [{ firebase: { projectId: "tapthru" } }, ["Google's Firebase"], "a hash, from"],
  [
    { openIdConnect: { name: "Example Corp", iconUrl: null } },
    ["If you log in with Example Corp, we keep the id"],
    "Google's Firebase",
  ],
])("the site's policy states how long data is kept, with the configuration %j", async (changes, named, notNamed) => {
  await renderApp("/privacy", { changes });
  await screen.findByRole("heading", { level: 1, name: "Privacy policy" });
  for (const text of named) expect(await article()).toContain(text);
  expect(await article()).not.toContain(notNamed);
  const other = within(screen.getByRole("article")).getByRole("link", { name: /Amazon Ads API/ });
  expect(other.getAttribute("href")).toBe("/privacy/amazon-ads-api");
});
