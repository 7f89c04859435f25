import * as calls from "@tapthru/proto/http/channels";
import { type ApiRouter, mount } from "../http/mount.ts";
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
}

export function channelRoutes(router: ApiRouter, { db }: ChannelRoutesDependencies) {
  mount(router, calls.listChannels, async (_ctx, { caller }) => ({
    status: 200,
    body: [...(await findChannels(db, caller.userId))],
  }));

  mount(router, calls.createChannel, async (_ctx, { caller, body }) => ({
    status: 201,
    body: await createChannel(db, caller.userId, body),
  }));

  mount(router, calls.updateChannel, async (_ctx, { caller, params, body }) => ({
    status: 200,
    body: await updateChannel(db, { userId: caller.userId, ...params }, body),
  }));

  mount(router, calls.deleteChannel, async (_ctx, { caller, params }) => ({
    status: 200,
    body: await deleteChannel(db, { userId: caller.userId, ...params }),
  }));

  mount(router, calls.saveChannelTag, async (_ctx, { caller, params, body }) => {
    await saveTag(db, { userId: caller.userId, ...params }, body);
    return { status: 200, body };
  });

  mount(router, calls.deleteChannelTag, async (_ctx, { caller, params }) => {
    const { id, marketplace } = params;
    await deleteTag(db, { userId: caller.userId, id }, marketplace);
    return { status: 200, body: { marketplace } };
  });
}
