import type { ClickClass } from "@tapthru/proto/clicks/keys";

/** A kind of visit of a short link. */
export interface VisitKind {
  name: string;
  /** Part of all visits; the shares add up to 1. */
  share: number;
  /** How a served visit counts; null if it does not. */
  clickClass: ClickClass | null;
  method: "GET" | "HEAD";
  /** Follows the path. */
  query: string;
  headers: Record<string, string>;
}

const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const INSTAGRAM =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 395.0.0.32.87 (iPhone15,3; iOS 18_6; en_US; en; scale=3.00; 1290x2796; 770000000)";

/** One user agent of each kind of visitor. */
export const AGENTS = {
  desktop: DESKTOP,
  iphone: IPHONE,
  instagram: INSTAGRAM,
  crawler: "facebookexternalhit/1.1",
} as const;

const GET = { method: "GET", query: "" } as const;

export const VISIT_KINDS: readonly VisitKind[] = [
  {
    ...GET,
    name: "person on a desktop",
    share: 0.3,
    clickClass: "person",
    headers: { "user-agent": DESKTOP, referer: "https://blog.example/deals" },
  },
  {
    ...GET,
    name: "person in Instagram",
    share: 0.3,
    clickClass: "person",
    headers: { "user-agent": INSTAGRAM },
  },
  {
    ...GET,
    name: "preview crawler",
    share: 0.1,
    clickClass: "preview",
    headers: { "user-agent": AGENTS.crawler },
  },
  {
    ...GET,
    name: "HTTP library",
    share: 0.1,
    clickClass: "bot",
    headers: { "user-agent": "curl/8.5.0" },
  },
  {
    ...GET,
    name: "prefetch",
    share: 0.08,
    clickClass: "prefetch",
    headers: { "user-agent": DESKTOP, "sec-purpose": "prefetch" },
  },
  {
    name: "return from an in-app browser",
    share: 0.05,
    clickClass: null,
    method: "GET",
    query: "?tt_esc=1",
    headers: { "user-agent": IPHONE },
  },
  {
    ...GET,
    name: "Google's prefetch proxy",
    share: 0.02,
    clickClass: null,
    headers: { "user-agent": DESKTOP, "sec-purpose": "prefetch;anonymous-client-ip" },
  },
  {
    name: "HEAD",
    share: 0.05,
    clickClass: null,
    method: "HEAD",
    query: "",
    headers: { "user-agent": DESKTOP },
  },
];
