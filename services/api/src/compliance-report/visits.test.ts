import { PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { expect, it } from "vitest";
import { type AnsweredVisit, PROMISES, visitLinks } from "./visits.ts";

const LINK = { shortUrl: "https://t.example/l/a", tag: "own-21" };

it("a link that leads to the visitor's own store has a tag of the owner's channels there", async () => {
  const header = () => "https://www.amazon.fr/dp/B0ZZ1Y2X3W?tag=fr-21";
  const [visit] = await visitLinks(async () => ({ status: 302, header, text: "" }), [LINK]);
  const owner = { showsDisclosure: true, assistantsGetTag: true, tags: new Set(["fr-21"]) };
  const promise = PROMISES["The owner's tag arrives unchanged"];
  expect(visit && promise?.(visit, owner)).toBe(true);
  expect(visit && promise?.(visit, { ...owner, tags: new Set() })).toBe(false);
});

it("an address that does not respond is not visited again", async () => {
  const visited = new Set<string>();
  const visit = async (shortUrl: string) => {
    visited.add(shortUrl);
    return null;
  };
  expect(await visitLinks(visit, [LINK, { ...LINK, shortUrl: "https://t.example/l/b" }])).toEqual([]);
  expect([...visited]).toEqual([LINK.shortUrl]);
});

interface Sent {
  status?: number;
  location?: string;
  policy?: string;
  referrer?: string;
  text?: string;
}
const redirectTo = (location: string): Sent => ({ status: 302, location });
const page = (text: string): Sent => ({ status: 200, text });
const TAGGED = redirectTo("https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=own-21");
const UNTAGGED = redirectTo("https://www.amazon.de/dp/B0ZZ1Y2X3W");
const ASSOCIATE = page(PAGE_MESSAGES.en.amazonAssociate);

it.each<[promise: string, kept: Sent, broken: Sent[], visit?: Partial<AnsweredVisit>]>([
  [
    "Redirects are temporary and lead to a page of an Amazon store",
    TAGGED,
    [{ ...TAGGED, status: 301 }, redirectTo("https://track.example/dp/B0ZZ1Y2X3W?tag=own-21")],
  ],
  [
    "Amazon learns which site the visitor came from",
    TAGGED,
    [{ ...TAGGED, referrer: "no-referrer" }, page('<a rel="noreferrer">')],
  ],
  [
    "Nothing is framed, and nothing can frame it",
    ASSOCIATE,
    [{ ...ASSOCIATE, policy: "default-src 'none'" }, page("<iframe>")],
  ],
  ["Each page names Amazon", ASSOCIATE, [page('<p class="Amazon">Opens the shop')]],
  ["The page that opens the app says that its owner earns", ASSOCIATE, [page("<p>Opens Amazon")]],
  [
    "The owner's tag arrives unchanged",
    TAGGED,
    [redirectTo("https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=our-21"), UNTAGGED],
  ],
  ["Links for print and mail have no tag", UNTAGGED, [TAGGED], { tag: null }],
  ["Programs of assistants get no tag", UNTAGGED, [TAGGED], { kind: "assistant" }],
])("%s", (promise, kept, broken, visit = {}) => {
  const isKept = (sent: Sent) => {
    const { status = 200, location = "", text = "" } = sent;
    const { policy = "frame-ancestors 'none'", referrer = "strict-origin-when-cross-origin" } = sent;
    const headers: Record<string, string> = {
      location,
      "content-security-policy": policy,
      "referrer-policy": referrer,
    };
    const response = { status, header: (name: string) => headers[name] ?? "", text };
    return PROMISES[promise]?.(
      { visitor: "", kind: "person", ...LINK, ...visit, response },
      { showsDisclosure: true, assistantsGetTag: false, tags: new Set() },
    );
  };
  expect(isKept(kept)).toBe(true);
  for (const each of broken) expect(isKept(each), JSON.stringify(each)).toBe(false);
});
