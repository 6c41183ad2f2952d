import { useSearchParams } from "react-router";
import { appContext } from "#app/lib/context.ts";
import { requireMember } from "#app/lib/refusals.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ImagesIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/saved.ts";

export const meta: Route.MetaFunction = () => [{ title: "Saved · Postcard" }];

export function loader({ context }: Route.LoaderArgs) {
  requireMember(context.get(appContext));
  return null;
}

export default function Saved() {
  const [query] = useSearchParams();
  const texts = query.get("kind") === "texts";
  return (
    <>
      <PageTitle>Saved</PageTitle>
      <Tabs
        label="What you saved"
        tabs={[
          { to: "/saved", label: "Photos", icon: ImagesIcon, current: !texts },
          { to: "/saved?kind=texts", label: "Words", icon: TextAlignLeftIcon, current: texts },
        ]}
      />
      <EmptyState title={texts ? "No words kept yet" : "No photos kept yet"}>
        <p>What you save is kept here, for you alone.</p>
      </EmptyState>
    </>
  );
}
