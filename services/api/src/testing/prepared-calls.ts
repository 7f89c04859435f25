import type { CallName } from "@tapthru/proto/calls";
import { deleteLink } from "@tapthru/proto/links";
import { inviteMember } from "@tapthru/proto/members";
import type { DOCUMENTED_CALLS } from "./documented-calls.ts";
import { createAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";
import { newHost } from "./test-domains.ts";
import { addUserLinks, createLink } from "./test-links.ts";
import { addMember } from "./test-members.ts";
import { bearer, logIn, signUpUser, type TestUser } from "./test-user.ts";
import { newVisitor } from "./world.ts";

export type Values = Record<string, string>;
/** The inputs of a call: values of its path's parameters, and a body instead of the documented one. */
interface Prepared {
  params?: Values;
  body?: unknown;
  query?: Values;
  headers?: Values;
}
type Prepare = (user: TestUser) => Promise<Prepared>;

export function prepareCalls(api: TestApi) {
  const insert =
    (statement: (userId: number) => string, param = "id"): Prepare =>
    async ({ user }) => {
      const [row] = await api.query(`${statement(user.id)} RETURNING *`);
      return { params: { [param]: String(row?.[param]) } };
    };

  const link: Prepare = async ({ user }) => {
    await addUserLinks(api, user.id, 1);
    const shortCode = `u${user.id}n1`;
    const [row] = await api.query(`SELECT id FROM links WHERE short_code = '${shortCode}'`);
    return { params: { shortCode, id: String(row?.id) } };
  };
  const links =
    (change: object = {}): Prepare =>
    async (user) => {
      const { params } = await link(user);
      return { body: { ids: [Number(params?.id)], ...change } };
    };
  const linkOfOther: Prepare = async () => link(await signUpUser(api));
  const reportedLink: Prepare = async (user) => {
    const { params } = await linkOfOther(user);
    await api.query(`INSERT INTO abuse_reports (short_code, reason) VALUES ('${params?.shortCode}', 'spam')`);
    return { params: params ?? {} };
  };
  const otherUser: Prepare = async () => {
    const { user } = await signUpUser(api);
    return { params: { id: String(user.id) } };
  };

  const label = insert(
    (id) => `INSERT INTO labels (user_id, name, name_key, colour) VALUES (${id}, 'Old', 'old', 'red')`,
  );
  const channel = insert((id) => `INSERT INTO channels (user_id, name, name_key) VALUES (${id}, 'Old', 'old')`);
  const channelWithTag: Prepare = async (user) => {
    const { params } = await channel(user);
    await api.query(`INSERT INTO channel_tags VALUES (${params?.id}, ${user.user.id}, 'de', 'old-21')`);
    return { params: { ...params, marketplace: "de" } };
  };
  const defaultTag: Prepare = async ({ user: { id } }) => {
    await api.query(`
      INSERT INTO channel_tags SELECT id, ${id}, 'de', 'old-21' FROM channels WHERE user_id = ${id} AND is_default
    `);
    return { params: { marketplace: "de" } };
  };
  const key = insert(
    (id) => `INSERT INTO api_keys (user_id, name, key_hash, start, scopes)
    VALUES (${id}, 'Old', sha256('${id}'), 'tt_old', '{links:read}')`,
  );
  const webhook = insert(
    (id) => `INSERT INTO webhooks (user_id, url, events, encrypted_secret, disabled_at)
    VALUES (${id}, 'https://old.example/secret', '{link.created}', 's', now())`,
  );
  const domain: Prepare = (user) =>
    insert((id) => `INSERT INTO domains (user_id, host, proof) VALUES (${id}, '${newHost()}', 'p')`, "host")(user);
  const earningsImport = (state: string, question = "NULL") =>
    insert(
      (id) =>
        `INSERT INTO earnings_imports (user_id, file_name, state, question) VALUES (${id}, 'old.csv', '${state}', ${question})`,
    );
  const adsConnection: Prepare = async ({ user: { id } }) => {
    await api.query(`INSERT INTO amazon_ads_connections (user_id, encrypted_refresh_token, account_name, account_email)
    VALUES (${id}, 's', 'Ada', 'ada@example.com')`);
    return {};
  };
  const invitation = insert(
    (id) =>
      `INSERT INTO invitations (token_hash, email, expires_at) VALUES (sha256('i${id}'), 'eve@example.com', now() + interval '1 day')`,
  );
  const member: Prepare = async ({ user: account }) => {
    const { user } = await signUpUser(api);
    return { params: { id: await addMember(api, { account: account.id, member: user.id }) } };
  };
  const PREPARED: Partial<Record<CallName, Prepare>> = {
    addDomain: async () => ({ body: { host: newHost() } }),
    answerEarningsImport: earningsImport("question", "'marketplace'"),
    checkDomain: domain,
    checkLink: link,
    createLink: async () => ({ body: { url: "https://www.amazon.de/dp/B0AAAAAAA1" } }),
    createLinks: async () => ({ body: { links: [{ url: "https://www.amazon.de/dp/B0AAAAAAA2", labels: ["New"] }] } }),
    createSharedPage: async (user) => {
      const { params } = await link(user);
      const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      return { body: { of: { linkId: Number(params?.id) }, name: "New", endsOn } };
    },
    createUser: async () => {
      const { uid: firebaseUid, email, login } = await createAccount(api);
      return { body: { firebaseUid, email, username: `new ${firebaseUid}` }, headers: login };
    },
    createWebhook: async () => ({ body: { url: "https://new.example/secret", events: ["link.created"] } }),
    decideAbuseReports: reportedLink,
    deleteAccount: async ({ email }) => ({ body: { email } }),
    deleteAmazonAdsConnection: adsConnection,
    deleteChannel: channelWithTag,
    deleteChannelTag: channelWithTag,
    deleteEarningsImport: earningsImport("stored"),
    deleteInvitation: invitation,
    deleteLabel: label,
    createUntaggedCode: link,
    deleteLink: link,
    deleteLinks: links(),
    deleteStoreTag: defaultTag,
    deleteUser: async () => {
      const { user } = await signUpUser(api);
      return { params: { id: String(user.id) }, body: { username: user.username } };
    },
    deleteWebhook: webhook,
    endSession: async ({ user, uid }) => {
      const [session] = await api.context.sessionStore.list({ userId: user.id, firebaseUid: uid });
      return { params: { id: String(session?.id) } };
    },
    endUserSessions: otherUser,
    getEarningsImport: earningsImport("ready"),
    getLink: link,
    getLinkClicks: link,
    getLinkEarnings: link,
    getLinkRouting: link,
    listWebhookDeliveries: webhook,
    joinAccount: async () => {
      const { url } = await (await signUpUser(api)).call(inviteMember, { body: { name: "Ben", role: "editor" } });
      return { body: { token: url.split("=")[1] } };
    },
    leaveAccount: async ({ user }) => {
      const { user: account } = await signUpUser(api);
      await addMember(api, { account: account.id, member: user.id });
      return { params: { id: String(account.id) } };
    },
    changeLinks: links({ addLabels: ["New"], removeLabels: [] }),
    moveLinks: async (user) => {
      const { params } = await domain(user);
      await api.query(`UPDATE domains SET verified_at = now() WHERE host = '${params?.host}'`);
      return links({ domain: params?.host })(user);
    },
    removeDomain: domain,
    removeMember: member,
    renewWebhookSecret: webhook,
    replaceSessions: async (user) => {
      await logIn(api, user);
      return { headers: bearer(user.token) };
    },
    resetUserTwoFactor: otherUser,
    revokeKey: key,
    revokeSharedPage: async (user) => {
      const { params } = await label(user);
      return insert(
        (id) => `INSERT INTO shared_pages (user_id, label_id, name, token_hash, ends_on)
        VALUES (${id}, ${params?.id}, 'Old', sha256('s${id}'), 'tomorrow')`,
      )(user);
    },
    restoreLinks: async (user) => {
      const { params } = await link(user);
      await user.call(deleteLink, { params: { id: params?.id ?? "" } });
      return { body: { ids: [Number(params?.id)] } };
    },
    claimLinks: async (user) => {
      const visitor = await newVisitor(api);
      const shortCode = await createLink(api, visitor);
      return { body: { userId: user.user.id, shortCodes: [shortCode] }, headers: await logIn(api, user, visitor) };
    },
    saveChannelTag: channel,
    saveLinkRouting: link,
    setLinkChannels: async (user) => {
      const { params } = await channel(user);
      return links({ channelId: Number(params?.id), usesChannelTag: false })(user);
    },
    setUserState: otherUser,
    storeEarningsImport: earningsImport("ready"),
    takeDownLinks: async () => {
      const { params } = await linkOfOther(await signUpUser(api));
      return { body: { links: { shortCodes: [params?.shortCode] }, isTakenDown: true } };
    },
    updateChannel: channel,
    updateDomain: domain,
    updateLabel: label,
    updateLink: async (user) => ({ ...(await link(user)), body: { nickname: "New" } }),
    updateMember: async (user) => ({ ...(await member(user)), body: { role: "viewer" } }),
    updateUser: async ({ uid }) => ({ params: { firebaseUid: uid }, body: { username: `new ${uid}` } }),
    testWebhook: webhook,
    updateWebhook: webhook,
  };

  const prepare = async ({ name, call }: (typeof DOCUMENTED_CALLS)[number], owner: TestUser) => {
    const { params = {}, body, query, headers } = (await PREPARED[name]?.(owner)) ?? {};
    const example = { ...call.example, ...(body !== undefined && { body }), ...(query && { query }) };
    return { call: { ...call, example }, params, headers };
  };

  return { prepare, isPrepared: (name: CallName) => PREPARED[name] !== undefined };
}
