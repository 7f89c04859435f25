import type { Logger } from "@tapthru/core/platform/logger";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";
import { type Mailer, type NOTICES, SendError, sendFailure } from "./mailer.ts";

export type NoticeApp = Pick<App, "db" | "mailer" | "logger" | "publicBaseUrl" | "productName">;
type Kind = (typeof NOTICES)[number];

export interface Notice {
  key: string | number;
  to: string;
  /** Returns null if there is nothing to say any more. */
  write(): Text | Promise<Text | null>;
  stopUrl?: string;
  /** Notes whether the email is to be sent. Returns false if that was noted before. */
  setDue(isDue: boolean): Promise<boolean>;
  /** The server accepted the email, or refused it for good. */
  settle?(): Promise<void>;
  endForDeadAddress?(): Promise<void>;
  logged: Parameters<Logger["warn"]>[0];
}

interface Text {
  subject: string;
  text: string;
}

/** Sends emails one after another, until the server fails. @param kind their kind as failed items */
export const noticeRounds = (
  kind: Kind,
  everyMs: number,
  findNotices: (app: NoticeApp) => Promise<readonly Notice[]>,
) =>
  dueKind<NoticeApp, Notice>({
    everyMs,
    async claim(app) {
      const { mailer, logger } = app;
      const notices = mailer === null ? [] : await findNotices(app);
      if (mailer === null || notices.length === 0) return [];
      return (await isReachable(mailer, kind, logger)) ? notices : [];
    },
    keyOf: ({ key }) => key,
    work: async ({ mailer, logger }, notice) => mailer !== null && (await sendNotice({ mailer, logger }, kind, notice)),
  });

/** @returns false if the server fails, or another worker sends it */
async function sendNotice(
  { mailer, logger }: { mailer: Mailer; logger: Pick<Logger, "warn"> },
  kind: Kind,
  { to, write, stopUrl, setDue, settle, endForDeadAddress, logged }: Notice,
): Promise<boolean> {
  const text = await write();
  if (text === null) return true;
  // Before the email: it is not known whether a server accepted one whose connection broke.
  if (!(await setDue(false))) return false;
  try {
    await mailer.send(to, { kind, stopUrl: stopUrl ?? null, ...text });
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
