import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { ADS_CLIENT } from "@tapthru/amazon-stand-in/login-with-amazon";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import type { Config } from "@tapthru/core/platform/config/configs";
import * as z from "zod/mini";
import { startTestApi, type TestApi, type TestApiOptions } from "./test-api.ts";
import type { BrowserHeaders } from "./test-user.ts";

export const ADS_SETTINGS: Partial<Config<"api">> = {
  AMAZON_ADS_CLIENT_ID: ADS_CLIENT.id,
  AMAZON_ADS_CLIENT_SECRET: ADS_CLIENT.secret,
  ENCRYPTION_KEYS: ["a-key-that-encrypts-the-tokens-of-tests"],
};

export interface AmazonAdsTest {
  api: TestApi;
  standIn: AmazonStandIn;
  stop(): Promise<void>;
}

export async function startAmazonAdsTest(
  settings: Partial<Config<"api">> = {},
  options?: TestApiOptions,
): Promise<AmazonAdsTest> {
  const standIn = await startAmazonStandIn();
  const api = await startTestApi({ ...ADS_SETTINGS, EGRESS_STAND_IN_URL: standIn.url, ...settings }, options);
  return {
    api,
    standIn,
    async stop() {
      await api.stop();
      await standIn.stop();
    },
  };
}

/** Starts a login at Amazon. @returns the address of the login page */
export async function startLogin(api: TestApi, browser: BrowserHeaders): Promise<string> {
  const response = await api.request("GET", "/api/amazon-ads/auth-url", browser);
  if (response.status !== 200) throw new Error(`Failed to start a login: ${await response.text()}`);
  return z.object({ url: z.string() }).parse(await response.json()).url;
}

/**
 * Submits a choice on Amazon's login page.
 * @returns the callback address
 */
export async function consent(
  standIn: AmazonStandIn,
  authUrl: string,
  choice: { account?: string; consent?: "allow" | "cancel" } = {},
): Promise<URL> {
  const url = new URL(authUrl);
  const { account = "anna", consent: decision = "allow" } = choice;
  url.searchParams.set("account", account);
  url.searchParams.set("consent", decision);
  const sent = request(`${standIn.url}${url.pathname}${url.search}`, { headers: { host: url.host } }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return new URL(response.headers.location ?? "");
}

/** Requests the callback. @returns the result that the page receives */
export async function followCallback(api: TestApi, browser: BrowserHeaders, url: URL): Promise<string | null> {
  const response = await fetch(api.url + url.pathname + url.search, { headers: browser, redirect: "manual" });
  if (response.status !== 302) throw new Error(`${response.status} ${await response.text()}`);
  const location = new URL(response.headers.get("location") ?? "");
  if (location.origin + location.pathname !== `${api.publicBaseUrl}/amazon-ads-auth`) {
    throw new Error(`Unexpected redirect to ${location}`);
  }
  return location.searchParams.get("result");
}

export async function connect(
  { api, standIn }: AmazonAdsTest,
  browser: BrowserHeaders,
  { account }: { account?: string } = {},
): Promise<string | null> {
  const back = await consent(standIn, await startLogin(api, browser), { ...(account !== undefined && { account }) });
  return followCallback(api, browser, back);
}
