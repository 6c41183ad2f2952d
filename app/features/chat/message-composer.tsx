import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  type SubmitEvent,
} from "react";
import * as words from "#messages/chat.json";
import * as common from "#messages/common.json";
import { rich } from "#app/lib/text/messages.tsx";
import { limits } from "#shared/limits.ts";
import { cleanText } from "#shared/text.ts";
import { messageProblemText } from "#app/features/chat/message-problem.ts";
import { PhotosToSend, usePhotosToSend } from "#app/features/chat/photos-to-send.tsx";
import { storeDraft, useStoredDraft } from "#app/features/chat/stored-draft.ts";
import { useOnline } from "#app/features/chat/use-online.ts";
import { useSendTyping } from "#app/features/chat/use-typing.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { IconButton } from "#app/ui/button.tsx";
import { ImageIcon, PaperPlaneRightIcon, SmileyIcon } from "#app/ui/icons.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { Remaining } from "#app/ui/text-area.tsx";

const EmojiPicker = lazyComponent(
  async () => (await import("#app/features/chat/emoji-picker.tsx")).EmojiPicker,
  notifyAndClose,
);

type Props = {
  chatId: string;
  threadId: string;
  conversationId: string | null;
  viewerId: string;
  /** the other party */
  name: string;
  clientKey: string;
  returned: Refused<"body"> | undefined;
  onSend: (body: string, photos: Blob[]) => void;
};

/** On-screen keyboards have no Shift+Enter: there Enter breaks the line, and the button sends. */
const byTouch = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * The text, stored as a draft. A draft from earlier, or from another tab, is put into the field; text typed
 * before hydration stays.
 */
function useDraftedText(
  field: RefObject<HTMLTextAreaElement | null>,
  { viewerId, threadId, returned }: Pick<Props, "viewerId" | "threadId" | "returned">,
) {
  const draft = useStoredDraft(viewerId, threadId);
  const [text, setText] = useState(returned?.typed.body ?? "");

  function setDraft(value: string): void {
    setText(value);
    storeDraft(viewerId, threadId, value);
  }

  const takeDraft = useEffectEvent((begun: string) => {
    const typed = field.current?.value ?? "";
    if (document.activeElement === field.current && typed !== "" && typed !== text) setDraft(typed);
    else if (begun !== typed && !(typed !== "" && text === "" && begun === "")) setText(begun);
  });
  // The storage is read after hydration, or when another tab writes to it.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => takeDraft(draft), [draft]);
  const takeTyped = useEffectEvent(() => {
    const typed = field.current?.value ?? "";
    if (typed !== "" && draft === "") setDraft(typed);
    if (!byTouch()) field.current?.focus({ preventScroll: true });
  });
  // The field's own content is known only now.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => takeTyped(), []);

  /** Inserts text at the caret. */
  function insert(piece: string): void {
    const area = field.current;
    if (!area) return;
    const [from, to] = [area.selectionStart, area.selectionEnd];
    setDraft(text.slice(0, from) + piece + text.slice(to));
    requestAnimationFrame(() => {
      area.focus({ preventScroll: true });
      area.setSelectionRange(from + piece.length, from + piece.length);
    });
  }
  return { text, setDraft, insert };
}

/** Enter sends; with Shift or Alt, and on touch screens, it breaks the line, unless Ctrl or ⌘ is held. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent } = event;
  if (key !== "Enter" || nativeEvent.isComposing) return;
  if (!ctrlKey && !metaKey && (shiftKey || altKey || byTouch())) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The message field: stores a draft, and takes photos that are chosen, pasted or dropped. */
