-- focus: which part of a picture a square grid shows. Of what has to be cut from its long side, how
-- many percent are cut at its beginning (left or top): 50 is the middle. Null: rendered before this.
alter table images add column focus smallint check (focus between 0 and 100);
alter table visitor_images add column focus smallint check (focus between 0 and 100);
