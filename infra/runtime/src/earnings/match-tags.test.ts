import { expect, it } from "vitest";
import { TagMatcher } from "./match-tags.ts";

const MUG = "B0AAAAAAAA";
const TENT = "B0BBBBBBBB";

function matcherOf(links: readonly [id: number, asin: string, tag: string][]) {
  return new TagMatcher({
    links: links.map(([id, asin, tag]) => ({
      id,
      webUrl: `https://www.amazon.de/dp/${asin}?tag=${tag}`,
      channelId: 9,
      isRouted: false,
    })),
    earlierDestinations: [],
    channelTags: [],
    poolTags: [{ linkId: 1, marketplace: "de", tag: "pool-21" }],
  });
}

const linksOf = (matcher: TagMatcher, asin: string) =>
  matcher.match({ marketplace: "de", tag: "Pool-21", asin, isDirect: true });

it("gives sales of a tracking id of the pool to its link, also of other products", () => {
  const matcher = matcherOf([[1, MUG, "pool-21"]]);
  const match = { match: "link", links: [1], channelId: 9 };
  for (const asin of [MUG, TENT, ""]) expect(linksOf(matcher, asin)).toEqual(match);
});

it("gives sales of a tracking id of the pool that another link has too by the product alone", () => {
  const matcher = matcherOf([
    [1, MUG, "pool-21"],
    [2, TENT, "pool-21"],
  ]);
  expect(linksOf(matcher, MUG)).toMatchObject({ match: "link", links: [1] });
  expect(linksOf(matcher, TENT)).toMatchObject({ match: "link", links: [2] });
  expect(linksOf(matcher, "B0CCCCCCCC")).toEqual({ match: "channel", links: [], channelId: 9 });
});
