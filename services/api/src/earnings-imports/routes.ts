import * as calls from "@tapthru/proto/http/earnings-imports";
import { EARNINGS_IMPORTS_PAGE_SIZE } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { allowSlowBody } from "../http/body-deadlines.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import {
  answerImport,
  type EarningsImportsDependencies,
  getImport,
  receiveImport,
  removeImport,
  storeImport,
} from "./imports.ts";
import { type Answers, findImports, importReply } from "./queries.ts";
import type { QueueRead } from "./queue-read.ts";
import { createFileReceiver } from "./receive-file.ts";

export interface EarningsImportRoutesDependencies extends Pick<EarningsImportsDependencies, "db"> {
  queueEarningsRead: QueueRead;
  addressOf(request: Context["req"]): string;
}

export function earningsImportRoutes(router: ApiRouter, deps: EarningsImportRoutesDependencies) {
  const { db, queueEarningsRead, addressOf } = deps;
  const imports = { db, queueRead: queueEarningsRead };
  const { receive } = createFileReceiver();

  mount(router, calls.createEarningsImport, async (ctx, { caller, query }) => {
    const { userId } = caller;
    const { type, maxBytes } = calls.createEarningsImport.file;
    // A cross-site form cannot post this type.
    if (ctx.is(type) !== type) throw new ApiError("file-expected");
    if ((ctx.request.length ?? 0) > maxBytes) throw new ApiError("earnings-file-too-large");
    const { name, ...answers } = query;
    const upload = { userId, address: addressOf(ctx.req) };
    const file = {
      userId,
      fileName: name?.replaceAll("\0", "") ?? null,
      answers: answersOf(answers),
      receive: (takePart: (bytes: Buffer) => Promise<void>) =>
        ctx.state.whileWaiting(
          () => {
            allowSlowBody(ctx.req);
            return receive(upload, ctx.req, maxBytes, takePart);
          },
          { mayReject: false },
        ),
    };
    return { status: 202, body: await receiveImport(imports, file, ctx.state.requestId) };
  });

  mount(router, calls.listEarningsImports, async (_ctx, { caller, query }) => {
    const { userId } = caller;
    const page = { after: query.after ?? null, limit: EARNINGS_IMPORTS_PAGE_SIZE };
    const found = await findImports(db, { userId, ...page });
    return { status: 200, body: found.map(importReply) };
  });

  mount(router, calls.getEarningsImport, async (_ctx, { caller, params }) => ({
    status: 200,
    body: await getImport(imports, { userId: caller.userId, ...params }),
  }));

  mount(router, calls.answerEarningsImport, async (ctx, input) => {
    const ref = { userId: input.caller.userId, ...input.params };
    const body = await answerImport(imports, ref, answersOf(input.body), ctx.state.requestId);
    return { status: 202, body };
  });

  mount(router, calls.storeEarningsImport, async (_ctx, { caller, params }) => ({
    status: 200,
    body: await storeImport(imports, { userId: caller.userId, ...params }),
  }));

  mount(router, calls.deleteEarningsImport, async (_ctx, { caller, params }) => {
    await removeImport(imports, { userId: caller.userId, ...params });
    return { status: 200, body: params };
  });
}

function answersOf(input: { [Name in keyof Answers]?: Answers[Name] | undefined }): Answers {
  const { marketplace = null, storeId = null, dateOrder = null } = input;
  return { marketplace, storeId, dateOrder };
}
