/** The result of the form that suggests alt text. */
export type Sent = {
  /** all suggestions were sent to the photos' author */
  done: boolean;
  /** the typed texts, by the key of their photo */
  typed: Record<string, string>;
  /** their errors, likewise */
  wrong: Record<string, string>;
  problem: { code: string; message: string } | null;
};

export const nothingSent: Sent = { done: false, typed: {}, wrong: {}, problem: null };
