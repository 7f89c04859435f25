import { createServer } from "node:http";
import type { Registry } from "prom-client";
import type { Component } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import type { Readiness } from "../readiness.ts";
import { createHttpComponent, HTTP_SERVER_OPTIONS } from "./http-server.ts";

export interface AdminServerOptions {
  host: string;
  port: number;
  registry: Registry;
  readiness: Pick<Readiness, "readinessReason" | "note">;
  logger: Logger;
}

interface Page {
  status: number;
  contentType: string;
  body: string;
}

/**
 * GET /livez (calls no dependency), /readyz and /metrics, for the operators' network only. The first component of a
 * service, so that it responds while the others start and stop.
 */
export function createAdminServer(options: AdminServerOptions): Component {
  const { host, port, logger, ...sources } = options;
  const server = createServer(HTTP_SERVER_OPTIONS, async (request, response) => {
    const path = request.method === "GET" ? request.url : undefined;
    const page = await pageFor(path, sources).catch((err) => {
      logger.error({ event: "metrics_failed", err }, "failed to collect metrics");
      return text(500, "failed");
    });
    response.writeHead(page.status, { "Content-Type": page.contentType }).end(page.body);
  });
  return createHttpComponent({ name: "admin server", server, host, port, lingerMs: 0 });
}

type Sources = Pick<AdminServerOptions, "registry" | "readiness">;

async function pageFor(path: string | undefined, sources: Sources): Promise<Page> {
  const { registry, readiness } = sources;
  switch (path) {
    case "/livez":
      return text(200, "alive");
    case "/readyz": {
      const reason = readiness.readinessReason();
      if (reason !== null) return text(503, reason);
      const note = readiness.note();
      return text(200, note === null ? "ready" : `ready: ${note}`);
    }
    case "/metrics":
      return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
    default:
      return text(404, "not found");
  }
}

function text(status: number, sentence: string): Page {
  return { status, contentType: "text/plain; charset=utf-8", body: `${sentence}\n` };
}
