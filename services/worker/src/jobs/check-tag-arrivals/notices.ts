import { messages } from "@tapthru/proto/rules/messages";
import { type Notice, type NoticeApp, sendNotices } from "../../emails/send-notices.ts";
import { findDueNotices, setNoticeDue } from "./queries.ts";

const BATCH = 50;

/** Sends the owners of channels whose tags arrive less often one email each. */
export function sendChannelNotices(app: NoticeApp, signal: AbortSignal): Promise<void> {
  return sendNotices(app, "channel-notices", () => channelNotices(app), signal);
}

async function channelNotices({ db, productName, publicBaseUrl }: NoticeApp): Promise<Notice[]> {
  const url = `${publicBaseUrl}/earnings`;
  return (await findDueNotices(db, BATCH)).map((notice) => {
    const { name, channelId, marketplace, email } = notice;
    return {
      key: `${channelId} ${marketplace}`,
      to: email,
      mail: messages.channelNotice({ name, store: `amazon.${marketplace}`, productName, url }),
      setDue: (isDue) => setNoticeDue(db, notice, isDue),
      logged: { event: "channel_notice_not_sent", channelId },
    };
  });
}
