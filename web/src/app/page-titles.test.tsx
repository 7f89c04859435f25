import { waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { serveAccounts } from "../testing/accounts-server.ts";
import { noEarningsHandlers } from "../testing/earnings-server.ts";
import { fakeIdentityProvider, identityFor } from "../testing/fake-identity-provider.ts";
import { shortLink } from "../testing/links-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { server } from "../testing/server.ts";
import { PAGES } from "./pages.tsx";

const ANNA = identityFor("anna@example.com");
/** Never responds. */
const pending = () => new Promise<never>(() => {});

beforeEach(() => {
  serveAccounts(ANNA.email);
  server.use(
    http.get("/api/experiments", () => HttpResponse.json([])),
    http.get("/api/onelink-stores", () => HttpResponse.json([])),
    http.get("/api/routing", () => HttpResponse.json({ isOn: false, fallback: "original", assistantsGetTag: false })),
    http.get("/api/status/app-opening", () => HttpResponse.json({ since: "2026-10-24", rows: [] })),
    http.get("/api/imports", () => HttpResponse.json([])),
    ...noEarningsHandlers,
    http.get("/api/sessions", () => HttpResponse.json([])),
    http.get("/api/amazon-ads/connection", () => HttpResponse.json({ connection: null })),
    http.get("/api/links/lampcod", () => HttpResponse.json(shortLink({ shortCode: "lampcod", nickname: "My lamp" }))),
    http.get("/api/links/deleted", () => new HttpResponse("No.", { status: 404 })),
    http.get("/api/links/waiting", pending),
  );
});

test.each([
  ["/", "Tapthru"],
  ["/login", "Login - Tapthru"],
  ["/signup", "Sign up - Tapthru"],
  ["/reset-password", "Set a new password - Tapthru"],
  ["/confirm-email", "Confirm your email - Tapthru"],
  ["/privacy", "Privacy policy - Tapthru"],
  ["/privacy/amazon-ads-api", "Privacy policy for the Amazon Ads API integration - Tapthru"],
  ["/nowhere", "404 Page Not Found - Tapthru"],
])("the title of %s is %s", async (path, title) => {
  await renderApp(path);
  await waitFor(() => expect(document.title).toBe(title));
});

test.each([
  ["/dashboard", "Your Links - Tapthru"],
  ["/link-creation", "Create New Link - Tapthru"],
  ["/earnings", "Earnings - Tapthru"],
  ["/earnings/import", "Import Amazon's reports - Tapthru"],
  ["/import", "Import links - Tapthru"],
  ["/account/security", "Security - Tapthru"],
  ["/account/activity", "Activity - Tapthru"],
  ...PAGES.flatMap(({ path, title, guard }) => (title && guard !== "operator" ? [[path, `${title} - Tapthru`]] : [])),
  ["/amazon-ads-auth", "Connect Amazon Ads - Tapthru"],
  ["/link/lampcod", "My lamp - Tapthru"],
  ["/link/deleted", "Error loading link details. Please try again. - Tapthru"],
  ["/link/waiting", "Loading... - Tapthru"],
])("for a signed-in user, the title of %s is %s", async (path, title) => {
  await renderApp(path, { identity: fakeIdentityProvider(ANNA) });
  await waitFor(() => expect(document.title).toBe(title));
});

test.each([
  ["/dashboard", "Your Links - Tapthru"],
  ["/link/lampcod", "Loading... - Tapthru"],
])("while the login is pending, the title of %s is %s", async (path, title) => {
  const identity = fakeIdentityProvider(ANNA);
  server.use(http.get("/api/session", pending));
  await renderApp(path, { identity });
  await waitFor(() => expect(document.title).toBe(title));
});
