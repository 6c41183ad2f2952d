import drawing from "#app/features/landing/empty-town.svg?raw";

/** A town at the water before anybody posted: a postcard that nobody wrote yet, in the colours of landing.css. */
export const EmptyTown = () => (
  <svg
    viewBox="0 0 400 400"
    aria-hidden="true"
    className="door-town fill-none"
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);
