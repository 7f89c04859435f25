import * as z from "zod/mini";

export const LinkHistory = z.object({
  /** At most DESTINATIONS_KEPT. `webUrl` is null if the stored address is not a page of an Amazon store. */
  destinations: z.array(
    z.object({
      originalUrl: z.string(),
      webUrl: z.nullable(z.string()),
      replacedAt: z.iso.datetime(),
    }),
  ),
  shortCodes: z.array(z.object({ shortCode: z.string(), shortUrl: z.string() })),
});
export type LinkHistory = z.infer<typeof LinkHistory>;
