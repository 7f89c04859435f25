import * as calls from "@tapthru/proto/http/domains";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { countUserRequest } from "../http/guards.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import {
  addDomain,
  changeDomain,
  type DomainsDependencies,
  getDomain,
  listDomains,
  removeDomain,
  requestCheck,
} from "./domains.ts";
import type { QueueDomainJob } from "./queue-jobs.ts";
import { type RootLinkDependencies, removeRootLink, setRootUrl } from "./root-link.ts";

export interface DomainRoutesDependencies extends DomainsDependencies, RootLinkDependencies {
  db: DomainsDependencies["db"] & RootLinkDependencies["db"];
  hasDomains: boolean;
  queueDomainJob: QueueDomainJob;
  addressOf(request: Context["req"]): string;
  /** Counts changes of destinations. */
  generateLimit: RateLimit;
}

export function domainRoutes(router: ApiRouter, deps: DomainRoutesDependencies) {
  const ifOn =
    <Args extends unknown[], Reply>(handler: (...args: Args) => Promise<Reply>) =>
    async (...args: Args) => {
      if (!deps.hasDomains) throw new ApiError("domains-off");
      return handler(...args);
    };

  mount(
    router,
    calls.listDomains,
    ifOn(async (_ctx, { caller }) => ({
      status: 200,
      body: await listDomains(deps, caller.userId),
    })),
  );

  mount(
    router,
    calls.addDomain,
    ifOn(async (ctx, { caller: { userId }, body }) => {
      const { isNew, domain } = await addDomain(deps, { userId, ...body });
      await deps.queueDomainJob("check-domains", ctx.state.requestId);
      return { status: isNew ? 201 : 200, body: domain };
    }),
  );

  mount(
    router,
    calls.checkDomain,
    ifOn(async (ctx, { caller: { userId }, params }) => {
      const domain = await requestCheck(deps, { userId, ...params });
      await deps.queueDomainJob("check-domains", ctx.state.requestId);
      return { status: 202, body: domain };
    }),
  );

  mount(
    router,
    calls.updateDomain,
    ifOn(async (ctx, { caller: { userId }, params, body }) => {
      const ref = { userId, ...params };
      const { rootUrl, ...others } = body;
      const { redisBudget: budget, whileWaiting, requestId } = ctx.state;
      const requester = { userId, address: deps.addressOf(ctx.req), requestId };
      const request = { ...ref, requester, budget, whileWaiting };
      if (rootUrl === undefined) {
        await changeDomain(deps, ref, others);
      } else {
        await countUserRequest(deps.generateLimit, ctx, userId);
        if (rootUrl === null) await removeRootLink(deps, ref, budget);
        else await setRootUrl(deps, rootUrl, request);
      }
      return { status: 200, body: await getDomain(deps, ref) };
    }),
  );

  mount(
    router,
    calls.removeDomain,
    ifOn(async (ctx, { caller: { userId }, params }) => {
      const movedLinks = await removeDomain(deps, { userId, ...params });
      await deps.queueDomainJob("move-links-of-removed-domains", ctx.state.requestId);
      return { status: 200, body: { movedLinks } };
    }),
  );
}
