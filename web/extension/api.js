/** Calls the api of the installation with the user's key. @throws Error with a message for the user */
export async function callApi({ address, key }, method, path, body) {
  let response;
  try {
    response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        // Of the attempt: if the browser sends it twice, one link is created.
        ...(body && { "content-type": "application/json", "idempotency-key": crypto.randomUUID() }),
      },
      body: body && JSON.stringify(body),
      credentials: "omit",
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    throw new Error(`${address} does not respond. Check its address under Settings.`);
  }
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (response.ok && isJson) return response.json();
  if (response.status === 401) throw new Error("The API key is not valid. Enter another one under Settings.");
  const text = response.ok ? "" : (await response.text()).slice(0, 300).trim();
  throw new Error(/^[^<]+$/.test(text) ? text : `There is no Tapthru at ${address}.`);
}
