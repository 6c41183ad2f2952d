type Props = {
  /** why it did not go out; undefined while it is on its way */
  problem: string | undefined;
  onAgain: () => void;
  onDiscard: () => void;
};

const act = "-mx-2 -my-1.5 flex h-11 items-center px-2 hover:text-base-content";

/** In the place of what can be done with a comment, as long as it is on its way. */
export function SendStatus({ problem, onAgain, onDiscard }: Props) {
  if (problem === undefined) return <span className="py-1.5">Sending…</span>;
  return (
    <>
      <span role="alert" className="basis-full font-medium text-danger">
        Not posted. {problem}
      </span>
      <button type="button" onClick={onAgain} className={`${act} font-medium`}>
        Try again
      </button>
      <button type="button" onClick={onDiscard} className={act}>
        Discard
      </button>
    </>
  );
}
