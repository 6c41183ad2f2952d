import { useState } from "react";

/** State that is reset to `given` when the page is read again with another value. */
export function useResettableState<Value>(given: Value) {
  const [read, setRead] = useState(given);
  const [value, setValue] = useState(given);
  if (read !== given) {
    setRead(given);
    setValue(given);
  }
  return [value, setValue] as const;
}
