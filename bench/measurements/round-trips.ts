import type { AddressInfo } from "node:net";
import { createApp } from "#server/app.ts";
import { noHints } from "#server/platform/db/hints.ts";
import type { Screens } from "#server/screens.ts";
import type { Member, Product } from "../product.ts";
import type { Figure } from "../table.ts";

export type RoundTrips = { screen: string; session: number; forOne: number; forMany: number };

/** Statements a screen may send besides the look-up of the session. */
export const mostRoundTrips = 2;

/** A screen with one item to show, and the same with a page full of them. */
export type ScreenPair = {
  screen: string;
  one: { path: string; member: Member };
  many: { path: string; member: Member };
};

/** The whole product in this process, including screens. */
export function openApp(product: Product, screens: Screens) {
  const { config, db, features, store, log } = product;
  const pictures = { isReady: async () => true, onDisk: <T>(look: () => Promise<T>) => look() };
  return createApp({ config, db, features, store, pictures, hints: noHints, log, screens });
}

/**
 * Counts the statements of screens requested over HTTP: each is one round trip. The look-up of the session is
 * counted separately by asking who is signed in, which needs nothing else.
 */
export async function countRoundTrips(
  product: Product,
  screens: Screens,
  pairs: readonly ScreenPair[],
): Promise<RoundTrips[]> {
  const app = await openApp(product, screens);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;

  async function statementsFor(path: string, { cookie }: Member, status: number): Promise<number> {
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
      if (answer.status !== status) {
        throw new Error(
          `${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`,
        );
      }
      await answer.arrayBuffer();
    };
    // What is read once in the life of a server, or once in seconds, is not part of a screen's cost.
    await ask();
    const counts = [];
    for (let turn = 0; turn < 3; turn += 1) {
      counts.push((await product.recording(ask)).statements.length);
    }
    return Math.min(...counts);
  }

  try {
    const counted: RoundTrips[] = [];
    for (const { screen, one, many } of pairs) {
      const session = await statementsFor("/api/session", one.member, 200);
      counted.push({
        screen,
        session,
        forOne: (await statementsFor(one.path, one.member, 200)) - session,
        forMany: (await statementsFor(many.path, many.member, 200)) - session,
      });
    }
    return counted;
  } finally {
    await app.close();
  }
}

export function roundTripsFigure({ screen, session, forOne, forMany }: RoundTrips): Figure {
  return {
    what: `SQL round trips: ${screen}, for 1 and for a full page`,
    value: `${forOne} and ${forMany}, after ${session} for the session`,
    goal: `the same, ≤ ${mostRoundTrips}`,
    met: forOne === forMany && forMany <= mostRoundTrips && session === 1,
  };
}
