import { namesOf } from "#shared/records.ts";

type Declared = {
  /** of `accounts` */
  column: string;
  /** the default of a new member: the column's default */
  initial: boolean;
  archived: boolean;
  /** its name for apps, where everybody may read it; null: it is its owner's only */
  apps: "discoverable" | null;
  /** its switch in Settings; null: it is in the composer */
  shown: { under: "privacy" | "reading" | "posting"; label: string; hint: string } | null;
};

/**
 * Every switch that a member sets. The form, its call, the archive and what apps read and change are made
 * of this table; a new one is a row here, a migration, and its name in docs/export-format.md.
 */
export const settings = {
  showEmail: {
    column: "show_email",
    initial: false,
    archived: true,
    apps: null,
    shown: {
      under: "privacy",
      label: "Show my email",
      hint: "On: everyone sees it on your profile. Off: only you see it.",
    },
  },
  findableByEmail: {
    column: "findable_by_email",
    initial: true,
    archived: true,
    apps: null,
    shown: {
      under: "privacy",
      label: "Let people find me by my email",
      hint: "People who search for it, or part of it, see your name and picture.",
    },
  },
  /** one's own photos are among the recent ones of everybody */
  showInExplore: {
    column: "show_in_explore",
    initial: true,
    archived: true,
    apps: "discoverable",
    shown: {
      under: "privacy",
      label: "Show my photos to visitors",
      hint: "On the front page and in Search. Off: people find them on your profile.",
    },
  },
  /** what has a content warning is shown at once, below it */
  showVeiled: {
    column: "show_veiled",
    initial: false,
    archived: true,
    apps: null,
    shown: {
      under: "reading",
      label: "Always show photos with a content warning",
      hint: "And their words. Off: they wait until you press Show.",
    },
  },
  /** asked before photos without a description are posted */
  altReminder: {
    column: "reminds_to_describe",
    initial: false,
    archived: true,
    apps: null,
    shown: {
      under: "posting",
      label: "Remind me to describe photos",
      hint: "Before you post a photo without a description for people who can't see it.",
    },
  },
  /** the composer preselects showing camera details */
  showCamera: {
    column: "show_camera",
    initial: false,
    archived: true,
    apps: null,
    shown: null,
  },
} as const satisfies Record<string, Declared>;

export type SettingName = keyof typeof settings;
export type Switches = Record<SettingName, boolean>;
/** Those that everybody may read, as apps call them. */
export type OpenSettings = {
  [Name in SettingName as NonNullable<(typeof settings)[Name]["apps"]>]: boolean;
};

export const settingNames = namesOf(settings);
