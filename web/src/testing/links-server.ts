import { getLink, type Link } from "@tapthru/proto/links";
import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { HttpResponse } from "msw";
import { exampleOf } from "./examples.ts";
import { serve } from "./serve.ts";

const EXAMPLE_LINK = exampleOf(getLink);
const PLAIN: Partial<Link> = {
  title: "A lamp",
  siteName: null,
  description: null,
  imageUrl: "https://m.media-amazon.com/images/I/lamp.jpg",
  userId: 1,
  createdAt: "2026-11-20T08:00:00.000Z",
  channelId: null,
  tagSource: "own",
  labels: [],
  labelsRevision: "",
  health: { ...EXAMPLE_LINK.health, since: null, checkedAt: null, source: null, attemptedAt: null },
};

export function shortLink(changes: Partial<Link> = {}): Link {
  const { id = 1, shortCode = `code${String(id).padStart(3, "2")}` } = changes;
  const originalUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
  return {
    ...EXAMPLE_LINK,
    ...eachOwnerField(() => null),
    ...PLAIN,
    id,
    shortCode,
    originalUrl,
    webUrl: originalUrl,
    shortUrl: `https://tapthru.example/l/${shortCode}`,
    ...changes,
  };
}

/** Fakes the api's list of links, with pages and search. @param links newest first */
export function serveLinks(links: Link[]): { queries: string[] } {
  const queries = serve("GET /api/links", ({ query }) => {
    const q = query.get("q")?.toLowerCase() ?? "";
    const cursor = Number(query.get("cursor") ?? Number.POSITIVE_INFINITY);
    const matches = links.filter(
      ({ id, nickname, title }) => id < cursor && `${nickname ?? ""} ${title ?? ""}`.toLowerCase().includes(q),
    );
    const page = matches.slice(0, Number(query.get("limit")));
    const headers = { Link: `</api/links?cursor=${page.at(-1)?.id}>; rel="next"` };
    return HttpResponse.json(page, page.length < matches.length ? { headers } : {});
  });
  return { queries: queries as string[] };
}
