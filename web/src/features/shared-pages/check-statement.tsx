import { useMutation } from "@tanstack/react-query";
import { SharedClicks } from "@tapthru/proto/shared-pages";
import { compactVerify, createLocalJWKSet, decodeJwt, errors } from "jose";
import * as z from "zod/mini";
import { FileArea } from "../../components/file-area.tsx";
import { Card } from "../../components/ui/card.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { isRetryable } from "../../lib/http/http-client.ts";
import { MonthFigures, monthName, scopeText } from "./month-figures.tsx";

const MAX_BYTES = 100_000;
const Statement = z.extend(SharedClicks, { iss: z.string(), iat: z.number() });

/** Checks the file of a statement in the browser, with the public keys of this site. */
export function CheckStatement() {
  const { mutate, isPending, data, error, variables } = useMutation({ mutationFn: verified });
  return (
    <div className="flex flex-col gap-4">
      <FileArea
        accept=""
        label="Choose a statement"
        hint="You can also drop the file here."
        isPending={isPending}
        error={error === null ? undefined : errorText(error, variables)}
        onFile={async (file) => mutate(await file.slice(0, MAX_BYTES).text())}
      />
      {data && (
        <Card title="The signature is valid.">
          <div role="status" className="flex flex-col gap-6">
            <p className="leading-6 wrap-anywhere">
              {`${monthName(data.month)}: ${data.name}. ${scopeText(data)}. Signed by ${data.iss} on ${formatMinute(new Date(data.iat * 1_000).toISOString())}.`}
            </p>
            <MonthFigures clicks={data} />
          </div>
        </Card>
      )}
    </div>
  );
}

/** @throws if it is not signed by this site, or the browser cannot know that */
async function verified(statement: string) {
  const keys = createLocalJWKSet(await callApi("GET /api/statement-keys", {}));
  const { payload } = await compactVerify(statement.trim(), keys, { algorithms: ["EdDSA"] });
  return z.parse(Statement, JSON.parse(new TextDecoder().decode(payload)));
}

function errorText(error: Error, statement = ""): string {
  if (isRetryable(error)) return "The public keys of this site could not be loaded. Please try again.";
  if (!(error instanceof errors.JOSEError)) return "Please use a current version of Chrome, Firefox or Safari.";
  return `This statement was changed or is not by ${location.host}.${otherSite(statement)}`;
}

/** A site that the statement names, which may not be true. */
function otherSite(statement: string): string {
  try {
    const { iss } = decodeJwt(statement.trim());
    return iss === undefined || iss === location.origin ? "" : ` It says that it is by ${iss}. Please check it there.`;
  } catch {
    return "";
  }
}
