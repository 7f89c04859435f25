import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";

/**
 * One `docker compose` project of this checkout. Its services are found by their name in docker-compose.yml.
 * @param env variables of docker-compose.yml, in addition to .env.demo
 */
export function composeProject(name: string, env: Record<string, string>) {
  const ofProject = ["--env-file", ".env.demo", "--project-name", name];
  const docker = async (...args: string[]) => (await execa("docker", args)).stdout;
  const compose = async (...args: string[]) => {
    const { stdout } = await execa("docker", ["compose", ...ofProject, ...args], {
      cwd: CHECKOUT,
      env,
      stdin: "ignore",
      stderr: "inherit",
    });
    return stdout;
  };

  return {
    docker,
    /** Runs a Compose command, such as "up" or "down", and returns its output. */
    compose,
    /** Runs infra/compose/upgrade.sh without building images. Returns its result, also if it failed. */
    upgrade: (variables: Record<string, string> = {}) =>
      execa("bash", ["infra/compose/upgrade.sh", "--no-build", ...ofProject], {
        cwd: CHECKOUT,
        env: { ...env, ...variables },
        stdin: "ignore",
        all: true,
        reject: false,
      }),
    restore: (dump: string) =>
      execa("bash", ["infra/compose/restore.sh", dump, ...ofProject], {
        cwd: CHECKOUT,
        env,
        stdin: "ignore",
        stdout: "inherit",
        stderr: "inherit",
      }),
    containers: async (service: string) => (await compose("ps", "--quiet", service)).split("\n").filter(Boolean),
    /** The names of the images of the running containers, without their registry. */
    images: async () => (await compose("ps", "--format", "{{.Image}}")).split("\n").map((image) => image.trim()),
    async adminStatus(container: string, path: string): Promise<number> {
      const script = `fetch("http://127.0.0.1:9090${path}").then(({ status }) => console.log(status))`;
      return Number(await docker("exec", container, "node", "-e", script));
    },
    restarts: async (container: string) => Number(await docker("inspect", "--format={{.RestartCount}}", container)),
    isHealthy: async (container: string) =>
      (await docker("inspect", "--format={{.State.Health.Status}}", container)) === "healthy",
  };
}
