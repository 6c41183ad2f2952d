-- Search by four characters in a row, of names and emails, and candidates read from the index alone
-- (docs/decisions/0200). Of three in a row, a big town has thousands of what is rare as a whole.

-- As 0017 has it, and each four characters in a row.
create or replace function search_grams(search_name text, full_name text) returns text[]
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
      letter || letters[place + 1] || letters[place + 2],
      letter || letters[place + 1] || letters[place + 2] || letters[place + 3]
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

-- What a part of an email is looked up by: each four characters in a row, in their letter case.
create function email_grams(email text) returns text[]
language plpgsql immutable strict parallel safe cost 1000
as $$
declare
  grams text[] := '{}';
begin
  for place in 1..length(email) - 3 loop
    grams := grams || substr(email, place, 4);
  end loop;
  return grams;
end
$$;

drop index accounts_search_grams, accounts_search_grams_sample;
drop index accounts_email_trgm, accounts_email_trgm_sample;

create index accounts_search_grams on accounts
  using gin ((search_grams(search_name, full_name) collate "C")) with (fastupdate = off);
create index accounts_search_grams_sample on accounts
  using gin ((search_grams(substr(search_name, 1), full_name) collate "C")) with (fastupdate = off)
  where get_byte(uuid_send(id), 15) < 4;
create index accounts_email_grams on accounts
  using gin ((email_grams(email_as_typed) collate "C")) with (fastupdate = off)
  where findable_by_email;
create index accounts_email_grams_sample on accounts
  using gin ((email_grams(substr(email_as_typed, 1)) collate "C")) with (fastupdate = off)
  where findable_by_email and get_byte(uuid_send(id), 15) < 4;
-- Which pieces are frequent changes no plan, and finding it out would take seconds.
alter index accounts_search_grams alter column 1 set statistics 0;
alter index accounts_search_grams_sample alter column 1 set statistics 0;
alter index accounts_email_grams alter column 1 set statistics 0;
alter index accounts_email_grams_sample alter column 1 set statistics 0;

-- With all that candidates are chosen by.
drop index accounts_search_prefix, accounts_username_prefix;
create index accounts_search_prefix on accounts (search_name text_pattern_ops)
  include (id, suspended_at, deleted_at);
create index accounts_username_prefix on accounts (username text_pattern_ops)
  include (id, search_name, suspended_at, deleted_at);
