import { expect, type Links } from "./links.ts";

/** Gives the account something of each kind that members may change. @returns a link's short code */
export async function fillAccount(links: Links, baseURL: string): Promise<string> {
  const { page } = links;
  const send = async (
    method: "post" | "put" | "patch",
    path: string,
    data: object | string,
    type = "application/json",
  ) => {
    const headers = { Origin: baseURL, "Content-Type": type };
    const response = await page.request[method](path, { headers, data });
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
    return response.json();
  };
  const [main] = await (await page.request.get("/api/channels")).json();
  const shortCode = await links.create("https://www.amazon.com/dp/B0CX23V2ZK?tag=anna-20");
  const { id } = await links.fetch(shortCode);
  await send("put", `/api/channels/${main.id}/tags`, { marketplace: "com", tag: `a${Date.now()}-20` });
  await send("post", "/api/channels", { name: "Blog" });
  await send("patch", "/api/links/bulk", { ids: [id], addLabels: ["Gifts"] });
  await send("post", "/api/keys", { name: "Script", scopes: ["links:read"], expiresAt: null });
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await send("post", "/api/shared-pages", { name: "Sponsor", endsOn, of: { linkId: id } });
  return shortCode;
}
