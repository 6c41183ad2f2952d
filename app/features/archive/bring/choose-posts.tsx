import { useCallback, useMemo, useRef, useState } from "react";
import * as words from "#messages/bring.json";
import type { Audience } from "#shared/posts.ts";
import type { DeviceExport, DevicePost } from "#app/features/archive/device/read-export.ts";
import { NewestField } from "#app/features/archive/bring/newest-field.tsx";
import type { Kept } from "#app/features/archive/bring/send-post.ts";
import { FollowedPeople } from "#app/features/archive/bring/followed-people.tsx";
import {
  rangeOf,
  sumOf,
  withTicks,
  yearsOf,
  type Year,
} from "#app/features/archive/bring/selection.ts";
import { YearBox, YearGrid } from "#app/features/archive/bring/year-grid.tsx";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { said } from "#app/lib/text/said.ts";
import { sizeText } from "#app/lib/text/sizes.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";

export type Chosen = {
  posts: DevicePost[];
  audience: Audience;
  kept: Kept;
  showNewest: boolean;
};

type Props = {
  accountId: string;
  device: DeviceExport;
  /** keys of posts that are here already */
  known: ReadonlySet<string>;
  /** keys that are ticked at first */
  first: ReadonlySet<string>;
  audience: Audience;
  /** as chosen before, where it is gone on with */
  showNewest: boolean;
  isPrivate: boolean;
  room: number | null;
  problem: string | undefined;
  pending: boolean;
  onSend: (chosen: Chosen) => void;
  onCancel: () => void;
};

/** What is in an export, to choose from before anything is sent. */
export function ChoosePosts(props: Props) {
  const { device, known, isPrivate, problem, pending, onSend, onCancel } = props;
  const { posts } = device;
  // What was for followers there is not shown to everyone by accident.
  const narrowed = device.isPrivate && props.audience === "everyone" && !isPrivate;
  const [audience, setAudience] = useState<Audience>(narrowed ? "followers" : props.audience);
  const [kept, setKept] = useState<Kept>({ captions: true, hashtags: true, places: false });
  const [showNewest, setShowNewest] = useState(props.showNewest);
  const { years, ticked, tick, tickYear, tickAll } = useTicks(props);
  const sum = useMemo(() => sumOf(posts, ticked), [posts, ticked]);
  const open = posts.filter(({ key, problem: why }) => why === null && !known.has(key)).length;
  const keep = (part: Partial<Kept>) => setKept((now) => ({ ...now, ...part }));

  return (
    <div className="grid gap-5 pb-8">
      <p className="px-4 text-sm text-pretty text-muted md:px-0">
        {counted(words.postsFrom, posts.length, { service: kindNames[device.kind] })}{" "}
        {known.size > 0 ? counted(words.knownOfThem, known.size) : null}
      </p>
      <section
        aria-label={words.howTheyCome}
        className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0"
      >
        <AudienceRow chosen={audience} isPrivate={isPrivate} onChosen={setAudience} />
        <div className="border-t border-line px-4 py-2 md:px-5">
          {narrowed ? <p className="py-1 text-sm text-pretty">{words.privateThere}</p> : null}
          <p className="py-1 text-sm text-pretty text-muted">{words.fewerThere}</p>
          <CheckField
            name="captions"
            label={words.keepCaptions}
            checked={kept.captions}
            onChange={({ currentTarget }) => keep({ captions: currentTarget.checked })}
          />
          {kept.captions ? (
            <CheckField
              name="hashtags"
              label={words.keepHashtags}
              hint={words.keepHashtagsHint}
              checked={kept.hashtags}
              onChange={({ currentTarget }) => keep({ hashtags: currentTarget.checked })}
            />
          ) : null}
          <CheckField
            name="places"
            label={words.showPlaces}
            hint={words.showPlacesHint}
            checked={kept.places}
            onChange={({ currentTarget }) => keep({ places: currentTarget.checked })}
          />
          {audience === "only-me" ? null : (
            <NewestField checked={showNewest} onChosen={setShowNewest} />
          )}
        </div>
      </section>
      {device.followed.length > 0 ? (
        <FollowedPeople followed={device.followed} viewerId={props.accountId} />
      ) : null}
      <div className="grid gap-4">
        <YearBox
          label={words.all}
          count={chosenOf(sum.posts, open)}
          chosen={sum.posts}
          open={open}
          onChange={tickAll}
        />
        {years.map((year) => (
          <YearGrid
            key={year.year}
            {...{ year, ticked, known }}
            photo={device.photo}
            onTick={tick}
            onTickYear={tickYear}
          />
        ))}
      </div>
      <LeftOut device={device} />
      <Foot {...{ sum, open, pending, onCancel, problem }} room={props.room}>
        <Button
          look="primary"
          pending={pending}
          disabled={sum.posts === 0 || isTooMuch(sum, props.room)}
          onClick={() =>
            onSend({
              posts: posts.filter(({ key }) => ticked.has(key)),
              audience,
              kept,
              showNewest,
            })
          }
        >
          {counted(words.bringPosts, sum.posts)}
        </Button>
      </Foot>
    </div>
  );
}

