import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** What is known of a page; null where nothing is. An absent marketplace means com. */
export const metadata = {
  method: "GET",
  path: "/api/metadata",
  query: z.object({ product_id: z.string(), marketplace: z.optional(z.string()) }),
  replies: {
    200: z.object({
      title: z.nullable(z.string()),
      description: z.nullable(z.string()),
      imageUrl: z.nullable(z.string()),
      siteName: z.nullable(z.string()),
    }),
  },
} as const satisfies Call;
