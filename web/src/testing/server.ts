import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { mainChannel } from "./channels-server.ts";
import { emptyClicksApiHandlers } from "./clicks-server.ts";
import { linkEarnings } from "./earnings-server.ts";

/** The responses that every page needs. Tests add their own with `server.use`. */
export const server = setupServer(
  http.get("/version.txt", () => HttpResponse.text("3f9c2a1b\n")),
  http.head("/version.txt", () => new HttpResponse()),
  http.get("/api/session", () => HttpResponse.json({ login: null })),
  http.post("/api/logout", () => HttpResponse.json({ redirectUrl: null })),
  http.get("/api/visitor", () => HttpResponse.json({})),
  http.get("/api/sessions", () => HttpResponse.json([])),
  http.get("/api/links", () => HttpResponse.json([])),
  http.get("/api/labels", () => HttpResponse.json([])),
  http.get("/api/channels", () => HttpResponse.json([mainChannel()])),
  http.get("/api/onelink-stores", () => HttpResponse.json([])),
  http.get("/api/links/stores", () => HttpResponse.json(["de"])),
  http.get("/api/link-count", () => new HttpResponse("Unavailable.", { status: 503 })),
  http.get("/api/earnings/links", () => HttpResponse.json([])),
  http.get("/api/activity", () => HttpResponse.json({ activity: [], nextBefore: null })),
  http.get("/api/keys", () => HttpResponse.json([])),
  http.post("/api/auth/password-reset/keys", () => HttpResponse.json({ names: [] })),
  http.get("/api/members", () => HttpResponse.json([])),
  http.get("/api/memberships", () => HttpResponse.json([])),
  http.get("/api/patterns", () => HttpResponse.json([])),
  http.get("/api/shared-pages", () => HttpResponse.json([])),
  http.get("/api/webhooks", () => HttpResponse.json([])),
  http.get("/api/digest", () =>
    HttpResponse.json({ isAvailable: false, isOn: true, isRefused: false, emailIsVerified: true }),
  ),
  ...emptyClicksApiHandlers,
  http.get("/api/links/:shortCode/earnings", () => HttpResponse.json(linkEarnings())),
  http.get("/app-opening.json", () => HttpResponse.json(BUILT_IN_OPENING_TABLE)),
);
