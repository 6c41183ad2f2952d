import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { timeOf, type NewId } from "#server/db/ids.ts";
import {
  findVisibleById,
  insertAccount,
  insertCompanions,
  isEmailTaken,
  pickUsername,
  setAvatar,
} from "#server/features/people/index.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import type { Activity } from "#server/features/identity/activity.ts";
import { writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { networkOf } from "#server/networks.ts";
import { hashPassword, refuseWeakPassword } from "#server/features/identity/passwords.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { isRefusal, refuse, type FieldErrors } from "#shared/errors.ts";
import { signUpInput, type SignUpInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { joinNames, searchName } from "#shared/text.ts";
import { usernameOf, usernameProblem } from "#shared/usernames.ts";
import type { Viewer } from "#shared/views.ts";

/** What sign-up needs of the images feature; `Received` is a picture stored but in no table yet. */
export type ProfilePictures<Received> = {
  /** `network`: who shares the decoder with others */
  receive: (picture: SignUpPicture, network: string) => Promise<Received>;
  record: (accountId: string, received: Received) => Promise<string>;
  claim: (accountId: string, imageId: string) => Promise<unknown>;
  discard: (received: Received) => Promise<void>;
};

/** A file that came with the form, or the address that a visitor's upload was answered with. */
export type SignUpPicture = ReceivedUpload | { address: string };

export type SignUpRequest = {
  email: string;
  password: string;
  firstName: string;
  secondName: string;
  picture: SignUpPicture | null;
  /** the code of an invitation, where sign-up asks for one */
  invitation?: string | null;
  client: ClientInfo;
};

export type AppSignUpRequest = Pick<
  SignUpRequest,
  "email" | "password" | "invitation" | "client"
> & {
  username: string;
  /** the rules of the place, which the program showed */
  agreed: boolean;
};

export type SignedIn = { viewer: Viewer; cookies: string[] };

/** What was asked for, once it is known to be right. */
type Wanted = SignUpInput & { fullName: string; invitation: string | null };

type Row = Wanted & { passwordHash: string; username: string };

/** The account whose rows were all written, committed or not. */
type Written = { accountId: string | null };

/** Whether somebody may make an account: looked at before the work, used with the account's rows. */
export type Admission = {
  check: (invitation: string | null) => Promise<void>;
  use: (invitation: string | null) => Promise<void>;
};

type Deps<Received> = {
  db: Database;
  log: Pick<Logger, "error">;
  newId: NewId;
  images: ProfilePictures<Received>;
  sessions: ReturnType<typeof createSessions>;
  limits: ReturnType<typeof createAttemptLimits>;
  devices: ReturnType<typeof createDevices>;
  admission: Admission;
  /** sends the letter that confirms the email */
  welcome: (accountId: string) => Promise<void>;
  activity: Pick<Activity, "note">;
};

/** How often a username that another sign-up took in the same moment is replaced. */
const usernameTries = 5;

export function createSignUp<Received>(deps: Deps<Received>) {
  const { db, log, newId, images, sessions, limits, devices, admission, welcome, activity } = deps;

  /**
   * Makes an account with its picture, counters, username, password and first session, or nothing
   * at all. Refuses with input-invalid, picture-required, email-in-use, too-many-attempts,
   * sign-up-closed, invitation-required.
   */
  async function withPassword(request: SignUpRequest): Promise<SignedIn> {
    const { client, picture, ...form } = request;
    const wanted = await validate(form);
    if (!picture) throw refuse("picture-required");
    const signedIn = await make({ wanted, picture, client }, (id) => startSession(id, client));
    // whoever used this browser before is signed out for good
    await sessions.end({ cookie: client.cookieHeader });
    return signedIn;
  }

  /**
   * The same by a program that has no picture to send and no use for a session: initials stand for the
   * picture, the username is the wished one or there is no account, and what `enter` makes is made in the
   * account's own transaction. Refuses as above, with all that is wrong at once, and with username-taken.
   */
  async function byApp<Entered>(
    { username: typed, agreed, client, ...form }: AppSignUpRequest,
    enter: (accountId: string) => Promise<Entered>,
  ): Promise<Entered> {
    const username = usernameOf(typed);
    const problem = usernameProblem(username);
    const names = { firstName: problem ? "" : username, secondName: "" };
    const fields: FieldErrors = {};
    if (problem) fields["username"] = problem;
    if (!agreed) fields["agreement"] = "required*";
    const wanted = await validate({ ...form, ...names }).catch((error: unknown) => {
      if (!isRefusal(error) || error.code !== "input-invalid") throw error;
      Object.assign(fields, error.fields);
    });
    if (!wanted || Object.keys(fields).length > 0) throw refuse("input-invalid", { fields });
    return make({ wanted, picture: null, client, username }, async (accountId) => {
      await activity.note(accountId, "signed-in", { detail: "sign-up", client });
      return enter(accountId);
    });
  }

  type Asked = {
    wanted: Wanted;
    picture: SignUpPicture | null;
    client: ClientInfo;
    username?: string;
  };

  async function make<Entered>(
    { wanted, picture, client, username: wished }: Asked,
    enter: (accountId: string) => Promise<Entered>,
  ): Promise<Entered> {
    const network = networkOf(client.ip);
    return counted(network, async () => {
      await checkAdmission(wanted);
      // Both take long: they are done before a connection is taken for the transaction.
      const received = picture && (await receivePicture(picture, network));
      return keepingPicture(received, async (written) => {
        const row = { ...wanted, passwordHash: await hashPassword(wanted.password) };
        return withFreeUsername({ ...row, wished }, (username) =>
          db.transaction(async () => {
            const accountId = await insertMember({ ...row, username });
            if (received) await attachPicture(accountId, received);
            await welcome(accountId);
            const entered = await enter(accountId);
            written.accountId = accountId;
            return entered;
          }),
        );
      });
    });
  }

  /** What succeeds counts as a sign-up of its network, what fails as a failure alone. */
  async function counted<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    const failure = await limits.count("sign-up-failures", network);
    const place = await limits.count("sign-ups", network).catch(async (error: unknown) => {
      await failure.refund();
      throw error;
    });
    const result = await work().catch(async (error: unknown) => {
      await place.refund();
      throw error;
    });
    await failure.refund();
    return result;
  }

  async function checkAdmission({ invitation, email }: Wanted): Promise<void> {
    await admission.check(invitation);
    if (await isEmailTaken(db, email.toLowerCase())) throw refuse("email-in-use");
  }

  /**
   * Whatever is wrong with the picture, the answer is the same; the reason stands by its field.
   * What is wrong with us is not the picture's fault.
   */
  async function receivePicture(picture: SignUpPicture, network: string): Promise<Received> {
    try {
      return await images.receive(picture, network);
    } catch (error) {
      if (!isRefusal(error) || error.status >= 500) throw error;
      throw refuse("picture-required", { fields: { picture: error.message }, cause: error });
    }
  }

  /** The picture goes again where no account came of it. */
  async function keepingPicture<Entered>(
    received: Received | null,
    work: (written: Written) => Promise<Entered>,
  ): Promise<Entered> {
    const written: Written = { accountId: null };
    try {
      return await work(written);
    } catch (error) {
      if (received) await discardPicture(received, written);
      throw error;
    }
  }

  /** Where the answer to the commit was lost, the account may be there, and needs its picture. */
  async function discardPicture(received: Received, { accountId }: Written): Promise<void> {
    try {
      if (accountId && (await findVisibleById(db, null, accountId))) return;
      await images.discard(received);
    } catch (error) {
      log.error({ err: error }, "a picture without an account is left for the sweep");
    }
  }

  /** Tries another username where somebody else took it in the same moment; a wished one is that or none. */
  async function withFreeUsername<Entered>(
    { fullName, email, wished }: Wanted & { wished: string | undefined },
    work: (username: string) => Promise<Entered>,
  ): Promise<Entered> {
    for (let attempt = 1; ; attempt += 1) {
      const username = wished ?? (await pickUsername(db, fullName));
      try {
        return await work(username);
      } catch (error) {
        if (!mayBeTaken(error)) throw error;
        if (await isEmailTaken(db, email.toLowerCase())) {
          throw refuse("email-in-use", { cause: error });
        }
        if (wished !== undefined) throw refuse("username-taken", { cause: error });
        if (attempt === usernameTries) throw error;
      }
    }
  }

  /** The account with its companions and its password; its id. */
  async function insertMember(row: Row): Promise<string> {
    const { username, email, firstName, secondName, fullName } = row;
    const id = newId();
    await insertAccount(db, {
      id,
      username,
      email: email.toLowerCase(),
      email_as_typed: email,
      first_name: firstName,
      second_name: secondName,
      full_name: fullName,
      search_name: searchName(fullName, username),
      // as old as its id says
      created_at: new Date(timeOf(id)),
    });
    await admission.use(row.invitation);
    await insertCompanions(db, { id, username });
    await writePasswordHash(db, { id: newId(), accountId: id, hash: row.passwordHash });
    return id;
  }

  async function attachPicture(accountId: string, received: Received): Promise<void> {
    const imageId = await images.record(accountId, received);
    await images.claim(accountId, imageId);
    await setAvatar(db, accountId, imageId);
  }

  async function startSession(accountId: string, client: ClientInfo): Promise<SignedIn> {
    await activity.note(accountId, "signed-in", { detail: "sign-up", client });
    const started = await sessions.start(accountId, client);
    if (!started) throw refuse("internal");
    const { viewer, cookie } = started;
    const device = await devices.remember(client.cookieHeader, viewer.email.toLowerCase());
    return { viewer, cookies: [cookie, device] };
  }

  return { withPassword, byApp };
}

/** What was typed, as it will be written down. */
async function validate({ invitation, ...form }: Omit<SignUpRequest, "client" | "picture">) {
  const input = parseInput(signUpInput, form);
  const { email, firstName, secondName } = input;
  const fullName = joinNames(firstName, secondName);
  await refuseWeakPassword(input.password, { email, fullName });
  return { ...input, fullName, invitation: invitation ?? null };
}

/** Whether somebody else's email or username may have been in the way. */
function mayBeTaken(error: unknown): boolean {
  return (
    // a deleted account's name
    (isRefusal(error) && error.code === "username-taken") ||
    // 23505 unique_violation (PostgreSQL, Appendix A)
    (error as { code?: unknown }).code === "23505"
  );
}
