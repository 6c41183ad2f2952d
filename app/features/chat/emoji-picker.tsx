import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from "react";
import * as words from "#messages/chat.json";

const groups: [name: string, emoji: string][] = [
  [
    words.faces,
    "😀 😂 🤣 😊 😍 🥰 😘 😉 😎 🤩 🥳 🙂 🙃 😅 😇 🤔 🤗 🫣 😴 😢 😭 😤 😱 🤯 🥺 😬 🙄 😏",
  ],
  [words.handsAndHearts, "👍 👎 👏 🙌 🙏 👋 🤝 💪 ✌️ 🤞 👌 🫶 ❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 💕 💯 ✨"],
  [words.outThere, "🌞 🌧️ ❄️ 🔥 🌈 🌊 🌸 🌻 🍂 🐶 🐱 🐦 🦋 🐝 🌍 ⛰️ 🏖️ 🏡 🚲 🚆 ✈️ ⛵"],
  [words.things, "☕ 🍵 🍷 🍻 🍕 🍝 🍣 🥐 🍓 🎂 🎁 🎉 🎈 📷 📮 ✉️ 🎶 📚 ⚽ 🎨 💡 ✅"],
];

const columns = 8;

type Props = { onPick: (emoji: string) => void; onClose: () => void };

/** The most used emoji, for keyboards that have none. */
export function EmojiPicker({ onPick, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    box.current?.querySelector("button")?.focus();
    const stop = new AbortController();
    document.addEventListener(
      "pointerdown",
      ({ target }) => {
        if (target instanceof Node && !box.current?.parentElement?.contains(target)) close();
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);

  /** Arrow keys move through the rows; Escape closes. */
  function press(event: KeyboardEvent<HTMLDivElement>): void {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: columns,
      ArrowUp: -columns,
    };
    const step = steps[event.key];
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
      box.current?.parentElement?.querySelector("textarea")?.focus();
    } else if (step !== undefined) {
      event.preventDefault();
      buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
    }
  }

  return (
    // Its keys move between the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      role="group"
      aria-label={words.emoji}
      onKeyDown={press}
      className="absolute start-2 bottom-full mb-2 max-h-72 w-84 max-w-[calc(100%-1rem)] overflow-y-auto rounded-box border border-line bg-base-100 p-2 shadow-lg motion-appear"
    >
      {groups.map(([name, emoji]) => (
        <section key={name} aria-label={name}>
          <p className="px-1 py-1 text-xs font-medium text-muted">{name}</p>
          <div className="grid grid-cols-8">
            {emoji.split(" ").map((one) => (
              <button
                key={one}
                type="button"
                onClick={() => onPick(one)}
                className="grid aspect-square place-items-center rounded-field text-2xl -outline-offset-2 hover:bg-base-200"
              >
                {one}
              </button>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
