-- Comments are answered, liked and, for a while, edited.
alter table comments
  -- the comment it stands under, itself never an answer; null: it stands under the post
  add column root_id uuid check (root_id <> id),
  -- answers that stand under it
  add column reply_count integer not null default 0 check (reply_count >= 0),
  add column like_count integer not null default 0 check (like_count >= 0),
  -- when its words changed last; null: as it was written
  add column edited_at timestamptz,
  -- what counts answers deletes them; this holds whatever deletes a comment
  add constraint comments_root foreign key (author_id, post_id, root_id)
    references comments (author_id, post_id, id) on delete cascade;

-- a page of comments that stand under the post, however many answers lie between them
create index comments_roots on comments (author_id, post_id, id) where root_id is null;
-- the answers under a comment
create index comments_replies on comments (author_id, post_id, root_id, id)
  where root_id is not null;

-- comment_likes: one an account and comment.
create table comment_likes (
  author_id uuid not null,
  post_id uuid not null,
  comment_id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (author_id, post_id, comment_id, account_id),
  foreign key (author_id, post_id, comment_id) references comments (author_id, post_id, id)
    on delete cascade
);
-- by who made them: export, deletion
create index comment_likes_by_account on comment_likes (account_id, id desc);
