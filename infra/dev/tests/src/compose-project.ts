import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";

/**
 * One `docker compose` project of this checkout. Its services are found by their name in docker-compose.yml.
 * @param env variables of docker-compose.yml, in addition to .env.demo
 */
export async function composeProject(name: string, env: Record<string, string>) {
  const { failed: isOld } = await execa("docker", ["compose", "version"], { reject: false });
  const compose = isOld ? ["docker-compose"] : ["docker", "compose"];
  const ofProject = ["--env-file", ".env.demo", "--project-name", name];
  const show = async (...command: string[]) => {
    const [file = "", ...args] = command;
    const output = { stdin: "ignore", stdout: "inherit", stderr: "inherit" } as const;
    await execa(file, args, { cwd: CHECKOUT, env, ...output });
  };
  const docker = async (...args: string[]) => (await execa("docker", args)).stdout;

  return {
    /** Runs a Compose command, such as "up" or "down", and shows its output. */
    compose: (...args: string[]) => show(...compose, ...ofProject, ...args),
    /** Replaces all containers with compose/upgrade.sh, without building images. */
    upgrade: () => show("bash", "compose/upgrade.sh", "--no-build", ...ofProject),
    /** Ids of the running containers of a service. */
    async containers(service: string): Promise<string[]> {
      const filters = Object.entries({ project: name, service }).map(
        ([label, value]) => `--filter=label=com.docker.compose.${label}=${value}`,
      );
      return (await docker("ps", "--quiet", ...filters)).split("\n").filter(Boolean);
    },
    /** Status of a path on the container's admin server. */
    async adminStatus(container: string, path: string): Promise<number> {
      const script = `fetch("http://127.0.0.1:9090${path}").then(({ status }) => console.log(status))`;
      return Number(await docker("exec", container, "node", "-e", script));
    },
    /** Number of restarts of the container. */
    restarts: async (container: string) =>
      Number(await docker("inspect", "--format={{.RestartCount}}", container)),
    /** Whether the container's health check has passed. */
    isHealthy: async (container: string) =>
      (await docker("inspect", "--format={{.State.Health.Status}}", container)) === "healthy",
    /** Stops the container gracefully and starts it again. */
    async restart(container: string): Promise<void> {
      await docker("restart", "-t", "15", container);
    },
    /** Kills the container and starts it again. */
    async kill(container: string): Promise<void> {
      await docker("kill", container);
      await docker("start", container);
    },
    /** Gives the container another address on the project's network. Its name stays the same. */
    async move(container: string, service: string, address: string): Promise<void> {
      const network = `${name}_default`;
      await docker("network", "disconnect", network, container);
      const names = [`--ip=${address}`, `--alias=${service}`];
      await docker("network", "connect", ...names, network, container);
    },
  };
}
