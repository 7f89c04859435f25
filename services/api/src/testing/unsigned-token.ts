export const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token as Firebase's emulator issues it for a login with a password. It proves nothing: anyone can write it. */
export function unsignedToken(
  { uid, email }: { uid: string; email: string },
  projectId: string,
  header: object = { alg: "none", typ: "JWT" },
): string {
  const now = Math.floor(Date.now() / 1_000);
  const payload = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    user_id: uid,
    email,
    email_verified: true,
    auth_time: now,
    iat: now,
    exp: now + 3_600,
    firebase: { identities: { email: [email] }, sign_in_provider: "password" },
  };
  return `${base64url(header)}.${base64url(payload)}.`;
}
