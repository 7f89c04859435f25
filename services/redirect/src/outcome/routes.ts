import { outcomePath } from "@tapthru/proto/redirect/outcome";
import { OUTCOME_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { HttpMetrics } from "@tapthru/runtime/http/http-metrics";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ClientReader } from "../visitor.ts";
import { countOutcome } from "./count-outcome.ts";
import type { Outcomes } from "./outcomes.ts";

export interface OutcomeNeeds extends Outcomes {
  readClient: ClientReader;
  httpMetrics: HttpMetrics;
}

const OUTCOME_ROUTE = outcomePath(":code");

/** POST /l/{code}/outcome: the page's beacon. It is answered with 204 whatever it holds. */
export function registerOutcomeRoute(app: FastifyInstance, needs: OutcomeNeeds): void {
  const observe = needs.httpMetrics.ofRoute(OUTCOME_ROUTE);

  function acknowledge(reply: FastifyReply): FastifyReply {
    reply.code(204).header("cache-control", "no-store").send();
    // What is refused before the handler has not begun.
    observe("POST", 204, reply.request.since || performance.now());
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
        request.since = performance.now();
        if (needs.isWithinLimit(request.ip)) {
          countOutcome(needs, {
            shortCode: request.params.code.toLowerCase(),
            body: request.body,
            client: needs.readClient(request.headers["user-agent"] ?? ""),
            now: Date.now(),
          });
        }
        return acknowledge(reply);
      },
    );
  });
}
