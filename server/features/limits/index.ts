// How much one person may do: attempts, writes per hour, space for photos.
export {
  createAttemptLimits,
  type CountedAttempt,
  type LimitKind,
  type LimitNumbers,
} from "#server/features/limits/limits.ts";
export { createStorage, type Storage } from "#server/features/limits/storage/storage.ts";
export {
  createWriteRates,
  type WriteRates,
} from "#server/features/limits/write-rates/write-rates.ts";
