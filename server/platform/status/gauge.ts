import { Gauge, register } from "prom-client";

export type Values = [labels: Record<string, string>, value: number][];

export const one = (value: number | null | undefined): Values =>
  value === null || value === undefined ? [] : [[{}, value]];

/**
 * A gauge that is read on request, and how the values of several processes are combined. It has no value if
 * that is unknown, because the database is not available or there is none yet.
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
      // Without labels a reset would set 0, which would be taken for a value.
      if (values.length === 0 && labelNames.length === 0) this.remove();
    },
  });
  register.registerMetric(made);
}
