import { readConfig } from "@tapthru/core/platform/config/configs";
import type { Env } from "@tapthru/core/platform/config/env";
import { describe, expect, it, vi } from "vitest";
import { metricsAddressOf, nameServersIn } from "./container-settings.ts";
import { publicConfig } from "./files/spa-page.ts";
import { gatewaySettings, isAtLeast } from "./settings.ts";

const ENV = {
  TAPTHRU_ENV: "demo",
  API_ADDRESS: "api:8080",
  REDIRECT_ADDRESS: "redirect:8080",
  WEB_ROOT: "/web",
};

const settingsWith = (env: Env = {}) =>
  gatewaySettings(readConfig("gateway", { ...ENV, ...env }), {
    nginxVersion: "nginx/1.29.3",
    nameServers: null,
    metricsAddress: null,
    runDirectory: "/tmp/gateway/run",
  });

describe("a gateway in a container", () => {
  it("uses the container's name servers", () => {
    const resolverFile = "search example.internal\nnameserver 127.0.0.11\nnameserver fd00::a\noptions ndots:0\n";
    expect(nameServersIn(resolverFile)).toEqual(["127.0.0.11", "fd00::a"]);
  });

  it("lists Amazon Ads if the api can be a client of Login with Amazon", () => {
    expect(publicConfig(settingsWith({ AMAZON_ADS_CLIENT_ID: "id" })).hasAmazonAds).toBe(true);
    expect(publicConfig(settingsWith()).hasAmazonAds).toBe(false);
  });

  it("shows the OpenID provider if there is one", () => {
    const button = { OIDC_NAME: "Acme", OIDC_ICON: "https://cdn.acme.example/icon.svg" };
    const open = { signUp: "open", hasPasswordLogin: true, openIdConnect: null };
    expect(publicConfig(settingsWith(button))).toMatchObject(open);
    const issuer = { OIDC_ISSUER: "https://login.acme.example", PASSWORD_LOGIN: "off" };
    expect(publicConfig(settingsWith({ ...button, ...issuer, SIGNUP_MODE: "closed" }))).toMatchObject({
      signUp: "closed",
      hasPasswordLogin: false,
      openIdConnect: { name: "Acme", iconUrl: button.OIDC_ICON },
    });
  });

  it("trusts the networks of the configured proxies, and none by default", () => {
    const trusted = { TRUSTED_PROXIES: "uniquelocal, 203.0.113.7" };
    const networks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "203.0.113.7"];
    expect(settingsWith(trusted).trustedProxies).toEqual(networks);
    expect(settingsWith().trustedProxies).toEqual([]);
  });

  it("trusts Cloudflare by name, also its header with the country unless there is another one", () => {
    const { countryHeader, trustedProxies, visitorHeader } = settingsWith({ TRUSTED_PROXIES: "cloudflare" });
    expect([countryHeader, trustedProxies.length, visitorHeader]).toEqual(["cf-ipcountry", 22, "CF-Connecting-IP"]);
    expect(settingsWith({ TRUSTED_PROXIES: "uniquelocal,cloudflare" }).visitorHeader).toBe("X-Forwarded-For");
    const another = { TRUSTED_PROXIES: "cloudflare", COUNTRY_HEADER: "X-Country" };
    expect(settingsWith(another).countryHeader).toBe("x-country");
    expect(settingsWith({ TRUSTED_PROXIES: "uniquelocal" }).countryHeader).toBeNull();
  });
});

it.each([
  ["nginx version: nginx/1.22.1", false],
  ["nginx version: nginx/1.25.0", false],
  ["nginx version: nginx/1.25.1", true],
  ["nginx version: nginx/1.29.0 (Ubuntu)", true],
  ["nginx version: nginx/2.0.0", true],
  ["no nginx at all", false],
])("%s has a directive for HTTP/2: %s", (text, has) => {
  expect(isAtLeast(text, [1, 25, 1])).toBe(has);
});

describe("METRICS_ADDRESS", () => {
  it.each([
    ["127.0.0.1:5514", "127.0.0.1:5514"],
    ["::1:5514", "[::1]:5514"],
  ])("%s is resolved to %s", async (address, resolved) => {
    const logger = { warn: vi.fn() };
    expect(await metricsAddressOf(address, logger)).toBe(resolved);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it("logs a warning and returns null if the name is unknown", async () => {
    const logger = { warn: vi.fn() };
    expect(await metricsAddressOf("gateway-metrics.invalid:5514", logger, 1)).toBeNull();
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ event: "gateway_metrics_unavailable" }),
      expect.any(String),
    );
  });
});
