import { randomBytes } from "node:crypto";
import { timeOf } from "#server/platform/db/ids.ts";
import type { AdministeredAccount } from "#server/features/administration/index.ts";
import { isRefusal } from "#shared/errors.ts";
import { joinNames } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";
import { withPainted } from "./photos/painted.ts";
import { subjectOf } from "./photos/subjects.ts";
import { randomOf } from "./random.ts";
import { atOnce, type Tools } from "./tools.ts";
import { type DemoAccount, span, type DemoPlan } from "./plan.ts";

/** Null for an account that is deleted or suspended: the town goes on without it. */
export type Member = Viewer | null;

/**
 * Signs up the missing accounts. The town's first day is counted back from the time in the id of the first
 * existing account, so that a town finished tomorrow has the same calendar.
 */
export async function createAccounts(
  plan: DemoPlan,
  tools: Tools,
): Promise<{ members: Member[]; start: number }> {
  const known = await Promise.all(
    plan.people.map((person) => atOnce(() => findAccount(person, tools))),
  );
  const eldest = known.findIndex((account) => account !== null);
  const start =
    eldest === -1
      ? Date.now() - span
      : timeOf((known[eldest] as Account).id) - (plan.people[eldest] as DemoAccount).joined;
  const count = tools.progress.begin("People", plan.people.length);
  const members = await Promise.all(
    plan.people.map((person, index) =>
      atOnce(async () => {
        const member = await createAccount(person, known[index] ?? null, { plan, tools, start });
        if (!member) tools.skipped.count("person");
        count();
        return member;
      }),
    ),
  );
  return { members, start };
}

type Account = Pick<AdministeredAccount, "id" | "username" | "suspendedAt" | "deletionDueAt">;

/**
 * Finds accounts as the operator does: also those that are suspended, being deleted, or not to be found by
 * email.
 */
async function findAccount({ email }: DemoAccount, { features }: Tools): Promise<Account | null> {
  try {
    return await features.administration.find(email);
  } catch (error) {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  }
}

type Creation = { plan: DemoPlan; tools: Tools; start: number };

async function createAccount(
  person: DemoAccount,
  known: Account | null,
  settling: Creation,
): Promise<Member> {
  if (known?.suspendedAt || known?.deletionDueAt) return null;
  const viewer = known ? viewerFrom(person, known) : await signUp(person, settling);
  // A run that was killed right after the sign-up left this undone.
  const { profiles } = settling.tools.features;
  const profile = await profiles.get(viewer, viewer.id);
  const { first: firstName, second: secondName, bio } = person;
  if (profile?.bio === "" && bio !== "")
    await profiles.edit(viewer, { firstName, secondName, bio });
  return viewer;
}

async function signUp(person: DemoAccount, { plan, tools, start }: Creation): Promise<Viewer> {
  const { features, clock, secretFor } = tools;
  // Nobody signs in as the others, so nobody knows their passwords; hashing one costs 35 ms.
  const password =
    person.index < 2 ? secretFor(person.email) : randomBytes(24).toString("base64url");
  const client = { ip: "127.0.0.1", userAgent: "npm run demo", cookieHeader: "" };
  const { first: firstName, second: secondName, email } = person;
  return withPainted(avatarOf(person, plan), tools, async (avatar) => {
    const { viewer, cookies } = await clock.at(start + person.joined, () =>
      features.identity.signUp.withPassword({
        email,
        password,
        firstName,
        secondName,
        picture: avatar,
        client,
      }),
    );
    const cookie = cookies.map((set) => set.split(";", 1)[0]).join("; ");
    await features.identity.sessions.signOut({ cookie });
    return viewer;
  });
}

/** The features ask who acts, not by which session. */
function viewerFrom(person: DemoAccount, { id, username }: Account): Viewer {
  const { first: firstName, second: secondName, email } = person;
  const name = joinNames(firstName, secondName) || username;
  return {
    id,
    username,
    name,
    avatar: null,
    emailVerified: true,
    sessionId: "",
    email,
    firstName,
    secondName,
  };
}

/** A drawn face; some accounts have a photo instead. */
function avatarOf(person: DemoAccount, { seed }: DemoPlan) {
  const random = randomOf(seed, "avatar", person.index);
  const keys = [seed, "portrait", person.index];
  if (random.chance(0.87)) return { keys, portrait: person.look };
  return { keys, subject: subjectOf(person.tastes, random), width: 640, height: 640 };
}
