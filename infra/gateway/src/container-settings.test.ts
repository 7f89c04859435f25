import { describe, expect, it } from "vitest";
import { Config } from "./config.ts";
import { containerSettings, supportsUpstreamResolve } from "./container-settings.ts";

const CONTAINER = {
  resolverFile:
    "search example.internal\nnameserver 127.0.0.11\nnameserver fd00::a\noptions ndots:0\n",
  nginxVersion: "nginx version: nginx/1.29.3",
  metricsAddress: "10.0.0.9:5514",
  cores: 3,
  openFiles: 1_048_576,
  runDirectory: "/tmp/gateway/run",
};
const ENV = { API_ADDRESS: "api:8080", REDIRECT_ADDRESS: "redirect:8080", WEB_ROOT: "/web" };

describe("a gateway in a container", () => {
  it("uses the container's name servers", () => {
    expect(containerSettings(Config.parse(ENV), CONTAINER).discovery).toEqual({
      nameServers: ["127.0.0.11", "fd00::a"],
      inUpstreams: true,
    });
  });

  it("has a worker for each core of the container", () => {
    expect(containerSettings(Config.parse(ENV), CONTAINER).workers).toBe(3);
  });

  it("trusts the networks of the configured proxies, and none by default", () => {
    const trusted = { ...ENV, TRUSTED_PROXIES: "uniquelocal, 203.0.113.7" };
    expect(containerSettings(Config.parse(trusted), CONTAINER).trustedProxies).toEqual([
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "fc00::/7",
      "203.0.113.7",
    ]);
    expect(containerSettings(Config.parse(ENV), CONTAINER).trustedProxies).toEqual([]);
  });

  it("passes on Firebase's web configuration, which must be valid JSON", () => {
    const config = Config.parse({ ...ENV, FIREBASE_WEB_CONFIG: '{"apiKey":"k"}' });
    expect(containerSettings(config, CONTAINER).firebaseWebConfig).toEqual({ apiKey: "k" });
    expect(Config.safeParse({ ...ENV, FIREBASE_WEB_CONFIG: "{apiKey}" }).success).toBe(false);
  });
});

it.each([
  ["nginx version: nginx/1.22.1", false],
  ["nginx version: nginx/1.27.2", false],
  ["nginx version: nginx/1.27.3", true],
  ["nginx version: nginx/1.29.0 (Ubuntu)", true],
  ["nginx version: nginx/2.0.0", true],
  ["no nginx at all", false],
])("%s resolves names in upstreams: %s", (text, does) => {
  expect(supportsUpstreamResolve(text)).toBe(does);
});
