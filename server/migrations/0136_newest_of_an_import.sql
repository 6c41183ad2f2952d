-- Whoever imports posts may have the newest of them shown in feeds, on their days (docs/decisions/0252).
alter table imports
  -- when it ends
  add column show_newest boolean not null default false;

-- posts.imported_at keeps a post out of feeds, as every index behind them says. One that is shown loses it when its
-- import ends, and is still known as imported by posts.import_id. The release before shows and undoes these as well;
-- an import that it ends while servers are replaced shows none.
