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
language plpgsql immutable strict parallel safe cost 1000
as $$
declare
  letters text[] := string_to_array(search_name, null);
  plain text collate "C" :=
    normalize(regexp_replace(normalize(full_name, NFKD), '[\u0300-\u036f]', '', 'g'), NFC);
  letter text collate "C";
  place integer := 0;
  begins boolean := true;
  grams text[] := '{}';
begin
  plain := replace(replace(plain, 'ß', 'ss'), 'ẞ', 'ss');
  plain := regexp_replace(
    plain, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'
  );
  foreach letter in array string_to_array(plain, null) loop
    if letter ~ '[ \t\n\v\f\r\u1680\u2028\u2029]' then
      begins := true;
      continue;
    end if;
    place := place + 1;
    if begins then
      grams := grams || array[
        ' ' || letters[place],
        ' ' || letters[place] || letters[place + 1]
      ];
    end if;
    -- what follows a hyphen, an apostrophe or a bracket is a word as well
    begins := letter ~ '[-‐–—''’.,·・/&()]';
  end loop;
  for place in 1..cardinality(letters) loop
    letter := letters[place];
    grams := grams || array[
      letter || letters[place + 1],
      letter || letters[place + 1] || letters[place + 2]
    ];
    -- Thai to Myanmar and Hangul, Khmer, signs, Han, kana and Yi, Hangul, Han, kana, emoji and Han
    if letter ~ '[\u0e00-\u11ff\u1780-\u17ff\u2600-\u27bf\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0003ffff]' then
      grams := grams || letter;
    end if;
  end loop;
  -- beyond the last letter there is none
  return array_remove(grams, null);
end
$$;

create index accounts_search_grams on accounts
  using gin ((search_grams(search_name, full_name) collate "C")) with (fastupdate = off);
-- Which pieces are frequent changes no plan, and finding it out would take seconds.
alter index accounts_search_grams alter column 1 set statistics 0;
drop index accounts_search_trgm;
