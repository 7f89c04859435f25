import { startTestApi, type TestApi } from "./test-api.ts";

export const PROJECT_ID = "demo-tapthru";

export async function startFirebaseApi(host: string, replicaOf?: TestApi): Promise<TestApi> {
  // firebase-admin reads it from the environment.
  process.env.FIREBASE_AUTH_EMULATOR_HOST = host;
  const api = await startTestApi(
    { FIREBASE_PROJECT_ID: PROJECT_ID, FIREBASE_AUTH_EMULATOR_HOST: host },
    { ...(replicaOf && { replicaOf }) },
  );
  return {
    ...api,
    async stop() {
      delete process.env.FIREBASE_AUTH_EMULATOR_HOST;
      await api.stop();
    },
  };
}