/** What is ticked; with Shift, all from the last one that was pressed. */
function useTicks({ device, known, first }: Pick<Props, "device" | "known" | "first">) {
  const { posts } = device;
  const years = useMemo(() => yearsOf(posts), [posts]);
  const [ticked, setTicked] = useState(first);
  const last = useRef<number | null>(null);
  const set = useCallback(
    (those: readonly DevicePost[], on: boolean) =>
      setTicked((now) => withTicks(now, those, { on, known })),
    [known],
  );
  const tick = useCallback(
    (index: number, { on, range }: { on: boolean; range: boolean }) => {
      set(rangeOf(years, range && last.current !== null ? last.current : index, index), on);
      last.current = index;
    },
    [years, set],
  );
  const tickYear = (year: Year, on: boolean) =>
    set(
      year.posts.map(({ post }) => post),
      on,
    );
  const tickAll = (on: boolean) =>
    set(
      posts.filter(({ problem }) => problem === null),
      on,
    );
  return { years, ticked, tick, tickYear, tickAll };
}

/** Posts that cannot come, and what no post is made of. */
function LeftOut({ device: { posts, leftOut } }: Pick<Props, "device">) {
  const problems = posts.flatMap(({ key, problem }) =>
    problem === null ? [] : [{ key, problem }],
  );
  if (problems.length + leftOut.length === 0) return null;
  const more = problems.length - mostProblems;
  return (
    <details className="px-4 text-sm md:px-0">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        {words.notComing}
      </summary>
      <ul className="list-disc ps-5 wrap-anywhere">
        {leftOut.map((sentence) => (
          <li key={sentence}>{said(sentence)}</li>
        ))}
        {problems.slice(0, mostProblems).map(({ key, problem }) => (
          <li key={key}>{said(problem)}</li>
        ))}
      </ul>
      {more > 0 ? <p>{fill(words.andMore, { count: wholeCount(more) })}</p> : null}
    </details>
  );
}

/** Sentences that are shown. */
const mostProblems = 500;

const chosenOf = (chosen: number, open: number) =>
  counted(words.chosenOf, open, { chosen: wholeCount(chosen) });

type Sum = ReturnType<typeof sumOf>;

const isTooMuch = ({ bytes }: Sum, room: number | null) => room !== null && bytes > room;

type FootProps = Pick<Props, "room" | "problem" | "onCancel"> & {
  sum: Sum;
  open: number;
  children: React.ReactNode;
};

/** What would be sent, and whether there is room for it: always in reach. */
function Foot({ sum, open, room, problem, onCancel, children }: FootProps) {
  const all = {
    posts: chosenOf(sum.posts, open),
    photos: counted(words.photos, sum.photos),
    size: sizeText(sum.bytes),
  };
  return (
    <div className="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 grid gap-2 border-t border-line bg-base-100 px-4 py-3 md:bottom-4 md:rounded-box md:border">
      {problem ? <FormAlert text={problem} /> : null}
      <p className="text-sm tabular-nums" role="status">
        {room === null
          ? fill(words.sum, all)
          : fill(words.sumAndRoom, { ...all, room: sizeText(room) })}{" "}
        {isTooMuch(sum, room) ? words.tooMuch : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {children}
        <Button look="quiet" onClick={onCancel}>
          {words.anotherFile}
        </Button>
      </div>
    </div>
  );
}
