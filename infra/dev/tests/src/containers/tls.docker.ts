import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:tls";
import { isDockerAvailable } from "@tapthru/stack/test-servers/docker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composeProject } from "./compose-project.ts";

const HTTP_PORT = "28180";
const HTTPS_PORT = "28443";
const HOST = "go.tapthru.test";

const project = composeProject("tapthru-test-tls", {
  // Those of compose.docker.ts.
  IMAGE_REGISTRY: "localhost/tapthru-test",
  HTTP_PORT,
  HTTPS_PORT,
  TLS: "on",
  PUBLIC_BASE_URL: `https://${HOST}`,
  // No certificate authority responds.
  ACME_DIRECTORY_URL: "https://127.0.0.1:9/dir",
});

describe.skipIf(!(await isDockerAvailable()))("the containers with TLS=on", () => {
  beforeAll(async () => {
    await project.compose("build");
  });
  afterAll(() => project.compose("down", "--volumes", "--timeout", "10"));

  it("become healthy, redirect to https, and fail handshakes while there is no certificate", async () => {
    await project.compose("up", "--detach", "--wait");
    const request = get({ port: HTTP_PORT, path: "/x", headers: { host: HOST } });
    const [response]: IncomingMessage[] = await once(request, "response");
    expect(response?.headers.location).toBe(`https://${HOST}/x`);
    response?.resume();
    const socket = connect({ port: Number(HTTPS_PORT), servername: HOST });
    await expect(once(socket, "secureConnect")).rejects.toThrow();
    expect(await project.containers("certificates")).toHaveLength(1);
  });
});
