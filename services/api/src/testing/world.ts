import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { visitor as getVisitor } from "@tapthru/proto/visitor";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { type BrowserHeaders, newBrowser, withCookies } from "./browser-headers.ts";
import { startTestApi, type TestApi } from "./test-api.ts";
import { signUpUser, type TestUser } from "./test-user.ts";

export interface World {
  api: TestApi;
  ada: TestUser;
  eve: TestUser;
  visitor: BrowserHeaders;
}

/** Calls it at the end of the test that runs, otherwise of the test file. */
const atTheEnd = (stop: () => Promise<void>) => (TestRunner.getCurrentTest() ? onTestFinished(stop) : afterAll(stop));

/** Starts the api until the end of the test or file. Fails there if a reply differed from the OpenAPI document. */
export async function startApi(...options: Parameters<typeof startTestApi>): Promise<TestApi> {
  const api = await startTestApi(...options);
  atTheEnd(() => api.stop());
  return api;
}

export async function startWorld(...options: Parameters<typeof startTestApi>): Promise<World> {
  const api = await startApi(...options);
  const [ada, eve, visitor] = [await signUpUser(api), await signUpUser(api), await newVisitor(api)];
  return { api, ada, eve, visitor };
}

export async function startOwnRedis() {
  const redis = await startRedis();
  atTheEnd(() => redis.remove());
  return redis;
}

export async function startOwnAmazon() {
  const amazon = await startAmazonStandIn();
  atTheEnd(() => amazon.stop());
  return amazon;
}

export async function newVisitor(api: Pick<TestApi, "request" | "publicBaseUrl">): Promise<BrowserHeaders> {
  const browser = newBrowser(api);
  return withCookies(browser, await api.request(getVisitor.method, getVisitor.path, browser));
}
