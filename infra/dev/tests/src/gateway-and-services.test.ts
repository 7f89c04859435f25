import { readConfig } from "@tapthru/core/platform/config/configs";
import { HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { IN_PROGRESS_PER_REPLICA, workerLimits } from "@tapthru/gateway/nginx/limits";
import { nginxConf } from "@tapthru/gateway/nginx/nginx-conf";
import { gatewaySettings } from "@tapthru/gateway/settings";
import { JSON_BODY_MAX_BYTES, MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { readText } from "./compose-file.ts";

const settings = gatewaySettings(
  readConfig("gateway", {
    TAPTHRU_ENV: "demo",
    API_ADDRESS: "api:8080",
    REDIRECT_ADDRESS: "redirect:8080",
    WEB_ROOT: "/web",
  }),
  {
    nginxVersion: "nginx version: nginx/1.29.3",
    nameServers: ["127.0.0.11"],
    runDirectory: "/tmp/gateway/run",
    metricsAddress: null,
  },
);
const conf = String(nginxConf(settings, "/tmp/gateway", "<!doctype html>")["nginx.conf"]);

/** All values of a directive or parameter. */
function numbersMatching(pattern: RegExp): number[] {
  const found = [...conf.matchAll(pattern)].map(([, figure]) => Number(figure));
  expect(found).not.toEqual([]);
  return found;
}

it("the gateway closes an idle connection to a service before the service does", () => {
  const seconds = numbersMatching(/^ +keepalive_timeout (\d+)s;/gm);
  expect(Math.max(...seconds) * 1_000).toBeLessThan(HTTP_SERVER_OPTIONS.keepAliveTimeout);
});

it("the gateway and the services have the same timeout for headers", () => {
  const [seconds = 0] = numbersMatching(/client_header_timeout (\d+)s;/g);
  expect(seconds * 1_000).toBe(HTTP_SERVER_OPTIONS.headersTimeout);
});

it("the gateway accepts the longest body that the api accepts", () => {
  const [kibibytes = 0] = numbersMatching(/^ +client_max_body_size (\d+)k;/gm);
  expect(kibibytes * 1_024).toBe(JSON_BODY_MAX_BYTES);
});

it("the api sheds load before the gateway reaches its connection limit", () => {
  const [server = ""] = /server "api:8080".*/.exec(conf) ?? [];
  const maxConnections = Number(/max_conns=(\d+)/.exec(server)?.[1]);
  expect(maxConnections).toBeGreaterThan(8 * MAX_REQUESTS_IN_PROGRESS);
});

it("a gateway in Kubernetes has enough connections for the maximum number of replicas", () => {
  const { gateway, api, redirect } = parse(readText("k8s/values.yaml"));
  const workers = gateway.resources.limits.cpu;
  const { api: ofApi, redirect: visits, reports } = IN_PROGRESS_PER_REPLICA;
  // Each request needs one connection to the client and one to the replica.
  const full = 2 * (api.replicas.max * ofApi + redirect.replicas.max * (visits + reports));
  // The default limit of open files in container engines.
  const limits = workerLimits(workers, { openFiles: 1_048_576, memoryBytes: Number.POSITIVE_INFINITY });
  expect(full).toBeLessThanOrEqual(workers * limits.connections);
});
