-- Search in what runs were given and what they came to. The texts are taken from the runs that the log names, beside the work on them:
-- no statement of a run writes here.

create table quorate.run_texts (
  run_id uuid primary key,
  workspace_id uuid not null,
  initiator_id uuid not null,
  text text not null,
  -- Checked when the texts are committed: until then no run is locked that a worker wants to claim.
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade deferrable initially deferred
);
alter table quorate.run_texts enable row level security;

-- Up to which transaction the log has been read. Of the instance: whoever holds its row reads on.
create table quorate.run_text_mark (
  only_one boolean primary key default true check (only_one),
  read_to xid8 not null default '0'
);
alter table quorate.run_text_mark enable row level security;
insert into quorate.run_text_mark default values;

do $$
declare v_schema text;
begin
  select n.nspname into v_schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  execute format('create index run_texts_search on quorate.run_texts using gin (text %I.gin_trgm_ops)', v_schema);
end $$;

-- A subject as people may look for it: with its numbers as they were sent, and as readers of three ways of writing see them.
create function quorate.subject_words(p_subject jsonb) returns text[] language sql immutable set search_path = '' as $$
  with parts as (
    select x.n, case pg_catalog.jsonb_typeof(x.part) when 'string' then x.part #>> '{}' end as words,
      pg_catalog.rtrim(pg_catalog.to_char(case pg_catalog.jsonb_typeof(x.part) when 'object' then x.part ->> 'amount'
        when 'number' then x.part #>> '{}' end::numeric, 'FM999,999,999,999,999,990.999999'), '.') as number,
      coalesce(' ' || (x.part ->> 'currency'), '') as currency
    from pg_catalog.jsonb_array_elements(p_subject) with ordinality as x (part, n)
  )
  select array[quorate.subject_text(p_subject), pg_catalog.string_agg(coalesce(p.words, p.number || p.currency), '' order by p.n),
    pg_catalog.string_agg(coalesce(p.words, pg_catalog.translate(p.number, ',.', '.,') || p.currency), '' order by p.n),
    pg_catalog.string_agg(coalesce(p.words, pg_catalog.translate(p.number, ',.', ' ,') || p.currency), '' order by p.n)]
  from parts p
$$;

-- The texts and numbers of a run, each once, from its subject, its input, its output, and its steps in their order: of 200 steps and a
-- megabyte at most, 4,000 characters of each and 20,000 in all. Of a value over 128 KB its beginning is taken as it stands.
create function quorate.text_of_run(p_run quorate.runs) returns text language sql stable security definer set search_path = '' as $$
  with given as (
    select v.place, v.content from (values (-1, pg_catalog.to_json(quorate.subject_words(p_run.subject))::text), (0, p_run.input::text),
      (1, p_run.output::text), (2, (p_run.error -> 'values')::text)) as v (place, content)
    union all
    select 3 * s.position + v.place, v.content from (
      select x.position, x.input, x.output, x.error from quorate.steps x where x.run_id = p_run.id order by x.position limit 200) s
    cross join lateral (values (0, s.input::text), (1, s.output::text), (2, (s.error -> 'values')::text)) as v (place, content)
  ), sized as (
    select g.place, g.content, sum(least(pg_catalog.length(g.content), 131072)) over (order by g.place) as total from given g
    where g.content is not null
  ), pieces as (
    select s.place, p.n, p.piece from sized s cross join lateral (
      select j.n, left(j.v #>> '{}', 4000) as piece
      from pg_catalog.jsonb_path_query(case when pg_catalog.length(s.content) <= 131072 then s.content else '[]' end::jsonb,
        'strict $.** ? (@.type() == "string" || @.type() == "number")') with ordinality as j (v, n)
      union all select 0, left(s.content, 4000) where pg_catalog.length(s.content) > 131072) p
    where s.total <= 1048576
  ), firsts as (
    select distinct on (p.piece) p.place, p.n, p.piece from pieces p where pg_catalog.btrim(p.piece) <> '' order by p.piece, p.place, p.n
  )
  select coalesce(left(pg_catalog.string_agg(f.piece, E'\n' order by f.place, f.n), 20000), '') from firsts f
$$;

-- Reads on in the log, p_limit events at a time, and takes the texts of the runs that it names: of one under way its input, of one that has
-- ended all. Nothing of what a person typed who has been erased since. Answers whether there is more.
create function quorate.index_run_texts(p_limit int) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_mark xid8; v_to xid8; v_found xid8[]; v_runs uuid[];
begin
  perform quorate.require_session();
  select m.read_to into v_mark from quorate.run_text_mark m for update skip locked;
  if not found then return false; end if;
  -- what commits from here on is read the next time; a database that was restored has begun to count again
  v_to := pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot());
  if v_mark >= v_to then v_mark := '0'; end if;
  v_found := array(select e.xid from quorate.audit_events e where e.xid > v_mark and e.xid < v_to order by e.xid limit p_limit);
  if pg_catalog.cardinality(v_found) = 0 then return false; end if;
  v_to := v_found[pg_catalog.cardinality(v_found)];
  v_runs := array(select distinct e.resource_id::uuid from quorate.audit_events e
    where e.xid > v_mark and e.xid <= v_to and e.resource_kind = 'run');
  insert into quorate.run_texts as t (run_id, workspace_id, initiator_id, text)
  select r.id, r.workspace_id, r.initiator_id, quorate.text_of_run(r) from quorate.runs r
  where r.id = any (v_runs) and (r.status in ('completed', 'failed', 'cancelled')
      or not exists (select from quorate.run_texts x where x.run_id = r.id))
    and (r.trigger_kind <> 'manual' or exists (select from public.profiles p where p.id = r.initiator_id))
  on conflict (run_id) do update set text = excluded.text where t.text <> excluded.text;
  update quorate.run_text_mark m set read_to = v_to;
  return pg_catalog.cardinality(v_found) = p_limit;
end $$;

-- Runs that hold these words and that the member may see, with the run of a number: of that one alone where the number is marked (`#12`).
-- Null: they have no three letters to be looked up by, or more runs than p_limit hold them, whoever's they are; the newest are then found
-- sooner by looking through them, and the run of a number stands for all.
create function quorate.find_run_texts(p_words text, p_limit int) returns uuid[]
language plpgsql stable security definer set search_path = '' set enable_seqscan = 'off' as $$
declare
  v_like text := '%' || replace(replace(replace(p_words, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_found quorate.run_texts[]; v_workspace uuid := quorate.current_workspace_id(); v_user uuid := quorate.current_user_id();
  v_number int := pg_catalog.substring(p_words, '^#?([0-9]{1,9})$')::int; v_numbered uuid[] := '{}';
begin
  if v_workspace is null or v_user is null or not quorate.key_may('runs:read') then return '{}'; end if;
  if v_number is not null then
    v_numbered := array(select r.id from quorate.runs r
      where r.workspace_id = v_workspace and r.number = v_number and (quorate.sees_all_runs() or r.initiator_id = v_user));
  end if;
  if pg_catalog.starts_with(p_words, '#') and v_number is not null then return v_numbered; end if;
  if p_words !~ '[[:alnum:]]{3}' then return nullif(v_numbered, '{}'); end if;
  v_found := array(select row(t.run_id, t.workspace_id, t.initiator_id, '')::quorate.run_texts
    from quorate.run_texts t where t.text ilike v_like limit p_limit + 1);
  if pg_catalog.cardinality(v_found) > p_limit then return nullif(v_numbered, '{}'); end if;
  return v_numbered || array(select f.run_id from pg_catalog.unnest(v_found) f
    where f.workspace_id = v_workspace and (quorate.sees_all_runs() or f.initiator_id = v_user) and not f.run_id = any (v_numbered));
end $$;

-- Some words around those that were searched for; null: the text does not hold them.
create function quorate.excerpt_of(p_text text, p_words text) returns text language sql immutable set search_path = '' as $$
  select case when w.at > 40 then '… ' else '' end
    || replace(pg_catalog.substr(p_text, greatest(w.at - 40, 1), 120 + pg_catalog.length(p_words)), E'\n', ' · ')
    || case when w.at + 80 + pg_catalog.length(p_words) < pg_catalog.length(p_text) then ' …' else '' end
  from (select pg_catalog.strpos(lower(p_text), lower(p_words)) as at) w where w.at > 0
$$;

-- Takes a person out of the texts and subjects of a workspace: the runs that they started by hand, and their names and addresses in all
-- others. Mails about them leave too.
create function quorate.erase_run_texts(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text; v_like text;
begin
  delete from quorate.run_texts t using quorate.runs r
    where r.id = t.run_id and r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual';
  update quorate.runs r set subject = null
    where r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual' and r.subject is not null;
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    v_like := '%' || replace(replace(replace(v_name, '\', '\\'), '%', '\%'), '_', '\_') || '%';
    update quorate.run_texts t set text = pg_catalog.regexp_replace(t.text, v_name, '', 'giq')
      where t.workspace_id = p_workspace and t.text ilike v_like;
    update quorate.runs r set subject = (
        select pg_catalog.jsonb_agg(case pg_catalog.jsonb_typeof(x.part) when 'string' then pg_catalog.to_jsonb(
          pg_catalog.regexp_replace(x.part #>> '{}', v_name, '', 'giq')) else x.part end order by x.n)
        from pg_catalog.jsonb_array_elements(r.subject) with ordinality as x (part, n))
      where r.workspace_id = p_workspace and quorate.subject_text(r.subject) ilike v_like;
  end loop;
  -- Mails on their way are made again of what is left. One that is being sent at this moment may come twice.
  with mails as (
    delete from quorate.deliveries d
    where d.workspace_id = p_workspace and d.kind = 'mail' and d.status = 'pending' and d.notices is not null
    returning d.notices
  )
  update quorate.notifications n set queued_at = null from mails m where n.id = any (m.notices);
  delete from quorate.caught_mails c where exists (
    select from pg_catalog.regexp_matches(c.text_body,
      '/dashboard/(?:runs|approvals|tasks)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'g') x (ids)
    join quorate.runs r on r.workspace_id = p_workspace and r.id = any (array[x.ids[1]::uuid,
      (select a.run_id from quorate.approvals a where a.id = x.ids[1]::uuid),
      (select t.run_id from quorate.human_tasks t where t.id = x.ids[1]::uuid)])
    where ((r.initiator_id = p_user and r.trigger_kind = 'manual') or exists (select from pg_catalog.unnest(p_names) v (name)
        where pg_catalog.length(v.name) >= 3
          and pg_catalog.strpos(pg_catalog.lower(c.subject || ' ' || c.text_body), pg_catalog.lower(v.name)) > 0)));
end $$;

-- As the steps that the texts are taken from.
create policy read_texts on quorate.run_texts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.run_texts as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.run_texts to quorate_member;
revoke all on function quorate.subject_words(jsonb), quorate.text_of_run(quorate.runs), quorate.index_run_texts(int),
  quorate.find_run_texts(text, int), quorate.excerpt_of(text, text), quorate.erase_run_texts(uuid, uuid, text[]) from public;
grant execute on function quorate.index_run_texts(int) to quorate_app;
grant execute on function quorate.find_run_texts(text, int), quorate.excerpt_of(text, text) to quorate_member;
