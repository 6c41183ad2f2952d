import drawing from "#app/features/landing/empty-town.svg?raw";

/** A town by the water before anybody has posted: an unwritten postcard, in the colours of landing.css. */
export const EmptyTown = () => (
  <svg
    viewBox="0 0 400 400"
    aria-hidden="true"
    className="fill-none"
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);
