import { lazyComponent } from "#app/ui/lazy-component.tsx";

/** Without it the button says that the post is being saved. */
export const Uploading = lazyComponent(
  async () => (await import("#app/features/posts/composer/uploading.tsx")).Uploading,
  () => {},
);
