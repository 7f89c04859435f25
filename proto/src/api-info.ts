export const API_PROMISE =
  "New calls, optional inputs, fields of replies, values, headers and error codes may appear at any time: ignore what you do not know. What exists keeps its name, type and meaning. A call, field or code is removed only in a new major version; its removal is announced here at least six months before. Texts for people, such as error messages, may change at any time, and so may limits.";

export const API_VERSION = "1.0.0";

export const API_DESCRIPTION = `Create, change and count short links that open in the Amazon app.

**Keys.** Create a key on your account page and send it with each request: \`Authorization: Bearer tt_…\`. A key has scopes: \`links:read\`, \`links:write\`, \`clicks:read\`, \`earnings:read\` and \`earnings:write\`.

**Errors.** An error is one sentence of text. With \`Accept: application/problem+json\` it is JSON with a \`code\`, by which programs decide. 429 and 503 have \`Retry-After\`: wait that many seconds. Requests that reach no call get 404, 405 or 501.

**Retries.** A call that reads, changes or deletes can be repeated. For calls that create links send an \`Idempotency-Key\`: a repeated request then returns the links of the first.

**Stability.** ${API_PROMISE}
`;
