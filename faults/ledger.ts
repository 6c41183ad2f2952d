/** A client's request, and whether it was acknowledged. */
export type Deed = {
  kind: "post" | "comment" | "message" | "sign-up";
  /** what its row has, and no other row: a text, or an email */
  key: string;
  /** doubtful: no answer came; it may be stored, whole, or not at all */
  state: "doubtful" | "acknowledged";
  /** of a post with a photo: SHA-256 of the file that was sent, hexadecimal */
  photo?: string;
};

/** Something that is on or off; null while nobody knows whether the last request arrived. */
export type Switch = {
  kind: "like" | "follow" | "save";
  by: string;
  of: string;
  on: boolean | null;
};

/** Recorded by the clients while the server dies and comes back; read by the oracle afterwards. */
export type Ledger = ReturnType<typeof createLedger>;

/** The words of so many wrong answers are remembered. */
const mostReasons = 20;

export function createLedger() {
  const deeds = new Map<string, Deed>();
  const switches = new Map<string, Switch>();
  /** of each acknowledged write: when it was sent, by performance.now() */
  const acknowledgements: number[] = [];
  const wrong: string[] = [];
  const state = { wrong: 0, refused: 0, gone: 0, slowestRefusal: 0, uploading: 0, writing: 0 };

  return {
    deeds,
    switches,
    acknowledgements,
    wrong,
    state,
    intend: (deed: Omit<Deed, "state">): Deed => {
      const found = deeds.get(`${deed.kind} ${deed.key}`);
      if (found) return found;
      const made: Deed = { ...deed, state: "doubtful" };
      deeds.set(`${deed.kind} ${deed.key}`, made);
      return made;
    },
    switchOf: (one: Omit<Switch, "on">): Switch => {
      const name = `${one.kind} ${one.by} ${one.of}`;
      const found = switches.get(name) ?? { ...one, on: false };
      switches.set(name, found);
      return found;
    },
    acknowledge: (sent: number) => void acknowledgements.push(sent),
    isWrong: (what: string) => {
      state.wrong += 1;
      if (wrong.length < mostReasons) wrong.push(what);
    },
  };
}
