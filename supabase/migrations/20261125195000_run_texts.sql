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

-- The texts and numbers of a run, each once, from its input, its output, and its steps in their order: of 200 steps and a megabyte at most,
-- 4,000 characters of each and 20,000 in all. Of a value over 128 KB its beginning is taken as it stands.
create function quorate.text_of_run(p_run quorate.runs) returns text language sql stable security definer set search_path = '' as $$
  with given as (
    select v.place, v.content from (values (0, p_run.input::text), (1, p_run.output::text), (2, (p_run.error -> 'values')::text))
      as v (place, content)
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

-- Runs that hold these words and that the member may see. Null: they have no three letters to be looked up by, or more runs than p_limit
-- hold them, whoever's they are; the newest are then found sooner by looking through them.
create function quorate.find_run_texts(p_words text, p_limit int) returns uuid[]
language plpgsql stable security definer set search_path = '' set enable_seqscan = 'off' as $$
declare
  v_like text := '%' || replace(replace(replace(p_words, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_found quorate.run_texts[]; v_workspace uuid := quorate.current_workspace_id(); v_user uuid := quorate.current_user_id();
begin
  if v_workspace is null or v_user is null or not quorate.key_may('runs:read') then return '{}'; end if;
  if p_words !~ '[[:alnum:]]{3}' then return null; end if;
  v_found := array(select row(t.run_id, t.workspace_id, t.initiator_id, '')::quorate.run_texts
    from quorate.run_texts t where t.text ilike v_like limit p_limit + 1);
  if pg_catalog.cardinality(v_found) > p_limit then return null; end if;
  return array(select f.run_id from pg_catalog.unnest(v_found) f
    where f.workspace_id = v_workspace and (quorate.sees_all_runs() or f.initiator_id = v_user));
end $$;

-- Some words around those that were searched for; null: the text does not hold them.
create function quorate.excerpt_of(p_text text, p_words text) returns text language sql immutable set search_path = '' as $$
  select case when w.at > 40 then '… ' else '' end
    || replace(pg_catalog.substr(p_text, greatest(w.at - 40, 1), 120 + pg_catalog.length(p_words)), E'\n', ' · ')
    || case when w.at + 80 + pg_catalog.length(p_words) < pg_catalog.length(p_text) then ' …' else '' end
  from (select pg_catalog.strpos(lower(p_text), lower(p_words)) as at) w where w.at > 0
$$;

-- Takes a person out of the texts of a workspace: the runs that they started by hand, and their names and addresses in all others.
create function quorate.erase_run_texts(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text; v_like text;
begin
  delete from quorate.run_texts t using quorate.runs r
    where r.id = t.run_id and r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual';
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    v_like := '%' || replace(replace(replace(v_name, '\', '\\'), '%', '\%'), '_', '\_') || '%';
    update quorate.run_texts t set text = pg_catalog.regexp_replace(t.text, v_name, '', 'giq')
      where t.workspace_id = p_workspace and t.text ilike v_like;
  end loop;
end $$;

-- As the steps that the texts are taken from.
create policy read_texts on quorate.run_texts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.run_texts as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.run_texts to quorate_member;
revoke all on function quorate.text_of_run(quorate.runs), quorate.index_run_texts(int), quorate.find_run_texts(text, int),
  quorate.excerpt_of(text, text), quorate.erase_run_texts(uuid, uuid, text[]) from public;
grant execute on function quorate.index_run_texts(int) to quorate_app;
grant execute on function quorate.find_run_texts(text, int), quorate.excerpt_of(text, text) to quorate_member;

-- Erases a person: account, memberships, workspaces that nobody else is in, and every name and address of theirs. What they did stays in
-- the log under their id: its leaves are salted digests, whose proofs hold without the erased bodies. The entry names the places whose
-- contents it erases.
create or replace function quorate.delete_account(p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_email text; w uuid; v_gone uuid[]; v_erased jsonb;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  perform pg_catalog.set_config('quorate.user_id', p_user::text, true), pg_catalog.set_config('quorate.key_id', '', true);
  if exists (select from quorate.list_own_farewells() f where f.fate = 'blocks') then raise exception 'a workspace needs an admin'
    using errcode = 'QM001'; end if;
  v_gone := array(select f.workspace_id from quorate.list_own_farewells() f where f.fate = 'goes');
  -- a body can be erased once its digest stands in the tree
  if exists (select from quorate.audit_events e
    where e.leaf_index is null and (e.actor_id = p_user or e.resource_id = p_user::text or e.workspace_id = any (v_gone))) then
    raise exception 'the log has not caught up' using errcode = 'QM003';
  end if;
  select u.email into v_email from auth.users u where u.id = p_user;

  foreach w in array v_gone loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'workspace.deleted', 'workspace', w::text, '{}',
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    delete from quorate.runs r where r.workspace_id = w;
    update quorate.artifacts a set published_version_id = null where a.workspace_id = w and a.published_version_id is not null;
    delete from quorate.artifacts a where a.workspace_id = w;
    delete from quorate.workspaces x where x.id = w;
  end loop;

  -- also where they were once: their votes and the entries by and about them carry their name
  for w in select distinct x.workspace_id from (
      select m.workspace_id from quorate.members m where m.user_id = p_user
      union all select v.workspace_id from quorate.approval_votes v where v.user_id = p_user
      union all select i.workspace_id from quorate.invitations i where lower(i.email) = lower(v_email)
      union all select e.workspace_id from quorate.audit_events e where e.salt is not null and (e.actor_id = p_user
        or (e.resource_kind = 'member' and e.resource_id = p_user::text)
          or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) x
    where exists (select from quorate.workspaces s where s.id = x.workspace_id) loop
    -- what is erased below, as stretches of the log: a blank body that no entry names could have been blanked by anybody
    select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(s.low, s.high) order by s.low), '[]') into v_erased from (
      select min(p.leaf_index) as low, max(p.leaf_index) + 1 as high from (
        select e.leaf_index, e.leaf_index - pg_catalog.row_number() over (order by e.leaf_index) as stretch from quorate.audit_events e
        where e.workspace_id = w and e.leaf_index is not null and e.salt is not null and (e.actor_id = p_user
          or (e.resource_kind = 'member' and e.resource_id = p_user::text)
            or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) p
      group by p.stretch) s;
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'account.deleted', 'member', p_user::text,
        pg_catalog.jsonb_build_object('erased', v_erased), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    perform quorate.erase_run_texts(w, p_user, array(select v_email
      union select m.name from quorate.members m where m.workspace_id = w and m.user_id = p_user
      union select v.voter_name from quorate.approval_votes v where v.workspace_id = w and v.user_id = p_user));
    update quorate.approval_votes v set voter_name = '' where v.workspace_id = w and v.user_id = p_user;
    delete from quorate.invitations i where i.workspace_id = w and lower(i.email) = lower(v_email);
    delete from quorate.members m where m.workspace_id = w and m.user_id = p_user;
  end loop;

  update quorate.audit_events e set actor_name = null, salt = null where e.actor_id = p_user and e.leaf_index is not null;
  update quorate.audit_events e set actor_name = case when e.actor_id = p_user then
    null else e.actor_name end, resource_name = null, payload = '{}', salt = null
    where e.leaf_index is not null
      and ((e.resource_kind = 'member' and e.resource_id = p_user::text)
      or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)));
  update quorate.audit_events e set actor_name = null, resource_name = null, payload = '{}', salt = null
    where e.workspace_id = any (v_gone) and e.leaf_index is not null;
  delete from quorate.deliveries d where lower(d.target) = lower(v_email);
  delete from quorate.caught_mails c where lower(c.recipient) = lower(v_email);
  delete from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email);
  delete from quorate.contact_requests c where lower(c.email) = lower(v_email);
  delete from quorate.notifications n where n.user_id = p_user;
  delete from quorate.saved_views v where v.user_id = p_user;
  delete from quorate.files f where f.owner_id = p_user;
  delete from quorate.preferences x where x.user_id = p_user;
  delete from quorate.user_sessions s where s.user_id = p_user;
  -- profile and sessions go with it
  delete from auth.users u where u.id = p_user;
end $$;

do $$
declare v_schema text;
begin
  select n.nspname into v_schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  execute format($create$
    create or replace function quorate.search_candidates(p_words text, p_limit int) returns table (kind text, id uuid, score real)
    language plpgsql stable security definer set search_path = pg_catalog, %I as $f$
    declare
      v_workspace uuid := quorate.current_workspace_id();
      v_user uuid := quorate.current_user_id();
      v_all boolean := quorate.sees_all_runs();
      v_drafts boolean := quorate.has_role('builder', 'auditor', 'admin', 'approver');
      v_like text := '%%' || replace(replace(replace(p_words, '\', '\\'), '%%', '\%%'), '_', '\_') || '%%';
      v_hex text := lower(replace(p_words, '-', ''));
      v_matched uuid[];
      v_holding uuid[];
    begin
      if v_workspace is null or v_user is null or length(p_words) not between 1 and 200 then return; end if;
      -- two letters that changed places leave three of eight trigrams in common; with few letters that would be anything
      perform set_config('pg_trgm.word_similarity_threshold', case when length(p_words) < 5 then '0.5' else '0.3' end, true);

      select array_agg(x.id) into v_matched from (
        select a.id from quorate.artifacts a where a.workspace_id = v_workspace and a.kind in ('workflow', 'agent')
          and (p_words <%% a.name or a.name ilike v_like)
        order by (a.name ilike v_like) desc, word_similarity(p_words, a.name) desc, a.updated_at desc limit 20) x;

      return query select k.kind, x.id, x.score from unnest(array['workflow', 'agent', 'policy']) k (kind) cross join lateral (
        select a.id, (word_similarity(p_words, a.name) + case when a.name ilike v_like then 1 else 0 end)::real as score
        from quorate.artifacts a
        where a.workspace_id = v_workspace and a.kind = k.kind and a.deleted_at is null
          and (a.published_version_id is not null or a.owner_id = v_user or v_drafts)
          and (p_words <%% a.name or a.name ilike v_like or a.description ilike v_like)
        order by 2 desc, a.updated_at desc limit p_limit) x;

      return query select 'connection'::text, c.id,
          (word_similarity(p_words, c.name) + case when c.name ilike v_like then 1 else 0 end)::real
        from quorate.connections c
        where c.workspace_id = v_workspace and c.deleted_at is null
          and (p_words <%% c.name or c.name ilike v_like or c.description ilike v_like)
        order by 3 desc, c.name limit p_limit;

      return query select 'member'::text, m.user_id, (greatest(word_similarity(p_words, m.name), word_similarity(p_words, m.email))
          + case when m.name ilike v_like or m.email ilike v_like then 1 else 0 end)::real
        from quorate.members m
        where m.workspace_id = v_workspace
          and (p_words <%% m.name or m.name ilike v_like or p_words <%% m.email or m.email ilike v_like)
        order by 3 desc, m.name limit p_limit;

      -- Most approvals share a few titles: a bounded number of matches is looked at, what waits first.
      return query select 'approval'::text, y.id, y.score from (
        select x.id, x.created_at, (word_similarity(p_words, x.title) + case when x.status = 'pending' then 1 else 0 end)::real as score
        from (
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and a.status = 'pending' and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)
          union
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)) x) y
        order by y.score desc, y.created_at desc limit p_limit;

      -- The newest runs of what is called so, and a run by the beginning of its id.
      if v_all then
        return query select 'run'::text, r.id, 0.5::real from unnest(v_matched) m (artifact) cross join lateral (
          select x.id, x.created_at from quorate.runs x where x.artifact_id = m.artifact and x.workspace_id = v_workspace
          order by x.created_at desc limit p_limit) r
        order by r.created_at desc limit p_limit;
      else
        return query select 'run'::text, r.id, 0.5::real from (
          select x.id, x.artifact_id, x.created_at from quorate.runs x where x.workspace_id = v_workspace and x.initiator_id = v_user
          order by x.created_at desc limit 1000) r
          where r.artifact_id = any (v_matched) order by r.created_at desc limit p_limit;
      end if;
      if v_hex ~ '^[0-9a-f]{6,32}$' then
        return query select 'run'::text, r.id, 2::real from quorate.runs r
          where r.id between rpad(v_hex, 32, '0')::uuid and rpad(v_hex, 32, 'f')::uuid and r.workspace_id = v_workspace
            and (v_all or r.initiator_id = v_user) limit p_limit;
      end if;

      -- Runs that hold these words: the newest of those that the index finds, or, of words that many hold, of the newest runs.
      if length(p_words) >= 3 and quorate.key_may('runs:read') then
        v_holding := quorate.find_run_texts(p_words, 1000);
        if v_holding is null then
          v_holding := array(select t.run_id from (
            select x.id from quorate.runs x where x.workspace_id = v_workspace and (v_all or x.initiator_id = v_user)
            order by x.created_at desc, x.id desc limit 500) n join quorate.run_texts t on t.run_id = n.id where t.text ilike v_like);
        end if;
        return query select 'run'::text, r.id, 0.4::real from quorate.runs r where r.id = any (v_holding)
          order by r.created_at desc, r.id desc limit p_limit;
      end if;
    end $f$ $create$, v_schema);
end $$;
