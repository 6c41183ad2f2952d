import type { DrilledData } from "#server/platform/backup/drill-folder.ts";
import type { Config } from "#server/config.ts";

/** What commands about backups need of the product. */
export type ProductData = DrilledData & {
  /**
   * Deletes the accounts with these hashes of their ids in an installation that is being restored; answers how
   * many there were
   */
  deleteAgain: (config: Config, accounts: ReadonlySet<string>) => Promise<number>;
};
