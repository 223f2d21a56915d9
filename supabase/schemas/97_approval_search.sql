-- Search and filters of the approver's desk, over what each approval's action holds. Both columns are made from what the digest covers.

-- The texts and numbers that people may look for: title, question, sentence and the first fifty plain values, with their numbers as they
-- were sent and as readers of three ways of writing see them.
create function quorate.approval_words(p_title text, p_subject json) returns text
language sql immutable parallel safe set search_path = '' as $$
  select pg_catalog."left"(pg_catalog.concat_ws(E'\n', p_title, p_subject #>> '{capability,name}',
    case when p_subject #>> '{capability,name}' is null then pg_catalog."left"(p_subject #>> '{input,question}', 1000) end,
    case when p_subject #>> '{capability,name}' is null and pg_catalog.json_typeof(p_subject #> '{input,sentence}') = 'array'
      then pg_catalog.array_to_string(quorate.subject_words((p_subject #> '{input,sentence}')::jsonb), E'\n') end,
    (select pg_catalog.string_agg(case pg_catalog.json_typeof(e.value) when 'string' then pg_catalog."left"(e.value #>> '{}', 200)
        else pg_catalog.array_to_string(quorate.subject_words(pg_catalog.jsonb_build_array(e.value::jsonb)), E'\n') end, E'\n'
        order by e.place)
      from pg_catalog.json_each(quorate.shown_of(p_subject)) with ordinality e (key, value, place)
      where e.place <= 50 and (pg_catalog.json_typeof(e.value) in ('string', 'number')
        or (pg_catalog.json_typeof(e.value) = 'object' and pg_catalog.json_typeof(e.value -> 'amount') = 'number')))), 4000)
$$;

-- The amounts of an action: of money, and of a number that is called amount.
create function quorate.approval_amounts(p_subject json) returns double precision[]
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(pg_catalog.array_agg(x.amount::double precision), '{}') from (
    select case when pg_catalog.json_typeof(e.value) = 'object' and pg_catalog.json_typeof(e.value -> 'amount') = 'number'
        then e.value ->> 'amount'
      when pg_catalog.json_typeof(e.value) = 'number' and pg_catalog.lower(e.key) = 'amount' then e.value #>> '{}' end as amount
    from pg_catalog.json_each(quorate.shown_of(p_subject)) with ordinality e (key, value, place) where e.place <= 50) x
  where x.amount is not null
$$;

alter table quorate.approvals
  add column words text generated always as (quorate.approval_words(title, subject)) stored,
  add column amounts double precision[] generated always as (quorate.approval_amounts(subject)) stored;

revoke all on function quorate.approval_words(text, json), quorate.approval_amounts(json) from public;
