import type { Router } from "@koa/router";
import { getChallenge } from "@tapthru/proto/http/proof-of-work";
import { type Guard, mount } from "../http/mount.ts";
import type { ProofOfWork } from "./proof-of-work.ts";

export interface ProofOfWorkRoutesDependencies {
  proofOfWork: ProofOfWork;
  publicAccess: Guard<void>;
}

export function proofOfWorkRoutes(
  router: Router,
  { proofOfWork, publicAccess }: ProofOfWorkRoutesDependencies,
) {
  mount(router, getChallenge, publicAccess, async () => ({
    status: 200,
    body: { ...(await proofOfWork.createChallenge()) },
  }));
}
