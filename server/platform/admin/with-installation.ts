type Closed = { close: () => Promise<void> };

/** Opens an installation, does some work and closes it again, also when interrupted. Throws one sentence. */
export async function withInstallation<Installation extends Closed, Result>(
  open: () => Promise<Installation>,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const installation = await open();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => void installation.close().finally(() => process.exit(130)));
  }
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
