import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Logger } from "@tapthru/core/platform/logger";
import type { App } from "../app.ts";
import { type Mailer, type NOTICES, SendError, sendFailure } from "./mailer.ts";

export type NoticeApp = Pick<App, "db" | "mailer" | "logger" | "publicBaseUrl" | "productName">;
type Kind = (typeof NOTICES)[number];

/** An email that its recipient gets at most once. */
export interface Notice {
  key: string | number;
  to: string;
  /** Returns null if there is nothing to say any more. */
  write(): Text | Promise<Text | null>;
  /** The address that ends emails like it without a login. By default nothing goes on sending them. */
  stopUrl?: string;
  /** Notes whether the email is to be sent. Returns false if that was noted before. */
  setDue(isDue: boolean): Promise<boolean>;
  /** The server accepted the email, or refused it for good. */
  settle?(): Promise<void>;
  /** The server has no such recipient. */
  endForDeadAddress?(): Promise<void>;
  /** What the log says if it is not sent. */
  logged: Parameters<Logger["warn"]>[0];
}

interface Text {
  subject: string;
  text: string;
}

/**
 * Sends emails one after another, until the server fails or another worker sends them.
 * @param kind what they are as items
 */
export async function sendNotices(
  { db, mailer, logger }: NoticeApp,
  kind: Kind,
  findNotices: () => Promise<readonly Notice[]>,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === null) return;
  const notices = await findNotices();
  if (notices.length === 0 || !(await isReachable(mailer, kind, logger))) return;
  await forEachItem(
    { db, logger, kind, signal },
    notices,
    ({ key }) => key,
    async ({ to, write, stopUrl = null, setDue, settle, endForDeadAddress, logged }) => {
      const text = await write();
      if (text === null) return true;
      // Before the email: it is not known whether a server accepted one whose connection broke.
      if (!(await setDue(false))) return false;
      try {
        await mailer.send(to, { kind, stopUrl, ...text });
      } catch (error) {
        const sendError = SendError.parse(error);
        const { result, isOfRecipient, isDeadAddress } = sendFailure(sendError);
        logger.warn({ ...logged, result, ...sendError }, "an email was not sent");
        if (result === "postponed") await setDue(true);
        else if (isOfRecipient) await settle?.();
        if (isDeadAddress) await endForDeadAddress?.();
        return isOfRecipient;
      }
      await settle?.();
      return true;
    },
  );
}

/** Asked before the first email is noted: otherwise it would not be known whether an unreachable server accepted it. */
async function isReachable(mailer: Mailer, kind: Kind, logger: Pick<Logger, "warn">): Promise<boolean> {
  try {
    await mailer.check(kind);
    return true;
  } catch (error) {
    logger.warn({ event: "mail_server_unavailable", ...SendError.parse(error) }, "the mail server cannot be used");
    return false;
  }
}
