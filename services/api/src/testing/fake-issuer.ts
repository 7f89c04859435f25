import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export const CLIENT_ID = "tapthru";

export interface FakeIssuer {
  url: string;
  idToken: string;
  isSilent: boolean;
  sign(claims: JWTPayload): Promise<string>;
  stop(): Promise<void>;
}

export async function startFakeIssuer(): Promise<FakeIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: "key", alg: "RS256", use: "sig" };
  const server = createServer((request, response) => {
    if (issuer.isSilent) return;
    const body = {
      "/.well-known/openid-configuration": {
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        userinfo_endpoint: `${issuer.url}/userinfo`,
        jwks_uri: `${issuer.url}/jwks`,
        end_session_endpoint: `${issuer.url}/logout`,
        id_token_signing_alg_values_supported: ["RS256"],
      },
      "/jwks": { keys: [key] },
      "/token": { access_token: "token", token_type: "Bearer", id_token: issuer.idToken },
      "/userinfo": issuer.idToken && decodeJwt(issuer.idToken),
    }[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer: FakeIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idToken: "",
    isSilent: false,
    sign: (claims) =>
      new SignJWT({ iss: issuer.url, aud: CLIENT_ID, sub: "person", email_verified: true, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "key" })
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey),
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;
}
