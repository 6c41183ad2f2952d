import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { limits } from "#shared/limits.ts";
import type { AccountSummary, TagView } from "#shared/views.ts";
import * as words from "#messages/composer.json";
import { insertInto, positionUnder } from "#app/features/completion/in-field.ts";
import type { Word } from "#app/features/completion/word-at.ts";
import { getJson } from "#app/lib/api-client.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";

type Props = Word & { field: HTMLTextAreaElement; onClose: () => void };

/** An option: `text` replaces what was typed. */
type Offer = { text: string; shown: ReactNode };
type Offers = { typed: string; items: Offer[] };

/** Pause after the last character before options are requested, milliseconds. */
const pauseMs = 120;

/** The options for what is typed; of accounts the best is selected at once, of tags none. */
function useOffers({ mark, typed }: Pick<Word, "mark" | "typed">) {
  const [offers, setOffers] = useState<Offers>({ typed: "", items: [] });
  const [at, setAt] = useState(-1);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const found = await offersFor(mark, typed).catch(() => []);
      if (!wanted) return;
      setOffers({ typed, items: found });
      setAt(mark === "@" && typed !== "" ? 0 : -1);
    }, pauseMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [mark, typed]);
  return { ...offers, at, setAt };
}

/** Marks on the field which list is open below it, and which option is selected. */
function useComboboxAria(field: HTMLTextAreaElement, id: string, open: boolean, at: number): void {
  useEffect(() => {
    if (!open) return;
    const attributes = {
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": id,
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name);
    };
  }, [field, id, open]);

  useEffect(() => {
    if (!open || at < 0) return;
    field.setAttribute("aria-activedescendant", `${id}-${at}`);
    document.querySelector(`#${CSS.escape(`${id}-${at}`)}`)?.scrollIntoView({ block: "nearest" });
    return () => field.removeAttribute("aria-activedescendant");
  }, [field, id, at, open]);
}

/**
 * Accounts or tags below the field one writes in. The focus stays in the field, which names the option that
 * Enter or Tab would take (aria-activedescendant): none at first of tags, since a line may end with a new
 * one. While an input method composes, the keys are its own.
 */
export function AutocompleteList({ field, mark, typed, start, onClose }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { typed: answered, items, at, setAt } = useOffers({ mark, typed });
  const open = items.length > 0;
  const close = useEffectEvent(onClose);

  useComboboxAria(field, id, open, at);

  function choose(offer: Offer): void {
    onClose();
    insertInto(field, { start, end: start + 1 + typed.length, text: offer.text });
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    // The shown options are for earlier characters: nobody chose from them.
    const chosen = answered === typed ? items[at] : undefined;
    const step = { ArrowDown: 1, ArrowUp: at < 0 ? 0 : -1 }[key];
    if (key === "Escape") onClose();
    else if (step !== undefined) setAt((at + step + items.length) % items.length);
    else if ((key === "Enter" || (key === "Tab" && !event.shiftKey)) && chosen) choose(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => press(event);
    field.addEventListener("keydown", onKey);
    return () => field.removeEventListener("keydown", onKey);
  }, [field, open]);

  useLayoutEffect(() => {
    if (!open || !list.current) return;
    return positionUnder(field, list.current, () => close());
  }, [field, open]);

  return (
    <>
      <output className="sr-only">{open && counted(words.suggestions, items.length)}</output>
      {open && (
        <div
          ref={list}
          popover="manual"
          id={id}
          role="listbox"
          aria-label={mark === "@" ? words.people : words.tags}
          className="m-0 w-72 overflow-y-auto rounded-box border border-line bg-base-100 p-1 text-base-content shadow-lg"
        >
          {items.map((offer, index) => (
            // The keys are those of the field, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={offer.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(offer)}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-2 py-1 hover:bg-base-200 aria-selected:bg-base-300"
            >
              {offer.shown}
            </div>
          ))}
        </div>
      )}
    </>
  );
}

async function offersFor(mark: Word["mark"], typed: string): Promise<Offer[]> {
  const query = new URLSearchParams({ q: typed });
  if (mark === "@") {
    const { items } = await getJson<{ items: AccountSummary[] }>(`/api/mentions?${query}`);
    return items.map((account) => ({
      text: `@${account.username}`,
      shown: accountOption(account),
    }));
  }
  if (typed === "") return [];
  const { items } = await getJson<{ items: TagView[] }>(`/api/tags?${query}`);
  return items.map((found) => ({ text: `#${found.tag}`, shown: tag(found) }));
}

const accountOption = ({ name, username, avatar }: AccountSummary) => (
  <>
    <Avatar name={name} image={avatar} size="sm" />
    <span className="min-w-0 leading-tight">
      <bdi className="block truncate font-medium">{name}</bdi>
      <bdi className="block truncate text-sm text-muted">@{username}</bdi>
    </span>
  </>
);

const tag = ({ tag: name, posts }: TagView) => (
  <>
    <bdi className="min-w-0 flex-1 truncate font-medium">#{name}</bdi>
    <span className="shrink-0 text-sm text-muted">
      {posts > limits.tagPostsCounted
        ? fill(words.postsOver, { count: limits.tagPostsCounted })
        : counted(words.posts, posts)}
    </span>
  </>
);
