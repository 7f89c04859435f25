import { Redis } from "ioredis";
import { Accounts } from "./accounts.ts";
import { expect, Home, test } from "./home.ts";

const { REDIS_PORT = "16379" } = process.env;

const before = "https://www.amazon.de/dp/B08N5WRWNW?tag=before-21";
const during = "https://www.amazon.de/dp/B08N5WRWNW?tag=during-21";

let openRedis = async () => {};
test.afterEach(() => openRedis());

test("without Redis links are created and opened, and a user is redirected to Home", async ({
  home,
  context,
  browser,
}) => {
  const users = new Accounts(await (await browser.newContext()).newPage());
  await users.signUp();
  const shortUrls = new Map([[before, await home.createLink(before)]]);
  openRedis = await closeRedis();
  shortUrls.set(during, await home.createLink(during));
  for (const [url, shortUrl] of shortUrls) {
    const visit = await context.newPage();
    await visit.goto(shortUrl);
    expect(visit.url()).toBe(url);
    await visit.close();
  }

  const { page } = users;
  let questions = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/session")) questions += 1;
  });
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
  expect(questions).toBe(2);
  const usersHome = new Home(page);
  await usersHome.createLink("https://www.amazon.de/dp/B08N5WRWNW?tag=user-21");
  await expect(page).toHaveURL("/");
  await page.context().close();
});

/** Closes the connections of the stack's Redis and refuses new ones. @returns a function that accepts them again */
async function closeRedis(): Promise<() => Promise<void>> {
  const redis = new Redis({ port: Number(REDIS_PORT) });
  await redis.config("SET", "port", "0");
  for (const type of ["NORMAL", "PUBSUB"]) await redis.call("CLIENT", "KILL", "TYPE", type);
  return async () => {
    await redis.config("SET", "port", REDIS_PORT);
    redis.disconnect();
  };
}
