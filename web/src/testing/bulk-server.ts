import type { createLinks, findKnownLinks } from "@tapthru/proto/create-links";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import type * as z from "zod/mini";
import { shortLink } from "./links-server.ts";
import { serve } from "./serve.ts";

type NewLinks = z.input<typeof createLinks.body>["links"];
type Wanted = z.input<typeof findKnownLinks.body>["links"];
type Found = z.output<(typeof findKnownLinks.replies)[200]>;

/** Fakes the calls of imports. @returns the links that were sent, each with its key once */
export function serveBulk({
  known = () => ({}),
  links = [],
  reply = () => null,
}: {
  known?: (wanted: Wanted[number]) => Partial<Found["results"][number]>;
  links?: Found["links"];
  /** The response to a request in place of created links. */
  reply?: (links: NewLinks) => unknown;
} = {}) {
  const created = new Map<string, NewLinks[number]>();
  serve<{ links: Wanted }>("POST /api/links/bulk/known", ({ body }) => ({
    results: body.links.map((link) => ({ webUrl: link.url, isSlugUsed: false, slugLink: null, ...known(link) })),
    links,
  }));
  serve<{ links: NewLinks }>("POST /api/links/bulk", async ({ body }) => {
    const response = await reply(body.links);
    if (response) return response;
    return {
      results: body.links.map((link) => {
        const { idempotencyKey = "", slug } = link;
        created.set(idempotencyKey, link);
        const at = [...created.keys()].indexOf(idempotencyKey) + 1;
        const shortCode = slug === undefined ? `new${at}` : shortCodeOf(slug, link.domain ?? null);
        return {
          status: 201,
          link: shortLink({ id: at, shortCode, shortUrl: `https://tapthru.example/l/${shortCode}` }),
        };
      }),
    };
  });
  return created;
}
