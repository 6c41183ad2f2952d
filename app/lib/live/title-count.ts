import { useEffect } from "react";

const counted = /^\(\d+\+?\) /;

/** "(3) Home · Postcard": puts the unread count before the title, whichever page sets it. */
export function useCountInTitle(count: number): void {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(counted, "");
      const wanted = count > 0 ? `(${count > 98 ? "99+" : count}) ${plain}` : plain;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
