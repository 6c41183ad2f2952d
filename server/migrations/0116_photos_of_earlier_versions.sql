-- The photos of a post when it said this, in their order: of those that were removed since, no more than the id is
-- left. Null: not known, as for versions of the release before, which neither reads nor writes it.
alter table post_versions add column image_ids uuid[];
