import { expect, test } from "./home.ts";
import { killRedis } from "./redis-control.ts";

const before = "https://www.amazon.de/dp/B08N5WRWNW?tag=before-21";
const during = "https://www.amazon.de/dp/B08N5WRWNW?tag=during-21";

test("with Redis killed links are still made and still open", async ({ home, context }) => {
  const shortUrls = new Map([[before, await home.makeLink(before)]]);
  await killRedis();
  shortUrls.set(during, await home.makeLink(during));
  for (const [url, shortUrl] of shortUrls) {
    const visit = await context.newPage();
    await visit.goto(shortUrl);
    expect(visit.url()).toBe(url);
    await visit.close();
  }
});
