import { Gauge, register } from "prom-client";

export type Values = [labels: Record<string, string>, value: number][];

export const one = (value: number | null | undefined): Values =>
  value === null || value === undefined ? [] : [[{}, value]];

/**
 * A figure that is read when it is asked for, and how the processes' own are put together. One that nobody
 * knows, since the database is away or there is none yet, has no value.
 */
export function gauge(
  [name, help, labelNames = []]: readonly [name: string, help: string, labels?: string[]],
  read: () => Values | Promise<Values>,
  aggregator: "sum" | "min" | "max" = "sum",
): void {
  const made = new Gauge({
    name,
    help,
    labelNames,
    aggregator,
    registers: [],
    async collect() {
      const values = await (async () => read())().catch((): Values => []);
      this.reset();
      for (const [labels, value] of values) this.set(labels, value);
      // Without labels a reset is a 0, which somebody would believe.
      if (values.length === 0 && labelNames.length === 0) this.remove();
    },
  });
  register.registerMetric(made);
}
