import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/channels";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import {
  type ChannelsDb,
  createChannel,
  deleteChannel,
  deleteTag,
  saveTag,
  updateChannel,
} from "./channels.ts";
import { findChannels } from "./queries.ts";

export interface ChannelRoutesDependencies {
  db: ChannelsDb;
  readLinks: Guard<Pick<Caller, "userId">>;
  writeLinks: Guard<Pick<Caller, "userId">>;
}

export function channelRoutes(
  router: Router,
  { db, readLinks, writeLinks }: ChannelRoutesDependencies,
) {
  mount(router, calls.listChannels, readLinks, async (_ctx, { caller }) => ({
    status: 200,
    body: [...(await findChannels(db, caller.userId))],
  }));

  mount(router, calls.createChannel, writeLinks, async (_ctx, { caller, body }) => ({
    status: 201,
    body: await createChannel(db, caller.userId, body),
  }));

  mount(router, calls.updateChannel, writeLinks, async (_ctx, { caller, params, body }) => ({
    status: 200,
    body: await updateChannel(db, { userId: caller.userId, ...params }, body),
  }));

  mount(router, calls.deleteChannel, writeLinks, async (_ctx, { caller, params }) => ({
    status: 200,
    body: await deleteChannel(db, { userId: caller.userId, ...params }),
  }));

  mount(router, calls.saveChannelTag, writeLinks, async (_ctx, { caller, params, body }) => {
    await saveTag(db, { userId: caller.userId, ...params }, body);
    return { status: 200, body };
  });

  mount(router, calls.deleteChannelTag, writeLinks, async (_ctx, { caller, params }) => {
    const { id, marketplace } = params;
    await deleteTag(db, { userId: caller.userId, id }, marketplace);
    return { status: 200, body: { marketplace } };
  });
}