export function MessageComposer(props: Props) {
  const { chatId, conversationId, name, clientKey, returned, onSend } = props;
  const id = useId();
  const hydrated = useHydrated();
  const online = useOnline();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, setDraft, insert } = useDraftedText(field, props);
  const [problem, setProblem] = useState(problemAt("body", returned?.problem) ?? null);
  const [emoji, setEmoji] = useState(false);
  const chosen = usePhotosToSend();
  const sendTyping = useSendTyping(conversationId ?? chatId);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const body = cleanText(text);
    const photos = chosen.photos.map(({ file }) => file);
    const wrong = messageProblemText(body, photos.length > 0);
    // An empty message needs no error text.
    if (wrong === "") return field.current?.focus();
    setProblem(wrong);
    if (wrong) return;
    onSend(body, photos);
    setDraft("");
    chosen.clear();
    setEmoji(false);
    field.current?.focus({ preventScroll: true });
  }

  const ready = !hydrated || text.trim() !== "" || chosen.photos.length > 0;
  const shownProblem = problem ?? chosen.problem;
  return (
    <form
      method="post"
      action={`/chat/${chatId}`}
      encType="multipart/form-data"
      onSubmit={submit}
      className="relative shrink-0 border-t border-line bg-base-100 px-2 py-2"
    >
      <input type="hidden" name="intent" value="send" />
      <input type="hidden" name="clientKey" value={clientKey} />
      {!online && <output className="block px-2 pb-2 text-sm text-muted">{words.offline}</output>}
      <PhotosToSend chosen={chosen} />
      <div role="alert">
        {shownProblem && (
          <p id={`${id}-problem`} className="px-2 pb-2 text-sm font-medium text-danger">
            {shownProblem}
          </p>
        )}
      </div>
      {emoji && <EmojiPicker onPick={insert} onClose={() => setEmoji(false)} />}
      <div
        className={`flex items-end rounded-3xl border noscript:flex-wrap bg-base-100 ps-1 outline-offset-2 ${
          chosen.over ? "border-primary" : "border-line has-[textarea:focus]:border-primary"
        }`}
      >
        <AddPhoto {...chosen.input} multiple={hydrated} />
        <EmojiButton open={emoji} onPress={() => setEmoji(!emoji)} />
        <label htmlFor={id} className="sr-only">
          {rich(words.messageTo, { name: <bdi>{name}</bdi> })}
        </label>
        <textarea
          ref={field}
          id={id}
          name="body"
          dir="auto"
          rows={1}
          placeholder={words.message}
          value={text}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          enterKeyHint={hydrated ? undefined : "enter"}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            if (problem) setProblem(null);
            if (event.currentTarget.value.trim()) sendTyping();
          }}
          onKeyDown={submitByEnter}
          className="field-sizing-content max-h-[30dvh] min-h-11 w-full min-w-0 flex-1 resize-none bg-transparent px-2 py-2.5 leading-normal outline-none placeholder:text-muted"
        />
        <IconButton
          type="submit"
          label={common.send}
          aria-disabled={!ready || undefined}
          className={ready ? "text-primary" : "text-muted opacity-60"}
        >
          <PaperPlaneRightIcon weight="fill" className="size-6 rtl:rotate-180" aria-hidden />
        </IconButton>
      </div>
      <p className="px-3 text-end text-sm empty:hidden">
        <Remaining text={text} limit={limits.message} />
      </p>
    </form>
  );
}

const AddPhoto = (input: ComponentProps<"input">) => (
  <label
    title={words.addPhoto}
    className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-full text-muted outline-offset-2 hover:text-base-content has-focus-visible:outline-2 has-focus-visible:outline-primary noscript:w-full noscript:justify-items-start noscript:px-2"
  >
    <span className="sr-only">{words.addPhoto}</span>
    <ImageIcon className="size-6 noscript:hidden" aria-hidden />
    <input
      {...input}
      name="picture"
      className="sr-only noscript:not-sr-only noscript:w-full noscript:text-sm"
    />
  </label>
);

const EmojiButton = ({ open, onPress }: { open: boolean; onPress: () => void }) => (
  <button
    type="button"
    aria-label={words.emoji}
    title={words.emoji}
    aria-expanded={open}
    onClick={onPress}
    className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-base-content pointer-coarse:hidden noscript:hidden"
  >
    <SmileyIcon weight={open ? "fill" : "regular"} className="size-6" aria-hidden />
  </button>
);
