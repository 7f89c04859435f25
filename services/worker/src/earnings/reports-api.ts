import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import * as z from "zod/mini";
import {
  type CreatorsCredentials,
  createTokenCache,
  type JsonResponse,
  postJson,
} from "../jobs/scrape-metadata/creators-api/creators-token.ts";

const NAME_MAX_LENGTH = 200;

/** Amazon refused the credentials, or is not available. The message has no request or response data. */
export class ReportsApiError extends Error {
  override readonly name = "ReportsApiError";
  readonly kind: "refused" | "unavailable";

  constructor(kind: "refused" | "unavailable") {
    super(`Amazon's reports: ${kind}`);
    this.kind = kind;
  }
}

/** A report is larger than a file of a user may be. */
export class ReportTooLargeError extends Error {
  override readonly name = "ReportTooLargeError";
}

const ListedReport = z.object({
  filename: z.string().check(z.minLength(1), z.maxLength(NAME_MAX_LENGTH)),
  md5: z.optional(z.nullable(z.string())),
  lastModified: z.optional(z.nullable(z.union([z.string(), z.number()]))),
});
const ReportList = z.object({ reports: z.optional(z.nullable(z.array(ListedReport))) });
const ReportAddress = z.object({ url: z.string() });

interface ListedReport {
  fileName: string;
  /** Differs from that of an earlier report with this name. */
  key: string;
}

export interface ReportsApi {
  /** The oldest first. @throws ReportsApiError, SafeFetchError */
  list(): Promise<ListedReport[]>;
  /** @throws ReportsApiError, ReportTooLargeError, SafeFetchError, and what `take` throws */
  download(fileName: string, take: (chunk: Buffer) => Promise<void>): Promise<void>;
}

type Credentials = Omit<CreatorsCredentials, "partnerTags">;

/** The calls `/reports/v1/listReports` and `/reports/v1/getReport` of Amazon's Creators API, as in Amazon's SDK. */
export function createReportsApi(
  safeFetch: SafeFetch,
  credentials: Credentials,
  marketplace: Marketplace,
  signal: AbortSignal,
): ReportsApi {
  const tokens = createTokenCache(safeFetch, credentials, Date.now);

  async function post<Schema extends z.ZodMiniType>(
    call: "listReports" | "getReport",
    schema: Schema,
    body: object,
  ): Promise<z.output<Schema>> {
    const found = await tokens.get(signal);
    if ("refusal" in found) throw errorOf(found.refusal);
    const response = await postJson(safeFetch, signal, {
      url: `https://creatorsapi.amazon/reports/v1/${call}`,
      headers: {
        authorization: `Bearer ${found.token}`,
        "x-marketplace": `www.amazon.${marketplace}`,
      },
      body,
    });
    const parsed = z.safeParse(schema, response.json);
    if (response.status !== 200 || !parsed.success) throw errorOf(response);
    return parsed.data;
  }

  return {
    async list() {
      const { reports } = await post("listReports", ReportList, {});
      return (reports ?? [])
        .toSorted((a, b) => timeOf(a.lastModified) - timeOf(b.lastModified))
        .map(({ filename, md5, lastModified }) => ({
          fileName: storable(filename),
          key: storable(`${filename} ${md5 ?? lastModified ?? ""}`),
        }));
    },
    async download(fileName, take) {
      const { url } = await post("getReport", ReportAddress, { filename: fileName });
      let bytes = 0;
      const { status } = await safeFetch({
        url,
        purpose: "amazon-report",
        headers: { accept: "*/*" },
        deadline: signal,
        async takeBody(chunk) {
          bytes += chunk.length;
          if (bytes > EARNINGS_FILE_MAX_BYTES) throw new ReportTooLargeError();
          await take(chunk);
        },
      });
      if (status !== 200) throw new ReportsApiError("unavailable");
    },
  };
}

/** Postgres refuses NUL and halves of characters. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** 400, 401 and 403: the client is unknown, or not entitled to reports. */
function errorOf({ status }: JsonResponse): ReportsApiError {
  return new ReportsApiError([400, 401, 403].includes(status) ? "refused" : "unavailable");
}

/** Seconds since 1970 or a date; 0 if neither. */
function timeOf(time: string | number | null | undefined): number {
  const ms = typeof time === "number" ? time * 1_000 : Date.parse(time ?? "");
  return Number.isNaN(ms) ? 0 : ms;
}
