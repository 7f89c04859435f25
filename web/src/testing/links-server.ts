import type { Link } from "@tapthru/proto/links";
import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { HttpResponse, http } from "msw";
import { server } from "./server.ts";

export function shortLink(changes: Partial<Link> = {}): Link {
  const { id = 1, shortCode = `code${String(id).padStart(3, "2")}` } = changes;
  const originalUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
  return {
    ...eachOwnerField(() => null),
    id,
    shortCode,
    domain: null,
    untaggedUrl: null,
    shortUrl: `https://tapthru.example/l/${shortCode}`,
    originalUrl,
    deepLink: `https://tapthru.example/redirect?product_id=B0ZZ1Y2X3W`,
    webUrl: originalUrl,
    title: "A lamp",
    description: null,
    imageUrl: "https://m.media-amazon.com/images/I/lamp.jpg",
    siteName: null,
    userId: 1,
    createdAt: "2026-11-20T08:00:00.000Z",
    labels: [],
    labelsRevision: "",
    channelId: null,
    tagSource: "own",
    takenDown: false,
    invalid: false,
    health: {
      state: "ok",
      since: null,
      checkedAt: null,
      source: null,
      attemptedAt: null,
      fallbackUrl: null,
    },
    hasUnknownTag: false,
    ...changes,
  };
}

/** Fakes the api's list of links, with pages and search. @param links newest first */
export function serveLinks(links: Link[]): { queries: string[] } {
  const queries: string[] = [];
  server.use(
    http.get("/api/links", ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      queries.push(search);
      const q = searchParams.get("q")?.toLowerCase() ?? "";
      const cursor = Number(searchParams.get("cursor") ?? Number.POSITIVE_INFINITY);
      const matches = links.filter(
        ({ id, nickname, title }) => id < cursor && `${nickname ?? ""} ${title ?? ""}`.toLowerCase().includes(q),
      );
      const page = matches.slice(0, Number(searchParams.get("limit")));
      const next = `</api/links?cursor=${page.at(-1)?.id}>; rel="next"`;
      const headers = page.length < matches.length ? { Link: next } : undefined;
      return HttpResponse.json(page, headers && { headers });
    }),
  );
  return { queries };
}
