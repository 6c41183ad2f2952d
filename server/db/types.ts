import type { CameraView } from "#shared/photo-details.ts";
import type { Generated } from "kysely";
import type { ChosenKind, NotificationKind } from "#shared/notification-kinds.ts";
import type { PostChoices, postChoices } from "#shared/posts.ts";
import type { OperatorAct } from "#shared/operator.ts";
import type { ReportReason, ReportSubject, VerdictAct } from "#shared/report-kinds.ts";
import type { profileFields } from "#shared/profiles.ts";
import type { settings } from "#shared/settings.ts";

/** A picture whose files lie in a store under `key`. */
export type StoredPicture = {
  key: string;
  width: number;
  height: number;
  widths: number[];
  thumbhash: Buffer;
  bytes: number;
  media_type: string;
};

/** One that grids show, too: how much of what is cut there is cut at its beginning, percent. */
export type ServedPicture = StoredPicture & { focus: number | null };

/** What the moderation log tells. */
export type LogAct =
  VerdictAct | "answer" | "kept" | "lifted" | "restore" | "role-given" | "role-taken";

/** Columns of fields that are declared in shared/. */
type Declared<Fields extends Record<string, { column: string }>, Value> = {
  [Name in keyof Fields as Fields[Name]["column"]]: Generated<Value>;
};
type ChosenOfPosts = {
  [Name in keyof PostChoices as (typeof postChoices)[Name]["column"]]: Generated<PostChoices[Name]>;
};
type DeclaredOfAccounts = Declared<typeof settings, boolean> &
  Declared<typeof profileFields, string>;

