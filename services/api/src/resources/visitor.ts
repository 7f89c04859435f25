import * as calls from "@tapthru/proto/visitor";
import { handlers } from "../callers/handlers.ts";

export const visitorHandlers = handlers(calls, {
  visitor: ({ claimCookie }, { ctx }) => {
    if (claimCookie.read(ctx) === null) claimCookie.issue(ctx);
    return {};
  },
});
