import { outcomePath } from "@tapthru/proto/redirect/outcome";
import { OUTCOME_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { FastifyInstance } from "fastify";
import type { ClientReader } from "../visitor.ts";
import { countOutcome } from "./count-outcome.ts";
import type { Outcomes } from "./outcomes.ts";

export interface OutcomeNeeds extends Outcomes {
  readClient: ClientReader;
}

/** POST /l/{code}/outcome: the page's beacon. It is answered with 204 whatever it holds. */
export function registerOutcomeRoute(app: FastifyInstance, needs: OutcomeNeeds): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
      done(null, body);
    });
    scope.setErrorHandler((_error, _request, reply) => reply.code(204).send());

    scope.post<{ Params: { code: string } }>(
      outcomePath(":code"),
      { bodyLimit: OUTCOME_MAX_BYTES },
      async (request, reply) => {
        if (needs.isWithinLimit(request.ip)) {
          countOutcome(needs, {
            shortCode: request.params.code.toLowerCase(),
            body: request.body,
            client: needs.readClient(request.headers["user-agent"] ?? ""),
            now: Date.now(),
          });
        }
        return reply.code(204).header("cache-control", "no-store").send();
      },
    );
  });
}
