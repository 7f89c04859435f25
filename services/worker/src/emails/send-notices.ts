import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Logger } from "@tapthru/core/platform/logger";
import type { App } from "../app.ts";
import { type NOTICES, SendError, sendFailure } from "./mailer.ts";

export type NoticeApp = Pick<App, "db" | "mailer" | "logger" | "publicBaseUrl" | "productName">;

/** An email that its recipient gets at most once. */
export interface Notice {
  key: string | number;
  to: string;
  mail: { subject: string; text: string };
  /** Notes whether the email is to be sent. Returns false if that was noted before. */
  setDue(isDue: boolean): Promise<boolean>;
  /** The server accepted the email, or refused it for good. */
  settle?(): Promise<void>;
  /** What the log says if it is not sent. */
  logged: Parameters<Logger["warn"]>[0];
}

/**
 * Sends emails one after another, until the server fails or another worker sends them.
 * @param kind what they are as items
 */
export async function sendNotices(
  { db, mailer, logger }: NoticeApp,
  kind: (typeof NOTICES)[number],
  findNotices: () => Promise<readonly Notice[]>,
  signal: AbortSignal,
): Promise<void> {
  if (mailer === null) return;
  const loop = { db, logger, kind, signal };
  await forEachItem(
    loop,
    await findNotices(),
    ({ key }) => key,
    async ({ to, mail, setDue, settle, logged }) => {
      // Before the email: it is not known whether a server accepted one whose connection broke.
      if (!(await setDue(false))) return false;
      try {
        await mailer.send(to, { kind, ...mail, stopUrl: null });
      } catch (error) {
        const sendError = SendError.parse(error);
        const { result, isOfRecipient } = sendFailure(sendError);
        logger.warn({ ...logged, result, ...sendError }, "an email was not sent");
        if (result === "postponed") await setDue(true);
        else if (isOfRecipient) await settle?.();
        return isOfRecipient;
      }
      await settle?.();
      return true;
    },
  );
}
