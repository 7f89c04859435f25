import { join } from "node:path";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import type { Stack } from "@tapthru/local/stack/stack";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { createCredentials } from "./credentials.ts";
import { type Kubectl, kubectlOf } from "./kubectl.ts";

/**
 * Starts etcd, the API server, the controllers and the scheduler of Kubernetes on free ports of 127.0.0.1, and kwok,
 * which simulates the nodes: it reports pods as running without running them.
 * @param bin folder of the programs
 * @param folder for their data and logs
 */
export async function startControlPlane(
  bin: string,
  folder: string,
  stack: Stack,
  signal: AbortSignal,
): Promise<Kubectl> {
  const ports = {
    etcd: await freePort(),
    peer: await freePort(),
    api: await freePort(),
    controllers: await freePort(),
    scheduler: await freePort(),
    kwok: await freePort(),
  };
  const { certificates, serviceAccountKey, tokens, kubeconfig } = createCredentials(
    folder,
    ports.api,
  );
  const kubectl = kubectlOf(bin, kubeconfig, signal);
  const start = (name: string, args: string[], isReady: () => Promise<boolean>) =>
    stack.start(
      {
        name,
        command: join(bin, name),
        args,
        logFile: join(folder, `${name}.log`),
      },
      isReady,
    );

  const etcdUrl = `http://127.0.0.1:${ports.etcd}`;
  const peerUrl = `http://127.0.0.1:${ports.peer}`;
  await start(
    "etcd",
    [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      "--unsafe-no-fsync",
    ],
    () => respondsOverHttp(`${etcdUrl}/health`, 200),
  );
  await start(
    "kube-apiserver",
    [
      `--etcd-servers=${etcdUrl}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.api}`,
      // No pod connects to the API server, and it refuses a loopback address as its endpoint.
      "--endpoint-reconciler-type=none",
      `--cert-dir=${certificates}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${serviceAccountKey}`,
      `--service-account-signing-key-file=${serviceAccountKey}`,
      "--service-cluster-ip-range=10.96.0.0/16",
      "--authorization-mode=RBAC",
      `--token-auth-file=${tokens}`,
    ],
    () => kubectl.succeeds(["get", "--raw=/readyz"]),
  );
  await start(
    "kube-controller-manager",
    [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.controllers}`,
      "--leader-elect=false",
      "--use-service-account-credentials",
      // Late heartbeats on a busy machine must not make pods unready.
      "--node-monitor-grace-period=1h",
      `--service-account-private-key-file=${serviceAccountKey}`,
      `--root-ca-file=${join(certificates, "apiserver.crt")}`,
    ],
    () => kubectl.succeeds(["get", "serviceaccount", "default"]),
  );
  await start(
    "kube-scheduler",
    [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${ports.scheduler}`,
      "--leader-elect=false",
    ],
    // Not waited for: only pods depend on the scheduler, and they are pending until it runs.
    async () => true,
  );
  await start(
    "kwok",
    [
      `--kubeconfig=${kubeconfig}`,
      "--manage-all-nodes",
      `--server-address=127.0.0.1:${ports.kwok}`,
    ],
    () => respondsOverHttp(`http://127.0.0.1:${ports.kwok}/healthz`, 200),
  );
  return kubectl;
}
