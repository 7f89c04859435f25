import { expect, it } from "vitest";
import { PROMISES, visitLinks } from "./visits.ts";

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
