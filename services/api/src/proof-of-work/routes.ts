import { getChallenge } from "@tapthru/proto/http/proof-of-work";
import { type ApiRouter, mount } from "../http/mount.ts";
import type { ProofOfWork } from "./proof-of-work.ts";

export interface ProofOfWorkRoutesDependencies {
  proofOfWork: ProofOfWork;
}

export function proofOfWorkRoutes(
  router: ApiRouter,
  { proofOfWork }: ProofOfWorkRoutesDependencies,
) {
  mount(router, getChallenge, async () => ({
    status: 200,
    body: { ...(await proofOfWork.createChallenge()) },
  }));
}