/** Row types of the tables in server/db/migrations, as Kysely reads them. Times are Dates, ids UUIDv7 text. */
export type Tables = {
  accounts: DeclaredOfAccounts & {
    id: string;
    username: string;
    email: string;
    email_as_typed: string;
    email_verified: Generated<boolean>;
    full_name: Generated<string>;
    search_name: Generated<string>;
    avatar_image_id: string | null;
    alt_reminder: Generated<boolean>;
    username_changed_at: Date | null;
    credentials_changed_at: Generated<Date>;
    role: Generated<"member" | "moderator" | "operator">;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    suspended_at: Date | null;
    suspended_until: Date | null;
    deleted_at: Date | null;
    deletion_due_at: Date | null;
    deletion_begun_at: Date | null;
  };
  retired_usernames: { digest: Buffer };
  usernames: { username: string; account_id: string; taken_at: Generated<Date> };
  account_counters: {
    account_id: string;
    posts: Generated<number>;
    /** of them with a photo; kept by triggers */
    photos: Generated<number>;
    last_post_number: Generated<number>;
    followers: Generated<number>;
    following: Generated<number>;
  };
  feed_visits: {
    account_id: string;
    seen_id: string;
    line_id: string | null;
    reached: boolean;
  };
  home_lists: {
    account_id: string;
    floor_id: string | null;
    left_out: Generated<number>;
    read_at: Generated<Date>;
  };
  home_entries: { account_id: string; post_id: string; author_id: string };
  /** written by a trigger */
  home_pending: { post_id: string; author_id: string };
  /** `bytes` is kept by triggers */
  newcomers_storage: { joined_day: number; bytes: Generated<string> };
  account_storage: { account_id: string; bytes: Generated<string>; quota: string | null };
  credentials: {
    id: string;
    account_id: string;
    provider_id: string;
    subject: string;
    password: string | null;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: Date | null;
    refresh_token_expires_at: Date | null;
    scope: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  sessions: {
    id: string;
    /** readable only while the version before 0086 may run beside this one */
    token: string | null;
    /** SHA-256; a trigger makes it where only the token is written */
    token_hash: Buffer;
    account_id: string;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    used_at: Generated<Date>;
    confirmed_at: Date | null;
    read_after: string | null;
  };
  email_changes: {
    account_id: string;
    id: string;
    old_email: string;
    new_email: string;
    old_verified: boolean;
    created_at: Generated<Date>;
    confirmed_at: Date | null;
    withdrawn_at: Date | null;
  };
  two_factors: {
    account_id: string;
    secret: string;
    confirmed_at: Date | null;
    last_step: Generated<string>;
    created_at: Generated<Date>;
  };
  recovery_codes: { account_id: string; hash: string };
  pending_sign_ins: { token_hash: string; account_id: string; expires_at: Date };
  passkeys: {
    id: string;
    account_id: string;
    name: string;
    credential_id: string;
    public_key: string;
    counter: number;
    device_type: string;
    backed_up: boolean;
    transports: Generated<string>;
    aaguid: string | null;
    created_at: Generated<Date>;
    used_at: Date | null;
  };
  mailed_links: {
    token_hash: Buffer;
    account_id: string;
    detail: string;
    revocable: boolean;
    expires_at: Date;
  };
  passkey_challenges: {
    token_hash: Buffer;
    account_id: string | null;
    challenge: string;
    expires_at: Date;
  };
  /** of the version before 0086; triggers keep it in step with the two above */
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  provider_attempts: {
    id: string;
    state_hash: Buffer;
    browser_hash: Buffer;
    provider: string;
    account_id: string | null;
    in_popup: boolean;
    nonce: string;
    code_verifier: string;
    return_to: string;
    invitation: string | null;
    follow_id: string | null;
    returned_at: Date | null;
    outcome: string | null;
    expires_at: Date;
  };
  images: ServedPicture & {
    focal_x: number | null;
    focal_y: number | null;
    avif_widths: number[] | null;
    frames: number | null;
    moving_width: number | null;
    camera: CameraView | null;
    latitude: number | null;
    longitude: number | null;
    account_id: string;
    id: string;
    created_at: Generated<Date>;
    claimed_at: Date | null;
    draft_until: Date | null;
  };
  uploads: {
    account_id: string;
    id: string;
    bytes: number;
    received: Generated<string>;
    touched_at: Generated<Date>;
    image_id: string | null;
    refused: string | null;
    making_until: Date | null;
  };
  posts: ChosenOfPosts & {
    author_id: string;
    id: string;
    number: number;
    caption: Generated<string>;
    picture_count: Generated<number>;
    like_count: Generated<number>;
    comment_count: Generated<number>;
    time_zone: Generated<string>;
    client_key: string | null;
    created_at: Generated<Date>;
    imported_at: Date | null;
    version: Generated<number>;
    edited_at: Date | null;
    hidden_from_explore_at: Date | null;
  };
  alt_suggestions: {
    author_id: string;
    image_id: string;
    account_id: string;
    post_id: string;
    id: string;
    alt: string;
  };
  muted_words: { account_id: string; words: string[] };
  recent_photos: { author_id: string; post_id: string };
  post_versions: {
    author_id: string;
    post_id: string;
    version: number;
    caption: string;
    replaced_at: Date;
  };
  post_tags: { author_id: string; post_id: string; tag: string };
  untagged_posts: { author_id: string; post_id: string };
  deleted_posts: {
    author_id: string;
    number: number;
    created_at: Date;
    client_key: string | null;
  };
  post_pictures: {
    author_id: string;
    post_id: string;
    position: number;
    image_id: string;
    alt: Generated<string>;
  };
  follows: { follower_id: string; followee_id: string; id: string; listed: Generated<boolean> };
  followers: { followee_id: string; follower_id: string; id: string; listed: Generated<boolean> };
  likes: { author_id: string; post_id: string; account_id: string; id: string };
  comments: {
    author_id: string;
    post_id: string;
    id: string;
    account_id: string;
    body: string;
    client_key: string | null;
    created_at: Generated<Date>;
    root_id: string | null;
    reply_count: Generated<number>;
    like_count: Generated<number>;
    edited_at: Date | null;
  };
  comment_likes: {
    author_id: string;
    post_id: string;
    comment_id: string;
    account_id: string;
    id: string;
  };
  bookmarks: {
    account_id: string;
    author_id: string;
    post_id: string;
    id: string;
    has_picture: boolean;
  };
  conversations: {
    id: string;
    low_id: string | null;
    high_id: string | null;
    last_seq: Generated<number>;
    last_message_id: string | null;
    last_xid: string | null;
  };
  conversation_members: {
    account_id: string;
    conversation_id: string;
    read_seq: Generated<number>;
    muted: Generated<boolean>;
    unread: Generated<boolean>;
  };
  messages: {
    conversation_id: string;
    seq: number;
    id: string;
    sender_id: string;
    body: Generated<string>;
    has_picture: Generated<boolean>;
    deleted_at: Date | null;
    client_key: string | null;
    xid: Generated<string>;
  };
  message_pictures: StoredPicture & { conversation_id: string; seq: number; account_id: string };
  imported_threads: {
    account_id: string;
    id: string;
    other_username: string | null;
    other_name: string | null;
    newest_at: Date;
  };
  imported_messages: {
    account_id: string;
    thread_id: string;
    number: number;
    id: string;
    sent: boolean;
    body: Generated<string>;
    deleted: Generated<boolean>;
    sent_at: Date;
    picture_width: number | null;
    picture_height: number | null;
    imported_at: Generated<Date>;
  };
  imported_pictures: StoredPicture & { account_id: string; thread_id: string; number: number };
  exports: {
    account_id: string;
    id: string;
    state: Generated<"waiting" | "ready" | "failed" | "removed">;
    done: Generated<number>;
    total: Generated<number>;
    bytes: string | null;
    created_at: Generated<Date>;
    finished_at: Date | null;
    expires_at: Date | null;
  };
  imports: {
    account_id: string;
    id: string;
    state: Generated<"waiting" | "done" | "failed">;
    done: Generated<number>;
    total: Generated<number>;
    taken: Generated<number>;
    known: Generated<number>;
    messages_done: Generated<number>;
    messages_total: Generated<number>;
    messages_taken: Generated<number>;
    messages_known: Generated<number>;
    problem: string | null;
    checked: Generated<boolean>;
    skipped: Generated<string[]>;
    created_at: Generated<Date>;
    finished_at: Date | null;
  };
  idempotency_keys: {
    account_id: string;
    key: string;
    fingerprint: Buffer;
    status: number | null;
    answer: unknown;
    created_at: Generated<Date>;
  };
  visitor_images: ServedPicture & {
    id: string;
    uploader: string;
    created_at: Generated<Date>;
  };
  blocks: { account_id: string; other_id: string; own: boolean; id: string };
  mutes: { account_id: string; muted_id: string; id: string };
  dismissed_suggestions: { account_id: string; dismissed_id: string; id: string };
  notifications: {
    account_id: string;
    id: string;
    kind: NotificationKind;
    subject_id: string;
    author_id: string | null;
    post_id: string | null;
    latest_id: string;
    unread: Generated<boolean>;
  };
  notification_acts: { account_id: string; id: string; notification_id: string; actor_id: string };
  notification_settings: {
    account_id: string;
    unwanted: Generated<ChosenKind[]>;
    digest: Generated<boolean>;
    digested_at: Date | null;
  };
  push_subscriptions: {
    account_id: string;
    id: string;
    session_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: Generated<Date>;
  };
  app_push_subscriptions: {
    account_id: string;
    id: string;
    token_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    standard: boolean;
    alerts: string[];
    policy: "all" | "followed" | "follower" | "none";
    created_at: Generated<Date>;
  };
  account_activity: {
    account_id: string;
    id: string;
    kind: string;
    detail: Generated<string>;
    network: Generated<string>;
    user_agent: Generated<string>;
    count: Generated<number>;
    last_at: Generated<Date>;
    bucket: string;
  };
  moderation_cases: {
    account_id: string;
    id: string;
    subject: ReportSubject;
    subject_id: string;
    author_id: string | null;
    post_id: string | null;
    conversation_id: string | null;
    seq: number | null;
    said: Generated<string>;
    has_copy: Generated<boolean>;
    reports: Generated<number>;
    reasons: Generated<ReportReason[]>;
    state: Generated<"reported" | "answered" | "closed">;
    waits_id: string;
    closed_at: Date | null;
  };
  reports: {
    reporter_id: string;
    id: string;
    account_id: string;
    case_id: string;
    reason: ReportReason;
    words: string;
    said: string | null;
  };
  case_pictures: {
    account_id: string;
    case_id: string;
    key: string;
    place: number;
    width: number;
    height: number;
    alt: Generated<string>;
    bytes: Buffer;
  };
  verdicts: {
    account_id: string;
    id: string;
    case_id: string;
    act: VerdictAct;
    taken_down: boolean;
    reason: string;
    until: Date | null;
    moderator_id: string | null;
    answer: string | null;
    answered_at: Date | null;
    outcome: "kept" | "lifted" | null;
    outcome_reason: string | null;
    outcome_at: Date | null;
  };
  moderation_log: {
    id: string;
    at: Generated<Date>;
    actor_id: string | null;
    account_id: string;
    case_id: string | null;
    act: LogAct;
    subject: ReportSubject | null;
    subject_id: string | null;
    until: Date | null;
  };
  email_searches: { subject: string; queries: Record<string, number>; expires_at: Date };
  installation: {
    is_only: Generated<boolean>;
    secrets_hash: Buffer | null;
    pictures_id: string | null;
    pictures_at: string | null;
    read_after: string | null;
    former_version_until: Generated<Date>;
  };
  read_floors: { slot: number; read_after: string | null };
  operator_settings: { key: string; value: unknown; updated_at: Generated<Date> };
  invitations: {
    code_hash: Buffer;
    created_at: Generated<Date>;
    expires_at: Date;
    used_at: Date | null;
    id: Generated<string>;
    note: Generated<string>;
  };
  operator_link: {
    is_only: Generated<boolean>;
    token_hash: Buffer;
    expires_at: Date;
    used_at: Date | null;
  };
  operator_log: {
    id: string;
    at: Generated<Date>;
    actor_id: string | null;
    account_id: string | null;
    act: OperatorAct;
    detail: Generated<string>;
  };
  failed_jobs: {
    id: string;
    name: string;
    data: Record<string, unknown>;
    error: string;
    failed_at: Generated<Date>;
  };
  recent_errors: { id: string; at: Generated<Date>; message: string; detail: Generated<string> };
  troubles: {
    id: string;
    kind: string;
    place: string;
    said: string;
    recovery: string | null;
    began_at: Generated<Date>;
    seen_at: Generated<Date>;
    told_at: Generated<Date>;
    ended_at: Date | null;
  };
  backup_runs: {
    folder: string;
    known_since: Generated<Date>;
    failure: Generated<string>;
    rotten: Generated<string[]>;
    free_bytes: string | null;
    disk_bytes: string | null;
  };
  doctor_round: {
    is_only: Generated<boolean>;
    started_at: Date;
    ended_at: Date | null;
    findings: Generated<unknown>;
  };
  backup_folders: {
    path: string;
    is_ours: Generated<boolean>;
    look_began_at: Date | null;
    looked_at: Date | null;
    state: Generated<string>;
    backups: Generated<unknown>;
  };
  apps: {
    id: string;
    client_id: string;
    secret_hash: Buffer;
    name: string;
    website: string;
    redirect_uris: string[];
    scopes: string[];
    created_at: Generated<Date>;
  };
  app_codes: {
    code_hash: Buffer;
    app_id: string;
    account_id: string;
    redirect_uri: string;
    scopes: string[];
    challenge: string | null;
    expires_at: Date;
  };
  app_tokens: {
    token_hash: Buffer;
    id: string;
    app_id: string;
    account_id: string | null;
    scopes: string[];
    created_at: Generated<Date>;
    used_at: Generated<Date>;
    code_hash: Buffer | null;
    code_challenge: string | null;
  };
  image_descriptions: { account_id: string; image_id: string; alt: string };
  read_markers: {
    account_id: string;
    timeline: string;
    last_read_id: string;
    version: Generated<number>;
    updated_at: Generated<Date>;
  };
  rate_limits: { key: string; points: Generated<number>; expire: string | null };
};
