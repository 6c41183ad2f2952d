import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";

// Does not use the test runner: the fault programme (faults/) kills the same mounts.

/** FUSE and `mount` need root: without them no disk can be made to hang. */
export const canKillMounts = process.getuid?.() === 0 && existsSync("/dev/fuse");

/**
 * Mounts a file system over a folder whose server never answers, like a network disk that is gone: processes
 * that read there wait until it ends. Null if the system does not allow it.
 */
export function killMount(folder: string): { revive: () => void } | null {
  if (!canKillMounts) return null;
  const device = openSync("/dev/fuse", "r+");
  const options = "fd=3,rootmode=40000,user_id=0,group_id=0,allow_other";
  const { status } = spawnSync(
    "mount",
    ["-i", "-c", "-t", "fuse", "-o", options, "postcard-dead", folder],
    { stdio: ["ignore", "ignore", "ignore", device] },
  );
  if (status !== 0) {
    closeSync(device);
    return null;
  }
  let isDead = true;
  return {
    /** Waiting processes get an error, and the folder below is back. */
    revive: () => {
      if (!isDead) return;
      isDead = false;
      closeSync(device);
      spawnSync("umount", ["-i", "-c", "-l", folder]);
    },
  };
}
