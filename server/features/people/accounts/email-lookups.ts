import { AsyncLocalStorage } from "node:async_hooks";

/** The texts in lower case by which the current request may look accounts up, besides usernames. */
const counted = new AsyncLocalStorage<Set<string>>();

/**
 * Runs the work of a request. Within it an email finds only its own member before the budget of
 * look-ups counted it (search/email-searches.ts): an API that counts none has only usernames.
 * Outside of requests are jobs and the operator's commands, which no stranger reaches: there every
 * email works.
 */
export function countingEmailLookups<T>(work: () => T): T {
  return counted.run(new Set(), work);
}

/** Called once they were counted, or need no counting. */
export function allowLookups(addresses: readonly string[]): void {
  const allowed = counted.getStore();
  for (const address of addresses) allowed?.add(address);
}

/** Whether an email in lower case, or two addresses joined, may now be used to find an account. */
export function mayLookUp(address: string): boolean {
  return counted.getStore()?.has(address) ?? true;
}
