/** What became of the form that suggests alt text. */
export type Sent = {
  /** all of it is on its way to the photos' author */
  done: boolean;
  /** what was typed, by the key of its photo */
  typed: Record<string, string>;
  /** what is wrong with it, likewise */
  wrong: Record<string, string>;
  problem: { code: string; message: string } | null;
};

export const nothingSent: Sent = { done: false, typed: {}, wrong: {}, problem: null };
