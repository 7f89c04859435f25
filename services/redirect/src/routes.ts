import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { FastifyInstance } from "fastify";
import { chooseDestination } from "./choose-destination.ts";
import type { RedirectMetrics } from "./redirect-metrics.ts";
import type { Replies } from "./replies.ts";
import { resolveCode, type Sources } from "./resolve-code.ts";
import { visitorFrom } from "./visitor.ts";

export interface RouteNeeds {
  sources: Sources;
  metrics: RedirectMetrics;
  replies: Replies;
}

/** GET /l/{code}; Fastify answers HEAD alike. */
export function registerRoutes(app: FastifyInstance, needs: RouteNeeds): void {
  app.get<{ Params: { code: string } }>(
    `${SHORT_LINK_PATH_PREFIX}:code`,
    async (request, reply) => {
      // The alphabet has no capitals: whoever types or dictates some means the same code.
      const shortCode = request.params.code.toLowerCase();
      const visitor = visitorFrom(request.headers, request.url);
      const { source, lookup } = await resolveCode(needs.sources, shortCode);
      const answer = chooseDestination(lookup, visitor, Date.now());
      needs.metrics.countRedirect({ reply: answer.kind, device: visitor.device, source });
      return needs.replies.send(reply, shortCode, answer);
    },
  );
}
