import { expect, test } from "./home.ts";
import { loseRedis } from "./redis-control.ts";

const before = "https://www.amazon.de/dp/B08N5WRWNW?tag=before-21";
const during = "https://www.amazon.de/dp/B08N5WRWNW?tag=during-21";
const after = "https://www.amazon.de/dp/B08N5WRWNW?tag=after-21";

test("without Redis links are still made and still open", async ({ home, context }) => {
  const shortUrls = new Map([[before, await home.makeLink(before)]]);
  const bringRedisBack = await loseRedis();
  try {
    shortUrls.set(during, await home.makeLink(during));
    await expectToOpen();
  } finally {
    await bringRedisBack();
  }
  shortUrls.set(after, await home.makeLink(after));
  await expectToOpen();

  async function expectToOpen() {
    for (const [url, shortUrl] of shortUrls) {
      const visit = await context.newPage();
      await visit.goto(shortUrl);
      expect(visit.url()).toBe(url);
      await visit.close();
    }
  }
});
