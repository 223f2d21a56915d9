drop index quorate.steps_within;
-- The steps outside loops too, which the page of a run reads beside 10,000 items.
create index steps_within on quorate.steps (run_id, within) where item_index is null;
