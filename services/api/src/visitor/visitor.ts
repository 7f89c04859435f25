import { getChallenge } from "@tapthru/proto/proof-of-work";
import { visitor } from "@tapthru/proto/visitor";
import { handlers } from "../calls/handlers.ts";

export const visitorHandlers = handlers(
  { getChallenge, visitor },
  {
    getChallenge: async ({ proofOfWork }) => ({ ...(await proofOfWork.createChallenge()) }),

    visitor: ({ claimCookie }, { ctx }) => {
      if (claimCookie.read(ctx) === null) claimCookie.issue(ctx);
      return {};
    },
  },
);
