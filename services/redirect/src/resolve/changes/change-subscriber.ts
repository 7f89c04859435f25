import type { Component } from "@tapthru/core/platform/lifecycle";
import { createRedisSubscriber } from "@tapthru/core/platform/redis/subscriber";
import { OWNER_KEY_PATTERN } from "@tapthru/proto/redirect/owner";
import { REDIRECT_CHANGES_CHANNEL } from "@tapthru/proto/redirect/record";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import type { Change } from "../memory.ts";

interface Dependencies {
  redisUrl: string;
  onChange(change: Change): void;
  /** After each (re)connection: changes may have been missed. */
  onSubscribed(): void;
}

/** Receives changes as soon as their records are written to Redis. An optimization: the tail reads all changes. */
export function createChangeSubscriber({ redisUrl, onChange, onSubscribed }: Dependencies): Component {
  return createRedisSubscriber({
    url: redisUrl,
    channel: REDIRECT_CHANGES_CHANNEL,
    onSubscribed,
    onMessage(message) {
      const change = parseChange(message);
      if (change !== null) onChange(change);
    },
  });
}

export function parseChange(message: string): Change | null {
  const [shortCode = "", text = "", ...rest] = message.split(" ");
  const revision = Number(text);
  const isKey = SHORT_CODE_PATTERN.test(shortCode) || OWNER_KEY_PATTERN.test(shortCode);
  const isChange = isKey && /^\d+$/.test(text) && rest.length === 0;
  return isChange && Number.isSafeInteger(revision) && revision > 0 ? { shortCode, revision } : null;
}
