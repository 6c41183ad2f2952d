import type { ClientInfo } from "#server/features/types.ts";
import type { Activity } from "#server/features/identity/activity.ts";
import { writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import {
  checkAdmission,
  insertNewAccount,
  withFreeUsername,
  type AdmissionDeps,
  type Wanted,
} from "#server/features/identity/new-account.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { isUsernameTaken } from "#server/features/people/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import { hashPassword, refuseWeakPassword } from "#server/features/identity/passwords.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import {
  attachAvatar,
  withAvatarCleanup,
  receiveAvatar,
  type AvatarDeps,
  type SignUpAvatar,
} from "#server/features/identity/sign-up-avatar.ts";
import { isRefusal, refuse, type FieldErrors } from "#shared/errors.ts";
import { signUpInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { joinNames } from "#shared/text.ts";
import { usernameOf, usernameProblem } from "#shared/usernames.ts";
import type { Viewer } from "#shared/views.ts";

export type SignUpRequest = {
  email: string;
  password: string;
  firstName: string;
  secondName: string;
  /** the one they chose; empty: made from the names */
  username?: string;
  picture: SignUpAvatar | null;
  /** the code of an invitation, where sign-up asks for one */
  invitation?: string | null;
  client: ClientInfo;
};

export type AppSignUpRequest = Pick<
  SignUpRequest,
  "email" | "password" | "invitation" | "client"
> & {
  username: string;
  /** the rules of the site, which the program showed */
  agreed: boolean;
};

export type SignedIn = { viewer: Viewer; cookies: string[] };

type Deps<Received> = AvatarDeps<Received> &
  AdmissionDeps &
  Entering & {
    limits: AttemptLimits;
    /** sends the email that confirms the address */
    welcome: (accountId: string) => Promise<void>;
  };

type Entering = {
  sessions: ReturnType<typeof createSessions>;
  devices: ReturnType<typeof createDevices>;
  activity: Pick<Activity, "note">;
};

type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/** Called in the account's transaction, once its rows are written. */
type Enter<Entered> = (accountId: string) => Promise<Entered>;

export function createSignUp<Received>(deps: Deps<Received>) {
  return {
    withPassword: (request: SignUpRequest) => withPassword(deps, request),
    byApp: <Entered>(request: AppSignUpRequest, enter: Enter<Entered>) =>
      byApp(deps, request, enter),
  };
}

/**
 * Makes an account with its avatar, counters, username, password and first session, or nothing at
 * all. Refuses with input-invalid, picture-required, email-in-use, username-taken,
 * too-many-attempts, sign-up-closed, invitation-required.
 */
async function withPassword<Received>(
  deps: Deps<Received>,
  request: SignUpRequest,
): Promise<SignedIn> {
  const { client, picture, username: typed = "", ...form } = request;
  const username = usernameOf(typed);
  const problem = username === "" ? null : usernameProblem(username);
  const wanted = await validate(form, problem === null ? {} : { username: problem });
  if (!picture) throw refuse("picture-required");
  const asked = { wanted, picture, client, username: username || undefined };
  const signedIn = await make(deps, asked, (id) => startSession(deps, id, client));
  // an earlier session of this browser is signed out for good
  await deps.sessions.end({ cookie: client.cookieHeader });
  return signedIn;
}

/**
 * The same by a program that sends no image and needs no session: initials replace the avatar, the
 * username is the requested one or the sign-up fails, and `enter` runs in the account's
 * transaction. Refuses as above, with all problems at once, and with username-taken.
 */
async function byApp<Received, Entered>(
  deps: Deps<Received>,
  { username: typed, agreed, client, ...form }: AppSignUpRequest,
  enter: Enter<Entered>,
): Promise<Entered> {
  const username = usernameOf(typed);
  const problem = usernameProblem(username);
  const names = { firstName: problem ? "" : username, secondName: "" };
  const fields: FieldErrors = {};
  if (problem) fields["username"] = problem;
  if (!agreed) fields["agreement"] = "required*";
  const wanted = await validate({ ...form, ...names }, fields);
  return make(deps, { wanted, picture: null, client, username }, async (accountId) => {
    await deps.activity.note(accountId, "signed-in", { detail: "sign-up", client });
    return enter(accountId);
  });
}

type Asked = {
  wanted: Wanted;
  picture: SignUpAvatar | null;
  client: ClientInfo;
  username: string | undefined;
};

async function make<Received, Entered>(
  deps: Deps<Received>,
  { wanted, picture, client, username: wished }: Asked,
  enter: Enter<Entered>,
): Promise<Entered> {
  const { db, images, welcome } = deps;
  const network = networkOf(client.ip);
  return counted(deps.limits, network, async () => {
    await checkAdmission(deps, wanted);
    if (wished !== undefined && (await isUsernameTaken(db, wished))) {
      throw refuse("username-taken");
    }
    // Both are slow: they are done before a connection is taken for the transaction.
    const received = picture && (await receiveAvatar(images, picture, network));
    return withAvatarCleanup(deps, received, async (written) => {
      const hash = await hashPassword(wanted.password);
      return withFreeUsername(db, { ...wanted, wished }, (username) =>
        db.transaction(async () => {
          const accountId = await insertNewAccount(deps, {
            ...wanted,
            username,
            chosen: wished !== undefined,
          });
          await writePasswordHash(db, { id: deps.newId(), accountId, hash });
          if (received) await attachAvatar(deps, accountId, received);
          await welcome(accountId);
          const entered = await enter(accountId);
          written.accountId = accountId;
          return entered;
        }),
      );
    });
  });
}

/** A success counts as a sign-up of its network, a failure only as a failure. */
async function counted<Result>(
  limits: AttemptLimits,
  network: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const failure = await limits.count("sign-up-failures", network);
  const signUp = await limits.count("sign-ups", network).catch(async (error: unknown) => {
    await failure.refund();
    throw error;
  });
  const result = await work().catch(async (error: unknown) => {
    await signUp.refund();
    throw error;
  });
  await failure.refund();
  return result;
}

async function startSession(
  { activity, sessions, devices }: Entering,
  accountId: string,
  client: ClientInfo,
): Promise<SignedIn> {
  await activity.note(accountId, "signed-in", { detail: "sign-up", client });
  const started = await sessions.start(accountId, client);
  if (!started) throw refuse("internal");
  const { viewer, cookie } = started;
  const device = await devices.remember(client.cookieHeader, viewer.email.toLowerCase());
  return { viewer, cookies: [cookie, device] };
}

type Form = Omit<SignUpRequest, "client" | "picture" | "username">;

/** The input as it will be stored; refuses with its problems and those found before, all at once. */
async function validate(form: Form, problems: FieldErrors): Promise<Wanted> {
  const wanted = await parseForm(form).catch((error: unknown) => {
    if (!isRefusal(error) || error.code !== "input-invalid") throw error;
    Object.assign(problems, error.fields);
  });
  if (wanted && Object.keys(problems).length === 0) return wanted;
  throw refuse("input-invalid", { fields: problems });
}

async function parseForm({ invitation, ...form }: Form): Promise<Wanted> {
  const input = parseInput(signUpInput, form);
  const { email, firstName, secondName } = input;
  const fullName = joinNames(firstName, secondName);
  await refuseWeakPassword(input.password, { email, fullName });
  return { ...input, fullName, invitation: invitation ?? null };
}
