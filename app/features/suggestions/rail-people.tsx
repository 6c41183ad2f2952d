import { useEffect, useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import { PeopleToFollow } from "#app/features/suggestions/people-to-follow.tsx";
import { getJson } from "#app/lib/forms/post-form.ts";

/** As many as stand beside a feed. */
const shown = 4;

/**
 * People to follow beside the page. They are asked for once, when the page is alive: no document waits for
 * them. Without an answer nothing stands there.
 */
export function RailPeople() {
  const [people, setPeople] = useState<SuggestedAccount[]>([]);
  useEffect(() => {
    getJson<{ items: SuggestedAccount[] }>(`/api/suggestions?limit=${shown}`).then(
      ({ items }) => setPeople(items),
      () => undefined,
    );
  }, []);
  return <PeopleToFollow people={people} small />;
}
