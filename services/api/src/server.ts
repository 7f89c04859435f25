import { createServer, type Server } from "node:http";
import type { Config } from "@tapthru/core/platform/config/configs";
import { createAdminServer } from "@tapthru/core/platform/http/admin-server";
import { createHttpComponent, HTTP_SERVER_OPTIONS } from "@tapthru/core/platform/http/http-server";
import { rejectMalformedRequest } from "@tapthru/core/platform/http/malformed-request";
import type { Component } from "@tapthru/core/platform/lifecycle";
import { createReadiness } from "@tapthru/core/platform/readiness";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { createApp } from "./app.ts";
import type { Context } from "./context.ts";
import { limitBodyTime } from "./http/body-deadlines.ts";
import { uploadMs } from "./http/uploads.ts";

/** As long as the slowest upload that is accepted, and its headers. */
export const MAX_REQUEST_MS = 10_000 + uploadMs(EARNINGS_FILE_MAX_BYTES);

export function createApiServer(context: Context): Server {
  const options = { ...HTTP_SERVER_OPTIONS, requestTimeout: MAX_REQUEST_MS };
  const server = createServer(options, createApp(context).callback());
  limitBodyTime(server);
  return server.on("clientError", rejectMalformedRequest);
}

export function createComponents(config: Config<"api">, context: Context): Component[] {
  const { registry, logger, readinessReason } = context;
  const readiness = createReadiness({ readinessReason });
  const server = createApiServer(context);
  const { HOST: host, PORT: port, ADMIN_PORT: adminPort } = config;
  return [
    createAdminServer({ host, port: adminPort, registry, logger, readiness }),
    ...context.clients,
    createHttpComponent({ name: "api server", server, host, port }),
    readiness,
  ];
}
