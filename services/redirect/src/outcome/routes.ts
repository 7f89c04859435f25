import { outcomePath } from "@tapthru/proto/redirect/outcome";
import { OUTCOME_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ClickCounter } from "../clicks/click-counter.ts";
import type { ClientParser } from "../visitor.ts";
import { countOutcome } from "./count-outcome.ts";
import type { Outcomes } from "./outcomes.ts";

export interface OutcomeDependencies extends Outcomes {
  parseClient: ClientParser;
  httpMetrics: HttpMetrics;
  clicks: Pick<ClickCounter, "countOutcome">;
}

const OUTCOME_ROUTE = outcomePath(":code");

/** POST /l/{code}/outcome: the page's beacon. The response is always 204. */
export function registerOutcomeRoute(app: FastifyInstance, deps: OutcomeDependencies): void {
  const observe = deps.httpMetrics.ofRoute(OUTCOME_ROUTE);

  function acknowledge(reply: FastifyReply): FastifyReply {
    reply.code(204).header("cache-control", "no-store").send();
    // `startedAt` is 0 if Fastify rejected the request before the handler.
    observe("POST", 204, reply.request.startedAt || performance.now());
    return reply;
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
      done(null, body);
    });
    scope.setErrorHandler((_error, _request, reply) => acknowledge(reply));

    scope.post<{ Params: { code: string } }>(
      OUTCOME_ROUTE,
      { bodyLimit: OUTCOME_MAX_BYTES },
      async (request, reply) => {
        request.startedAt = performance.now();
        if (deps.isWithinLimit(request.ip)) {
          countOutcome(deps, {
            shortCode: request.params.code.toLowerCase(),
            body: request.body,
            client: deps.parseClient(request.headers["user-agent"] ?? ""),
            address: request.ip,
            now: Date.now(),
          });
        }
        return acknowledge(reply);
      },
    );
  });
}
