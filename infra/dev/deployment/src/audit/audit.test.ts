import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SHIPPED_WORKSPACES, shippedPackages } from "./shipped-packages.ts";

const LOCKFILE = `
lockfileVersion: '9.0'
importers:
  services/api:
    dependencies:
      koa: { specifier: 'catalog:', version: 3.0.0 }
      '@tapthru/runtime': { specifier: 'workspace:*', version: link:../../infra/runtime }
    devDependencies:
      vitest: { specifier: 'catalog:', version: 5.0.0 }
  infra/runtime:
    dependencies:
      pg: { specifier: 'catalog:', version: 8.0.0(pg-native@1.0.0) }
    optionalDependencies:
      old-pg: { specifier: 'npm:pg@7.0.0', version: pg@7.0.0 }
  infra/dev/chaos:
    dependencies:
      undici: { specifier: 'catalog:', version: 7.0.0 }
snapshots:
  koa@3.0.0:
    dependencies: { '@koa/router': 1.0.0, again: koa@3.0.0 }
  '@koa/router@1.0.0': { optionalDependencies: { fsevents: 2.0.0 } }
  fsevents@2.0.0: {}
  pg@8.0.0(pg-native@1.0.0): {}
  pg@7.0.0: {}
  vitest@5.0.0: {}
  undici@7.0.0: {}
`;

describe("the production packages", () => {
  it("are the direct and transitive production dependencies of an image's packages", () => {
    expect(Object.fromEntries(shippedPackages(LOCKFILE, ["services/api"]))).toEqual({
      koa: ["3.0.0"],
      "@koa/router": ["1.0.0"],
      fsevents: ["2.0.0"],
      pg: ["7.0.0", "8.0.0"],
    });
  });

  it("of this checkout include the services' dependencies and no test runner", async () => {
    const packages = shippedPackages(await readFile(`${CHECKOUT}/pnpm-lock.yaml`, "utf8"));
    expect([...packages.keys()]).toEqual(expect.arrayContaining(["koa", "fastify", "react"]));
    expect(packages.has("vitest")).toBe(false);
  });

  it("are those of every image of the production profile", async () => {
    const { services } = parse(await readFile(`${CHECKOUT}/docker-compose.yml`, "utf8"));
    const built = Object.values<{ build?: { args?: { PACKAGE?: string } } }>(services)
      .map(({ build }) => build?.args?.PACKAGE)
      .filter((path) => path !== undefined);
    const demoOnly = ["infra/dev/amazon-stand-in", "infra/dev/local"];
    expect(new Set([...built, "web"])).toEqual(new Set([...SHIPPED_WORKSPACES, ...demoOnly]));
  });
});

describe("the audit", () => {
  const receivedRequests: unknown[] = [];
  let reply: { status: number; body: string };
  let registry: string;
  const server = createServer(async (request, response) => {
    receivedRequests.push([request.url, await json(request)]);
    response.writeHead(reply.status).end(reply.body);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    receivedRequests.length = 0;
  });

  async function audit(address = registry) {
    const main = `${CHECKOUT}/infra/dev/deployment/src/audit/main.ts`;
    const env = { npm_config_registry: address };
    return execa(process.execPath, [main], { env, reject: false });
  }

  const advisory = (severity: string) => ({
    id: 1,
    title: `A ${severity} vulnerability`,
    severity,
    url: `https://advisories.example/${severity}`,
    vulnerable_versions: "<9.0.0",
  });

  it("fails on vulnerabilities of severity high and critical, and names them", async () => {
    const known = ["low", "moderate", "high", "critical"].map(advisory);
    reply = { status: 200, body: JSON.stringify({ koa: known }) };
    const { exitCode, stdout } = await audit();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^koa <9\.0\.0: A high vulnerability \(https:\/\/advisories\.example\/high\)\nkoa <9\.0\.0: A critical vulnerability .*\nDependency audit: \d+ production packages, 2 known vulnerabilities of severity high or critical\.$/,
    );
    expect(receivedRequests).toEqual([
      [
        "/npm/-/npm/v1/security/advisories/bulk",
        expect.objectContaining({ koa: [expect.stringMatching(/^\d+\.\d+\.\d+$/)] }),
      ],
    ]);
  });

  it("passes with vulnerabilities of lower severity", async () => {
    reply = { status: 200, body: JSON.stringify({ koa: [advisory("moderate")] }) };
    const { exitCode, stdout } = await audit();
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(" 0 known vulnerabilities ")]);
  });

  it.each([
    ["has no audit endpoint", { status: 405, body: "" }, "the registry responded 405"],
    [
      "returns an invalid response",
      { status: 200, body: '{"koa":1}' },
      "the registry's response is invalid",
    ],
  ])("reports that it could not run when the registry %s", async (_title, given, reason) => {
    reply = given;
    const { exitCode, stdout } = await audit();
    expect([exitCode, stdout]).toEqual([0, `The dependency audit could not run: ${reason}.`]);
  });

  it("reports that it could not run without a registry", async () => {
    const { exitCode, stdout } = await audit("http://127.0.0.1:1");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^The dependency audit could not run: .+\.$/);
  });
});
