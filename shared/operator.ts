import type { AccountSummary } from "#shared/views.ts";

/** The roles: an operator moderates, too. */
export const roles = ["member", "moderator", "operator"] as const;
export type Role = (typeof roles)[number];

/** The entries of the operators' log. */
export type OperatorAct =
  | "first-operator"
  | "suspend"
  | "restore"
  | "reset-link"
  | "second-step-off"
  | "role"
  | "quota"
  | "delete"
  | "setting"
  | "invite"
  | "invitation-withdrawn"
  | "hide-from-explore"
  | "job-retried";

/**
 * A line of the operators' log; a deleted account is null, as is the command line's actor. Times are epoch
 * ms.
 */
export type OperatorLogEntry = {
  id: string;
  at: number;
  actorId: string | null;
  actor: AccountSummary | null;
  accountId: string | null;
  account: AccountSummary | null;
  act: OperatorAct;
  detail: string;
};

/** An invitation that has not expired; its code is known only to those who got it. Times are epoch ms. */
export type InvitationView = {
  id: string;
  note: string;
  used: boolean;
  madeAt: number;
  endsAt: number;
};

/** Jobs of one name that are waiting or running, and those that are minutes late. */
export type JobCount = { name: string; waiting: number; late: number };

/** A job that was given up. */
export type FailedJob = { id: string; name: string; error: string; failedAt: number };

/** A line of the error log, without personal data. */
export type LoggedError = { id: string; at: number; message: string; detail: string };

/** One check of the doctor, and what to do about it. */
export type DoctorFinding = {
  state: "ok" | "note" | "problem" | "fixed";
  about: string;
  text: string;
};

/**
 * Something that an operator has to see to: one sentence, and what it is about, which decides what the page
 * offers to do. `since` is epoch ms where it is known; `amount` the number in the sentence, bytes of a disk, where the
 * page can say it in its own language.
 */
export type Need = {
  about: "backups" | "backups-off" | "mail-off" | "disk" | "photos" | "jobs" | "late" | "checks";
  text: string;
  since: number | null;
  amount: number | null;
};

/** The last round of the doctor; `endedAt` is null while it is running. */
export type DoctorRound = {
  startedAt: number;
  endedAt: number | null;
  findings: DoctorFinding[];
};
