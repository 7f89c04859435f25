import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { MCP_PATH } from "@tapthru/proto/mcp";
import type { TestApi } from "./test-api.ts";

/** The revision without sessions, and the handshake of the ones before it. */
export const REVISIONS = { modern: { pin: "2026-07-28" }, legacy: "legacy" } as const;

/** An input of each tool. `mcp.test.ts` shows that none is left out. */
export const MCP_INPUTS = {
  create_link: { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21" },
  list_links: { q: "mug" },
  edit_link: { shortCode: "mcp-mug", nickname: "Mug" },
  get_clicks: { by: "link" },
  get_earnings: { by: "channel" },
  list_channels: {},
} as const;

export interface TestMcp {
  client: Client;
  /** @returns the structured content, or the text of the error */
  call(name: string, input: Record<string, unknown>): Promise<unknown>;
}

/** Connects the client of the SDK to the api. Close it at the end. */
export async function connectMcp(
  api: Pick<TestApi, "url">,
  headers: Record<string, string>,
  mode: (typeof REVISIONS)[keyof typeof REVISIONS] = REVISIONS.modern,
): Promise<TestMcp> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const url = new URL(MCP_PATH, api.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return {
    client,
    async call(name, input) {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
      const [first] = content;
      return isError && first?.type === "text" ? first.text : structuredContent;
    },
  };
}
