import { PlaceAddress, SharePlaceButton } from "#app/features/first-day/share-place.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** In Search, to the only member. */
export function NoOneElse() {
  return (
    <EmptyState
      drawing="lens"
      title="No one else yet."
      action={<SharePlaceButton>Share</SharePlaceButton>}
    >
      <p>
        Share this place. Its address is <PlaceAddress />
      </p>
    </EmptyState>
  );
}
