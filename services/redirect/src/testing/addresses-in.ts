import type { LightMyRequestResponse } from "fastify";

export function addressesIn({ headers, body }: Pick<LightMyRequestResponse, "headers" | "body">): string[] {
  if (headers.location !== undefined) return [headers.location];
  // Parsing thousands of pages as a browser does takes minutes.
  const links = [...body.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href?.replaceAll("&amp;", "&"));
  // An Android intent has the address for browsers encoded in its fragment.
  const texts = links.flatMap((href) => {
    const [address = "", intent = ""] = (href ?? "").split("#", 2);
    return [address, decodeURIComponent(intent)];
  });
  return texts.flatMap((text) => text.match(/www\.amazon\.[^;]+/g) ?? []).map((address) => `https://${address}`);
}
