import { share } from "#messages/common.json";
import * as words from "#messages/first-day.json";
import { PlaceAddress, SharePlaceButton } from "#app/features/first-day/share-place.tsx";
import { rich } from "#app/lib/text/messages.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** In Search, to the only member. */
export function NoOneElse() {
  return (
    <EmptyState
      drawing="lens"
      title={words.noOneElse}
      action={<SharePlaceButton>{share}</SharePlaceButton>}
    >
      <p>{rich(words.sharePlaceAt, { address: <PlaceAddress /> })}</p>
    </EmptyState>
  );
}
