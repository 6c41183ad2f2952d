import { namesOf } from "#shared/records.ts";

type Declared = {
  /** of `accounts` */
  column: string;
  /** the default of a new member: the column's default */
  initial: boolean;
  archived: boolean;
  /** its name for apps, where everybody may read it; null: it is its owner's only */
  apps: "discoverable" | null;
  /** the heading of its switch in Settings; null: it is in the composer */
  under: "privacy" | "reading" | "posting" | null;
};

/**
 * Every switch that a member sets. The form, its call, the archive and what apps read and change are made
 * of this table; a new one is a row here, a migration, its name in docs/export-format.md, and its words beside the
 * form (app/features/settings).
 */
export const settings = {
  showEmail: {
    column: "show_email",
    initial: false,
    archived: true,
    apps: null,
    under: "privacy",
  },
  findableByEmail: {
    column: "findable_by_email",
    initial: true,
    archived: true,
    apps: null,
    under: "privacy",
  },
  /** one's own photos are among the recent ones of everybody */
  showInExplore: {
    column: "show_in_explore",
    initial: true,
    archived: true,
    apps: "discoverable",
    under: "privacy",
  },
  /** what has a content warning is shown at once, below it */
  showVeiled: {
    column: "show_veiled",
    initial: false,
    archived: true,
    apps: null,
    under: "reading",
  },
  /** asked before photos without a description are posted */
  altReminder: {
    column: "reminds_to_describe",
    initial: false,
    archived: true,
    apps: null,
    under: "posting",
  },
  /** the composer preselects showing camera details */
  showCamera: {
    column: "show_camera",
    initial: false,
    archived: true,
    apps: null,
    under: null,
  },
} as const satisfies Record<string, Declared>;

export type SettingName = keyof typeof settings;
export type Switches = Record<SettingName, boolean>;
/** Those that everybody may read, as apps call them. */
export type OpenSettings = {
  [Name in SettingName as NonNullable<(typeof settings)[Name]["apps"]>]: boolean;
};

export const settingNames = namesOf(settings);
