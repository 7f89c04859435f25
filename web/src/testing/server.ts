import { CALLS } from "@tapthru/proto/calls";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { emptyClicksApiHandlers } from "./clicks-server.ts";
import { earningsTable, linkEarnings } from "./earnings.ts";
import { mainChannel } from "./examples.ts";

const REPLIES = {
  "/api/session": { login: null },
  "/api/visitor": {},
  "/api/links/stores": ["de"],
  "/api/compliance-report": { linkCount: 0, violationCount: 0, violations: [] },
  "/api/channels": [mainChannel()],
  "/api/activity": { activity: [], nextBefore: null },
  "/api/earnings": earningsTable(),
  "/api/earnings/links": { ...linkEarnings(), links: [] },
  "/api/links/:shortCode/earnings": linkEarnings(),
  "/api/status/app-opening": { since: "2026-10-24", rows: [] },
  "/app-opening.json": BUILT_IN_OPENING_TABLE,
};

/** The responses that every page needs; other lists are empty. Tests add their own with `serve`. */
export const server = setupServer(
  http.get("/version.txt", () => HttpResponse.text("3f9c2a1b\n")),
  http.head("/version.txt", () => new HttpResponse()),
  http.post("/api/logout", () => HttpResponse.json({ redirectUrl: null })),
  http.post("/api/auth/password-reset/keys", () => HttpResponse.json({ names: [] })),
  http.get("/api/link-count", () => new HttpResponse("Unavailable.", { status: 503 })),
  ...emptyClicksApiHandlers,
  ...Object.entries(REPLIES).map(([path, reply]) => http.get(path, () => HttpResponse.json(reply))),
  ...Object.values(CALLS)
    .filter(({ method, replies }) => method === "GET" && Object.values(replies)[0]?._zod.def.type === "array")
    .map(({ path }) => http.get(path, () => HttpResponse.json([]))),
);
