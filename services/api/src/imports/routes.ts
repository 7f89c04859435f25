import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/imports";
import type { Context } from "koa";
import { requireOwnChannel } from "../channels/channels.ts";
import { chooseDomain, findUsableDomains } from "../domains/link-domains.ts";
import { ApiError } from "../errors.ts";
import { allowSlowBody } from "../http/body-deadlines.ts";
import { type ApiRouter, mount, TextReply } from "../http/mount.ts";
import { CSV_TYPE } from "../http/streams.ts";
import type { Uploads } from "../http/uploads.ts";
import type { QueueJob } from "../queue-job.ts";
import { type LinesPage, lineReply, listLines, resultCsv } from "./import-lines.ts";
import {
  cancelImport,
  deleteImport,
  getImport,
  type ImportsDb,
  importReply,
  repairImport,
  startImport,
} from "./imports.ts";
import { prepareImport } from "./prepare-import.ts";
import { findImports, type ImportRow } from "./queries.ts";

export interface ImportRoutesDependencies {
  db: ImportsDb & Db<"exists">;
  publicBaseUrl: string;
  hasDomains: boolean;
  queueJob: QueueJob;
  uploads: Uploads;
  addressOf(request: Context["req"]): string;
}

const FIRST_PAGE: LinesPage = { show: "all", after: 0, limit: 50 };

export function importRoutes(router: ApiRouter, deps: ImportRoutesDependencies) {
  const { db, publicBaseUrl, queueJob, uploads, addressOf } = deps;

  async function withLines(row: ImportRow, page: LinesPage) {
    const { lines, nextAfter } = await listLines(db, row.id, page);
    return {
      ...importReply(row),
      lines: lines.map((line) => lineReply(line, publicBaseUrl)),
      nextAfter,
    };
  }

  mount(router, calls.createImport, async (ctx, { caller, query }) => {
    const { userId } = caller;
    const { type, maxBytes } = calls.createImport.file;
    // A cross-site form cannot post this type.
    if (ctx.is(type) !== type) throw new ApiError("csv-expected");
    if ((ctx.request.length ?? 0) > maxBytes) throw new ApiError("import-file-too-large");
    const usable = await findUsableDomains(deps, userId);
    const domain = chooseDomain(usable, query.domain);
    const ownDomains = usable.map(({ host }) => host);
    const { name: fileName = null, channel: channelId = null, usesChannelTag } = query;
    await requireOwnChannel(db, { userId, channelId });
    const uploader = { userId, address: addressOf(ctx.req) };
    const file = await ctx.state.whileWaiting(
      () => {
        allowSlowBody(ctx.req);
        return uploads.receive(uploader, ctx.req, {
          maxBytes,
          tooLarge: "import-file-too-large",
        });
      },
      { mayReject: false },
    );
    const choice = { domain, ownDomains, channelId, usesChannelTag };
    const row = await uploads.read(() => prepareImport(db, { userId, fileName, ...choice, file }));
    return { status: 201, body: await withLines(row, FIRST_PAGE) };
  });

  mount(router, calls.listImports, async (_ctx, { caller }) => ({
    status: 200,
    body: (await findImports(db, caller.userId)).map(importReply),
  }));

  mount(router, calls.getImport, async (ctx, { caller, params, query }) => {
    const row = await getImport(db, { userId: caller.userId, ...params });
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv") {
      return { status: 200, body: await withLines(row, query) };
    }
    ctx.attachment(`import-${row.id}.csv`);
    return { status: 200, body: new TextReply(CSV_TYPE, resultCsv(db, row.id, publicBaseUrl)) };
  });

  mount(router, calls.repairImport, async (_ctx, { caller, params }) => {
    const row = await repairImport(db, { userId: caller.userId, ...params });
    return { status: 200, body: importReply(row) };
  });

  mount(router, calls.startImport, async (ctx, { caller, params }) => {
    const row = await startImport(db, { userId: caller.userId, ...params });
    await queueJob("run-import", { importId: row.id }, ctx.state.requestId);
    return { status: 200, body: importReply(row) };
  });

  mount(router, calls.cancelImport, async (_ctx, { caller, params }) => {
    const row = await cancelImport(db, { userId: caller.userId, ...params });
    return { status: 200, body: importReply(row) };
  });

  mount(router, calls.deleteImport, async (_ctx, { caller, params }) => {
    await deleteImport(db, { userId: caller.userId, ...params });
    return { status: 200, body: params };
  });
}
