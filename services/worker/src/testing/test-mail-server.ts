import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

/** An SMTP server with the login `ada` and `secret-word`. */
export interface TestMailServer {
  url: string;
  received: ReceivedMail[];
  /** Called before a recipient is accepted; an error refuses it. */
  checkRecipient: (address: string) => void;
  /** Called with each message, before it is confirmed; an error refuses it. */
  accept: (mail: ReceivedMail) => unknown;
  stop(): Promise<void>;
}

export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export async function startTestMailServer(): Promise<TestMailServer> {
  const server = new SMTPServer({
    // Its own certificate is not trusted.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === "ada" && password === "secret-word";
      callback(isKnown ? null : new Error("Invalid login"), { user: username ?? "" });
    },
    onRcptTo({ address }, _session, callback) {
      try {
        mailServer.checkRecipient(address);
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
    async onData(stream, { envelope }, callback) {
      const { mailFrom, rcptTo } = envelope;
      const mail = {
        from: mailFrom ? mailFrom.address : "",
        to: rcptTo.map(({ address }) => address),
        source: await text(stream),
      };
      mailServer.received.push(mail);
      try {
        await mailServer.accept(mail);
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
  });
  // A client that disconnects is no failure of a test.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const mailServer: TestMailServer = {
    url: `smtp://ada:secret-word@127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received: [],
    checkRecipient: () => {},
    accept: () => {},
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  return mailServer;
}
