-- A search finds gateways.

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

      return query select k.kind, x.id, x.score from unnest(array['workflow', 'agent', 'policy', 'gateway']) k (kind) cross join lateral (
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

      -- A run by its number, and runs that hold these words: the newest of those that the index finds, or, of words that many hold, of the
      -- newest runs.
      if (length(p_words) >= 3 or p_words ~ '^#?[0-9]+$') and quorate.key_may('runs:read') then
        v_holding := quorate.find_run_texts(p_words, 1000);
        if v_holding is null then
          v_holding := array(select t.run_id from (
            select x.id from quorate.runs x where x.workspace_id = v_workspace and (v_all or x.initiator_id = v_user)
            order by x.created_at desc, x.id desc limit 500) n join quorate.run_texts t on t.run_id = n.id where t.text ilike v_like);
        end if;
        return query select 'run'::text, r.id, case when r.number::text = pg_catalog.ltrim(p_words, '#') then 2 else 0.4 end::real
          from quorate.runs r where r.id = any (v_holding)
          order by 3 desc, r.created_at desc, r.id desc limit p_limit;
      end if;
    end $f$ $create$, v_schema);
end $$;
