import { BackupTarget, type Domain } from "@tapthru/proto/domains";
import { REDIRECT_FORMATS } from "@tapthru/proto/export";
import { Button } from "../../components/ui/button.tsx";
import { useOpenForm } from "../../components/ui/form.tsx";
import { Action } from "../../kit/action.tsx";
import { CallForm, TextField } from "../../kit/call-form.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { useChosenAccount } from "../../lib/account.ts";
import { formatMinute } from "../../lib/dates.ts";

const FILES = { redirects: "Netlify or Cloudflare Pages", nginx: "nginx", html: "Any web server" };
const NO_TARGET = { url: "", accessKeyId: "", secretAccessKey: "", region: "" };

/** Files with which the links of a domain open without this service, and the address that gets one each day. */
export function IfWeVanish({ domain: { host, backup } }: { domain: Domain }) {
  const form = useOpenForm();
  const isOwner = (useChosenAccount()?.role ?? "owner") === "owner";
  return (
    <div className="flex flex-col items-start gap-4 leading-6 text-pretty wrap-anywhere">
      <p>
        {`If this service ends, put one of these files on another web server, and point the DNS of ${host} there: that `}
        server opens your links. The Amazon app does not open then, and nothing is counted.
      </p>
      <div className="flex flex-wrap gap-2">
        {REDIRECT_FORMATS.map((format) => (
          <DownloadButton
            key={format}
            label={FILES[format]}
            file={() => ({ path: "/api/export", query: { format, domain: host } })}
          />
        ))}
      </div>
      {backup === null ? (
        <p>The file for any web server can also be sent to an address of yours each day.</p>
      ) : (
        <div role="status">
          <p>{`The file for any web server is sent to ${backup.host} each day. ${sentText(backup.doneAt)}`}</p>
          {backup.error !== null && <p className="text-danger">{`It failed: ${backup.error}`}</p>}
        </div>
      )}
      {isOwner && (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" {...form.button}>
            {backup === null ? "Send it each day" : "Change address"}
          </Button>
          {backup !== null && (
            <Action
              call="PATCH /api/domains/:host"
              input={{ params: { host }, body: { backup: null } }}
              label="Stop sending"
              done="The file is not sent any more."
            />
          )}
        </div>
      )}
      {form.isOpen && (
        <CallForm
          call="PATCH /api/domains/:host"
          rules={BackupTarget}
          values={NO_TARGET}
          input={(target) => ({ params: { host }, body: { backup: target } })}
          errorAt={{ "webhook-url-refused": "url" }}
          done="The file is sent within a minute."
          onClose={form.close}
        >
          <TextField
            name="url"
            label="Address"
            hint="It gets the file by PUT, such as https://s3.eu-central-1.amazonaws.com/my-bucket/links.tar.gz"
            type="url"
          />
          <TextField name="accessKeyId" label="Access key ID" hint="For S3 and stores like it. Else leave it empty." />
          <TextField name="secretAccessKey" label="Secret access key" type="password" autoComplete="new-password" />
          <TextField
            name="region"
            label="Region"
            hint="Only if your store has regions that its address does not name."
          />
        </CallForm>
      )}
    </div>
  );
}

const sentText = (doneAt: string | null) =>
  doneAt === null ? "It was not sent yet." : `It was last sent on ${formatMinute(doneAt)}.`;
