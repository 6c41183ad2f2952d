-- Search by one, two and more characters through one index, the same in every locale
-- (docs/decisions/0134). shared/text.ts folds names; nothing is folded here, since lower() depends
-- on the database's locale.

-- What shared/text.ts folds since now.
update accounts
set search_name = regexp_replace(
  replace(translate(search_name, 'ςı', 'σi'), 'ß', 'ss'),
  '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'
)
where search_name ~ '[ςıß\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]';

-- The pieces of a name that a query can be looked up by:
--   two and three characters in a row: 'an', 'ann' (a query of two, and of three and more);
--   a space and what a word begins with: ' a', ' an' (a query of one, and of two);
--   each character of a script that sets no spaces, and each emoji: '林' (a query of one).
-- Where words begin is known to full_name only. It has as many characters as its folded form once
-- it is decomposed like that, so that places are counted and letters taken from search_name.
create function search_grams(search_name text, full_name text) returns text[]
language sql immutable strict parallel safe cost 1000
as $$
  with plain as (
    select regexp_replace(
      replace(replace(
        normalize(
          regexp_replace(normalize(full_name collate "C", NFKD), '[\u0300-\u036f]', '', 'g'), NFC
        ),
        'ß', 'ss'), 'ẞ', 'ss'),
      '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'
    ) as name
  ),
  words as (
    select coalesce(
      sum(char_length(word)) over (order by nth rows between unbounded preceding and 1 preceding), 0
    )::integer as before
    from plain,
      -- a hyphen, an apostrophe or a bracket ends a word as a space does
      regexp_replace(name, '([-‐–—''’.,·・/&()])', '\1 ', 'g') spaced,
      regexp_split_to_table(spaced, '[ \t\n\v\f\r\u1680\u2028\u2029]+')
        with ordinality as split (word, nth)
  )
  select array_agg(distinct gram collate "C")
  from (
    select substr(search_name, place, size) as gram
    from generate_series(1, char_length(search_name) - 1) place, generate_series(2, 3) size
    where place + size <= char_length(search_name) + 1
    union all
    select ' ' || substr(search_name, before + 1, size)
    from words, generate_series(1, 2) size
    where before < char_length(search_name)
    union all
    select letter
    from string_to_table(search_name, null) letter
    -- Thai to Myanmar, Khmer, Hangul, Han, kana and Yi, emoji
    where letter collate "C" ~ '[\u0e00-\u11ff\u1780-\u17ff\u2600-\u27bf\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0003ffff]'
  ) grams
$$;

create index accounts_search_grams on accounts
  using gin ((search_grams(search_name, full_name) collate "C")) with (fastupdate = off);
-- Which pieces are frequent changes no plan, and finding it out would take seconds.
alter index accounts_search_grams alter column 1 set statistics 0;
drop index accounts_search_trgm;
